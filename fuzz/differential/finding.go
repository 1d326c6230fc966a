// Findings: differences of a target, and their evidence.

package differential

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// Finding is one cause, shown by the smallest packet or value that was found for it.
type Finding struct {
	ID      string      `json:"id"`     // stable, made of the target, what it does, the row and the kind
	Target  string      `json:"target"` // name and version
	Spec    string      `json:"spec"`
	Op      protocol.Op `json:"op"`
	Verdict             // what it does, where
	Bytes   string      `json:"bytes"`          // of the packet, in hexadecimal digits; to be written where Op is encode
	Text    string      `json:"text,omitempty"` // the packet as "octable asm" reads it

	Expected string          `json:"expected"` // in words
	Got      string          `json:"got"`      // likewise
	Answer   protocol.Answer `json:"answer"`
	Stderr   string          `json:"stderr,omitempty"`
	Case     vectors.Case    `json:"case"` // the packet as a conformance vector

	Way    inputs.Way   `json:"way"`              // how the input that showed it first came about
	Note   string       `json:"note,omitempty"`   // what was changed
	First  int          `json:"first"`            // bytes of that input
	Choice string       `json:"choice,omitempty"` // from which the value is drawn, in hexadecimal digits
	Base   string       `json:"base,omitempty"`   // the packet before the damage
	Damage corrupt.Kind `json:"damage,omitempty"`

	Seen    int           `json:"seen"`    // inputs that showed it
	Asked   int           `json:"asked"`   // questions that it took to make it small
	After   time.Duration `json:"after"`   // from the beginning to the first input that showed it
	Repeats bool          `json:"repeats"` // a fresh process did the same
	Known   string        `json:"known,omitempty"`
	Others  []Other       `json:"others,omitempty"`
}

