// Large cases: packets and values that a rule describes.

package vectors

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Large is a valid case whose packet and value are too long for a file. A file has its parts,
// and [Large.Expand] makes the case.
type Large struct {
	Case
	Packet  []Repeat `json:"packet"`  // of Case.Bytes
	Content []Repeat `json:"content"` // of Case.Value
}

// Repeat is a part of a text. It is Text the given number of times, each time after a
// number if there is First. The number counts from First: in JSON in decimal digits, in a
// packet as four bytes, lowest first.
type Repeat struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
	First *int   `json:"first,omitempty"`
}

// maxLarge bounds the text of an expanded part.
const maxLarge = 1 << 28

func decimal(n int) string { return strconv.Itoa(n) }

func littleEndian(n int) string {
	return hex.EncodeToString([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
}

// Size returns the length of the packet in bytes.
func (l *Large) Size() int {
	n := 0
	for _, r := range l.Packet {
		digits := len(r.Text)
		if r.First != nil {
			digits += 8
		}
		n += digits * r.Times
	}
	return n / 2
}

// Expand returns the whole case. The error is about the parts.
func (l *Large) Expand() (Case, error) {
	c := l.Case
	packet, err := expand(l.Packet, littleEndian)
	if err == nil {
		_, err = hex.DecodeString(packet)
	}
	if err != nil {
		return c, fmt.Errorf("large case %s, packet: %w", c.ID, err)
	}
	content, err := expand(l.Content, decimal)
	if err != nil {
		return c, fmt.Errorf("large case %s, content: %w", c.ID, err)
	}
	c.Bytes, c.Value = packet, json.RawMessage(content)
	return c, nil
}

func expand(parts []Repeat, number func(int) string) (string, error) {
	var b strings.Builder
	for _, r := range parts {
		if r.Times < 0 || len(r.Text) > maxLarge || int64(r.Times)*int64(len(r.Text)+10) > maxLarge {
			return "", fmt.Errorf("a text of %d bytes %d times is too long", len(r.Text), r.Times)
		}
		for i := range r.Times {
			if r.First != nil {
				b.WriteString(number(*r.First + i))
			}
			b.WriteString(r.Text)
		}
	}
	return b.String(), nil
}

// NewLarge returns the large case of a whole one.
func NewLarge(c Case) Large {
	l := Large{Packet: repeats(c.Bytes, littleEndian, 2), Content: repeats(string(c.Value), decimal, 1)}
	c.Bytes, c.Value = "", nil
	l.Case = c
	return l
}

// repeats finds the longest repetition of a text, with a number that counts or without one.
func repeats(s string, number func(int) string, step int) []Repeat {
	if parts := counted(s, number); parts != nil {
		return parts
	}
	const longest, least = 1 << 10, 20
	m := len(s) / 2 / step * step
	for p := step; p <= longest && m+p <= len(s); p += step {
		lo, hi := m, m+p
		for lo >= step && s[lo-step:lo] == s[lo-step+p:lo+p] {
			lo -= step
		}
		for hi+step <= len(s) && s[hi:hi+step] == s[hi-p:hi-p+step] {
			hi += step
		}
		if times := (hi - lo) / p; times >= least {
			return []Repeat{{Text: s[:lo], Times: 1}, {Text: s[lo : lo+p], Times: times}, {Text: s[lo+p*times:], Times: 1}}
		}
	}
	return []Repeat{{Text: s, Times: 1}}
}

// counted finds a text that is repeated after numbers that count, or returns nil.
func counted(s string, number func(int) string) []Repeat {
	const probe, least = 100, 100
	for from := 0; ; {
		at := strings.Index(s[from:], number(probe))
		if at < 0 {
			return nil
		}
		at += from
		from = at + 1
		behind := at + len(number(probe))
		n := strings.Index(s[behind:], number(probe+1))
		if n < 0 || n > 1<<10 {
			continue
		}
		unit := s[behind : behind+n]
		first, start := probe, at
		for first > 0 && strings.HasSuffix(s[:start], number(first-1)+unit) {
			first--
			start -= len(number(first)) + n
		}
		end, next := at, probe
		for strings.HasPrefix(s[end:], number(next)) && strings.HasPrefix(s[end+len(number(next)):], unit) {
			end += len(number(next)) + n
			next++
		}
		if next-first >= least {
			return []Repeat{{Text: s[:start], Times: 1}, {Text: unit, Times: next - first, First: &first}, {Text: s[end:], Times: 1}}
		}
	}
}
