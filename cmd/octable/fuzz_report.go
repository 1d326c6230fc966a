package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/fuzz/differential"
	"github.com/octable/octable/interp"
)

// printRun prints the result of a run against targets.
func (c *fuzzCommand) printRun(r *differential.Report) error {
	paint, err := c.painter()
	if err != nil {
		return err
	}
	v, err := c.viewer()
	if err != nil {
		return err
	}
	if r.Stopped != "" {
		fmt.Fprintf(c.stdout, "ended before its time: %s\n\n", r.Stopped)
	}
	for i := range r.Targets {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		c.printTarget(&r.Targets[i], r, v, paint)
	}
	return nil
}

func (c *fuzzCommand) printTarget(t *differential.TargetReport, r *differential.Report, v *inspect.Viewer, paint inspect.Painter) {
	name := strings.TrimSpace(report.Clean(t.About.Name + " " + t.About.Version))
	fmt.Fprintf(c.stdout, "%s, %s: %s in %v, %.0f a second\n", paint.Paint(inspect.FieldName, name), r.Spec, count(t.Asked, "question", "questions"), rounded(r.Took), t.PerSecond)
	line := func(format string, args ...any) {
		fmt.Fprintln(c.stdout, wrap(fmt.Sprintf(format, args...), c.width(), "  "))
	}
	line("%d of %d points of the schema (%s) in what it was asked", t.Reached, t.Points, reached(100*float64(t.Reached)/float64(max(t.Points, 1)), t.Full))
	if t.Stopped != "" {
		line("ended before its time: %s", report.Clean(t.Stopped))
	}
	if t.Restarts > 0 {
		line("started again %s", count(t.Restarts, "time", "times"))
	}
	if t.Late > 0 {
		line("%s differed when the time was over, and were not looked into", count(t.Late, "input", "inputs"))
	}
	for _, n := range t.Notes {
		line("%s", report.Clean(n))
	}
	line("%s, %s", count(len(t.Findings), "finding", "findings"), count(len(t.Known), "known difference", "known differences"))
	for _, f := range t.Known {
		line("known, seen %s: %s, %s: %s: %s", count(f.Seen, "time", "times"), f.Outcome, f.Op, f.Row, f.Known)
	}
	for i, f := range c.order(t.Findings) {
		if i < c.show {
			c.printFinding(i+1, f, v, paint)
			continue
		}
		if i == c.show {
			fmt.Fprintf(c.stdout, "\nothers (-show %d shows them in full, as -json does):\n", len(t.Findings))
		}
		text := fmt.Sprintf("  %d  %s, %s: %s, %s: %s", i+1, f.Outcome, f.Op, f.Row, f.Kind, bytesOf(f.Bytes))
		fmt.Fprintln(c.stdout, interp.Clip(text, max(60, c.width()-1)))
	}
}

// order puts one finding of each outcome first, so that those shown in full are of
// all sorts.
func (c *fuzzCommand) order(all []*differential.Finding) []*differential.Finding {
	var first, rest []*differential.Finding
	seen := map[string]int{}
	for round := range 3 {
		for _, f := range all {
			if seen[f.ID] == 0 && seen["#"+string(f.Outcome)] == round {
				seen[f.ID], seen["#"+string(f.Outcome)] = 1, round+1
				first = append(first, f)
			}
		}
	}
	for _, f := range all {
		if seen[f.ID] == 0 {
			rest = append(rest, f)
		}
	}
	return append(first, rest...)
}

