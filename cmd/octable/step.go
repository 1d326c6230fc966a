// Stepping through the run of a reader or a writer.

package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/trace"
)

const stepLong = `Step runs the program of a schema on a packet, one instruction at a time, forward
and back. It shows the instruction that comes next with its row of the schema,
the bytes that were read last, the registers, the record that is being read and
the values around it. With -encode it writes a value.

On a terminal it is moved by keys; ? lists them. If the input is not a terminal,
each line of it is a command:

  step [N], back [N]   N instructions forward or back
  over, out            over the values inside, or out of the value around
  next, previous       to the next or previous row that has bytes
  byte N               to the instruction that reads or writes byte N
  row NAME, row LINE   to the next instruction of a row: String.length, 88
  field PATH           to the next value or row at a path: .entities[3].pos
  go N                 to step N
  begin, end, error    to the first step, the end, or what fails
  list                 list the program around the instruction
  quit                 end

An empty line repeats the command before it. "row" and "field" search forward.`

type stepCommand struct {
	*env
	target
	single
	encode bool
}

func (e *env) stepCommand() *cobra.Command {
	c := &stepCommand{env: e}
	cmd := &cobra.Command{
		Use:   "step [FLAG…] FILE|DIGITS…",
		Short: "Run a schema on a packet, one instruction at a time",
		Long:  stepLong,
		Example: `octable step 04000000 02000000 61620000
octable step -encode '["a", 1]'
printf 'row String.length\nnext\n' | octable step save.dat`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.start(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, true)
	_ = cmd.Flags().MarkHidden("strict")
	c.single.flags(cmd)
	cmd.Flags().BoolVar(&c.encode, "encode", false, "write the value that the argument holds, in the notation of \"octable encode\"")
	return cmd
}

func (c *stepCommand) start(args []string) error {
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		return fail(exitUsage, "octable step reads commands from its input; give the packet as a file or in digits, or with -encode the value")
	}
	if err := c.load(); err != nil {
		return err
	}
	var b []byte
	if !c.encode {
		count := 0
		err := c.in.each(c.env, args, func(p packet, _ bool) error {
			if count++; count > 1 {
				return nil
			}
			var of *target
			var err error
			if b, of, err = c.packet(c.env, &c.target, p); err == nil {
				c.target = *of
			}
			return err
		})
		switch {
		case err != nil:
			return err
		case count != 1:
			return fail(exitUsage, "octable step runs on one packet; these are %d", count)
		}
	}
	c.explain()
	m := raw.Machine(c.codec)
	s := &stepper{env: c.env, n: notation.Of(m), p: m.Program()}
	var err error
	if s.paint, err = c.painter(); err != nil {
		return err
	}
	if c.schema != nil {
		s.source = c.schema.Line
	}
	opt := c.reading()
	opt.KeepWidths = c.opt.KeepWidths
	if c.encode {
		text := []byte(strings.Join(args, " "))
		if len(args) == 1 && isFile(args[0]) {
			if text, err = os.ReadFile(args[0]); err != nil {
				return err
			}
		}
		v, err := c.codec.ParseText(string(text))
		if err != nil {
			return &failure{exitRefused, err}
		}
		s.run = trace.Encode(m, raw.Value(v), opt)
		return s.start()
	}
	s.run = trace.Decode(m, b, opt)
	return s.start()
}

// stepper shows a run and moves in it.
type stepper struct {
	*env
	run    *trace.Run
	n      *notation.Notation
	p      *bytecode.Program
	source func(file string, line int) string // lines of the schema, or nil
	paint  inspect.Painter
	at     int
	before string // the last command
}

// start reads keys from a terminal, or commands from another input.
func (s *stepper) start() error {
	if f, ok := s.stdin.(*os.File); ok && isatty.IsTerminal(f.Fd()) && s.terminal() {
		return s.screen(f)
	}
	s.show()
	in := bufio.NewScanner(s.stdin)
	in.Buffer(nil, 1<<20)
	wrong := false
	for in.Scan() {
		more, err := s.command(in.Text())
		if err != nil {
			fmt.Fprintf(s.stdout, "? %s\n", message(err))
			wrong = true
		}
		if !more {
			break
		}
	}
	if err := in.Err(); err != nil {
		return fail(exitIO, "cannot read the commands: %v", err)
	}
	if wrong {
		return refused()
	}
	return nil
}

