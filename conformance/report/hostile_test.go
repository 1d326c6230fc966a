package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// evil are texts that mean something to a terminal, a browser, a shell or a parser.
var evil = []string{
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "]]>&amp;<![CDATA[", "\x1b[2J\x1b]0;owned\x07", "a\x00b\x7f\u0085c", "\xff\xfe\x80 not UTF-8 \xc3",
	"\u202egnp.exe\u2066\u200f", "line\nnot ok 99 - injected\r\n  ...\n1..0 # SKIP", "# TODO not really \\# \\", "{{.Title}} ${x} `id` $(id) 'quoted' \"double\"",
	"javascript:alert(1)", strings.Repeat("long ", 1<<12), "\ufffe\uffff\ufdd0", "", " ", "https://example.org/\"onmouseover=alert(1)", "- --- : [1, {", "-->", "</style></template></dialog>",
}

// hostile is a run in which every text is one of them.
func hostile(n int) *runner.Run {
	pick := func(i int) string { return evil[(n+i)%len(evil)] }
	huge, _ := json.Marshal(strings.Repeat("x", 1<<17))
	s := &vectors.Suite{Schema: "godot-4.4", Title: pick(1), Flags: map[string]vectors.Flag{
		pick(2): {Class: pick(3), Why: pick(4), Effect: pick(5), Links: []string{pick(10), pick(15)}, Errata: []string{pick(6)}}}}
	r := &runner.Run{Spec: []string{"godot-4.4", pick(0), "../../etc/passwd", "no-such-schema+double"}[n%4], Suite: s, Program: pick(7), Command: []string{pick(8), pick(9)},
		Notes: []string{pick(4)}, Unused: []string{pick(5)}, Stopped: pick(6 + n%3),
		About: protocol.About{Name: pick(0), Version: pick(1), Language: pick(2), Link: pick(10), Notes: []string{pick(3), pick(11)}}, Started: time.Unix(int64(n), 0)}
	for i := range len(evil) + 9 {
		c := &vectors.Case{ID: fmt.Sprint(i, pick(i)), About: pick(i + 1), Row: pick(i + 2), Source: pick(i + 3), Type: pick(i % 5), Result: vectors.Result(pick(i)), Level: vectors.Level(pick(i)),
			Flags: []string{pick(2), pick(i)}, Bytes: []string{"04000000050000003c623e3c2f", "zz", "", "1c000000ffffff7f", strings.Repeat("1c00000001000000", 3000)}[i%5],
			Value: []json.RawMessage{json.RawMessage(`{"$type":"String","value":"<b>\u202e"}`), nil, json.RawMessage(`{"$type":"<b>\u202e"}`), huge}[i%4], Error: &vectors.Error{Kind: pick(i), Text: pick(i + 4), Offset: -5}}
		if i%3 == 0 {
			c.Result, c.Level = vectors.Valid, vectors.Must
		}
		at := []int{math.MinInt32, math.MaxInt32, 3}[i%3]
		res := runner.CaseResult{Case: c, ID: c.ID, Op: []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode}[i%3],
			Outcome: runner.Outcomes[i%len(runner.Outcomes)], Verdict: verdicts[i%len(verdicts)], Reason: pick(i + 5), Detail: pick(i + 6), Row: pick(i + 7), Offset: at, Path: pick(i + 8),
			Stderr: pick(i+9) + pick(i+1) + pick(i+5), Took: -time.Second}
		switch i % 4 {
		case 0:
			res.Answer = protocol.Answer{Error: pick(i), Kind: pick(i + 1), Offset: &at}
		case 1:
			res.Answer = protocol.Answer{OK: true, Bytes: []string{"04000000050000003c623e3c2fff", pick(i), strings.Repeat("00", 1<<17)}[i%3]}
		case 2:
			res.Answer = protocol.Answer{OK: true, Value: []json.RawMessage{huge, json.RawMessage("\xff<script>"), json.RawMessage(`"<script>"`)}[i%3], Used: -7}
		case 3:
			res.Answer = protocol.Answer{Unsupported: pick(i)}
		}
		if i%7 == 6 {
			res.Case = nil
		}
		r.Results = append(r.Results, res)
	}
	return r
}

// quiet reports the first character that does something to a terminal.
func quiet(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("no UTF-8")
	}
	for i, r := range s {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return fmt.Errorf("%U after %.80q", r, s[max(0, i-60):i])
		}
	}
	return nil
}

