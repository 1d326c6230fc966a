// Lists of expected failures.

package runner

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/interp"
)

// Expectations are a list of the cases that an implementation is known to fail. It is
// a text file:
//
//	# A comment is a line that begins with #.
//	String.length/*              # a reason, which has to be there
//	encode NodePath.subnames/*   # of this operation alone
//	[godot-4.*]
//	Array.of/?-in-array          # for these schemas alone, up to the next heading
//
// Ids and schemas are patterns: * matches any characters, ? one. A line that
// expects what passes is an error, as is one that fits no case at all.
type Expectations struct {
	name  string // of the file, for messages
	lines []expectLine
}

type expectLine struct {
	text    string      // of the line in the file
	heading bool        //
	spec    string      // pattern of the heading above, or of the heading itself; "" is all
	op      protocol.Op // "" is all
	pattern string      // "" for comments, headings and blank lines
	reason  string
}

// ParseExpectations reads a list. The name is for messages.
func ParseExpectations(name string, text []byte) (*Expectations, error) {
	e := &Expectations{name: name}
	spec := ""
	for n, raw := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		l := expectLine{text: strings.TrimRight(string(raw), "\r"), spec: spec}
		body := strings.TrimSpace(l.text)
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", name, n+1, fmt.Sprintf(format, args...))
		}
		switch {
		case body == "" || body[0] == '#':
		case body[0] == '[':
			heading, _, _ := strings.Cut(body, "#")
			heading = strings.TrimSpace(heading)
			if !strings.HasSuffix(heading, "]") || len(heading) < 3 {
				return nil, fail("a heading is a schema, or a pattern of schemas, between [ and ]")
			}
			spec = strings.TrimSpace(heading[1 : len(heading)-1])
			l.heading, l.spec = true, spec
		default:
			pattern, reason, ok := cutReason(body)
			if !ok || reason == "" {
				return nil, fail("a reason is missing: write # and the reason for the failure after the pattern")
			}
			words := strings.Fields(pattern)
			if len(words) == 2 {
				l.op, words = protocol.Op(words[0]), words[1:]
				if l.op != protocol.Decode && l.op != protocol.Encode && l.op != protocol.Recode {
					return nil, fail("%q is no operation; decode, encode or recode may be before a pattern", l.op)
				}
			}
			if len(words) != 1 {
				return nil, fail("a line is a pattern of ids, with an operation before it or not, then # and a reason")
			}
			l.pattern, l.reason = words[0], reason
		}
		e.lines = append(e.lines, l)
	}
	return e, nil
}

// cutReason parts a line at the first # after a blank, as ids may hold one.
func cutReason(line string) (pattern, reason string, ok bool) {
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && unicode.IsSpace(rune(line[i-1])) {
			return strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:]), true
		}
	}
	return line, "", false
}

func (l *expectLine) fits(spec, id string, op protocol.Op) bool {
	return l.pattern != "" && (l.op == "" || l.op == op) && (l.spec == "" || Glob(l.spec, spec)) && Glob(l.pattern, id)
}

// find returns the number of the first line, and that line, which expects a failure.
func (e *Expectations) find(spec, id string, op protocol.Op) (int, *expectLine) {
	for i := range e.lines {
		if e.lines[i].fits(spec, id, op) {
			return i + 1, &e.lines[i]
		}
	}
	return 0, nil
}

// apply changes the verdicts of a run, and notes lines that fit nothing. Only where
// all of the suite was run is a line without use if no case of the run needs it.
func (e *Expectations) apply(run *Run, all bool) {
	if e == nil {
		return
	}
	used := map[int]bool{}
	for i := range run.Results {
		r := &run.Results[i]
		n, l := e.find(run.Spec, r.ID, r.Op)
		if l == nil {
			continue
		}
		switch r.Verdict {
		case Fail, Differs:
			r.Verdict, r.Reason = ExpectedFail, l.reason
		case Pass:
			r.Verdict, r.Reason = StalePass, fmt.Sprintf("%s:%d expects it to fail: %s", e.name, n, l.reason)
		default:
			continue
		}
		used[n-1] = true
	}
	for i := range e.lines {
		l := &e.lines[i]
		switch {
		case l.pattern == "" || used[i] || l.spec != "" && !Glob(l.spec, run.Spec):
		case !e.known(run, l):
			run.Unused = append(run.Unused, fmt.Sprintf("%s:%d: %s fits no case of %s", e.name, i+1, l.pattern, run.Spec))
		case all:
			run.Unused = append(run.Unused, fmt.Sprintf("%s:%d: %s fits only cases that are not run, or that an earlier line expects", e.name, i+1, l.pattern))
		}
	}
}