func (c *fuzzCommand) printFinding(number int, f *differential.Finding, v *inspect.Viewer, paint inspect.Painter) {
	b, _ := hex.DecodeString(f.Bytes)
	fmt.Fprintf(c.stdout, "\n%d  %s, %s: %s, %s\n", number, paint.Paint(inspect.Bad, string(f.Outcome)), f.Op, f.Row, f.Kind)
	offset := f.Offset
	if f.Op == "encode" {
		offset = -1
	}
	out := &finding{env: c.env, paint: paint}
	out.bytes(v, b, offset, f.Case.Objects)
	say := out.say
	if len(b) == 0 && f.Op == "encode" {
		say("value", string(f.Case.Value))
	}
	say("expected", f.Expected)
	say("got", f.Got)
	if f.Detail != f.Got {
		say("that is", f.Detail)
	}
	if last := strings.TrimSpace(f.Stderr); last != "" {
		lines := strings.Split(last, "\n")
		say("stderr", strings.TrimSpace(lines[len(lines)-1]))
	}
	how := fmt.Sprintf("%s of %s, seen %s, first after %v by way of %s", count(len(b), "byte", "bytes"), count(f.First, "byte", "bytes"), count(f.Seen, "time", "times"), rounded(f.After), f.Way)
	if f.Note != "" {
		how += " (" + f.Note + ")"
	}
	if f.Asked > 0 {
		how += fmt.Sprintf("; %s to make it small", count(f.Asked, "question", "questions"))
	}
	if !f.Repeats {
		how += "; it did not do it again when it was asked once more"
	}
	say("found", how)
	for _, o := range f.Others {
		text := string(o.Outcome)
		if o.Detail != "" {
			text += ": " + o.Detail
		}
		say("beside", o.Target+": "+text)
	}
	say("id", f.ID)
	out.text(f.Text)
}

// finding prints an input that is in error: its bytes beside their rows, and facts about it.
type finding struct {
	*env
	paint inspect.Painter
}

// bytes prints a packet beside its rows, with a mark at an offset if it is in the packet.
func (f *finding) bytes(v *inspect.Viewer, b []byte, offset int, objects bool) {
	var sheet bytes.Buffer
	opt := inspect.Options{Width: max(40, f.width()-4), Row: 8, Paint: f.paint, Brief: true, Read: interp.Options{Open: gateBits(objects)}}
	s := inspect.NewSheet(v, &sheet, b, opt)
	if offset >= 0 && offset < len(b) {
		s.Mark(offset, "here")
	}
	if len(b) > 0 {
		s.Packet(0, len(b))
	}
	lines := strings.Split(strings.TrimRight(sheet.String(), "\n"), "\n")
	for i, l := range lines {
		if l == "" {
			continue
		}
		if i == mostLines && len(lines) > mostLines+2 {
			fmt.Fprintf(f.stdout, "   … %d more lines\n", len(lines)-mostLines)
			break
		}
		fmt.Fprintf(f.stdout, "   %s\n", l)
	}
}

// text prints the text of a packet, unless it is long.
func (f *finding) text(text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if text == "" || len(lines) > mostLines {
		return
	}
	for i, l := range lines {
		head := ""
		if i == 0 {
			head = "text"
		}
		fmt.Fprintf(f.stdout, "   %s%s\n", f.paint.Paint(inspect.FieldName, fmt.Sprintf("%-10s", head)), report.Clean(l))
	}
}

// say prints a fact below a heading, unless it is empty.
func (f *finding) say(head, text string) {
	if text == "" {
		return
	}
	spans := []inspect.Span{{Style: inspect.FieldName, Text: head + strings.Repeat(" ", 10-len(head))}, {Style: inspect.Plain, Text: report.Clean(text)}}
	for _, l := range f.paint.Layout(spans, max(40, f.width()-4), 10) {
		fmt.Fprintf(f.stdout, "   %s\n", l)
	}
}

// mostLines is how much of the bytes of a finding is shown.
const mostLines = 24

func gateBits(open bool) uint8 {
	if open {
		return 0xff
	}
	return 0
}

const fuzzVectorsLong = `Vectors makes conformance vectors of the findings that "octable fuzz -corpus"
has kept in a folder: one suite for each schema, with ids that stay the same.
What is to come of each packet is found out again, with the schemas as they
are now.`

