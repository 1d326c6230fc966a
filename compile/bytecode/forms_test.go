package bytecode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
)

// TestForms compares the plain and the wide forms of every record of shipped schemas and language cases with testdata/forms.golden. A record
// that loses a step of its form is read and written right, but slowly. Each form is in the file once.
func TestForms(t *testing.T) {
	var out strings.Builder
	seen := map[string]bool{}
	list := func(name string, p *bytecode.Program) {
		for i := range p.Routines {
			r := &p.Routines[i]
			var known []bytecode.Known
			for pc := int(r.Start); pc < int(r.End); pc++ {
				in := &p.Code[pc]
				switch in.Op {
				case bytecode.Union:
					known = []bytecode.Known{{Reg: in.B}}
				case bytecode.Arm:
					if known != nil {
						known[0].Word = armWord(p, r, pc)
					}
				case bytecode.Fields:
					text := ""
					for _, d := range []bytecode.Direction{bytecode.Reading, bytecode.Writing} {
						text += formText(p, "plain", d, p.Plain(pc, d, known...)) + formText(p, "wide", d, p.Wide(pc, d, known...))
					}
					if !seen[text] {
						seen[text] = true
						fmt.Fprintf(&out, "%s %s %s\n%s", name, r.Name, p.Types[in.B].Name, text)
					}
				}
			}
		}
	}
	files, err := filepath.Glob("../../codec/programs/*" + bytecode.Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("no shipped programs: %v", err)
	}
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, bytecode.Extension)
	}
	slices.Sort(files)
	for _, name := range files {
		b, err := os.ReadFile(name + bytecode.Extension)
		if err != nil {
			t.Fatal(err)
		}
		p, err := bytecode.Load(b)
		if err != nil {
			t.Fatal(err)
		}
		list(filepath.Base(name), p)
	}
	for _, id := range []string{"post", "forms"} {
		p, _ := small(t, id)
		list(id, p)
	}
	p, err := compile.Text("plain.oct", []byte(plainSchema), "")
	if err != nil {
		t.Fatal(err)
	}
	list("plain", p)
	compileCases(t, list)
	golden.Check(t, "forms.golden", []byte(out.String()))
}

// armWord returns a number of the union's word that selects the arm at an instruction.
func armWord(p *bytecode.Program, r *bytecode.Routine, pc int) uint64 {
	for at := pc; at >= int(r.Start); at-- {
		if in := &p.Code[at]; in.Op == bytecode.Union {
			for i := range p.Tables[in.D].Arms {
				if p.ArmAt(in.D, i) == pc {
					return p.Tables[in.D].Arms[i].ID
				}
			}
		}
	}
	return 0
}

func formText(p *bytecode.Program, kind string, d bytecode.Direction, f *bytecode.Plain) string {
	direction := "reading"
	if d == bytecode.Writing {
		direction = "writing"
	}
	text := fmt.Sprintf("  %s %s: %s, leaves at %s", kind, direction, describe(&f.Steps), p.Code[f.Leave].Op)
	for reg := range uint32(16) {
		if f.Whole && f.Needs(reg) {
			text += fmt.Sprintf(" needs r%d", reg)
		}
	}
	if f.Fixed {
		text += " fixed"
	}
	if f.Looks != 0 {
		text += fmt.Sprintf(" looks %#x", f.Looks)
	}
	return text + "\n"
}
