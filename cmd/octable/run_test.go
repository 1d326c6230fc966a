package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
)

// call runs the command.
func call(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), code
}

func commands(t *testing.T) []*cobra.Command {
	root := (&env{stdout: bufio.NewWriter(io.Discard)}).root()
	all := []*cobra.Command{root}
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].Commands()...)
	}
	if len(all) < 15 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

func TestHelp(t *testing.T) {
	for _, c := range commands(t) {
		path := strings.Fields(c.CommandPath())[1:]
		viaHelp, _, code := call("", append([]string{"help"}, path...)...)
		if code != 0 {
			t.Errorf("help %v: exit %d", path, code)
		}
		for _, flag := range []string{"-h", "-help", "--help"} {
			out, errs, code := call("", append(slices.Clone(path), flag)...)
			if code != 0 || errs != "" || out != viaHelp {
				t.Errorf("%v %s: exit %d, %s, and another text than help", path, flag, code, errs)
			}
		}
		for line := range strings.Lines(viaHelp) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 79 {
				t.Errorf("help %v: %d columns: %s", path, n, line)
			}
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") && c.HasParent() {
			t.Errorf("%v: short help %q", path, c.Short)
		}
	}
}

func TestOneDash(t *testing.T) {
	const packet = "0200000005000000"
	for _, args := range [][]string{
		{"decode", "-spec", "godot-3", packet},
		{"decode", "--spec", "godot-3", packet},
		{"decode", "-spec=godot-3", packet},
		{"decode", "--spec=godot-3", packet},
		{"decode", packet, "-spec", "godot-3"},
		{"decode", packet, "-spec=godot-3", "-text"},
		{"decode", "-text=true", "--", packet},
		{"decode", "-format", "text", packet},
		{"decode", "-format=text", packet},
		{"-color", "never", "decode", packet},
		{"decode", "-color=never", packet},
		{"decode", "02000000", "-strict", "05000000"},
	} {
		if out, errs, code := call("", args...); out != "5\n" || errs != "" || code != 0 {
			t.Errorf("%q: %q, %q, exit %d", args, out, errs, code)
		}
	}
	for args, want := range map[string]string{
		"encode -5":            "02000000 fbffffff",
		"encode -0.5":          "03000000 000000bf",
		"encode -- -5":         "02000000 fbffffff",
		"encode -json -5":      "02000000 fbffffff",
		"encode -5 -framed":    "08000000 02000000 fbffffff",
		"encode -framed=big 0": "00000008 02000000 00000000",
	} {
		if out, errs, code := call("", strings.Fields(args)...); strings.TrimSpace(out) != want || code != 0 {
			t.Errorf("%s: %q, %q, exit %d", args, out, errs, code)
		}
	}
}

// Whoever talks to -lines gets every answer before the next question.
func TestLinesAnswerAtOnce(t *testing.T) {
	in, questions := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan int)
	go func() {
		code := run([]string{"decode", "-lines"}, in, out, io.Discard)
		out.Close()
		done <- code
	}()
	lines := bufio.NewScanner(answers)
	for i := range 3 {
		if _, err := fmt.Fprintf(questions, "02000000 %02x000000\n", i); err != nil {
			t.Fatal(err)
		}
		got := make(chan string)
		go func() { lines.Scan(); got <- lines.Text() }()
		select {
		case line := <-got:
			if !strings.HasPrefix(line, fmt.Sprintf(`{"ok":true,"text":"%d",`, i)) {
				t.Fatalf("answer %d: %s", i, line)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no answer while the input is open")
		}
	}
	questions.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit %d", code)
	}
}

