// Dissectors of Wireshark: tshark reads the packets of all subjects from one capture,
// with all dissectors. Packets are in UDP, with a port for each subject.

package exported

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

var wiresharkTool = &Tool{Name: "wireshark", open: func() error { return needs("tshark") }, read: readWireshark,
	rejects: func(error) bool { return true }, same: sameInWireshark, declines: inexact}

// headers is the size of the headers of IP and UDP before each packet.
const headers = 28

// firstPort is the port of the first subject. The next ones follow.
const firstPort = 20000

// capture returns the packets of subjects as a file that tshark reads.
func capture(subjects []*Subject) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	b = append(b, 2, 0, 4, 0)
	for _, n := range []uint32{0, 0, 1 << 18, 228} { // 228 is IP version 4
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for i, s := range subjects {
		for _, p := range s.packets {
			size := headers + len(p)
			for _, n := range []uint32{0, 0, uint32(size), uint32(size)} {
				b = binary.LittleEndian.AppendUint32(b, n)
			}
			b = append(b, 0x45, 0)
			b = binary.BigEndian.AppendUint16(b, uint16(size))
			b = append(b, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2)
			b = binary.BigEndian.AppendUint16(b, 1) // the port of a sender that no dissector takes
			b = binary.BigEndian.AppendUint16(b, uint16(firstPort+i))
			b = binary.BigEndian.AppendUint16(b, uint16(size-20))
			b = append(b, 0, 0) // no checksum
			b = append(b, p...)
		}
	}
	return b
}

// pdml is the output of tshark.
type pdml struct {
	Packets []struct {
		Protos []field `xml:"proto"`
	} `xml:"packet"`
}

type field struct {
	Name   string  `xml:"name,attr"`
	Show   string  `xml:"show,attr"`
	Pos    int     `xml:"pos,attr"`
	Size   int     `xml:"size,attr"`
	Word   string  `xml:"unmaskedvalue,attr"` // of bits: the bytes of their word
	Fields []field `xml:",any"`
}

// luaError is the beginning of tshark's message about a script.
var luaError = regexp.MustCompile(`dissector([0-9]+)\.lua`)

// readWireshark runs tshark. Subjects whose dissector is not loaded are wrong, and the
// others are read without them.
func readWireshark(dir string, subjects []*Subject) error {
	for {
		var left []*Subject
		for _, s := range subjects {
			if s.Err == nil {
				left = append(left, s)
			}
		}
		if len(left) == 0 {
			return nil
		}
		if again, err := runWireshark(dir, left); err != nil || !again {
			return err
		}
	}
}

// runWireshark runs tshark once. It reports true if a subject turned out to be wrong, and
// there is no result for others.
func runWireshark(dir string, subjects []*Subject) (again bool, err error) {
	file := filepath.Join(dir, "packets.pcap")
	if err := os.WriteFile(file, capture(subjects), 0o666); err != nil {
		return false, err
	}
	var args []string
	for i, s := range subjects {
		script := filepath.Join(dir, fmt.Sprintf("dissector%d.lua", i))
		text := fmt.Appendf(bytes.Clone(s.file), "\nDissectorTable.get(\"udp.port\"):add(%d, P)\n", firstPort+i)
		if err := os.WriteFile(script, text, 0o666); err != nil {
			return false, err
		}
		args = append(args, "-X", "lua_script:"+script)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute+time.Duration(len(subjects))*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tshark", append(args, "-r", file, "-T", "pdml")...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	for _, m := range luaError.FindAllStringSubmatch(stderr.String(), -1) {
		if i, _ := strconv.Atoi(m[1]); i < len(subjects) {
			said := stderr.String()
			subjects[i].Err, again = fmt.Errorf("tshark rejects the dissector: %.600s", said[max(0, strings.Index(said, m[0])-40):]), true
		}
	}
	if err != nil && !again {
		if len(subjects) == 1 {
			subjects[0].Err = fmt.Errorf("tshark: %w: %.600s", err, stderr.String())
			return false, nil
		}
		return false, fmt.Errorf("tshark: %w: %.600s", err, stderr.String())
	}
	if again {
		return true, nil
	}
	for _, c := range []string{"\ufffe", "\uffff"} { // which XML does not have, and tshark writes
		out = bytes.ReplaceAll(out, []byte(c), []byte("?"))
	}
	var said pdml
	if err := xml.Unmarshal(out, &said); err != nil {
		return false, fmt.Errorf("the output of tshark: %w", err)
	}
	next := 0
	for _, s := range subjects {
		for range s.packets {
			if next == len(said.Packets) {
				return false, fmt.Errorf("tshark reports %d packets", next)
			}
			var r Reading
			for _, proto := range said.Packets[next].Protos {
				if !slices.Contains([]string{"geninfo", "frame", "raw", "ip", "udp"}, proto.Name) {
					r.add(proto, proto.Name+".", nil)
				}
			}
			s.readings = append(s.readings, r)
			next++
		}
	}
	return false, nil
}

