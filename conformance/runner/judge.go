// Judging an answer against the expected result.

package runner

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// judge knows the schema of a suite, and of what the implementation declares.
type judge struct {
	closed, open *codec.Codec // without and with objects in full
	nullOnError  bool
	strict       bool
}

func newJudge(c *codec.Codec, about *protocol.About) (*judge, error) {
	closed, err := c.With(codec.Options{})
	if err != nil {
		return nil, err
	}
	open, err := c.With(codec.Options{Objects: true})
	if err != nil {
		return nil, err
	}
	return &judge{closed: closed, open: open, nullOnError: about.NullOnError}, nil
}

func (j *judge) codec(c *vectors.Case) *codec.Codec {
	if c.Objects {
		return j.open
	}
	return j.closed
}

// packets of a case: what a reader is given, and what a writer gives.
func packetOf(c *vectors.Case) []byte { b, _ := hex.DecodeString(c.Bytes); return b }

func writtenOf(c *vectors.Case) []byte {
	if c.Canonical != "" {
		b, _ := hex.DecodeString(c.Canonical)
		return b
	}
	return packetOf(c)
}

// result returns the result of a case, without the verdict of a list of expected failures.
func (j *judge) result(c *vectors.Case, op protocol.Op, r process.Reply) CaseResult {
	res := CaseResult{Case: c, ID: c.ID, Op: op, Answer: r.Answer, Took: r.Took, Row: c.Row}
	switch a := &r.Answer; {
	case r.Fault != nil:
		res.fault(r.Fault)
	case a.Check(op) != nil:
		res.set(Garbled, "%v", a.Check(op))
	case a.Unsupported != "":
		res.Outcome, res.Reason = Unsupported, a.Unsupported
	case a.Error != "":
		j.refusal(&res)
	case op == protocol.Decode:
		j.value(&res)
	default:
		j.bytes(&res)
	}
	res.Verdict = verdict(c, res.Outcome, j.strict && op != protocol.Decode)
	return res
}

// longestKept is the most digits of a large case's answer that a result keeps.
const longestKept = 1 << 12

// task returns the result of a task.
func (j *judge) task(t *task, r process.Reply) (CaseResult, error) {
	whole, err := t.whole()
	if err != nil {
		return CaseResult{}, err
	}
	res := j.result(whole, t.op, r)
	res.Case = t.c
	if t.large != nil && len(res.Answer.Value)+len(res.Answer.Bytes) > longestKept {
		res.Answer.Value, res.Answer.Bytes = nil, ""
	}
	if t.lack != "" {
		res.undeclared(t.lack)
	}
	return res, nil
}

// undeclared judges what an implementation gives for what it says that it lacks. An error is
// right, and so is the value; null and other values are not.
func (res *CaseResult) undeclared(lack string) {
	switch res.Outcome {
	case Lossy, Wrong, SilentNull, Crash, Hang, OutOfMemory:
		res.Detail = strings.TrimPrefix(res.Detail+"; "+lack+", so an error is expected", "; ")
	default:
		res.Outcome, res.Verdict, res.Reason, res.Detail = Unsupported, Skip, lack, ""
		res.Answer = protocol.Answer{ID: res.Answer.ID}
	}
}

func (res *CaseResult) set(o Outcome, format string, args ...any) {
	res.Outcome, res.Detail = o, fmt.Sprintf(format, args...)
}

func (res *CaseResult) fault(f *process.Fault) {
	outcome := Crash
	switch f.Kind {
	case process.Hang:
		outcome = Hang
	case process.OutOfMemory:
		outcome = OutOfMemory
	case process.Garbled:
		outcome = Garbled
	}
	res.set(outcome, "%s", f.Text)
	res.Stderr = f.Stderr
}

func (j *judge) refusal(res *CaseResult) {
	c, a := res.Case, &res.Answer
	writes := res.Op == protocol.Encode // there are no bytes then for an offset to be in
	if a.Offset != nil && !writes {
		res.Offset = *a.Offset
	}
	if c.Result != vectors.Invalid {
		res.set(RefusedWrongly, "it refuses bytes or a value that are right")
		return
	}
	res.Outcome = RefusedRightly
	if e := c.Error; e != nil {
		res.ExactError = a.Kind == e.Kind && (writes || a.Offset != nil && *a.Offset == e.Offset)
	}
}

// placed returns an error of reading JSON as its place in an answer and what is wrong there.
func placed(err error) string {
	var e *codec.TextError
	if errors.As(err, &e) {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	}
	return err.Error()
}

// value judges the answer to decode.
func (j *judge) value(res *CaseResult) {
	c, a := res.Case, &res.Answer
	got, err := godot.ParseJSON(a.Value)
	if err != nil {
		res.set(Garbled, "the value of the answer cannot be read: %s", placed(err))
		return
	}
	if c.Result == vectors.Invalid {
		j.accepted(res, got)
		return
	}
	res.compare(c, got)
	if got.IsNil() {
		j.null(res)
	}
	want := c.Used
	if want == 0 {
		want = len(c.Bytes) / 2
	}
	// Engines count padding that is missing at the end of the input.
	if slices.Contains(c.Flags, "padding-end") && a.Used > want && a.Used < want+8 && want == len(c.Bytes)/2 {
		a.Used = want
	}
	if (res.Outcome == Exact || res.Outcome == SameValue) && a.Used != 0 && a.Used != want {
		res.set(Wrong, "the value is right, but it says that it took %d bytes; it took %d", a.Used, want)
		res.Offset = min(a.Used, want)
		return
	}
	if res.Outcome != Exact {
		j.locate(res)
	}
}

