// Checks of a wrapper: whether it keeps to the protocol.

package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// Finding is the result of one check of a wrapper.
type Finding struct {
	Check string `json:"check"` // what it should do
	OK    bool   `json:"ok"`
	// Text is the fault and its remedy, or the observation.
	Text string `json:"text,omitempty"`
}

// smokeValues is how many packets and values are asked together.
const smokeValues = 200

// Smoke checks that a wrapper keeps to the protocol. It uses packets of a suite that the wrapper should be
// able to read and write, but the results hardly matter. Checks that cannot be made after one that failed are
// left out.
func Smoke(ctx context.Context, cfg process.Config, s *vectors.Suite) ([]Finding, error) {
	sm := &smoke{ctx: ctx, cfg: cfg, suite: s}
	sm.run()
	return sm.findings, ctx.Err()
}

type smoke struct {
	ctx      context.Context
	cfg      process.Config
	suite    *vectors.Suite
	about    protocol.About
	findings []Finding
}

// bad notes a check that fails, and returns false.
func (sm *smoke) bad(check, format string, args ...any) bool {
	sm.findings = append(sm.findings, Finding{Check: check, Text: fmt.Sprintf(format, args...)})
	return false
}

func (sm *smoke) good(check, seen string) {
	sm.findings = append(sm.findings, Finding{Check: check, OK: true, Text: seen})
}

func (sm *smoke) run() {
	c, err := process.Start(sm.ctx, sm.cfg)
	if err != nil {
		text := err.Error()
		if f, ok := err.(*process.Fault); ok && f.Stderr != "" {
			text += "; the end of its standard error: " + strings.TrimSpace(interp.Clip(f.Stderr, 500))
		}
		sm.bad("it starts and answers hello", "%s", text)
		return
	}
	sm.about = c.About
	sm.good("it starts and answers hello", strings.TrimSpace(fmt.Sprintf("%s %s", c.About.Name, c.About.Version)))
	if f := c.Stop(); f != nil {
		sm.bad("it ends when its input ends", "%s; leave the loop that reads requests, and end with exit status 0", f.Text)
	} else {
		sm.good("it ends when its input ends", "")
	}
	if !sm.declared() {
		return
	}
	if !sm.oneByOne() {
		return
	}
	sm.errors()
	sm.together()
}

// declared checks what hello says against the schema.
func (sm *smoke) declared() bool {
	a, spec := &sm.about, sm.suite.Spec()
	if !slices.Contains(a.Specs, spec) {
		return sm.bad("it has the schema", `"specs" of hello are %s; %s is not among them`, strings.Join(a.Specs, ", "), spec)
	}
	sm.good("it has the schema", spec)
	var known []string
	for i := range sm.suite.Cases {
		known = append(known, sm.suite.Cases[i].Uses...)
	}
	for _, f := range a.Without {
		if !slices.Contains(vectors.Features, f) {
			return sm.bad("its features are known", `"without" of hello has %q; the features are %s`, f, strings.Join(vectors.Features, ", "))
		}
	}
	for i, t := range slices.Concat(a.Lacks, a.Has) {
		if !slices.Contains(known, t) {
			if _, ok := godot.TypeNamed(t); ok {
				continue // another schema may have it
			}
			key := "unsupported"
			if i >= len(a.Lacks) {
				key = "types"
			}
			return sm.bad("its types are those of the schema", `%q of hello has %q, which is no type of %s: they are called as in the schema, such as %s`, key, t, spec, strings.Join(first(known, 5), ", "))
		}
	}
	return true
}

func first(list []string, n int) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(n, len(list))]
}

// sample are requests that the implementation should take, smallest cases first.
func (sm *smoke) sample(n int, ops ...protocol.Op) []protocol.Request {
	var all []task
	for _, t := range tasks(sm.suite, &sm.about, &Filter{}, false) {
		if t.lack == "" && t.large == nil && t.c.Result == vectors.Valid && slices.Contains(ops, t.op) {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b task) int { return len(a.c.Bytes) - len(b.c.Bytes) })
	var out []protocol.Request
	for i := 0; len(all) > 0 && len(out) < n; i++ {
		if r, err := request(all[i%len(all)].c, all[i%len(all)].op, sm.suite.Spec(), &sm.about); err == nil {
			out = append(out, r)
		}
	}
	return out
}

