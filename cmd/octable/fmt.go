package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/dsl"
)

type fmtCommand struct {
	*env
	write, list, diff bool
}

func (e *env) fmtCommand() *cobra.Command {
	c := &fmtCommand{env: e}
	cmd := &cobra.Command{
		Use:   "fmt [FLAG…] [FILE…]",
		Short: "Print schema files in the canonical style",
		Long: `Fmt prints schema files formatted. Without files it formats its input. With -l
or -d the exit status is 1 if a file is not formatted.`,
		Example: "octable fmt -w my-format.oct",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().BoolVar(&c.write, "w", false, "write files instead of printing them")
	cmd.Flags().BoolVar(&c.list, "l", false, "list files that are not formatted")
	cmd.Flags().BoolVar(&c.diff, "d", false, "show what would change")
	return cmd
}

func (c *fmtCommand) run(names []string) error {
	if len(names) == 0 {
		if c.write {
			return fail(exitUsage, "-w needs files to write")
		}
		names = []string{"-"}
	}
	differs := false
	for _, name := range names {
		changed, err := c.file(name)
		if err != nil {
			return err
		}
		differs = differs || changed
	}
	if differs && (c.list || c.diff) {
		return refused()
	}
	return nil
}

func (c *fmtCommand) file(name string) (changed bool, err error) {
	var text []byte
	if name == "-" {
		text, err = io.ReadAll(c.stdin)
		name = "input"
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return false, err
	}
	f, err := dsl.ParseFile(name, text)
	if err != nil {
		return false, err
	}
	out := dsl.Format(f)
	changed = !bytes.Equal(out, text)
	if c.list && changed {
		fmt.Fprintln(c.stdout, name)
	}
	if c.diff && changed {
		fmt.Fprintf(c.stdout, "--- %s\n+++ %s, formatted\n%s", name, name, lineDiff(string(text), string(out)))
	}
	if c.write && changed {
		mode := os.FileMode(0o666)
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
		return changed, os.WriteFile(name, out, mode)
	}
	if !c.list && !c.diff && !c.write {
		_, err = c.stdout.Write(out)
	}
	return changed, err
}

// lineDiff shows how lines differ, with two lines of what is around each change.
func lineDiff(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	type edit struct {
		sign byte
		line string
	}
	var edits []edit
	for _, l := range a[:head] {
		edits = append(edits, edit{' ', l})
	}
	if len(x)*len(y) > 4_000_000 { // too long to find what is equal in between
		for _, l := range x {
			edits = append(edits, edit{'-', l})
		}
		for _, l := range y {
			edits = append(edits, edit{'+', l})
		}
	} else {
		// common[i][j] is how many lines x[i:] and y[j:] have in common, in order.
		common := make([][]int32, len(x)+1)
		for i := range common {
			common[i] = make([]int32, len(y)+1)
		}
		for i := len(x) - 1; i >= 0; i-- {
			for j := len(y) - 1; j >= 0; j-- {
				if x[i] == y[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
		i, j := 0, 0
		for i < len(x) || j < len(y) {
			switch {
			case i < len(x) && j < len(y) && x[i] == y[j]:
				edits = append(edits, edit{' ', x[i]})
				i++
				j++
			case j >= len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
				edits = append(edits, edit{'-', x[i]})
				i++
			default:
				edits = append(edits, edit{'+', y[j]})
				j++
			}
		}
	}
	for _, l := range a[len(a)-tail:] {
		edits = append(edits, edit{' ', l})
	}
	var out strings.Builder
	shown, lineNo := -1, 0
	near := func(i int) bool {
		for k := max(0, i-2); k <= min(len(edits)-1, i+2); k++ {
			if edits[k].sign != ' ' {
				return true
			}
		}
		return false
	}
	for i, ed := range edits {
		if ed.sign != '+' {
			lineNo++
		}
		if !near(i) || ed.line == "" {
			continue
		}
		if shown != i-1 {
			fmt.Fprintf(&out, "@@ line %d @@\n", max(lineNo, 1))
		}
		shown = i
		out.WriteByte(ed.sign)
		out.WriteString(strings.TrimRight(ed.line, "\n") + "\n")
	}
	return out.String()
}