// verbs are the commands.
var verbs = []string{"step", "back", "over", "out", "next", "previous", "byte", "row", "field", "go", "begin", "end", "error", "list", "quit"}

// command runs a command and shows where it leads. It reports false at the end.
func (s *stepper) command(line string) (more bool, err error) {
	if strings.TrimSpace(line) == "" {
		if line = s.before; line == "" {
			line = "step"
		}
	}
	s.before = line
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "quit":
		return false, nil
	case "list":
		for _, l := range s.listing(10) {
			fmt.Fprintln(s.stdout, l)
		}
		return true, nil
	}
	at, err := s.target(verb, rest)
	if err != nil {
		return true, err
	}
	s.at = at
	s.show()
	return true, nil
}

// target returns the step that a command leads to.
func (s *stepper) target(verb, rest string) (int, error) {
	switch verb {
	case "step", "back", "byte", "go":
		n := 1
		if rest != "" || verb == "byte" || verb == "go" {
			var err error
			if n, err = number(rest); err != nil {
				return 0, fmt.Errorf("%s needs a number, not %q", verb, clip(rest, 20))
			}
		}
		switch verb {
		case "step":
			return s.inside(s.at + min(n, s.run.Len())), nil
		case "back":
			return s.inside(s.at - n), nil
		case "go":
			return s.inside(n), nil
		}
		if at, ok := s.run.Find(0, trace.Target{Byte: &n}); ok {
			return at, nil
		}
		return 0, fmt.Errorf("no row has byte %d", n)
	case "row", "field":
		if rest == "" {
			return 0, fmt.Errorf("%s needs a name", verb)
		}
		t := trace.Target{Row: rest}
		if verb == "field" {
			t = trace.Target{Field: rest}
		}
		if at, ok := s.run.Find(s.at+1, t); ok {
			return at, nil
		}
		return 0, fmt.Errorf("no step after this one is at the %s %s", verb, clip(rest, 60))
	}
	if rest != "" {
		return 0, fmt.Errorf("%s takes nothing after it", verb)
	}
	return s.move(verb)
}

// move returns the step that a command without an argument leads to.
func (s *stepper) move(verb string) (int, error) {
	if slices.Contains(trace.Moves, verb) {
		at, ok := s.run.Move(s.at, verb)
		if !ok {
			return 0, errors.New("the run has no error")
		}
		return at, nil
	}
	near := ""
	if word := builtin.Nearest(verb, verbs); word != "" {
		near = "; did you mean " + word + "?"
	}
	return 0, fmt.Errorf("there is no command %q%s", clip(verb, 20), near)
}

func number(text string) (int, error) {
	n, err := strconv.ParseUint(text, 0, 31)
	return int(n), err
}

// inside returns the nearest step that there is.
func (s *stepper) inside(at int) int { return max(0, min(at, s.run.Len())) }

// show prints the state.
func (s *stepper) show() {
	for _, line := range s.state(s.run.State(s.at)) {
		fmt.Fprintln(s.stdout, line)
	}
}

// state returns the lines of a state.
func (s *stepper) state(x *trace.State) []string {
	var out []string
	line := func(style inspect.Style, name, format string, args ...any) {
		out = append(out, fmt.Sprintf("  %-10s", name)+s.paint.Paint(style, fmt.Sprintf(format, args...)))
	}
	place := fmt.Sprintf("step %d of %d, byte %d", x.Step, s.run.Len(), x.Offset)
	if x.Path != "" {
		place += ", at " + clip(x.Path, 100)
	}
	out = append(out, s.paint.Paint(inspect.TypeName, place))
	if r := x.Last; r != nil {
		verb := "read"
		if s.run.Dir == interp.Writing {
			verb = "wrote"
		}
		line(inspect.Content, verb, "%06x  %s  %s", r.Offset, digits(r.Bytes), s.rowText(r))
	}
	switch {
	case x.Err != nil:
		line(inspect.Bad, "error", "%s", message(x.Err))
	case x.PC < 0 && s.run.More:
		line(inspect.Warning, "end", "later steps are not recorded")
	case x.PC < 0:
		line(inspect.Plain, "end", "%s", s.result())
	default:
		line(inspect.Plain, "next", "%d  %s  ; %s:%d", x.PC, s.p.InstrText(&s.p.Code[x.PC]), x.Rule.File, x.Rule.Line)
		if s.source != nil {
			if row := strings.TrimSpace(s.source(x.Rule.File, int(x.Rule.Line))); row != "" {
				line(inspect.Faint, "row", "%s", clip(row, 160))
			}
		}
	}
	if len(x.Registers) > 0 {
		words := make([]string, len(x.Registers))
		for i, r := range x.Registers {
			words[i] = fmt.Sprintf("r%d=%d", i, int64(r))
		}
		line(inspect.Steering, "registers", "%s", strings.Join(words, " "))
	}
	if x.Type != nil {
		line(inspect.Content, "record", "%s", s.record(x))
	}
	if len(x.Frames) > 1 {
		names := make([]string, len(x.Frames))
		for i, f := range x.Frames {
			names[i] = s.p.Routines[f.Routine].Name
		}
		line(inspect.Faint, "inside", "%s", abridged(names))
	}
	return out
}

