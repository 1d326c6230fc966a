package wireshark_test

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export/wireshark"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/interp"
)

var update = flag.Bool("update", false, "write the golden file anew")

// programs calls f for every schema and each choice of its axis.
func programs(t *testing.T, f func(name string, p *bytecode.Program, lua []byte)) {
	modeltest.All(t, "../../..", func(name string, m *model.Model, p *bytecode.Program) {
		lua, cannot := wireshark.Dissector(m)
		for _, c := range cannot {
			if !bytes.Contains(lua, []byte(c)) {
				t.Errorf("%s does not say what it does not do: %s", name, c)
			}
		}
		f(name, p, lua)
	})
}

// TestGolden keeps a dissector to look at.
func TestGolden(t *testing.T) {
	programs(t, func(name string, _ *bytecode.Program, lua []byte) {
		if name != "godot-4.4+single" {
			return
		}
		const file = "testdata/godot-4.4.lua"
		if *update {
			if err := os.WriteFile(file, lua, 0o666); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s is written anew", file)
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(want, lua) {
			t.Errorf("%s is not what is exported now (%v); go test ./compile/export/wireshark -update writes it", file, err)
		}
	})
}

// pdml is what tshark prints of packets.
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
	Fields []field `xml:",any"`
}

// capture returns packets as a file that tshark reads, of the link type that is a user's own.
func capture(packets [][]byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	b = append(b, 2, 0, 4, 0)
	for _, n := range []uint32{0, 0, 1 << 18, 147} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for i, p := range packets {
		for _, n := range []uint32{uint32(i), 0, uint32(len(p)), uint32(len(p))} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		b = append(b, p...)
	}
	return b
}

// leaf is a number or text and where it stands.
type leaf struct {
	at, n int
	text  *string
	real  float64
	any   bool
}