// known reports whether a line fits a case of the suite.
func (e *Expectations) known(run *Run, l *expectLine) bool {
	for c := range run.Suite.All {
		if slices.ContainsFunc(Ops(c), func(op protocol.Op) bool { return l.fits(run.Spec, c.ID, op) }) {
			return true
		}
	}
	return false
}

// Update returns the text of a list that fits a run. Lines that expect a failure of what passes
// are narrowed, and lines without use are left out. Failures that no line expects are added
// below the heading of the schema with their result as the reason. Comments, reasons and the
// lines of other schemas stay. If the run was not of the whole suite, the lines of the other
// cases stay, too.
func (e *Expectations) Update(run *Run, all bool) []byte {
	// The failures of each line, in order, and those that no line expects.
	type failure struct {
		id  string
		op  protocol.Op
		why string
	}
	by, stale := map[int][]failure{}, map[int]bool{}
	var news []failure
	ops := map[string]int{}    // how many operations of an id were run
	failed := map[string]int{} // and failed
	for i := range run.Results {
		r := &run.Results[i]
		if r.Verdict == Skip {
			continue
		}
		ops[r.ID]++
		n, l := e.find(run.Spec, r.ID, r.Op)
		if r.Verdict == Pass || r.Verdict == StalePass {
			stale[n-1] = stale[n-1] || l != nil
			continue
		}
		failed[r.ID]++
		f := failure{r.ID, r.Op, string(r.Outcome)}
		if r.Detail != "" {
			f.why += ": " + interp.Clip(strings.Join(strings.Fields(r.Detail), " "), 200)
		}
		switch {
		case l != nil:
			by[n-1] = append(by[n-1], f)
		case r.Verdict == Fail:
			news = append(news, f)
		}
	}
	// One line for an id, without the operation where all of them fail for one reason.
	lines := func(list []failure, reason string) []string {
		var out []string
		done := map[string]bool{}
		whys := map[string]map[string]bool{}
		for i := range list {
			f := &list[i]
			if reason != "" {
				f.why = reason
			}
			if whys[f.id] == nil {
				whys[f.id] = map[string]bool{}
			}
			whys[f.id][f.why] = true
		}
		for _, f := range list {
			name, why := string(f.op)+" "+f.id, f.why
			if failed[f.id] == ops[f.id] && len(whys[f.id]) == 1 {
				name = f.id
			}
			if !done[name] {
				done[name] = true
				out = append(out, name+"  # "+why)
			}
		}
		return out
	}
	var out []string
	end := -1 // where the lines of the schema's own heading end
	for i := range e.lines {
		l := &e.lines[i]
		other := l.pattern == "" || l.spec != "" && !Glob(l.spec, run.Spec)
		switch {
		case other || len(by[i]) > 0 && !stale[i]:
			out = append(out, l.text)
		case len(by[i]) > 0:
			out = append(out, lines(by[i], l.reason)...)
		case !all && !stale[i] && e.known(run, l):
			out = append(out, l.text)
		}
		if l.spec == run.Spec && strings.TrimSpace(l.text) != "" {
			end = len(out)
		}
	}
	if added := lines(news, ""); len(added) > 0 {
		if end < 0 {
			for len(out) > 0 && out[len(out)-1] == "" {
				out = out[:len(out)-1]
			}
			if len(out) > 0 {
				out = append(out, "")
			}
			out = append(out, "["+run.Spec+"]")
			end = len(out)
		}
		out = slices.Insert(out, end, added...)
	}
	if len(out) == 0 {
		return nil
	}
	return []byte(strings.Join(out, "\n") + "\n")
}
