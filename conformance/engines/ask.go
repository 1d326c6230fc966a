package engines

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A Reply is what an engine says to a question.
type Reply struct {
	Accepted bool   `json:"accepted"` // of a packet
	Used     int    `json:"used"`     // of a packet, where the engine tells (Godot 4)
	Again    string `json:"again"`    // what it writes of the value it read
}

// Packets asks the engine about packets that were made here, not by its own script. One
// generator makes packets that the other does not.
func (e Engine) Packets(scripts, dir string, packets [][]byte) ([]Case, error) {
	questions := make([]string, len(packets))
	for i, p := range packets {
		questions[i] = "packet " + base64.StdEncoding.EncodeToString(p)
	}
	replies, err := e.ask(scripts, dir, questions)
	if err != nil {
		return nil, err
	}
	cases := make([]Case, len(packets))
	for i, r := range replies {
		cases[i] = Case{Kind: "damaged", Hex: hex.EncodeToString(packets[i]), How: "made here",
			Accepted: r.Accepted, Used: r.Used, Again: r.Again, Line: i + 1}
	}
	return cases, nil
}

// Texts has the engine read texts, and returns the bytes, in hexadecimal digits, it
// writes of the values it found. A text that it cannot read gives some other value.
func (e Engine) Texts(scripts, dir string, texts []string) ([]string, error) {
	questions := make([]string, len(texts))
	for i, t := range texts {
		questions[i] = "text " + base64.StdEncoding.EncodeToString([]byte(t))
	}
	replies, err := e.ask(scripts, dir, questions)
	if err != nil {
		return nil, err
	}
	again := make([]string, len(texts))
	for i, r := range replies {
		again[i] = r.Again
	}
	return again, nil
}

func (e Engine) ask(scripts, dir string, questions []string) ([]Reply, error) {
	wrapper, err := e.Path()
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs(filepath.Join(scripts, e.asked))
	if err != nil {
		return nil, err
	}
	asked, said := filepath.Join(dir, e.Name+".asked"), filepath.Join(dir, e.Name+".said")
	f, err := os.Create(asked)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(f)
	for _, q := range questions {
		fmt.Fprintln(w, q)
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, wrapper, e.flag, script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OCTABLE_ASK="+asked, "OCTABLE_OUT="+said)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", e.Name, err, tail(out))
	}
	f, err = os.Open(said)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	replies := make([]Reply, 0, len(questions))
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var r Reply
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, reply %d: %w", e.Name, len(replies)+1, err)
		}
		replies = append(replies, r)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(replies) != len(questions) {
		return nil, fmt.Errorf("%s gave %d replies to %d questions", e.Name, len(replies), len(questions))
	}
	return replies, nil
}

// Damage makes n packets from a pool of good ones. It goes by words and by values inside
// values; half of what it makes has a good head and nothing else to recommend it.
func Damage(spec string, seed int64, pool [][]byte, n int) [][]byte {
	m := &mill{r: rand.New(rand.NewPCG(uint64(seed), 1)), d: dialects[spec], pool: pool}
	packets := make([][]byte, n)
	for i := range packets {
		packets[i] = m.packet()
	}
	return packets
}

type mill struct {
	r    *rand.Rand
	d    *dialect
	pool [][]byte
}

func (m *mill) packet() []byte {
	if m.r.IntN(4) == 0 {
		return m.soup(m.r.IntN(24))
	}
	b := m.any()
	for range 1 + m.r.IntN(3) {
		b = m.hurt(b)
	}
	if len(b) > 4096 {
		b = b[:4096]
	}
	return b
}

func (m *mill) any() []byte {
	return append([]byte(nil), m.pool[m.r.IntN(len(m.pool))]...)
}

// word is a word that may be anything: a head, a count, a length, chance.
func (m *mill) word() []byte {
	var v uint32
	switch m.r.IntN(8) {
	case 0, 1:
		v = uint32(m.r.IntN(len(m.d.types) + 1))
		if m.r.IntN(2) == 0 {
			v |= uint32(m.r.IntN(16)) << 16
		}
	case 2, 3, 4:
		v = uint32(m.r.IntN(6))
	case 5:
		v = 1<<31 | uint32(m.r.IntN(4))
	case 6:
		v = uint32(-m.r.IntN(5))
	default:
		v = m.r.Uint32() >> m.r.IntN(32)
	}
	return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
}

// soup is a good head with words behind it that nobody chose for it.
func (m *mill) soup(words int) []byte {
	b := []byte{byte(m.r.IntN(len(m.d.types))), 0, 0, 0}
	switch m.r.IntN(3) {
	case 0:
		b[2] = byte(m.r.IntN(16))
	case 1:
		b[1], b[2], b[3] = byte(m.r.IntN(256)), byte(m.r.IntN(256)), byte(m.r.IntN(256))
	}
	for range words {
		b = append(b, m.word()...)
	}
	for range m.r.IntN(4) * m.r.IntN(2) {
		b = append(b, byte(m.r.IntN(256)))
	}
	return b
}

func (m *mill) hurt(b []byte) []byte {
	spans := m.spans(b)
	// Somewhere in b: a value, and a word.
	at := spans[m.r.IntN(len(spans))]
	word := 4 * m.r.IntN(len(b)/4+1)
	switch m.r.IntN(10) {
	case 0, 1: // a word replaced
		if word+4 <= len(b) {
			copy(b[word:], m.word())
		}
	case 2: // a word put in
		return splice(b, word, word, m.word())
	case 3: // a word taken out
		return splice(b, word, min(word+4, len(b)), nil)
	case 4, 5: // a value in the place of another
		from := m.any()
		other := m.spans(from)
		s := other[m.r.IntN(len(other))]
		return splice(b, at[0], at[1], from[s[0]:s[1]])
	case 6: // a value twice
		return splice(b, at[0], at[0], b[at[0]:at[1]])
	case 7: // a value away
		return splice(b, at[0], at[1], nil)
	case 8: // soup for a value
		return splice(b, at[0], at[1], m.soup(m.r.IntN(6)))
	case 9: // bytes, as in texts and numbers
		for range 1 + m.r.IntN(4) {
			if len(b) > 0 {
				b[m.r.IntN(len(b))] = byte(m.r.IntN(256))
			}
		}
	}
	return b
}

func splice(b []byte, from, to int, with []byte) []byte {
	out := append([]byte(nil), b[:from]...)
	out = append(out, with...)
	return append(out, b[to:]...)
}

// spans finds the values in b, as far as it can be followed, b itself among them.
func (m *mill) spans(b []byte) [][2]int {
	w := walker{d: m.d, in: b, whole: len(b), spans: [][2]int{{0, len(b)}}}
	_, _ = w.value()
	return w.spans
}
