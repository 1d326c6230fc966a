// Package sample makes small suites of the examples in schemas, for tests of code that runs
// suites.
package sample

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/vectors"
)

// Suite returns a case for each example of a schema and of those that it extends. It adds a case for
// some packets besides. Package codec computes the expected results.
func Suite(spec string, more ...string) (*vectors.Suite, error) {
	c, err := codec.Load(spec)
	if err != nil {
		return nil, err
	}
	id, choice, _ := strings.Cut(spec, "+")
	schema, err := compile.Load(id)
	if err != nil {
		return nil, err
	}
	s := &vectors.Suite{Format: vectors.Format, Schema: id, Choice: choice, Title: schema.Title, Program: "sample", Flags: map[string]vectors.Flag{}}
	var packets []string
	for _, one := range schema.Lineage() {
		for _, body := range one.Bodies() {
			for _, e := range body.Examples {
				packets = append(packets, hex.EncodeToString(e.Bytes))
			}
		}
	}
	packets = append(packets, more...)
	slices.Sort(packets)
	for _, p := range slices.Compact(packets) {
		b, err := hex.DecodeString(p)
		if err != nil {
			return nil, err
		}
		v, err := Case(c, b)
		if err != nil {
			return nil, err
		}
		if v != nil {
			s.Cases = append(s.Cases, *v)
		}
	}
	return s, nil
}

var typeNames = regexp.MustCompile(`"\$type":"([^"]*)"`)

// Case returns a case for some bytes, or nil if the value can be read and not written.
func Case(c *codec.Codec, b []byte) (*vectors.Case, error) {
	out := &vectors.Case{About: "It is read as a sample.", Bytes: hex.EncodeToString(b), Level: vectors.Must}
	p := raw.Program(c)
	rule := p.Rules[p.Code[p.Routines[p.Root].Start].Rule]
	out.Row, out.Source = rule.Name, rule.File
	v, used, err := c.Decode(b)
	var why *codec.Error
	if errors.As(err, &why) {
		out.Result, out.Type, out.Row, out.Source = vectors.Invalid, strings.Split(why.Row, ".")[0], why.Row, why.File
		out.Error = &vectors.Error{Kind: why.Word(), Offset: why.Offset, Path: why.Path, Text: why.Error()}
		out.ID = fmt.Sprintf("%s/%s/%s", out.Type, out.Error.Kind, name(b))
		return out, nil
	} else if err != nil {
		return nil, err
	}
	if used < len(b) {
		out.Used = used
	}
	if out.Value, err = godot.AppendJSONStyle(nil, v, godot.JSONStyle{Explicit: true}); err != nil {
		return nil, err
	}
	for _, m := range typeNames.FindAllSubmatch(out.Value, -1) {
		out.Uses = append(out.Uses, string(m[1]))
	}
	slices.Sort(out.Uses)
	out.Uses = slices.Compact(out.Uses)
	out.Type = v.Type().String()
	again, err := c.Encode(v)
	if err != nil {
		return nil, nil
	}
	out.Result = vectors.Valid
	if written := hex.EncodeToString(again); written != out.Bytes {
		out.Canonical, out.Result = written, vectors.Acceptable
		if merged, _, err := c.Decode(again); err == nil && !codec.Equal(merged, v) {
			out.Also, _ = godot.AppendJSONStyle(nil, merged, godot.JSONStyle{Explicit: true})
		}
	}
	out.ID = fmt.Sprintf("%s/%s/%s", out.Type, out.Result, name(b))
	return out, nil
}

// name is an id of bytes.
func name(b []byte) string {
	s := hex.EncodeToString(b)
	if len(s) > 40 {
		s = s[:32] + fmt.Sprintf("-%d", len(b))
	}
	return s
}
