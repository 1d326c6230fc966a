package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/golden"
)

func TestJUnit(t *testing.T) {
	for i, run := range runs() {
		var b bytes.Buffer
		if err := JUnit(&b, run); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, []string{"good.xml", "naive.xml"}[i], b.Bytes())
		for _, wrong := range junitFaults(b.Bytes()) {
			t.Error(wrong)
		}
	}
}

// The checker of JUnit files finds what it should.
func TestJUnitFaults(t *testing.T) {
	const ok = `<testsuites name="a" tests="1" failures="0" errors="0" skipped="0" time="0.1"><testsuite name="a" tests="1" failures="0" errors="0" skipped="0" time="0.1" timestamp="2026-03-04T05:06:07"><testcase name="n" classname="c" time="0.1"></testcase></testsuite></testsuites>`
	if got := junitFaults([]byte(ok)); len(got) > 0 {
		t.Error(got)
	}
	for _, change := range [][2]string{
		{`tests="1"`, `tests="2"`}, {`classname="c" `, ``}, {`time="0.1">`, `time="soon">`}, {`<testcase name`, `<testcase color`},
		{`</testcase>`, `<failure></failure></testcase>`}, {`</testcase>`, `<skipped/><error type="e" message="m"/></testcase>`},
		{`</testcase>`, `<br/></testcase>`}, {`05:06:07"`, `05:06:07Z"`}, {`</testsuites>`, ``},
	} {
		if got := junitFaults([]byte(strings.Replace(ok, change[0], change[1], 1))); len(got) == 0 {
			t.Errorf("%s for %s is not found", change[1], change[0])
		}
	}
}

// junitFaults checks a file against the rules that readers of JUnit files have in common. These
// are the places of elements, the attributes that they need, and correct counts.
func junitFaults(b []byte) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	children := map[string][]string{
		"": {"testsuites"}, "testsuites": {"testsuite"}, "testsuite": {"properties", "testcase"}, "properties": {"property"},
		"property": {}, "testcase": {"skipped", "error", "failure", "system-err"}, "skipped": {}, "error": {}, "failure": {}, "system-err": {},
	}
	needed := map[string][]string{
		"testsuites": {"name", "tests", "failures", "errors", "skipped", "time"}, "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
		"property": {"name", "value"}, "testcase": {"name", "classname", "time"}, "skipped": {"message"}, "error": {"message", "type"}, "failure": {"message", "type"},
	}
	count := func(attrs map[string]string, name string) int {
		n, err := strconv.Atoi(attrs[name])
		if err != nil || n < 0 {
			say("%s=%q is no count", name, attrs[name])
		}
		return n
	}
	type element struct {
		name  string
		attrs map[string]string
		found map[string]int
	}
	open := []element{{"", nil, map[string]int{}}}
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		token, err := d.Token()
		if err == io.EOF && len(open) == 1 {
			return faults
		} else if err != nil {
			say("no XML: %v", err)
			return faults
		}
		parent := &open[len(open)-1]
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if !slices.Contains(children[parent.name], name) {
				say("<%s> in <%s>", name, parent.name)
			}
			attrs := map[string]string{}
			for _, a := range e.Attr {
				attrs[a.Name.Local] = a.Value
				if !slices.Contains(needed[name], a.Name.Local) {
					say("<%s> has the attribute %s", name, a.Name.Local)
				}
			}
			for _, a := range needed[name] {
				if _, ok := attrs[a]; !ok {
					say("<%s> lacks the attribute %s", name, a)
				}
			}
			if text, ok := attrs["time"]; ok {
				if n, err := strconv.ParseFloat(text, 64); err != nil || n < 0 {
					say("time=%q", text)
				}
			}
			if text, ok := attrs["timestamp"]; ok {
				if _, err := time.Parse("2006-01-02T15:04:05", text); err != nil {
					say("timestamp=%q", text)
				}
			}
			for i := range open {
				open[i].found[name]++
			}
			open = append(open, element{name, attrs, map[string]int{}})
		case xml.EndElement:
			if parent.name == "testsuites" || parent.name == "testsuite" {
				for attr, name := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
					if n := count(parent.attrs, attr); n != parent.found[name] {
						say("%s=%d, and there are %d", attr, n, parent.found[name])
					}
				}
			}
			if parent.name == "testcase" && parent.found["skipped"]+parent.found["error"]+parent.found["failure"] > 1 {
				say("a testcase with two results")
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(e)); text != "" && !slices.Contains([]string{"error", "failure", "system-err"}, parent.name) {
				say("text in <%s>: %s", parent.name, text)
			}
		}
	}
}

