// Schemas: features, declarations, and the properties of a schema.

package schemas

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// File is the text of one schema.
type File struct {
	ID   string
	Text string
}

// Drawn is a schema with those that it extends and imports.
type Drawn struct {
	Files  []File         // the extended and imported schemas first
	Whole  File           // the schema before it was split into files; empty if it is not known
	Schema *schema.Schema // resolved for the first choice of its option; nil if refused
	Err    error          // the mistakes for which the resolver refuses it, or nil

	parsed []*dsl.File
	plain  *imported // nil if the schema is more than an import, or if that is not known
}

// Top returns the file of the schema itself.
func (d *Drawn) Top() File { return d.Files[len(d.Files)-1] }

// String returns the texts of all files, each after a line that names it.
func (d *Drawn) String() string {
	var b strings.Builder
	for _, f := range d.Files {
		fmt.Fprintf(&b, "-- %s.oct --\n%s", f.ID, f.Text)
	}
	return b.String()
}

// Resolve returns the schema of the last file. Err is set if the resolver refuses it.
func Resolve(files []File) *Drawn {
	d := &Drawn{Files: files}
	f, err := d.parse(d.Top())
	if err == nil {
		d.Schema, err = schema.Resolve(f, d.load)
	}
	if err == nil && d.Schema.Root == nil {
		err = ErrNoRoot
	}
	if err != nil {
		d.Schema, d.Err = nil, err
	}
	return d
}

// ErrNoRoot is the error of a drawn schema that is a library.
var ErrNoRoot = errors.New("the schema has no root")

// Parse resolves the schema whose files [Drawn.String] has printed.
func Parse(text string) *Drawn {
	var files []File
	for _, part := range strings.Split("\n"+text, "\n-- ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		files = append(files, File{strings.TrimSuffix(strings.TrimSuffix(head, " --"), ".oct"), body + "\n"})
	}
	return Resolve(files)
}

// parse parses a file and keeps its tree, which nobody may change.
func (d *Drawn) parse(f File) (*dsl.File, error) {
	for _, tree := range d.parsed {
		if tree.Name == f.ID+".oct" && tree.Source == f.Text {
			return tree, nil
		}
	}
	file, err := parse(f)
	if err == nil {
		d.parsed = append(d.parsed, file)
	}
	return file, err
}

func parse(f File) (*dsl.File, error) { return dsl.Parse(f.ID+".oct", []byte(f.Text)) }

// load is the [schema.Loader] of the files.
func (d *Drawn) load(id string) (*dsl.File, error) {
	for _, f := range d.Files {
		if f.ID == id {
			return d.parse(f)
		}
	}
	return nil, fmt.Errorf("there is no schema %q", id)
}

// Random draws a schema that resolves, from a seed. It redraws those that the resolver
// refuses; tries is the number of schemas that it drew.
func Random(seed uint64) (d *Drawn, tries int) {
	d = Redraw(seed, Draw, func(*Drawn) { tries++ })
	return d, tries + 1
}

// RandomPlain is [Random] for [DrawPlain].
func RandomPlain(seed uint64) *Drawn { return Redraw(seed, DrawPlain, func(*Drawn) {}) }

// Redraw is [Random] for schemas that draw makes, and calls refused for every schema that the resolver refuses.
func Redraw(seed uint64, draw func(interp.Choices) *Drawn, refused func(*Drawn)) *Drawn {
	r := rand.New(rand.NewPCG(seed, 0x6f637461626c65))
	for {
		d := draw(RandomChoices(r))
		if d.Err == nil {
			return d
		}
		refused(d)
	}
}

// RandomChoices draws the choices of one schema.
func RandomChoices(r *rand.Rand) interp.Choices {
	c := make(interp.Choices, 100<<r.IntN(6))
	for i := range c {
		c[i] = byte(r.Uint32())
	}
	return c
}

// feature is a construct, or a few that belong together, that a schema has or lacks.
type feature int