// TestDissect has Wireshark read packets: every field stands where the interpreter
// says, and holds what it says; what it refuses is marked as wrong.
func TestDissect(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("there is no tshark here")
	}
	good, bad := 0, 0
	programs(t, func(name string, p *bytecode.Program, lua []byte) {
		if os.Getenv("OCTABLE_ENGINE_TESTS") == "" && name != "godot-4.4+single" && name != "godot-3+single" && name != "wave+" && !strings.HasPrefix(name, "unread-") {
			return // the others with the engines' tests: each is a start of tshark
		}
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.NewGenerator(interp.GenerateOptions{MaxBytes: 400, MaxDepth: 20})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		var packets [][]byte
		for len(packets) < 120 {
			choices := make(interp.Choices, r.IntN(120))
			for i := range choices {
				choices[i] = byte(r.Uint32())
			}
			v, _ := g.Generate(choices)
			b, err := m.Encode(v, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(3) == 0 && len(b) > 4 { // damaged somehow
				switch at := r.IntN(len(b)); r.IntN(3) {
				case 0:
					b = b[:max(at, 1)]
				case 1:
					b[at] ^= 1 << r.IntN(8)
				case 2:
					b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
				}
			}
			if len(b) > 0 {
				packets = append(packets, b)
			}
		}
		dir := t.TempDir()
		script, file := filepath.Join(dir, "dissector.lua"), filepath.Join(dir, "packets.pcap")
		for name, content := range map[string][]byte{script: lua, file: capture(packets)} {
			if err := os.WriteFile(name, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(tshark, "-X", "lua_script:"+script, "-r", file, "-T", "pdml")
		cmd.Env = append(os.Environ(), "HOME="+dir)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || strings.Contains(stderr.String(), "Lua:") {
			t.Errorf("%s: tshark: %v: %.600s", name, err, stderr.String())
			return
		}
		for _, c := range []string{"\ufffe", "\uffff"} { // which XML does not have, and tshark writes
			out = bytes.ReplaceAll(out, []byte(c), []byte("?"))
		}
		var said pdml
		if err := xml.Unmarshal(out, &said); err != nil || len(said.Packets) != len(packets) {
			t.Errorf("%s: tshark tells of %d packets of %d: %v", name, len(said.Packets), len(packets), err)
			return
		}
		for i, b := range packets {
			var want []leaf
			_, _, err := m.DecodeObserved(b, interp.Options{}, interp.ObserverFunc(func(e *interp.Event) {
				if e.Kind == interp.Row && e.Len > 0 {
					want = expand(want, e)
				}
			}))
			var got []field
			wrong := false
			for _, proto := range said.Packets[i].Protos {
				if strings.HasPrefix(proto.Name, "godot") || proto.Name == "wave" || strings.HasPrefix(proto.Name, "unread_") || proto.Name == "ntp_schema" || strings.HasPrefix(proto.Name, "pandemonium") || strings.HasPrefix(proto.Name, "framing") {
					got = leaves(got, proto, proto.Name+".", &wrong)
				}
			}
			if wrong != (err != nil) {
				t.Errorf("%s: %x: marked as wrong: %v, here: %v", name, b, wrong, err)
				continue
			}
			if err != nil {
				bad++
				continue
			}
			good++
			compare(t, name, b, want, got)
		}
	})
	t.Logf("%d packets read alike, %d refused by both", good, bad)
}

// leaves adds the fields of the protocol that hold something.
func leaves(to []field, f field, prefix string, wrong *bool) []field {
	if f.Name == prefix+"wrong" || strings.HasPrefix(f.Name, "_ws.") {
		*wrong = *wrong || f.Name == prefix+"wrong" || f.Name == "_ws.malformed"
	}
	if strings.HasPrefix(f.Name, prefix) && f.Name != prefix+"wrong" && f.Size > 0 {
		to = append(to, f)
	}
	for _, in := range f.Fields {
		to = leaves(to, in, prefix, wrong)
	}
	return to
}

func expand(to []leaf, e *interp.Event) []leaf {
	v := e.Value
	switch v.Kind() {
	case interp.Lanes, interp.Packed:
		width := v.Scalar().Width()
		if v.Kind() == interp.Packed && width == 1 {
			return append(to, leaf{at: e.Offset, n: e.Len, any: true})
		}
		for i := range e.Len / width {
			to = append(to, leaf{at: e.Offset + i*width, n: width, real: v.LaneFloat(i)})
		}
		return to
	case interp.Text:
		s := string(v.Bytes())
		plain := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
		return append(to, leaf{at: e.Offset, n: e.Len, text: &s, any: !plain || len(s)+1 < e.Len})
	case interp.Float:
		return append(to, leaf{at: e.Offset, n: e.Len, real: v.Float()})
	case interp.Int:
		return append(to, leaf{at: e.Offset, n: e.Len, real: float64(v.Int())})
	case interp.Uint:
		return append(to, leaf{at: e.Offset, n: e.Len, real: float64(v.Uint())})
	case interp.Bool:
		return append(to, leaf{at: e.Offset, n: e.Len, any: true})
	}
	return append(to, leaf{at: e.Offset, n: e.Len, real: float64(e.Number), any: e.Rule.Name == ""})
}

func compare(t *testing.T, name string, b []byte, want []leaf, got []field) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) {
			t.Errorf("%s: %x has %d parts, and %d here: %v", name, b, len(got), len(want), got[max(0, len(got)-3):])
			return
		}
		w, g := want[i], got[i]
		same := w.any
		if w.text != nil {
			same = same || g.Show == *w.text
		} else if x, err := strconv.ParseFloat(strings.Replace(g.Show, "-nan", "nan", 1), 64); err == nil || errors.Is(err, strconv.ErrRange) { // as 1.79769313486232e+308 is
			x = max(min(x, max(math.MaxFloat64, w.real)), min(-math.MaxFloat64, w.real))
			same = same || x == w.real || math.IsNaN(x) && math.IsNaN(w.real) ||
				math.Abs(x-w.real) <= math.Abs(w.real)*1e-5 || w.n == 4 && x == float64(uint32(int64(w.real))) ||
				strings.Trim(string(b[w.at:w.at+w.n]), "\x00") == g.Show // letters that are digits
		} else {
			same = same || w.n == 4 // letters, with some escaped
		}
		if g.Pos != w.at || g.Size != w.n || !same {
			t.Errorf("%s: %x: part %d is %s %q at %d, %d bytes, and %+v here", name, b, i, g.Name, g.Show, g.Pos, g.Size, w)
			return
		}
	}
}