func TestTAP(t *testing.T) {
	for i, run := range runs() {
		var b bytes.Buffer
		if err := TAP(&b, run); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, []string{"good.tap", "naive.tap"}[i], b.Bytes())
		if err := tapFault(b.String(), run); err != nil {
			t.Error(err)
		}
	}
}

var tapLine = regexp.MustCompile(`^(not ok|ok) (\d+) - ((?:[^#\\]|\\#|\\\\)*?)(?: # (SKIP|TODO) ((?:[^#\\]|\\#|\\\\)*))?$`)

// tapFault checks text against version 14 of the protocol, and that it says of each
// result what it should.
func tapFault(text string, run *runner.Run) error {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	faults := len(runFaults(run))
	if lines[0] != "TAP version 14" || !strings.HasPrefix(lines[1], fmt.Sprintf("1..%d", len(run.Results)+faults)) {
		return fmt.Errorf("it begins with %q", lines[:2])
	}
	n := 0
	block := false
	for _, l := range lines[2:] {
		switch {
		case l == "  ---" && !block && n > 0:
			block = true
		case l == "  ..." && block:
			block = false
		case block:
			key, value, ok := strings.Cut(strings.TrimPrefix(l, "  "), ": ")
			if !ok || !json.Valid([]byte(value)) || strings.ContainsAny(key, ` "`) {
				return fmt.Errorf("%q is no pair of YAML", l)
			}
		case strings.HasPrefix(l, "# "):
		default:
			m := tapLine.FindStringSubmatch(l)
			if n == len(run.Results) && (m != nil && m[1] == "not ok" && m[4] == "" && faults > 0 || run.Stopped != "" && strings.HasPrefix(l, "Bail out! ")) {
				faults--
				continue
			}
			if m == nil || n == len(run.Results) {
				return fmt.Errorf("%q is no line of TAP", l)
			}
			r := &run.Results[n]
			n++
			want := map[runner.Verdict][2]string{runner.Pass: {"ok", ""}, runner.Fail: {"not ok", ""}, runner.StalePass: {"not ok", ""},
				runner.Skip: {"ok", "SKIP"}, runner.ExpectedFail: {"not ok", "TODO"}, runner.Differs: {"not ok", "TODO"}}[r.Verdict]
			said := strings.NewReplacer(`\\`, `\`, `\#`, "#").Replace(m[3])
			if m[1] != want[0] || m[4] != want[1] || m[2] != strconv.Itoa(n) || said != brief(name(r), most) {
				return fmt.Errorf("%q is said of %q, %s", l, name(r), r.Verdict)
			}
		}
	}
	if block || n != len(run.Results) {
		return fmt.Errorf("it ends after %d of %d", n, len(run.Results))
	}
	return nil
}

func TestBadge(t *testing.T) {
	for i, run := range runs() {
		var b bytes.Buffer
		if err := Badge(&b, run); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, []string{"good.svg", "naive.svg"}[i], b.Bytes())
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Error(err)
		}
	}
	all := runs()
	some := *all[0]
	some.Results = slices.Clone(some.Results)
	for i := range some.Results {
		some.Results[i].Verdict, some.Results[i].Outcome = runner.Skip, runner.Unsupported
	}
	none := some
	if text, color := badgeValue(&none); text != "nothing tried" || color != badgeGrey {
		t.Error(text, color)
	}
	one := some
	one.Results = slices.Clone(some.Results)
	one.Results[0].Verdict = runner.Pass
	if text, color := badgeValue(&one); text != "1/1 must, 10 unsupported" || color == badgeGreen {
		t.Error(text, color)
	}
	if got := badgeLabel("godot-4.4+double"); got != "Godot 4.4 double" {
		t.Error(got)
	}
}