const (
	always feature = iota // not drawn: every schema has it
	fArgs
	fArmIDs
	fOption
	fBig
	fBits
	fBodyOrders
	fCases
	fCharsets
	fChecks
	fCodes
	fCodings
	fComputed
	fDepth
	fDigits
	fDocs
	fEncodings
	fErrata
	fExamples
	fExtends
	fExpressions
	fFloats
	fForms
	fDelimited
	fGates
	fHalves
	fIDs
	fIfs
	fImports
	fKeys
	fLists
	fMaps
	fMembers
	fMore
	fMusts
	fNotes
	fNumerals
	fOddNames
	fOddWidths
	fOptional
	fOrders
	fOuter
	fPads
	fParts
	fRecords
	fRecursion
	fRegions
	fRest
	fSelects
	fSigned
	fStored
	fSums
	fTexts
	fTruths
	fTuples
	fUnions
	fWide
	fWordUnions
	fWrites
	numFeatures
)

// option is the option of a drawn schema.
type option struct {
	name    string
	text    string
	choices []optionChoice
	sort    int // 0 unsigned, 1 signed, 2 float
}

type optionChoice struct {
	name   string
	scalar builtin.Scalar
}

// drawer draws one schema.
type drawer struct {
	*source
	on        [numFeatures]bool
	focus     focus
	serial    int
	budget    int // rows that can still be drawn
	nesting   int // bodies inside of each other
	option    *option
	gates     []string
	encodings []string
	uncounted []string // encodings without a zero byte that is counted
	errata    []string
	records   []*record
	unions    []*union
	keys      []string // names of arms
	hollow    []string // those of numbers beside a text
	decls     []*decl
	props     []string
	root      string
	gone      []*decl // arms that refuse the numbers of dropped ones
	whole     File    // all of it in one file
	plain     *imported
}

// fixedSize is the bytes of rows under each choice, if they do not depend on content.
type fixedSize struct {
	fixed bool
	size  []int64
}

// record is what others need to know of a declared record.
type record struct {
	name string
	args int
	open bool // it is not complete: it is being drawn
	fixedSize
	least  int64  // the fewest bytes
	greedy bool   // it takes all bytes up to the end
	fills  int64  // the bytes of each number that it takes up to the end, 0 if it takes none
	text   bool   // its one stored field is a text
	inner  bool   // it can be inside of itself
	nums   []num  // integers that a condition after it can name
	always []num  // of them, stored ones that are always there
	stop   string // the condition that ends lists of it; "" before one is drawn
}

// Draw draws a schema. The result has an error if the resolver refuses it.
func Draw(c interp.Choices) *Drawn { return draw(c, 0, nil) }

// unplain are the features that plans of Go types leave to Values, or that change nothing in a plan.
var unplain = []feature{fArmIDs, fOption, fBodyOrders, fCharsets, fCodes, fCodings, fDepth, fDigits, fDocs, fEncodings, fErrata, fExamples, fExtends, fForms,
	fGates, fHalves, fIDs, fImports, fMore, fMusts, fNotes, fNumerals, fOddNames, fOddWidths, fOrders, fParts, fSelects, fSums, fWrites}

// DrawPlain is [Draw] of features that plans of Go types have operations for, more of them in a schema.
func DrawPlain(c interp.Choices) *Drawn { return draw(c, 25, unplain) }