func (e *env) fuzzVectorsCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "vectors [FLAG…] DIR",
		Short: "Make conformance vectors of findings",
		Long:  fuzzVectorsLong,
		Example: `octable fuzz vectors found -o vectors
octable fuzz vectors found`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fail(exitUsage, "%s needs one folder, in which octable fuzz -corpus has kept findings", cmd.CommandPath())
			}
			all, err := differential.Load(args[0])
			if err != nil {
				return err
			}
			suites, err := differential.Suites(all)
			if err != nil {
				return fail(exitRefused, "%v", err)
			}
			if out == "" {
				return e.writeJSON(suites)
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			for _, s := range suites {
				name := filepath.Join(out, suiteFile(s))
				text, err := json.MarshalIndent(s, "", "  ")
				if err != nil {
					return err
				}
				if err := os.WriteFile(name, append(text, '\n'), 0o666); err != nil {
					return err
				}
				fmt.Fprintf(e.stdout, "%s: %s\n", name, count(len(s.Cases), "case", "cases"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "o", "", "write a file for each schema into the folder `DIR`, instead of a list to the output")
	return cmd
}

func suiteFile(s *vectors.Suite) string { return s.Spec() + ".json" }

const fuzzExportLong = `Export writes what fuzzers of other implementations begin with: the dictionary
of a schema, in the form that libFuzzer and AFL++ read, and a corpus of few
packets that together reach what can be reached of the schema, each in a file
that is named after its SHA-1, as fuzzers call theirs.

  mytarget -dict=DIR/godot-4.4.dict DIR/godot-4.4
  afl-fuzz -x DIR/godot-4.4.dict -i DIR/godot-4.4 -o out -- ./mytarget`

type fuzzExport struct {
	*env
	target
	inputs  int
	seed    int
	objects bool
}

func (e *env) fuzzExportCommand() *cobra.Command {
	c := &fuzzExport{env: e}
	cmd := &cobra.Command{
		Use:   "export [FLAG…] DIR",
		Short: "Write a dictionary and a corpus for libFuzzer, AFL++ and others",
		Long:  fuzzExportLong,
		Example: `octable fuzz export seeds -spec godot-4.4
octable fuzz export seeds -spec my-format.oct -inputs 100000`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fail(exitUsage, "%s needs one folder to write into", cmd.CommandPath())
			}
			return c.run(args[0])
		},
	}
	c.target.flags(cmd)
	cmd.Flags().IntVar(&c.inputs, "inputs", 50000, "choose the corpus from `N` inputs")
	cmd.Flags().IntVar(&c.seed, "seed", 1, "the seed `N` of random choices")
	cmd.Flags().BoolVar(&c.objects, "objects", true, "also write packets with full objects")
	return cmd
}

func (c *fuzzExport) run(dir string) error {
	if c.inputs < 1 || c.inputs > 10e6 {
		return fail(exitUsage, "%d is no value for -inputs; it is from 1 to 10000000", c.inputs)
	}
	if err := c.load(); err != nil {
		return err
	}
	m := raw.Machine(c.codec)
	p := m.Program()
	name := p.Schema
	if p.Choice != "" && p.Choice != "single" {
		name += "+" + p.Choice
	}
	corpus, err := inputs.Corpus(m, inputs.Options{Seed: uint64(c.seed), Objects: c.objects, MaxBytes: 1024}, c.inputs)
	if err != nil {
		return &failure{exitSchema, err}
	}
	tokens := corrupt.New(m, interp.Options{Open: gateBits(c.objects)}).Tokens()
	about := fmt.Sprintf("Words of %s, a dictionary for libFuzzer and AFL++.\nMade by octable fuzz export from the program %s.\n", name, p.Hash())
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(folder+".dict", corrupt.Dictionary(about, tokens), 0o666); err != nil {
		return err
	}
	for _, b := range corpus {
		if err := os.WriteFile(filepath.Join(folder, inputs.FileName(b)), b, 0o666); err != nil {
			return err
		}
	}
	size := 0
	for _, b := range corpus {
		size += len(b)
	}
	fmt.Fprintf(c.stdout, "%s.dict: %s\n", folder, count(len(tokens), "word", "words"))
	fmt.Fprintf(c.stdout, "%s: %s of %s in all, the longest of %d, from %s\n", folder, count(len(corpus), "packet", "packets"), count(size, "byte", "bytes"), longest(corpus), count(c.inputs, "input", "inputs"))
	return nil
}

func longest(all [][]byte) int {
	if len(all) == 0 {
		return 0
	}
	return len(slices.MaxFunc(all, func(a, b []byte) int { return len(a) - len(b) }))
}