// TestHostile checks that nothing that an implementation, or a file of vectors,
// says breaks a report. Nothing makes one larger than it should be.
func TestHostile(t *testing.T) {
	for n := 0; n < len(evil); n += 2 {
		run := hostile(n)
		var text, junit, tap, page, badge bytes.Buffer
		for _, err := range []error{
			Text(&text, run, TextOptions{Width: []int{-5, 0, 50, 1 << 30}[n%4], Causes: -1}), JUnit(&junit, run), TAP(&tap, run), Badge(&badge, run),
			HTML(&page, []*runner.Run{run, hostile(n + 1)}, HTMLOptions{Title: evil[n], About: []string{evil[(n+1)%len(evil)]}}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for name, b := range map[string]*bytes.Buffer{"text": &text, "JUnit": &junit, "TAP": &tap, "HTML": &page, "badge": &badge} {
			if err := quiet(strings.ReplaceAll(b.String(), "\t", " ")); err != nil {
				t.Errorf("%s of %d: %v", name, n, err)
			}
			if b.Len() > 1<<20 {
				t.Errorf("%s of %d is %d bytes", name, n, b.Len())
			}
		}
		if faults := junitFaults(junit.Bytes()); len(faults) > 0 {
			t.Errorf("JUnit of %d: %s", n, faults)
		}
		if err := tapFault(tap.String(), run); err != nil {
			t.Errorf("TAP of %d: %v", n, err)
		}
		if err := xml.Unmarshal(badge.Bytes(), new(struct{})); err != nil {
			t.Errorf("badge of %d: %v", n, err)
		}
		pageFaults(t, page.String())

		var file bytes.Buffer
		if err := WriteJSON(&file, run); err != nil {
			t.Errorf("JSON of %d: %v", n, err)
		}
	}
}

// TestHostileFile: any answer of an implementation is kept in a file that can be read.
func TestHostileFile(t *testing.T) {
	for n := range evil {
		run := hostile(n)
		for i := range run.Results {
			c := *caseOf(&run.Results[i])
			c.Value = nil // vectors are our own
			run.Results[i].Case = &c
			run.Results[i].ID = c.ID
		}
		var file bytes.Buffer
		if err := WriteJSON(&file, run); err != nil {
			t.Fatal(n, err)
		}
		if file.Len() > 4<<20 {
			t.Errorf("the file of %d is %d bytes", n, file.Len())
		}
		again, err := Read(bytes.NewReader(file.Bytes()))
		if utf8.ValidString(strings.Join(ids(run), "")) {
			if err != nil {
				t.Fatal(n, err)
			}
			if !slices.Equal(ids(again), ids(run)) {
				t.Errorf("%d: other ids", n)
			}
		}
	}
}

func ids(r *runner.Run) (out []string) {
	for i := range r.Results {
		out = append(out, r.Results[i].ID)
	}
	return out
}

var (
	pageID     = regexp.MustCompile(` id="([^"]*)"`)
	pageHref   = regexp.MustCompile(` href="([^"]*)"`)
	pageLoads  = regexp.MustCompile(`<[^<>]* (?:src|on[a-z]+)=|url\(|@import|<link|<iframe`)
	pageQuoted = regexp.MustCompile(`"[^"]*"`)
	pageTag    = regexp.MustCompile(`<([a-z0-9]+)[ >]`)
)

// pageFaults checks that a page is complete. It loads nothing, links have a target, and there are no elements
// but those of the template.
func pageFaults(t *testing.T, page string) {
	t.Helper()
	found := map[string]bool{}
	for _, m := range pageID.FindAllStringSubmatch(page, -1) {
		if found[m[1]] {
			t.Errorf("two elements have the id %s", m[1])
		}
		found[m[1]] = true
	}
	for _, m := range pageHref.FindAllStringSubmatch(page, -1) {
		if to, ok := strings.CutPrefix(m[1], "#"); ok && !found[to] && to != "ZgotmplZ" || !ok && !strings.HasPrefix(m[1], "http") {
			t.Errorf("a link leads to %.100q", m[1])
		}
	}
	own := strings.Join(pageTag.FindAllString(pageText+"<q> <i> <mark>", -1), "")
	for _, m := range pageTag.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(own, "<"+m[1]) {
			t.Errorf("an element <%s>", m[1])
		}
	}
	if m := pageLoads.FindString(pageQuoted.ReplaceAllString(page, "")); m != "" {
		t.Errorf("it has %q", m)
	}
	for part, want := range map[string]int{"<script>": 1, "<style>": 1, "<dialog": 1, "<html": 1} {
		if n := strings.Count(page, part); n != want {
			t.Errorf("%q is there %d times", part, n)
		}
	}
}

// An output that ends early is told.
func TestWritersThatFail(t *testing.T) {
	run := runs()[1]
	full := errors.New("no room")
	for name, write := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return Text(w, run, TextOptions{}) }, "JSON": func(w io.Writer) error { return WriteJSON(w, run) },
		"JUnit": func(w io.Writer) error { return JUnit(w, run) }, "TAP": func(w io.Writer) error { return TAP(w, run) },
		"HTML":  func(w io.Writer) error { return HTML(w, []*runner.Run{run}, HTMLOptions{}) },
		"badge": func(w io.Writer) error { return Badge(w, run) },
	} {
		for _, room := range []int{0, 10, 500} {
			if err := write(&limited{room, full}); !errors.Is(err, full) && room < 500 {
				t.Errorf("%s with room for %d: %v", name, room, err)
			}
		}
	}
}

type limited struct {
	room int
	err  error
}

func (l *limited) Write(b []byte) (int, error) {
	if len(b) > l.room {
		return l.room, l.err
	}
	l.room -= len(b)
	return len(b), nil
}

// A run without results, or of nothing but what is unsupported, is no success.
func TestNothing(t *testing.T) {
	empty := &runner.Run{Spec: "godot-4.4"}
	for name, write := range map[string]func(io.Writer) error{
		"Nothing was run.": func(w io.Writer) error { return Text(w, empty, TextOptions{}) }, "1..0 # SKIP": func(w io.Writer) error { return TAP(w, empty) },
		`tests="0"`:     func(w io.Writer) error { return JUnit(w, empty) },
		"nothing tried": func(w io.Writer) error { return Badge(w, empty) },
		"0 vectors":     func(w io.Writer) error { return HTML(w, []*runner.Run{empty}, HTMLOptions{}) },
		"Conformance":   func(w io.Writer) error { return HTML(w, nil, HTMLOptions{}) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil || !strings.Contains(b.String(), name) {
			t.Errorf("%v: %s", err, b.String())
		}
	}
}