// MarshalJSON writes a finding so that common readers of JSON can read it, however
// deeply its value is nested.
func (f *Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	p := plain(*f)
	p.Case.Fold()
	return json.Marshal(&p)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(b []byte) error {
	type plain Finding
	if err := json.Unmarshal(b, (*plain)(f)); err != nil {
		return err
	}
	return f.Case.Unfold()
}

// size returns how large a finding is, for comparison. It is in bytes of the
// packet, or of the value if there is no packet.
func (f *Finding) size() int {
	if f.Bytes == "" {
		return len(f.Case.Value)
	}
	return len(f.Bytes) / 2
}

// Other is the result of another target for the same input.
type Other struct {
	Target  string         `json:"target"`
	Outcome runner.Outcome `json:"outcome"`
	Detail  string         `json:"detail,omitempty"`
}

// name is the name and version of an implementation.
func name(about protocol.About) string { return strings.TrimSpace(about.Name + " " + about.Version) }

// key says which findings are of the same cause.
type key struct {
	op      protocol.Op
	outcome runner.Outcome
	row     string
	kind    string
}

func keyOf(t *test, v *Verdict) key { return key{t.op, v.Outcome, v.Row, v.Kind} }

// byTypes reports whether the row of a verdict is the list of the types in the packet. The
// verdict then does not say which of them it is about.
func (v *Verdict) byTypes() bool {
	switch v.Outcome {
	case runner.RefusedWrongly, runner.Garbled:
		return true
	case runner.Crash, runner.Hang, runner.OutOfMemory:
		return v.Kind == "valid" || v.Kind == "acceptable" || v.Kind == "written"
	case runner.Wrong:
		return v.Kind == "used"
	}
	return false
}

// same reports whether another verdict is of the same cause, as far as can be told.
func (v *Verdict) same(w *Verdict) bool {
	if v.Outcome != w.Outcome || v.Kind != w.Kind {
		return false
	}
	return v.byTypes() || v.Row == w.Row
}

// within reports whether all types of one list are in another.
func within(few, many string) bool {
	all := strings.Split(many, ", ")
	for t := range strings.SplitSeq(few, ", ") {
		if !slices.Contains(all, t) {
			return false
		}
	}
	return true
}

// slug turns a text into part of a file name.
func slug(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-.")
}

// finding describes a test whose answer is wrong.
func (s *subject) finding(t *test, v Verdict, about protocol.About, a protocol.Answer, stderr string) *Finding {
	f := &Finding{
		Target: name(about), Spec: s.spec, Op: t.op, Verdict: v, Bytes: hex.EncodeToString(t.packet), Answer: a, Stderr: stderr,
		Way: t.in.Way, Note: t.in.Note, First: len(t.packet), Base: hex.EncodeToString(t.in.Base), Choice: hex.EncodeToString(t.in.Choice),
		Case: s.vector(t, &v), Seen: 1,
	}
	if t.in.Way == inputs.Damaged {
		f.Damage = t.in.Change.Kind
	}
	f.ID = strings.Join([]string{slug(f.Target), slug(f.Spec), string(t.op), slug(string(v.Outcome)), slug(v.Row), slug(v.Kind)}, "/")
	if len(f.ID) > 160 {
		h := sha256.Sum256([]byte(f.ID))
		f.ID = f.ID[:150] + "-" + hex.EncodeToString(h[:4])
	}
	switch {
	case t.refuse != nil:
		f.Expected = "refused: " + t.refuse.Error()
	case t.op == protocol.Decode:
		f.Expected = show(t.value)
		if t.used < len(t.packet) {
			f.Expected += fmt.Sprintf(", which takes %d of the %d bytes", t.used, len(t.packet))
		}
	default:
		f.Expected = short(t.canonical)
	}
	switch {
	case v.Outcome == runner.Crash, v.Outcome == runner.Hang, v.Outcome == runner.OutOfMemory:
		f.Got = v.Detail
	case a.Error != "":
		f.Got = "refused: " + a.Error
	case t.op != protocol.Decode:
		f.Got = a.Bytes
	default:
		f.Got = string(a.Value)
		if got, err := godot.ParseJSON(a.Value); err == nil {
			f.Got = show(got)
		}
	}
	f.Got = cutText(f.Got)
	if n := len(a.Value); n > mostAnswer {
		f.Answer.Value, _ = json.Marshal(fmt.Sprintf("left out: %d bytes", n))
	}
	if n := len(a.Bytes); n > mostAnswer {
		f.Answer.Bytes = ""
	}
	return f
}

// mostAnswer is the length of the longest answer that is kept as it was given. Some
// answers are too deep for those who read reports.
const mostAnswer = 8 << 10

// mostText is the most characters of a value or a message that a finding has.
const mostText = 400

func show(v codec.Value) string { return cutText(v.String()) }

func cutText(s string) string { return interp.Clip(s, mostText) }

// vector makes a conformance vector of a test.
func (s *subject) vector(t *test, v *Verdict) vectors.Case {
	c := s.question(t)
	c.Uses = s.types(t.packet, t.in.Open)
	if v.Row != "" && !v.byTypes() {
		c.Row = strings.TrimSuffix(v.Row, " (padding)")
	}
	for _, r := range s.p.Rules {
		if r.Name == c.Row {
			c.Source = r.File
			break
		}
	}
	c.Type = s.typeAt(t, c.Row)
	switch {
	case t.refuse != nil:
		c.About = fmt.Sprintf("Bytes that are to be refused at %s: %v.", t.refuse.Rule.Name, t.refuse.Kind)
	case t.valid():
		c.About = fmt.Sprintf("A packet of %s.", strings.Join(c.Uses, ", "))
	default:
		c.About = fmt.Sprintf("A packet of %s in a form that no writer produces, and readers take.", strings.Join(c.Uses, ", "))
	}
	if t.in.Way == inputs.Damaged {
		c.About += " It was made by this change: " + t.in.Note + "."
	}
	what := t.packet
	if t.unwritten() {
		what = c.Value
		some(t.value, func(v codec.Value) bool {
			if name := s.c[0].TypeName(v.Type()); name != "" && !slices.Contains(c.Uses, name) {
				c.Uses = append(c.Uses, name)
			}
			return false
		})
		slices.Sort(c.Uses)
		c.About = fmt.Sprintf("A value that has no bytes: %v.", t.refuse.Kind)
	}
	sum := sha256.Sum256(append([]byte{byte(b2i(t.in.Open))}, what...))
	kind := string(c.Result)
	if t.in.Way == inputs.Damaged {
		kind = slug(string(t.in.Change.Kind))
	}
	c.ID = fmt.Sprintf("%s/%s/fuzz-%s", c.Row, kind, hex.EncodeToString(sum[:5]))
	return c
}

// typeAt returns the name of the type that a row of a packet belongs to.
func (s *subject) typeAt(t *test, row string) string {
	found := ""
	var open []string
	s.trace(t.packet, t.in.Open, func(e *interp.Event) {
		switch e.Kind {
		case interp.Open:
			open = append(open, "")
		case interp.Close:
			open = open[:len(open)-1]
		case interp.Row:
			if typ, ok := s.eng.Arm(e); ok {
				open[len(open)-1] = typ.Name
			}
			if e.Rule.Name == row && found == "" {
				for i := len(open) - 1; i >= 0 && found == ""; i-- {
					found = open[i]
				}
			}
		}
	})
	if found == "" {
		found, _, _ = strings.Cut(row, ".")
	}
	return found
}
