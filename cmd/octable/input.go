package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/godot/container"
	"github.com/octable/octable/interp"
)

// packet is some bytes and where they are from.
type packet struct {
	name   string // "" if it is the only one
	bytes  []byte
	digits bool             // it was given in digits
	layer  container.Format // the innermost container that was taken off, 0 for none
}

// input says what files and the input hold.
type input struct{ form string }

func (in *input) flags(cmd *cobra.Command) {
	choose(cmd, &in.form, "input", "what files and input hold: the `FORM` raw or hex, or auto to find out", "auto", "auto", "raw", "hex")
}

// given is an input that an argument represents or names.
type given struct {
	name   string // of a file, "-" for standard input, "" for digits
	size   int64  // of a file, -1 if it is not known
	bytes  []byte // of digits
	single bool   // it is the only one
}

// list returns the inputs that arguments represent or name. It does not read files.
func (in *input) list(args []string) ([]given, error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var out []given
	var digits []string
	for _, arg := range args {
		switch {
		case arg == "-":
			out = append(out, given{name: arg, size: -1})
		case isFile(arg) && (strings.HasSuffix(arg, ".oct") || isProgram(arg)):
			return nil, fail(exitUsage, "%s is a schema and no packet; -spec %[1]s reads packets by it", clip(arg, 60))
		case isFile(arg):
			out = append(out, given{name: arg, size: sizeOf(arg)})
		case isDirectory(arg):
			return nil, fail(exitIO, "cannot read %s: is a directory; name its files: %s", clip(arg, 60), strings.TrimSuffix(clip(arg, 60), "/")+"/*")
		case isHex(arg) || isBlank(arg):
			digits = append(digits, arg)
		case looksLikeHex(arg):
			var h hexReader
			_ = h.write([]byte(arg))
			return nil, fail(exitRefused, "%s: %v", clip(arg, 40), h.end())
		default:
			return nil, fail(exitIO, "there is no file %s, and it is not hexadecimal digits", clip(arg, 60))
		}
	}
	if len(digits) > 0 {
		var h hexReader
		for _, d := range digits {
			_ = h.write([]byte(d + " "))
		}
		if err := h.end(); err != nil {
			return nil, fail(exitRefused, "%s: %v", clip(strings.Join(digits, " "), 40), err)
		}
		out = append(out, given{bytes: h.bytes})
	}
	out[0].single = len(out) == 1
	return out, nil
}

// longestPacket is the most bytes of a packet.
const longestPacket = math.MaxUint32

// read returns the packet of an input.
func (in *input) read(e *env, g given) (packet, error) {
	if g.name == "" {
		return packet{bytes: g.bytes, digits: true}, nil
	}
	name, from := g.name, e.stdin
	if name == "-" {
		e.await("packets, as files or in hexadecimal digits")
		name = "the input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return packet{}, err
		}
		defer f.Close()
		from = f
	}
	b, all, err := readAtMost(from, g.size, longestPacket)
	switch {
	case err != nil && g.name == "-":
		return packet{}, fail(exitIO, "cannot read the input: %v", err)
	case err != nil:
		return packet{}, err
	case !all:
		return packet{}, fail(exitIO, "%s has more than %d bytes, the most for a packet", name, uint32(longestPacket))
	}
	p, err := in.packet(name, b)
	if g.name == "-" && g.single {
		p.name = ""
	}
	return p, err
}