// A line may be longer than any buffer, and the last one lacks its end.
func TestLongLines(t *testing.T) {
	const n = 400 << 10
	packet := fmt.Sprintf("1d000000%02x%02x%02x%02x", n&255, n>>8&255, n>>16&255, n>>24) + strings.Repeat("00", n)
	out, _, code := call(packet+"\n\n"+packet, "decode", "-lines", "-json")
	lines := strings.Split(out, "\n")
	if code != 0 || len(lines) != 4 || len(lines[0]) < 2*n || !strings.Contains(lines[1], `"truncated"`) || lines[2] != lines[0] {
		t.Errorf("exit %d, %d lines of %d bytes", code, len(lines), len(out))
	}
	text := `"PackedByteArray(` + strings.Repeat("0, ", n-1) + `0)"`
	out, _, code = call(text+"\n"+text, "encode", "-lines")
	if want := `{"ok":true,"hex":"` + packet + "\"}\n"; code != 0 || out != want+want {
		t.Errorf("encode: exit %d, %d bytes", code, len(out))
	}
}

// closed is an output that nobody reads any more.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{{"specs", "-v", "ntp"}, {"inspect", "00000000"}, {"decode", "-lines"}, {"help"}} {
		var errs bytes.Buffer
		if code := run(args, strings.NewReader("00\n00\n"), closed{}, &errs); code != exitIO || errs.Len() > 0 {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}

// samples are the packets in the examples of a schema.
func samples(t *testing.T, id string) [][]byte {
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, body := range s.Bodies() {
		for _, e := range body.Examples {
			out = append(out, e.Bytes)
		}
	}
	return out
}

var hexRow = regexp.MustCompile(`^[0-9a-f]{6}  ((?:[0-9a-f]{2} ){1,8}) `)

// TestInspectShowsEveryByte checks that inspect shows each byte of any input once, in
// order, within the columns. Nothing ends in an internal error.
func TestInspectShowsEveryByte(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	viewers := map[string]*inspect.Viewer{}
	check := func(id string, b []byte, framed bool) {
		t.Helper()
		digits := hex.EncodeToString(b)
		v := viewers[id]
		if v == nil {
			target := target{name: id}
			if err := target.load(); err != nil {
				t.Fatal(err)
			}
			var err error
			if v, err = target.viewer(); err != nil {
				t.Fatal(err)
			}
			viewers[id] = v
		}
		var sheet bytes.Buffer
		c := &inspectCommand{opener: opener{env: &env{stdout: bufio.NewWriter(&sheet)}}, opt: inspect.Options{All: true, Row: 8, Width: 80}}
		if framed {
			c.framed = "little"
		}
		c.target.opt.Objects = random.IntN(2) == 0
		c.opt.Read = c.reading()
		ok := c.show(v, packet{bytes: b}, c.framed)
		_ = c.stdout.Flush()
		out := sheet.String()
		shown := make([]byte, 2*len(b))
		count := 0
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Fatalf("%s %s: a line of %d columns:\n%s", id, digits, n, line)
			}
			if m := hexRow.FindStringSubmatch(line); m != nil {
				at, err := strconv.ParseInt(line[:6], 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				count += copy(shown[min(2*int(at), len(shown)):], strings.ReplaceAll(m[1], " ", ""))
			}
		}
		// Parts at places need not be in order, and several values may share one.
		if string(shown) != digits || count < len(digits) || count > len(digits) && !places(t, id) {
			t.Fatalf("%s: %s is shown as %s\n%s", id, digits, shown, out)
		}
		if ok == strings.Contains(out, "error: ") || ok == strings.Contains(out, "^^") {
			t.Fatalf("%s %s: %t\n%s", id, digits, ok, out)
		}
	}
	for _, id := range long.Part(5, ids()) {
		all := samples(t, id)
		for i, b := range all {
			check(id, b, false)
			if i%5 > 0 || len(b) == 0 {
				continue
			}
			damaged := slices.Clone(b)
			damaged[random.IntN(len(b))] ^= byte(1 << random.IntN(8))
			check(id, damaged, i%2 == 0)
			check(id, b[:random.IntN(len(b))], false)
			check(id, append(slices.Clone(b), b...), false)
		}
	}
}

