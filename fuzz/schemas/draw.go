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

// Drawn is a schema with those that it extends.
type Drawn struct {
	Files  []File         // the extended schemas first
	Whole  File           // the schema before it was split into files; empty if it is not known
	Schema *schema.Schema // resolved for the first choice of its axis; nil if refused
	Err    error          // the mistakes for which the resolver refuses it, or nil

	parsed []*dsl.File
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
		err = errNoRoot
	}
	if err != nil {
		d.Schema, d.Err = nil, err
	}
	return d
}

var errNoRoot = errors.New("the schema has no root")

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
	d = redraw(seed, func(*Drawn) { tries++ })
	return d, tries + 1
}

// redraw is [Random], and calls refused for every schema that the resolver refuses.
func redraw(seed uint64, refused func(*Drawn)) *Drawn {
	r := rand.New(rand.NewPCG(seed, 0x6f637461626c65))
	for {
		d := Draw(RandomChoices(r))
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
	fAxis
	fBig
	fBits
	fCases
	fChecks
	fCodes
	fComputed
	fConstants
	fDepth
	fDocs
	fEncodings
	fErrata
	fExamples
	fExtends
	fExpressions
	fFloats
	fForms
	fGates
	fIfs
	fKeys
	fLets
	fLists
	fMaps
	fMusts
	fNotes
	fNumerals
	fOddNames
	fOptional
	fPads
	fRecords
	fRecursion
	fRegions
	fRest
	fSame
	fSelects
	fSigned
	fTexts
	fTruths
	fTuples
	fUnions
	fWide
	fWordUnions
	fWrite
	fWrites
	numFeatures
)

// axis is the axis of a drawn schema.
type axis struct {
	name    string
	text    string
	choices []axisChoice
	arrays  bool // the rules for lengths hold for arrays
	sort    int  // 0 unsigned, 1 signed, 2 float
}

type axisChoice struct {
	name         string
	scalar       builtin.Scalar
	offset, elem linear // rules for offsets
}

// linear is the rule a*x + b for an offset x.
type linear struct{ a, b int64 }

type constant struct {
	name  string
	value int64
}

// drawer draws one schema.
type drawer struct {
	*source
	on        [numFeatures]bool
	serial    int
	budget    int // rows that can still be drawn
	nesting   int // bodies inside of each other
	axis      *axis
	consts    []constant
	gates     []string
	encodings []string
	errata    []string
	records   []*record
	unions    []*union
	keys      []string // names of arms
	decls     []*decl
	props     []string
	root      string
	whole     File // all of it in one file
}

// record is what others need to know of a declared record.
type record struct {
	name   string
	args   int
	open   bool // it is not complete: it is being drawn
	fixed  bool
	size   []int64 // under each choice, if fixed
	least  int64   // the fewest bytes
	greedy bool    // it takes all bytes up to the end
	text   bool    // its one stored field is a text
	inner  bool    // it is in a list of its own
}

// movable reports whether its size is the same number under every choice.
func (r *record) movable() bool {
	return !r.fixed || !slices.ContainsFunc(r.size, func(n int64) bool { return n != r.size[0] })
}

// Draw draws a schema. The result has an error if the resolver refuses it.
func Draw(c interp.Choices) *Drawn {
	d := &drawer{source: &source{choices: c}}
	density := pick(d.source, 0, 12, 25, 40, 60)
	for f := range d.on {
		d.on[f] = feature(f) == always || d.chance(density)
	}
	if d.has(fSelects) { // which means nothing without the others
		d.on[fAxis], d.on[fWordUnions], d.on[fBits] = true, true, true
	}
	if d.has(fWrites) { // likewise
		d.on[fWordUnions], d.on[fOptional] = true, true
	}
	if d.has(fArgs) && !d.has(fUnions) {
		d.on[fRecords] = true
	}
	d.budget = 4 + d.n(36)
	d.header()
	d.body()
	if d.has(fExamples) {
		d.examples()
	}
	out := Resolve(d.files())
	out.Whole = d.whole
	return out
}

// has reports whether the schema has a feature.
func (d *drawer) has(f feature) bool { return d.on[f] }

// new returns a number that no other name of the schema has.
func (d *drawer) new() int { d.serial++; return d.serial }

// widths returns one number for each choice of the axis.
func (d *drawer) each(n int64) []int64 {
	out := make([]int64, 1)
	if d.axis != nil {
		out = make([]int64, len(d.axis.choices))
	}
	for i := range out {
		out[i] = n
	}
	return out
}

// header draws what is declared before the types.
func (d *drawer) header() {
	if d.has(fConstants) {
		for range 1 + d.n(4) {
			d.constant()
		}
	}
	if d.has(fGates) {
		for range 1 + d.n(2) {
			name := pick(d.source, "gate", "objects", "code", "extra") + fmt.Sprint(d.new())
			d.gates = append(d.gates, name)
			d.props = append(d.props, "gate "+name+d.maybe(50, ` "allows `+name+`"`))
		}
	}
	if d.has(fErrata) {
		for range 1 + d.n(2) {
			name := fmt.Sprint("E", d.new())
			d.errata = append(d.errata, name)
			d.decls = append(d.decls, &decl{kind: "erratum", name: name, after: d.maybe(50, ` in "manual"`), body: d.erratum()})
		}
	}
	if d.has(fAxis) {
		d.drawAxis()
	}
	if d.has(fEncodings) {
		for range 1 + d.n(3) {
			name := fmt.Sprint("text", d.new())
			d.encodings = append(d.encodings, name)
			d.decls = append(d.decls, &decl{kind: "encoding", name: name, doc: d.doc(), body: d.encoding()})
		}
	}
	if d.has(fBig) {
		d.props = append(d.props, "order big")
	} else if d.chance(30) {
		d.props = append(d.props, "order little")
	}
	if d.has(fNotes) {
		for _, p := range []string{`title "A drawn schema"`, `source "nobody"`, `says "All of it is drawn."`} {
			d.props = append(d.props, d.list(50, p)...)
		}
	}
	if len(d.errata) > 0 {
		d.props = append(d.props, d.list(40, "erratum "+d.mention())...)
	}
}

// constant declares a constant.
func (d *drawer) constant() {
	x := &drawExpr{d: d, fixed: true}
	e, v := x.draw(2)
	name := fmt.Sprint(pick(d.source, "LIMIT", "Least", "k", "MASK_"), d.new())
	d.consts = append(d.consts, constant{name, v})
	d.decls = append(d.decls, &decl{kind: "const", name: name, doc: d.doc(), after: " = " + text(e)})
}

func (d *drawer) encoding() []string {
	rules := d.list(70, "utf8 "+pick(d.source, "strict", "loose", "unchecked"))
	rules = append(rules, d.list(50, "bom "+pick(d.source, "drop", "keep"))...)
	rules = append(rules, d.list(60, "nul "+pick(d.source, "keep", "stop", "counted"))...)
	if len(d.errata) > 0 {
		rules = append(rules, d.list(40, "erratum "+d.mention())...)
	}
	return rules
}

func (d *drawer) erratum() []string {
	return slices.Concat(d.list(60, `says "One byte."`), d.list(60, `engine "Two bytes."`), d.list(60, `here "Two bytes."`))
}

// mention draws the mention of an erratum, without the word before it.
func (d *drawer) mention() string {
	out := pick(d.source, d.errata...) + d.maybe(30, " absent")
	if d.chance(40) {
		out += " said " + pick(d.source, "offset", "length", "type", "name", "description", "label") + ` "other"`
		out += d.maybe(30, `, label "x", name "y"`)
	}
	return out
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

var axisScalars = [3][]builtin.Scalar{
	{builtin.U16, builtin.U32, builtin.U8, builtin.U64}, {builtin.I32, builtin.I64, builtin.I8, builtin.I16}, {builtin.F32, builtin.F64},
}

// drawAxis draws the axis with rules that hold for its scalars.
func (d *drawer) drawAxis() {
	a := &axis{name: pick(d.source, "real", "word", "width"), arrays: true, sort: 2 - d.n(3)}
	choices := 1 + d.n(3)
	if d.has(fSelects) { // a writer converts floats only
		choices, a.sort = max(choices, 2), 2
	}
	scalars := axisScalars[a.sort]
	for i := range choices {
		c := axisChoice{name: fmt.Sprint(pick(d.source, "single", "double", "c"), d.new()), scalar: scalars[(i+d.n(2))%len(scalars)], offset: linear{1, 0}, elem: linear{1, 0}}
		rules := ""
		if i > 0 {
			w, w0 := int64(c.scalar.Width()), int64(a.choices[0].scalar.Width())
			if d.chance(60) {
				c.offset = linear{int64(1 + d.n(3)), int64(d.n(5))}
				rules += " offset " + c.offset.text(d.source)
			}
			switch {
			case w == w0:
			case w%w0 == 0 && d.chance(80):
				rules += fmt.Sprintf(" length length * %d", w/w0)
			case d.chance(50):
				a.arrays = false
				rules += fmt.Sprintf(" length %d", w)
			case w > w0:
				a.arrays = false
				rules += fmt.Sprintf(" length length + %d", w-w0)
			default:
				a.arrays = false
				rules += fmt.Sprintf(" length length - %d", w0-w)
			}
			if d.chance(50) {
				c.elem = linear{int64(1 + d.n(3)), int64(d.n(5))}
				rules += " element " + c.elem.text(d.source)
			}
		}
		a.choices = append(a.choices, c)
		a.text += fmt.Sprintf(" %s %s%s", c.name, c.scalar, rules)
	}
	d.axis = a
	d.props = append(d.props, fmt.Sprintf("axis %s {%s }", a.name, a.text))
}

func (l linear) text(s *source) string {
	out := "offset"
	if l.a != 1 {
		out = fmt.Sprintf("%s * %d", out, l.a)
	}
	switch {
	case l.b == 0:
		return out
	case l.b%max(l.a, 1) == 0 && s.chance(50):
		return fmt.Sprintf("(offset + %d) * %d", l.b/l.a, l.a)
	}
	return fmt.Sprintf("%s + %d", out, l.b)
}

// body draws the root and what it needs.
func (d *drawer) body() {
	switch {
	case d.has(fWordUnions) && d.chance(50):
		d.root = d.wordUnion().name
	default:
		d.root = d.record(0, false).name
	}
	if d.has(fDepth) {
		d.props = append(d.props, "depth "+d.number(int64(3+d.n(20))))
	}
	if d.has(fKeys) && len(d.keys) > 0 {
		for _, word := range []string{"equal", "differ", "exact", "apart"} {
			if d.chance(50) {
				list := pick(d.source, d.keys...)
				if other := pick(d.source, d.keys...); other != list && d.chance(30) {
					list += ", " + other
				}
				d.props = append(d.props, word+" "+list)
			}
		}
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