// draw draws a schema with some features more likely and others left out.
func draw(c interp.Choices, more int, without []feature) *Drawn {
	d := &drawer{source: &source{choices: c}}
	density := pick(d.source, 0, 12, 25, 40, 60) + more
	for f := range d.on {
		d.on[f] = feature(f) == always || d.chance(density)
	}
	if d.has(fBodyOrders) && d.chance(35) { // an order that a root inside of itself begins with
		d.on[fRecursion] = true
	}
	if without == nil { // a focus needs features
		d.drawFocus()
	}
	for _, f := range without {
		d.on[f] = false
	}
	if d.has(fSelects) { // which means nothing without the others
		d.on[fOption], d.on[fWordUnions], d.on[fBits] = true, true, true
	}
	if d.has(fWrites) { // likewise
		d.on[fWordUnions], d.on[fOptional] = true, true
	}
	if d.has(fOuter) || d.has(fStored) {
		d.on[fLists] = true
	}
	if d.has(fArgs) && !d.has(fUnions) {
		d.on[fRecords] = true
	}
	if d.has(fEncodings) || d.has(fCharsets) {
		d.on[fTexts] = true
	}
	d.budget = 4 + d.n(36)
	d.header()
	d.body()
	if d.has(fExamples) {
		d.examples()
	}
	out := Resolve(d.imports(d.files()))
	out.Whole, out.plain = d.whole, d.plain
	return out
}

// has reports whether the schema has a feature.
func (d *drawer) has(f feature) bool { return d.on[f] }

// new returns a number that no other name of the schema has.
func (d *drawer) new() int { d.serial++; return d.serial }

// widths returns one number for each choice of the option.
func (d *drawer) each(n int64) []int64 {
	out := make([]int64, 1)
	if d.option != nil {
		out = make([]int64, len(d.option.choices))
	}
	for i := range out {
		out[i] = n
	}
	return out
}

// header draws what is declared before the types.
func (d *drawer) header() {
	if d.has(fGates) {
		gates := 1 + d.n(2)
		if d.likely(onGates, 0) {
			gates = 2
		}
		for range gates {
			name := pick(d.source, "gate", "objects", "code", "extra") + fmt.Sprint(d.new())
			d.gates = append(d.gates, name)
			d.props = append(d.props, "gate "+name+d.maybe(50, ` "allows `+name+`"`))
		}
	}
	if d.has(fErrata) {
		for range 1 + d.n(2) {
			d.errata = append(d.errata, fmt.Sprint("E", d.new()))
		}
	}
	if d.has(fOption) {
		d.drawOption()
	}
	if d.has(fEncodings) {
		for range 1 + d.n(3) {
			name := fmt.Sprint("text", d.new())
			d.encodings = append(d.encodings, name)
			rules := d.encoding()
			if !slices.ContainsFunc(rules, func(r string) bool { return strings.Contains(r, "counted") || strings.Contains(r, "utf16") }) {
				d.uncounted = append(d.uncounted, name)
			}
			d.decls = append(d.decls, &decl{kind: "encoding", name: name, marks: d.marks(), doc: d.doc(), body: rules})
		}
	}
	if d.has(fBig) {
		d.props = append(d.props, "order big")
	} else if d.chance(30) {
		d.props = append(d.props, "order little")
	}
	if d.has(fNotes) {
		for _, p := range []string{`title "A drawn schema"`, `source "nobody"`} {
			d.props = append(d.props, d.list(50, p)...)
		}
		if slices.Contains(d.props, `source "nobody"`) {
			role := "role document"
			if slices.Contains(d.props, `title "A drawn schema"`) {
				role = "role framing"
			}
			d.props = append(d.props, role)
		}
	}
}

func (d *drawer) encoding() []string {
	if d.likely(onCountedTexts, 0) {
		return []string{"nul counted"}
	}
	if d.has(fCharsets) && d.chance(40) {
		set := pick(d.source, builtin.CharsetNames()...)
		if c, _ := builtin.CharsetNamed(set, false); c.IsUTF16() {
			return []string{set}
		}
		return append([]string{set}, d.list(60, "nul "+pick(d.source, "keep", "stop", "counted"))...)
	}
	rules := d.list(70, "utf8 "+pick(d.source, "strict", "loose", "unchecked"))
	rules = append(rules, d.list(50, "bom "+pick(d.source, "drop", "keep"))...)
	rules = append(rules, d.list(60, "nul "+pick(d.source, "keep", "stop", "counted"))...)
	return rules
}

// marks draws the errata of a declaration, behind its name.
func (d *drawer) marks() string {
	out := ""
	for len(d.errata) > 0 && d.chance(30) {
		out += " !" + d.mention()
	}
	return out
}