// places reports whether a schema has rows at places.
func places(t *testing.T, id string) bool {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, body := range s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			row, ok := n.(*schema.Row)
			found = found || ok && row.At != nil
			return !found
		})
	}
	return found
}

// Nothing that is given to the command makes it fail in its own ways.
func TestHostile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 300)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	deep := strings.Repeat("1c00000001000000", 1200) + "00000000"
	files := map[string]string{
		"noise.oct": string(noise), "empty.oct": "", "nul.oct": "schema \"a\x00b\" {}", "open.oct": `schema "x" { root`,
		"self.oct": `schema "self" extends "self" { root A }`, "noise.octb": string(noise), "empty.octb": "", "noise.bin": string(noise),
		"deep.oct": `schema "x" { root A } type A { ` + strings.Repeat("if 1 == 1 { ", 500),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var lines [][]string
	for name := range files {
		p := filepath.Join(dir, name)
		lines = append(lines, []string{"check", p}, []string{"decode", "-spec", p, "00"}, []string{"program", p}, []string{"fmt", p}, []string{"fmt", "-d", p},
			[]string{"specs", "-v", p}, []string{"errata", "-spec", p}, []string{"audit", "-spec", "godot-4-doc", p}, []string{"audit", "-spec", p, p},
			[]string{"compile", p, "-o", filepath.Join(dir, "out")}, []string{"encode", "-file", p}, []string{"encode", "-json", "-file", p},
			[]string{"inspect", p}, []string{"inspect", "-framed", p}, []string{"decode", "-framed=big", "-tree", p},
			[]string{"diff", p, "godot-4.4"}, []string{"diff", "ntp", p}, []string{"docs", p}, []string{"docs", "-since", p, "ntp"}, []string{"which", p}, []string{"which", "-spec", p, "00"})
	}
	lines = append(lines, []string{"inspect", deep}, []string{"decode", "-tree", deep}, []string{"inspect", "-max-depth", "5000", "-width", "1", deep},
		[]string{"decode", "-max-depth", "-1", "00"}, []string{"decode", "-max-depth", "99999999999999999999", "00"}, []string{"decode", string(noise)},
		[]string{"decode", dir}, []string{"check", dir}, []string{"decode", "-spec", dir, "00"}, []string{"encode", "-o", dir, "1"}, []string{"", ""}, []string{"-"}, []string{"--"}, []string{"-="}, []string{"decode", "-="},
		[]string{"decode", "-spec"}, []string{"decode", "-spec="}, []string{"decode", "-spec", ""}, []string{"help", "nothing"}, []string{"decode", "-help=maybe"}, []string{"__complete"}, []string{"__complete", ""}, []string{"__complete", "decode", "-spec", "g"},
		[]string{"decode", "-lines", "-spec", "wave"}, []string{"encode", "-lines", "-spec", "ntp"}, []string{"inspect", "-bytes", "1000", "00"}, []string{"inspect", "-width", "-5", "00"}, []string{"inspect", "-width", "99999999999", "00"},
		[]string{"which", deep}, []string{"which", string(noise)}, []string{"which", dir}, []string{"diff", dir, dir}, []string{"diff", "", ""}, []string{"diff", "+", "+"}, []string{"diff", "godot+", "godot"}, []string{"diff", ":", ":"},
		[]string{"diff", "HEAD:", "godot"}, []string{"diff", "a:b:c", "godot"}, []string{"diff", "\x00:x", "godot"}, []string{"docs", ""}, []string{"docs", dir}, []string{"docs", "-o", dir, "ntp"}, []string{"docs", "-since", "", "ntp"})
	for _, args := range long.Part(4, lines) {
		_, errs, code := call(string(noise)+"\n\"[\n\x00\n", args...)
		if code == exitBug || strings.Contains(errs, "goroutine") || strings.Contains(errs, "runtime error") {
			t.Errorf("%.80q: exit %d: %.300s", args, code, errs)
		}
		if code != 0 && errs == "" && code != exitSchema && code != exitRefused {
			t.Errorf("%.80q: exit %d without a word", args, code)
		}
	}
}