// abridged joins names; of many, those in the middle are left out.
func abridged(names []string) string {
	const most = 8
	if n := len(names) - most; n > 0 {
		names = append(append(append([]string{}, names[:most/2]...), fmt.Sprintf("… %d more …", n)), names[len(names)-most/2:]...)
	}
	return strings.Join(names, " > ")
}

// digits prints bytes, of many the first.
func digits(b []byte) string {
	const most = 16
	var out []string
	for _, x := range b[:min(len(b), most)] {
		out = append(out, hex.EncodeToString([]byte{x}))
	}
	if len(b) > most {
		out = append(out, fmt.Sprintf("… %d bytes", len(b)))
	}
	return strings.Join(out, " ")
}

// rowText describes what a row holds.
func (s *stepper) rowText(r *trace.Row) string {
	switch {
	case r.Kind == interp.Padding:
		return "padding of " + r.Rule.Name
	case r.Value.IsNone():
		return r.Rule.Name + " " + s.n.WordText(r.PC, r.Number)
	}
	return r.Rule.Name + " " + s.n.Clipped(r.Value, 60)
}

// record prints the fields of the pending record that have a value.
func (s *stepper) record(x *trace.State) string {
	var fields []string
	for i, v := range x.Cells {
		if !v.IsNone() {
			fields = append(fields, x.Type.Fields[i].Name+": "+s.n.Clipped(v, 60))
		}
	}
	return clip(x.Type.Name+" {"+strings.Join(fields, ", ")+"}", 400)
}

// result describes the result of a run without errors.
func (s *stepper) result() string {
	if s.run.Dir == interp.Writing {
		return fmt.Sprintf("%d bytes: %s", len(s.run.Bytes), digits(s.run.Bytes))
	}
	return fmt.Sprintf("%d of %d bytes: %s", s.run.Used, len(s.run.Bytes), s.n.Clipped(s.run.Value, 200))
}

// listing returns the lines of the program around the instruction.
func (s *stepper) listing(around int) []string {
	x := s.run.State(s.at)
	pc := x.PC
	if pc < 0 && s.run.Len() > 0 {
		pc = int(s.run.Step(s.run.Len() - 1).PC)
	}
	if pc < 0 {
		return nil
	}
	for i := range s.p.Routines {
		if r := &s.p.Routines[i]; pc >= int(r.Start) && pc < int(r.End) {
			return s.lines(s.p.Body(uint32(i)), pc, around)
		}
	}
	return nil
}

// lines returns the instructions of a routine, or of the record in it that has an instruction.
func (s *stepper) lines(body bytecode.Block, pc, around int) (out []string) {
	s.p.Walk(body, func(at int, in *bytecode.Instr, _ int) bool {
		if in.Op == bytecode.Fields && at <= pc && pc <= s.p.End(at) {
			body = bytecode.Block{First: at, Last: s.p.End(at) + 1}
		}
		return true
	})
	s.p.Walk(body, func(at int, in *bytecode.Instr, level int) bool {
		if at < pc-around || at > pc+around || (in.Op == bytecode.Union || in.Op == bytecode.Switch) && at != pc {
			return true
		}
		mark, style := " ", inspect.Plain
		if at == pc {
			mark, style = ">", inspect.TypeName
		}
		rule := s.p.Rules[in.Rule]
		out = append(out, s.paint.Paint(style, fmt.Sprintf("%s%6d  %*s%s  ; %s:%d", mark, at, 2*level, "", s.p.InstrText(in), rule.File, rule.Line)))
		return in.Op != bytecode.Union && in.Op != bytecode.Switch
	})
	return out
}
