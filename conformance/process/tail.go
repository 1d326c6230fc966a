// The end of what a process writes beside its answers.

package process

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"time"
)

// tailSize is how many bytes are kept.
const tailSize = 4 << 10

// tail keeps the end of a stream.
type tail struct {
	mu     sync.Mutex
	buf    []byte
	log    func(line string)
	done   chan struct{}
	reader sync.Once
}

// read reads the stream to its end.
func (t *tail) read(r io.Reader) {
	defer close(t.over())
	in := bufio.NewReaderSize(r, 32<<10)
	for {
		b, err := in.ReadSlice('\n')
		if len(b) > 0 {
			t.add(b)
			t.log(clip(b))
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

func (t *tail) over() chan struct{} {
	t.reader.Do(func() { t.done = make(chan struct{}) })
	return t.done
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b = b[max(0, len(b)-tailSize):]
	if drop := len(t.buf) + len(b) - tailSize; drop > 0 {
		t.buf = append(t.buf[:0], t.buf[min(drop, len(t.buf)):]...)
	}
	t.buf = append(t.buf, b...)
}

// text returns what is kept so far.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.buf), "\uFFFD")
}

// end returns text when the process has ended. It waits for all that the process has written, but not for
// others that hold its standard error.
func (t *tail) end() string {
	select {
	case <-t.over():
	case <-time.After(500 * time.Millisecond):
	}
	return t.text()
}