// readAtMost reads at most a number of bytes of a file, so that reading a device ends. The size of the file is -1 if it
// is not known. all reports whether b is the whole file; if not, b may have one byte more.
func readAtMost(from io.Reader, size, most int64) (b []byte, all bool, err error) {
	if size > most {
		return nil, false, nil
	}
	var buf bytes.Buffer
	buf.Grow(int(max(size, 0)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(from, most+1))
	return buf.Bytes(), n <= most, err
}

// each calls f with the packets of all inputs.
func (in *input) each(e *env, args []string, f func(p packet, single bool) error) error {
	all, err := in.list(args)
	if err != nil {
		return err
	}
	for _, g := range all {
		p, err := in.read(e, g)
		if err == nil {
			err = f(p, g.single)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sizeOf returns the size of a file, -1 if it is not known.
func sizeOf(name string) int64 {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

func isFile(name string) bool {
	if name == "" || strings.ContainsRune(name, 0) {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir() || errors.Is(err, os.ErrPermission)
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (in *input) packet(name string, b []byte) (packet, error) {
	if in.form == "raw" || in.form == "auto" && !isHex(string(b)) {
		return packet{name: name, bytes: b}, nil
	}
	var h hexReader
	_ = h.write(b)
	if err := h.end(); err != nil {
		return packet{}, fail(exitRefused, "%s: %v", name, err)
	}
	return packet{name: name, bytes: h.bytes, digits: true}, nil
}

// isHex reports whether a text is bytes in hexadecimal digits, at least one.
func isHex(s string) bool {
	var h hexReader
	_ = h.write([]byte(s))
	return h.end() == nil && len(h.bytes) > 0
}

// isBlank reports whether a text has nothing in it but what may be between digits.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || !hexBlank(byte(r)) }) < 0
}

// looksLikeHex reports whether a text is more likely digits with a slip in them
// than the name of a file.
func looksLikeHex(s string) bool {
	n := 0
	for _, c := range []byte(s) {
		if nibble(c) >= 0 || hexBlank(c) {
			n++
		}
	}
	return n == len(s) || len(s) >= 6 && n*4 >= len(s)*3 && !strings.ContainsAny(s, "./")
}

// hexReader reads bytes in hexadecimal digits a part at a time.
type hexReader struct {
	bytes []byte
	limit int  // most bytes that are kept, 0 for no limit
	at    int  // characters read
	half  int  // digit that waits for its second half, plus 1
	zero  bool // the digit before is a 0 that may begin 0x
	err   error
	over  bool
}

func (h *hexReader) reset() { *h = hexReader{bytes: spare(h.bytes), limit: h.limit} }

// noDigit is what nibbles has for other characters.
const noDigit = 0xff

// nibbles are the values of hexadecimal digits.
var nibbles = func() (t [256]byte) {
	for c := range t {
		t[c] = noDigit
		if n := nibble(byte(c)); n >= 0 {
			t[c] = byte(n)
		}
	}
	return t
}()

// pairs reads whole bytes up to a character that is no digit, and returns how many characters these were.
func (h *hexReader) pairs(b []byte) int {
	if h.half > 0 || h.err != nil {
		return 0
	}
	most := len(b) / 2
	if h.limit > 0 {
		most = min(most, h.limit-len(h.bytes))
	}
	n := 0
	for ; n < most; n++ {
		hi, lo := nibbles[b[2*n]], nibbles[b[2*n+1]]
		if hi|lo == noDigit {
			break
		}
		h.bytes = append(h.bytes, hi<<4|lo)
	}
	if n > 0 {
		h.at, h.zero = h.at+2*n, false
	}
	return 2 * n
}

func nibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func hexBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':' || c == '_'
}

func (h *hexReader) write(b []byte) error {
	for i := 0; i < len(b); i++ {
		if h.half == 0 {
			if i += h.pairs(b[i:]); i == len(b) {
				break
			}
		}
		c := b[i]
		h.at++
		if h.err != nil {
			return h.err
		}
		n := nibble(c)
		switch {
		case n >= 0 && h.half > 0:
			if h.limit > 0 && len(h.bytes) >= h.limit {
				h.over = true
			} else {
				h.bytes = append(h.bytes, byte((h.half-1)<<4|n))
			}
			h.half, h.zero = 0, false
		case n >= 0:
			h.half, h.zero = n+1, n == 0
		case (c == 'x' || c == 'X') && h.zero && h.half == 1:
			h.half, h.zero = 0, false
		case hexBlank(c):
			if h.half > 0 {
				h.err = fmt.Errorf("the digit before character %d is single; a byte has two", h.at)
			}
		default:
			h.err = fmt.Errorf("character %d is %s, which is no hexadecimal digit", h.at, characterName(c))
		}
	}
	return h.err
}

func characterName(c byte) string {
	if c > ' ' && c < 0x7f {
		return string(rune(c))
	}
	return fmt.Sprintf("%#02x", c)
}

// end returns what is wrong with all that was written.
func (h *hexReader) end() error {
	switch {
	case h.err != nil:
		return h.err
	case h.half > 0:
		return errors.New("the last digit is single; a byte has two")
	case h.over:
		return fmt.Errorf("a packet of over %d bytes is more than is read at once", h.limit)
	}
	return nil
}

func clip(s string, n int) string { return interp.Clip(strings.ToValidUTF8(s, "?"), n) }

// where puts the name of an input before a message.
func (p *packet) where() string {
	if p.name == "" {
		return ""
	}
	return p.name + ": "
}

// hexText prints bytes in groups of four, in lines of 32.
func hexText(b []byte) string {
	var s bytes.Buffer
	for i, x := range b {
		switch {
		case i == 0:
		case i%32 == 0:
			s.WriteByte('\n')
		case i%4 == 0:
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%02x", x)
	}
	return s.String()
}
