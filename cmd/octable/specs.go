package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

type specsCommand struct {
	*env
	verbose, json bool
	precision     string
}

func (e *env) specsCommand() *cobra.Command {
	c := &specsCommand{env: e}
	cmd := &cobra.Command{
		Use:   "specs [FLAG…] [ID|FILE…]",
		Short: "List the schemas, or the types of one",
		Long: `Specs lists the schemas of octable, each after the schemas that it extends.
With -v it lists their types with the number, the least and the most bytes of
each, and the most memory of a value per byte of its packet.`,
		Example: `octable specs
octable specs -v godot-4.4`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().BoolVar(&c.verbose, "v", false, "list types")
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	choose(cmd, &c.precision, "precision", "the `PRECISION` of the types: single or double", "", "single", "double")
	return cmd
}

// specInfo is what is to be said of a schema.
type specInfo struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Aliases []string   `json:"aliases,omitempty"` // other names
	Source  string     `json:"source,omitempty"`
	Lineage []string   `json:"lineage,omitempty"`
	Choices []string   `json:"choices,omitempty"`
	Order   string     `json:"order"`
	Library bool       `json:"library,omitempty"`
	Count   int        `json:"types"`
	Memory  float64    `json:"memory_per_byte,omitempty"`
	Types   []typeInfo `json:"list,omitempty"`
}

type typeInfo struct {
	Union string  `json:"union,omitempty"`
	ID    uint64  `json:"id"`            // the lowest
	IDs   string  `json:"ids,omitempty"` // all numbers of an arm that has several, such as 5, 7..9
	Code  string  `json:"code,omitempty"`
	Else  bool    `json:"else,omitempty"`
	Name  string  `json:"name"`
	Label string  `json:"label,omitempty"`
	Min   uint64  `json:"min"`
	Max   *uint64 `json:"max"` // nil if there is no limit
}

func (c *specsCommand) run(args []string) error {
	ids := args
	if len(ids) == 0 {
		ids = spec.All()
	}
	var all []specInfo
	for _, id := range ids {
		s, err := loadSchema(id)
		if err != nil {
			return err
		}
		info, err := c.info(s)
		if err != nil {
			return err
		}
		all = append(all, info)
	}
	if c.json {
		return c.writeJSON(all)
	}
	if c.verbose || len(args) > 0 {
		for i, info := range all {
			if i > 0 {
				fmt.Fprintln(c.stdout)
			}
			c.write(info)
		}
		return nil
	}
	for _, info := range all {
		types := count(info.Count, "type", "types")
		if info.Library {
			types = "library"
		}
		choices := strings.Join(info.Choices, ", ")
		if len(info.Choices) < 2 {
			choices = ""
		}
		title := wrap(info.Title, 79, strings.Repeat(" ", 27))
		fmt.Fprintf(c.stdout, "%-16s %-9s %s\n", info.ID, types, strings.TrimLeft(title, " "))
		notes := []string{}
		if len(info.Aliases) > 0 {
			notes = append(notes, "also "+strings.Join(info.Aliases, ", "))
		}
		if len(info.Lineage) > 0 {
			notes = append(notes, "extends "+info.Lineage[len(info.Lineage)-1])
		}
		if info.Source != "" {
			notes = append(notes, info.Source)
		}
		if choices != "" {
			notes = append(notes, choices)
		}
		if len(notes) > 0 {
			fmt.Fprintln(c.stdout, wrap(strings.Join(notes, "; "), 79, strings.Repeat(" ", 27)))
		}
	}
	return nil
}

func (e *env) writeJSON(v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func (c *specsCommand) info(s *schema.Schema) (specInfo, error) {
	info := specInfo{ID: s.ID, Title: s.Title, Source: s.Source, Order: "little"}
	if s.Big {
		info.Order = "big"
	}
	for _, name := range spec.Aliases() {
		if spec.Alias(name) == s.ID {
			info.Aliases = append(info.Aliases, name)
		}
	}
	for _, l := range s.Lineage() {
		if l != s && l.Root != nil {
			info.Lineage = append(info.Lineage, l.ID)
		}
	}
	if s.Root == nil {
		info.Library = true
		return info, nil
	}
	choices := s.Choices()
	if choices[0] != "" {
		info.Choices = choices
	}
	choice := ""
	for _, ch := range choices {
		if ch == c.precision {
			choice = ch
		}
	}
	s, err := s.With(choice)
	if err != nil {
		return info, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return info, err
	}
	for i := range p.Routines {
		table, ok := p.UnionTable(uint32(i))
		if !ok {
			continue
		}
		for k, arm := range table.Arms {
			t := p.Types[arm.Type]
			b := p.ArmBounds(uint32(i), k)
			ti := typeInfo{Union: t.Union, ID: arm.ID, Else: arm.Else, Name: t.Name, Label: t.Label, Min: b.Min, Max: limit(b.Max)}
			if arm.IDs != nil {
				ti.IDs = arm.IDs.String()
			}
			if u := s.Union(t.Union); u != nil {
				if a := u.Arm(t.Name); a != nil {
					ti.Code = a.Code
				}
			}
			info.Types = append(info.Types, ti)
		}
	}
	if s.Root.Union != nil {
		info.Count = len(s.Root.Union.Arms)
	} else {
		b := p.Bounds(p.Root)
		info.Types = append([]typeInfo{{Name: s.Root.Name, Min: b.Min, Max: limit(b.Max)}}, info.Types...)
		info.Count = len(s.Records)
		for _, u := range s.Unions {
			info.Count += len(u.Arms)
		}
	}
	info.Memory = math.Round(100*memory(p)) / 100
	if !c.verbose {
		info.Types = nil
	}
	return info, nil
}

func limit(max uint64) *uint64 {
	if max == bytecode.Unbounded {
		return nil
	}
	return &max
}

// write prints the types of a schema.
func (c *specsCommand) write(info specInfo) {
	fmt.Fprintf(c.stdout, "%s: %s\n", info.ID, info.Title)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprint(c.stdout, entry(name, text, 13))
		}
	}
	line("also", strings.Join(info.Aliases, ", "))
	line("source", info.Source)
	line("extends", strings.Join(info.Lineage, ", "))
	line("precision", strings.Join(info.Choices, ", "))
	line("order", info.Order+"-endian")
	if info.Library {
		line("library", "it has no root, so it describes no bytes; other schemas extend it")
		return
	}
	if info.Memory < 0.01 {
		line("memory", "a value of any length takes the same memory, beside the packet itself")
	} else {
		line("memory", fmt.Sprintf("values take at most %.3g bytes for each byte of a packet, beside the packet itself", info.Memory))
	}
	if len(info.Types) == 0 {
		return
	}
	fmt.Fprintf(c.stdout, "\n%8s  %-22s %10s %10s  %s\n", "number", "type", "fewest", "most bytes", "in documents")
	union := ""
	for _, t := range info.Types {
		if t.Union != union {
			if union != "" || t.Union != info.Types[0].Union {
				fmt.Fprintf(c.stdout, "%8s  %s\n", "", t.Union+":")
			}
			union = t.Union
		}
		id := cmp.Or(t.IDs, fmt.Sprint(t.ID))
		switch {
		case t.Else:
			id = "others"
		case t.Code != "":
			id = t.Code
		case t.Union == "":
			id = ""
		}
		most := "no limit"
		if t.Max != nil {
			most = fmt.Sprint(*t.Max)
		}
		fmt.Fprintln(c.stdout, strings.TrimRight(fmt.Sprintf("%8s  %-22s %10d %10s  %s", id, t.Name, t.Min, most, t.Label), " "))
	}
}