// add adds the fields of a protocol that hold something. outer are the offsets at which the item
// around may begin: tshark shows the offset of an item that begins before it as the sum of both.
func (r *Reading) add(f field, prefix string, outer []int) {
	starts := []int{f.Pos}
	for _, o := range outer {
		if at := f.Pos - o; at >= 0 && at < o {
			starts = append(starts, at)
		}
	}
	switch {
	case f.Name == "_ws.expert" && slices.ContainsFunc(f.Fields, func(in field) bool { return in.Name == prefix+"wrong" }):
		for _, in := range f.Fields {
			r.Error += " " + in.Show
		}
		r.Error += " "
	case f.Name == prefix+"wrong" || f.Name == "_ws.malformed" || f.Name == "_ws.lua.error":
		r.Error += f.Name + " " + f.Show
	case f.Word != "": // bits, which are below their word
	case strings.HasPrefix(f.Name, prefix) && f.Size > 0:
		leaf := Leaf{At: f.Pos - headers, Len: f.Size, Name: f.Name, Text: f.Show}
		for _, at := range starts[1:] {
			leaf.Or = append(leaf.Or, at-headers)
		}
		r.Leaves = append(r.Leaves, leaf)
	}
	for _, in := range f.Fields {
		r.add(in, prefix, starts)
	}
}

// inexact reports whether a dissector gave up because Lua would round a number. It is also true if it does not
// compare the number that the interpreter rejects.
func inexact(s *Subject, _ []*part, got *Reading, err error) bool {
	var e *interp.Error
	if errors.As(err, &e) && e.Kind == interp.ErrValue && (s.has(e.Rule, bytecode.Compare) || s.sums(e.Rule)) {
		return true // notes say so
	}
	return strings.Contains(got.Error, "numbers beyond 2^53")
}

// sameInWireshark compares a part with tshark's text of it.
func sameInWireshark(b []byte, w *part, g *Leaf) bool {
	plain := func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
	}
	switch w.kind {
	case truth, raw:
		return true
	case text:
		return g.Text == w.text || !plain(w.text) || len(w.text)+1 < w.n
	case float:
		x, err := strconv.ParseFloat(strings.Replace(g.Text, "-nan", "nan", 1), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // as 1.79769313486232e+308 is
			return false
		}
		x = max(min(x, max(math.MaxFloat64, w.real)), min(-math.MaxFloat64, w.real))
		return x == w.real || math.IsNaN(x) && math.IsNaN(w.real) || math.Abs(x-w.real) <= math.Abs(w.real)*1e-5
	}
	digits := strings.TrimPrefix(g.Text, "-")
	x, err := strconv.ParseUint(digits, 10, 64)
	if digits != g.Text {
		x = -x
	}
	if err == nil && sameBits(x, w.bits, w.width) {
		return true
	}
	// Letters of a code, with some escaped.
	code := string(b[w.at : w.at+w.n])
	return w.n == 4 && (!plain(code) || strings.TrimSpace(code) == g.Text || strings.ContainsAny(code, `\"`) && err != nil || code == g.Text)
}
