// Implementations in Go, and how they answer requests.

package protocol

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

// Implementation is a codec in this process. Its methods may be called by several
// goroutines at once. An error is a refusal; one that is a *[Refusal] tells where
// and of which kind, and one that is a *[Lack] says that it cannot do this at all.
type Implementation interface {
	// About returns its description, with what it supports.
	About() About
	// Decode returns the value at the beginning of b, as any JSON that codec.ParseJSON takes. It
	// also returns how many bytes the value took, or 0 if it does not tell.
	Decode(spec string, b []byte, objects bool) (value json.RawMessage, used int, err error)
	// Encode returns the bytes of a value, which comes as explicit JSON.
	Encode(spec string, value json.RawMessage, objects bool) ([]byte, error)
	// Recode returns what it writes for the value that it reads from b. It also
	// returns how many bytes of b that took.
	Recode(spec string, b []byte, objects bool) (again []byte, used int, err error)
}

// Refusal is an error that says more than its text.
type Refusal struct {
	Kind   string // as in vectors.Error
	Offset int    // of the byte that is wrong
	Text   string
}

func (r *Refusal) Error() string { return r.Text }

// Lack is an error that says that an implementation cannot do a thing at all.
type Lack struct{ What string }

func (l *Lack) Error() string { return l.What }

// Reply has an implementation answer a request.
func Reply(impl Implementation, r *Request) Answer {
	a := Answer{ID: r.ID}
	var b []byte
	var err error
	if r.Op == Decode || r.Op == Recode {
		if b, err = hex.DecodeString(r.Bytes); err != nil {
			return refuse(a, fmt.Errorf("bytes of the request are no hexadecimal digits: %w", err))
		}
	}
	var again []byte
	switch r.Op {
	case Hello:
		about := impl.About()
		a.Hello = &about
		return a
	case Decode:
		a.Value, a.Used, err = impl.Decode(r.Spec, b, r.Objects)
	case Encode:
		again, err = impl.Encode(r.Spec, r.Value, r.Objects)
	case Recode:
		again, a.Used, err = impl.Recode(r.Spec, b, r.Objects)
	default:
		err = &Lack{fmt.Sprintf("the operation %q", r.Op)}
	}
	if err != nil {
		return refuse(a, err)
	}
	a.OK, a.Bytes = true, hex.EncodeToString(again)
	return a
}

func refuse(a Answer, err error) Answer {
	a.Value, a.Used = nil, 0
	var lack *Lack
	if errors.As(err, &lack) {
		a.Unsupported = filled(lack.What)
		return a
	}
	var why *Refusal
	if errors.As(err, &why) {
		a.Kind, a.Offset = why.Kind, &why.Offset
	}
	a.Error = filled(err.Error())
	return a
}

func filled(text string) string {
	if text == "" {
		return "no reason given"
	}
	return text
}

// Serve answers the requests that it reads from r, one a line, until r ends. The
// error is one of r, of w, or about a line that is no request.
func Serve(r io.Reader, w io.Writer, impl Implementation) error {
	in := bufio.NewReaderSize(r, 64<<10)
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var request Request
			if err := json.Unmarshal(line, &request); err != nil {
				return fmt.Errorf("a line that is no request: %w", err)
			}
			// Each answer goes out at once: one that is kept while the next request
			// crashes the process would make that request's crash look like its own.
			if err := enc.Encode(Reply(impl, &request)); err != nil {
				return err
			}
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Main serves an implementation as the runner wants it, and ends the process. It serves
// on standard input and output, or on the connection that the environment asks for.
func Main(impl Implementation) {
	if err := Connect(os.Stdin, os.Stdout, impl); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Connect is [Serve], except that it talks over TCP where the environment asks for it.
func Connect(stdin io.Reader, stdout io.Writer, impl Implementation) error {
	address := os.Getenv(ConnectVar)
	if address == "" {
		return Serve(stdin, stdout, impl)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	return Serve(conn, conn, impl)
}
