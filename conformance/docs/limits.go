// Input that readers refuse, and the rules for keys.

package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// limits makes the section of the refusals.
func (b *builder) limits() {
	s := b.section(&b.page.Sections, plain("What readers refuse"), "limits")
	b.note(s, "limits")
	items := []Text{
		plain("Input that ends before the value does. Bytes after a value are not looked at."),
	}
	if root := b.s.Root.Union; root != nil && !slices.ContainsFunc(root.Arms, func(a *schema.Arm) bool { return a.Else }) {
		items = append(items, plain("A type that is not in the table of types."))
	}
	if len(b.p.Encodings) > 0 {
		items = append(items, join(plain("Text that is not well formed; see "), Text{{Style: Link, Text: "Text", Ref: b.page.Label + "_text"}}, plain(".")))
	}
	checks, sums := b.conditions()
	if checks {
		items = append(items, plain("Numbers and lists that a table refuses."))
	}
	if sums {
		items = append(items, plain("A checksum that is not that of the bytes."))
	}
	if slices.ContainsFunc(b.p.Routines, func(r bytecode.Routine) bool { return r.Nests }) {
		items = append(items, plain(fmt.Sprintf("Values that are nested more than %d levels deep in others.", b.p.Depth)))
	}
	for _, g := range b.s.Gates {
		items = append(items, plain("Unless the caller allows them: "+g.Doc+"."))
	}
	s.add(List{items})
	items = nil
	for rule, arms := range b.s.Keys {
		if len(arms) > 0 {
			items = append(items, plain(builtin.KeyRule(rule).Sentence()+": "+armNames(arms)+"."))
		}
	}
	if items == nil || !b.hasMaps() {
		return
	}
	k := b.section(&b.page.Sections, plain("Keys"), "keys")
	if !b.note(k, "keys") {
		k.paragraph(plain("Where a writer has two equal keys, it writes one pair: at the place of the first, with the value of the last. Numbers are equal by value."))
	}
	k.add(List{items})
}

// conditions reports whether rows have conditions, and whether they hold checksums.
func (b *builder) conditions() (checks, found bool) {
	for _, body := range b.s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Row:
				checks = checks || len(n.Checks) > 0
				found = found || n.Value != nil && sums(n.Value)
			case *schema.Bit:
				checks = checks || len(n.Checks) > 0
			case *schema.List:
				checks = checks || len(n.Checks) > 0
			}
			return true
		})
	}
	return checks, found
}

// unconfirmed lists the rules of the schema that no running engine has confirmed.
func (b *builder) unconfirmed() {
	text := b.notes.part("unconfirmed")
	if text == "" || b.opt.Plain {
		return
	}
	s := b.section(&b.page.Sections, plain("Rules that no engine has confirmed"), "unconfirmed")
	s.add(b.blocks(text)...)
}

// armNames lists the names of arms, each once.
func armNames(arms []*schema.Arm) string {
	var names []string
	for _, a := range arms {
		names = append(names, a.Name)
	}
	return strings.Join(slices.Compact(names), ", ")
}

func (b *builder) hasMaps() bool {
	return slices.ContainsFunc(b.p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Map })
}