// compare sets the outcome for a value.
func (res *CaseResult) compare(c *vectors.Case, got codec.Value) {
	relation, path, text, err := c.Compare(got)
	if err != nil {
		res.set(Garbled, "the vector itself cannot be used: %v", err)
		return
	}
	res.Outcome = map[vectors.Relation]Outcome{vectors.Exact: Exact, vectors.SameValue: SameValue, vectors.Lossy: Lossy}[relation]
	if res.Outcome == "" {
		res.Outcome = Wrong
	}
	if res.Outcome == Exact {
		return
	}
	res.Path, res.Detail = path, text
}

// null judges Nil given for a value, where the implementation gives it for errors, too.
func (j *judge) null(res *CaseResult) {
	passes := res.Outcome == Exact || res.Outcome == SameValue
	switch {
	case passes:
		res.Ambiguous = j.nullOnError
	case j.nullOnError:
		res.Ambiguous = true
		res.set(RefusedWrongly, "it gives null, which it also gives for an error, in place of the value")
	default:
		res.set(SilentNull, "it gives null, without an error, in place of the value")
	}
}

// accepted judges a value given for what is to be refused.
func (j *judge) accepted(res *CaseResult, got codec.Value) {
	why := ""
	if e := res.Case.Error; e != nil {
		res.Offset, res.Path = e.Offset, e.Path
		why = ": " + e.Text
	}
	switch {
	case !got.IsNil():
		res.set(Accepted, "it gives %s for what is to be refused%s", interp.Clip(got.String(), 200), why)
	case j.nullOnError:
		res.Outcome, res.Ambiguous = RefusedRightly, true
	default:
		res.set(SilentNull, "it gives null, without an error, for what is to be refused%s", why)
	}
}

// bytes judges the answer to encode and recode.
func (j *judge) bytes(res *CaseResult) {
	c := res.Case
	got, _ := res.Answer.Packet() // Check has read it
	if c.Result == vectors.Invalid {
		v, _, err := j.codec(c).Decode(got)
		if err == nil && res.Op == protocol.Recode {
			j.accepted(res, v)
			return
		}
		what := "a value that has no bytes"
		if res.Op == protocol.Recode {
			what = "what is to be refused"
		}
		res.set(Accepted, "it writes %s for %s", digits(got), what)
		if e := c.Error; e != nil {
			res.Path, res.Detail = e.Path, res.Detail+": "+e.Text
			if res.Op == protocol.Recode {
				res.Offset = e.Offset
			}
		}
		return
	}
	want := writtenOf(c)
	if bytes.Equal(got, want) {
		res.Outcome = Exact
		if v, _, err := j.codec(c).Decode(got); err == nil && v.IsNil() && res.Op == protocol.Recode {
			res.Ambiguous = j.nullOnError
		}
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	res.Offset = at
	differ := fmt.Sprintf("%s is %s, and should be %s", place(at), byteText(got, at), byteText(want, at))
	v, used, err := j.codec(c).Decode(got)
	switch {
	case err != nil:
		var e *interp.Error
		if errors.As(err, &e) {
			err = e
		}
		res.set(Wrong, "%s; the bytes represent no value: %v", differ, err)
	case used < len(got):
		res.set(Wrong, "%s; after the value there are bytes that do not belong to it, from byte %d on", differ, used)
	default:
		res.compare(c, v)
		switch res.Outcome {
		case Exact:
			res.set(SameValue, "%s; the bytes represent the same value", differ)
		case SameValue:
			res.Detail = differ + "; " + res.Detail
		default:
			where := ""
			if res.Path != "" {
				where = "at " + res.Path + " "
			}
			res.Detail = differ + "; the value that the bytes represent is another: " + where + res.Detail
			if v.IsNil() && res.Op == protocol.Recode {
				j.null(res)
			}
		}
	}
	j.rowAt(res, want, at)
}

func place(at int) string { return fmt.Sprintf("byte %d", at) }

func byteText(b []byte, at int) string {
	if at >= len(b) {
		return "missing"
	}
	return fmt.Sprintf("%02x", b[at])
}

// digits shows the beginning of a packet.
func digits(b []byte) string {
	const most = 32
	if len(b) == 0 {
		return "no bytes"
	}
	if len(b) > most {
		return fmt.Sprintf("%x… (%d bytes)", b[:most], len(b))
	}
	return hex.EncodeToString(b)
}

// verdict is what an outcome means for a case. If exact is set, other bytes for the
// same value do not pass.
func verdict(c *vectors.Case, o Outcome, exact bool) Verdict {
	pass := false
	switch o {
	case Unsupported:
		return Skip
	case Crash, Hang, OutOfMemory, Garbled:
		return Fail
	case Exact:
		pass = true
	case SameValue:
		pass = !exact
	case RefusedRightly:
		pass = true
	case RefusedWrongly:
		pass = c.Result == vectors.Acceptable && c.Level != vectors.Must
	}
	switch {
	case pass:
		return Pass
	case c.Level == vectors.May:
		return Differs
	}
	return Fail
}