// mention draws the mention of an erratum, without the sign before it.
func (d *drawer) mention() string {
	return pick(d.source, d.errata...)
}

// doc draws the comment before a declaration.
func (d *drawer) doc() []string {
	if !d.has(fDocs) {
		return nil
	}
	return d.list(60, pick(d.source, "/// A drawn declaration.", "/// One line,", "///"))
}

// maybe draws a text or "".
func (d *drawer) maybe(percent int, text string) string {
	if d.chance(percent) {
		return text
	}
	return ""
}

// list draws a list of one text, or an empty one.
func (d *drawer) list(percent int, text string) []string {
	if d.chance(percent) {
		return []string{text}
	}
	return nil
}

// odd are the integers of odd widths, without and with a sign.
var odd = [2][4]builtin.Scalar{{builtin.U24, builtin.U40, builtin.U48, builtin.U56}, {builtin.I24, builtin.I40, builtin.I48, builtin.I56}}

var optionScalars = [3][]builtin.Scalar{
	{builtin.U16, builtin.U32, builtin.U8, builtin.U64}, {builtin.I32, builtin.I64, builtin.I8, builtin.I16}, {builtin.F32, builtin.F64},
}

// drawOption draws the option.
func (d *drawer) drawOption() {
	a := &option{name: pick(d.source, "real", "word", "width"), sort: 2 - d.n(3)}
	choices := 1 + d.n(3)
	if d.has(fSelects) { // a writer converts floats only
		choices, a.sort = max(choices, 2), 2
	}
	scalars := optionScalars[a.sort]
	switch {
	case a.sort == 2 && d.has(fHalves):
		scalars = append([]builtin.Scalar{builtin.F16}, scalars...)
	case a.sort < 2 && d.has(fOddWidths):
		scalars = append([]builtin.Scalar{odd[a.sort][d.n(3)]}, scalars...)
	}
	for i := range choices {
		c := optionChoice{fmt.Sprint(pick(d.source, "single", "double", "c"), d.new()), scalars[(i+d.n(2))%len(scalars)]}
		a.choices = append(a.choices, c)
		a.text += fmt.Sprintf(" %s %s%s", c.name, c.scalar, d.maybe(20, ","))
	}
	d.option = a
	d.props = append(d.props, fmt.Sprintf("option %s {%s }", a.name, a.text))
}

// body draws the root and what it needs.
func (d *drawer) body() {
	switch {
	case d.has(fParts) && !d.has(fRecursion) && d.chance(50):
		d.root = d.base()
	case d.has(fWordUnions) && d.likely(onVariants, 50):
		d.root = d.wordUnion().name
	default:
		d.root = d.record(0, false).name
	}
	if d.has(fDepth) {
		d.props = append(d.props, "depth "+d.number(int64(3+d.n(20))))
	}
	if d.has(fKeys) && len(d.keys) > 0 {
		rules := ""
		for rule := range builtin.NumKeyRules {
			arms := d.keys
			if rule == builtin.KeyEmpty {
				arms = d.hollow
			}
			if len(arms) > 0 && d.chance(50) {
				list := pick(d.source, arms...)
				if other := pick(d.source, arms...); other != list && d.chance(30) {
					list += ", " + other
				}
				rules += " " + rule.String() + " " + list
			}
		}
		d.props = append(d.props, "keys {"+rules+" }")
	}
}

// number draws a notation of a number.
func (d *drawer) number(n int64) string {
	if !d.has(fNumerals) || n < 0 {
		return fmt.Sprint(n)
	}
	switch d.n(4) {
	case 1:
		return fmt.Sprintf("0x%x", n)
	case 2:
		return fmt.Sprintf("0%d", n)
	case 3:
		if n >= 1000 {
			return fmt.Sprintf("%d_%03d", n/1000, n%1000)
		}
		return fmt.Sprintf("0x0%X", n)
	}
	return fmt.Sprint(n)
}