func TestColor(t *testing.T) {
	out, _, _ := call("", "inspect", "-color", "always", "01000000 01000000")
	if !strings.Contains(out, "\x1b[") {
		t.Error("no colour where it was asked for")
	}
	without := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(out, "")
	for _, c := range []string{"never", "auto"} {
		if out, _, _ := call("", "inspect", "-color", c, "01000000 01000000"); out != without {
			t.Errorf("-color %s: %q, not %q", c, out, without)
		}
	}
}

func TestHexReader(t *testing.T) {
	for text, want := range map[string]string{
		"":           "",
		"00ff":       "00ff",
		" 00 FF\n":   "00ff",
		"0x00 0xff":  "00ff",
		"0x00,0xff,": "00ff",
		"0x00ff":     "00ff",
		"00:ff\r\n":  "00ff",
		"00ff_00ff":  "00ff00ff",
		"0":          "the last digit is single; a byte has two",
		"0 0":        "the digit before character 2 is single; a byte has two",
		"0g":         "character 2 is g, which is no hexadecimal digit",
		"00 ü":       "character 4 is 0xc3, which is no hexadecimal digit",
		"x0":         "character 1 is x, which is no hexadecimal digit",
		"1x00":       "character 2 is x, which is no hexadecimal digit",
	} {
		for _, step := range []int{1, 3, 100} { // parts come out the same
			var h hexReader
			for part := range slices.Chunk([]byte(text), step) {
				_ = h.write(part)
			}
			got := hex.EncodeToString(h.bytes)
			if err := h.end(); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%q in parts of %d: %s, not %s", text, step, got, want)
			}
		}
	}
}

// The listing is the compiler's; here it only has to come out.
func TestProgram(t *testing.T) {
	out, errs, code := call("", "program", "-source", "testdata/tiny.oct")
	if code != 0 || !strings.Contains(out, "routine Message") || !strings.Contains(out, `| "what is said" pad 4`) {
		t.Errorf("exit %d, %s%s", code, errs, out)
	}
	plain, _, _ := call("", "program", "testdata/tiny.oct")
	if strings.Contains(plain, "what is said") || len(plain) >= len(out) {
		t.Error("rows of the schema that were not asked for")
	}
	if out, _, code := call("", "program", "-ops"); code != 0 || !strings.Contains(out, "armref") {
		t.Errorf("-ops: exit %d, %s", code, out)
	}
	if out, _, code := call("", "grammar"); code != 0 || !strings.Contains(out, "Schema") {
		t.Errorf("grammar: exit %d, %s", code, out)
	}
}

// TestSpecs checks that every schema is listed with its types. The memory that values take is as low as the
// library promises for packets of any size.
func TestSpecs(t *testing.T) {
	out, errs, code := call("", "specs")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, id := range long.Part(8, ids()) {
		if !strings.Contains("\n"+out, "\n"+id+" ") {
			t.Errorf("%s is not listed", id)
		}
		out, _, code := call("", "specs", "-v", id)
		if code != 0 || !strings.Contains(out, "memory") || strings.Contains(out, "at most 1536") {
			t.Errorf("%s: exit %d\n%s", id, code, out)
		}
	}
}

// TestFileWithoutEnding names the file that -spec means without its ending.
func TestFileWithoutEnding(t *testing.T) {
	t.Chdir("testdata")
	const want = "octable: there is no schema \"tiny\"; did you mean the file tiny.oct?\n"
	if _, errs, code := call("", "decode", "-spec", "tiny", "00"); errs != want || code != exitUsage {
		t.Errorf("exit status %d: %s", code, errs)
	}
}

// TestCheckAll checks every schema with few inputs. TestCheckShipped of package fuzz tries more with OCTABLE_LONG=1.
func TestCheckAll(t *testing.T) {
	t.Parallel()
	if out, errs, code := call("", "check", "-tries", fmt.Sprint(long.Number(2, 20))); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