// ask asks one process requests one after the other.
func (sm *smoke) ask(requests []protocol.Request) ([]process.Reply, *process.Fault) {
	c, err := process.Start(sm.ctx, sm.cfg)
	if err != nil {
		return nil, &process.Fault{Text: err.Error()}
	}
	defer c.Kill()
	var replies []process.Reply
	for _, r := range requests {
		if err := c.Send(r); err != nil {
			return replies, &process.Fault{Text: err.Error()}
		}
		reply := c.Receive(sm.ctx)
		if reply.Fault != nil {
			return replies, reply.Fault
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// oneByOne checks that each operation gives answers that make sense.
func (sm *smoke) oneByOne() bool {
	all := true
	for _, op := range sm.about.Ops {
		check := fmt.Sprintf("it answers %s", op)
		requests := sm.sample(10, op)
		if len(requests) == 0 {
			continue
		}
		replies, fault := sm.ask(requests)
		if fault != nil {
			all = sm.bad(check, "%s", fault.Text)
			continue
		}
		if text := sm.senseless(op, replies); text != "" {
			all = sm.bad(check, "%s", text)
			continue
		}
		sm.good(check, "")
	}
	return all
}

// senseless says what is wrong with answers to what should give values or bytes.
func (sm *smoke) senseless(op protocol.Op, replies []process.Reply) string {
	taken := 0
	refusal := ""
	for i := range replies {
		a := &replies[i].Answer
		if err := a.Check(op); err != nil {
			return err.Error()
		}
		switch {
		case a.Error != "":
			refusal = a.Error
		case !a.OK:
		case op == protocol.Decode:
			if _, err := godot.ParseJSON(a.Value); err != nil {
				return fmt.Sprintf("the value %s cannot be read: %s", interp.Clip(string(a.Value), 100), placed(err))
			}
			taken++
		default:
			taken++
		}
	}
	if taken == 0 && refusal != "" {
		return fmt.Sprintf("it refuses all of the %d smallest packets and values, at last with: %s", len(replies), refusal)
	}
	return ""
}

// errors checks that the process lives on after what it has to refuse, or cannot do.
func (sm *smoke) errors() {
	spec := sm.suite.Spec()
	op := sm.about.Ops[0]
	wrong := protocol.Request{Op: op, Spec: spec, Bytes: "ff"}
	if op == protocol.Encode {
		wrong = protocol.Request{Op: op, Spec: spec, Value: []byte(`{"$type":"no such type"}`)}
	}
	check := "it answers with an error what it refuses, and goes on"
	replies, fault := sm.ask(append([]protocol.Request{wrong}, sm.sample(1, sm.about.Ops...)...))
	switch {
	case fault != nil && len(replies) == 0:
		sm.bad(check, `%s, asked to %s what is no packet or value; catch what the implementation throws, and answer with "error"`, fault.Text, op)
	case fault != nil:
		sm.bad(check, "%s, asked for a good packet after a bad one", fault.Text)
	case replies[0].Answer.Check(op) != nil:
		sm.bad(check, "%v", replies[0].Answer.Check(op))
	default:
		// Whether it refuses is for the suite to say.
		sm.good(check, interp.Clip(replies[0].Answer.Error, 100))
	}
	check = "it answers an operation that it does not have"
	replies, fault = sm.ask([]protocol.Request{{Op: "nonsense", Spec: spec}})
	switch {
	case fault != nil:
		sm.bad(check, `%s; answer any "op" that is not known with "unsupported"`, fault.Text)
	case replies[0].Answer.Check("nonsense") != nil:
		sm.bad(check, "%v", replies[0].Answer.Check("nonsense"))
	case replies[0].Answer.OK:
		sm.bad(check, `it is "ok" where the answer is "unsupported"`)
	default:
		sm.good(check, "")
	}
}

// together checks requests that do not wait for each other.
func (sm *smoke) together() {
	check := "it takes requests that do not wait for answers"
	if sm.about.Window == 1 {
		check = "it takes many requests one after the other"
	}
	requests := sm.sample(smokeValues, sm.about.Ops...)
	if len(requests) == 0 {
		return
	}
	s, err := process.Open(sm.ctx, sm.cfg)
	if err != nil {
		sm.bad(check, "%v", err)
		return
	}
	defer s.Close()
	replies, err := s.Do(sm.ctx, requests)
	if err != nil {
		sm.bad(check, "%v", err)
		return
	}
	for i := range replies {
		if f := replies[i].Fault; f != nil {
			sm.bad(check, "%s", f.Text)
			return
		}
	}
	if notes := s.Notes(); len(notes) > 0 {
		sm.bad(check, "%s", strings.Join(notes, " "))
		return
	}
	if s.Restarts() > 0 {
		sm.bad(check, "the process had to be started again %d times", s.Restarts())
		return
	}
	sm.good(check, fmt.Sprintf("%d requests", len(requests)))
}
