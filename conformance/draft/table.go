package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/internal/pattern"
)

// A table is a type or an arm: the rows of one table of the document.
type table struct {
	name    string
	from    *audit.Table // nil for an arm without a table
	arm     *arm
	params  []string
	fields  []*field
	list    *list    // the rows that are elements, or nil
	marks   []string // lines of the document without a sign and the like, in words
	taken   map[string]bool
	letters map[string]bool
	numbers string   // prose with numbers before the caption
	says    []string // prose with numbers after the rows
	start   int      // offset of the first row
	end     end      // the place after the last row
	before  *table   // the table that this one continues, or nil
	behind  string   // the letter of the place after the list
	element string   // the letter of the place of an element
}

// A list is the rows of a table from one index on, up to another.
type list struct {
	from, to int
	name     string
	count    string // the row that holds the count; "" for all up to the end
}

// A field is a row of the schema.
type field struct {
	row                        *audit.Row // nil for bytes that the document leaves out
	offset, length, kind, name string
	value                      string // what a writer computes
	attr                       string // behind the description, with a blank before it
	marks                      []string
	beside                     bool // the row is on the page: the schema has other rows for its bytes
	plain                      int  // how often the row was made simpler
	sign                       bool // the document does not say whether the number has a sign
	size                       int  // bytes up to the next row, if the document does not say the length; 0 otherwise
	said                       []string
}

// An end is the place after a row: a number, and letters.
type end struct {
	number  int
	letters string
	lost    bool // no letter represents it
}

func (e end) text() string {
	if e.letters == "" {
		return strconv.Itoa(e.number)
	}
	if e.number == 0 {
		return strings.TrimPrefix(e.letters, "+")
	}
	return strconv.Itoa(e.number) + e.letters
}

// letter returns a letter that the table has not used, if possible the one that is wanted.
func (t *table) letter(wanted string) string {
	if len(wanted) > 8 {
		wanted = ""
	}
	for c := 'A'; wanted == "" || t.letters[wanted] || t.taken[wanted] || wanted == "i"; c++ {
		wanted = string(c)
		if c > 'Z' {
			wanted = fmt.Sprintf("L%d", len(t.letters))
		}
	}
	t.letters[wanted] = true
	return wanted
}

// layout writes rows for the rows of the document, from an offset on.
func (d *draft) layout(t *table, at int) {
	if t.from == nil {
		return
	}
	t.taken, t.letters = map[string]bool{"type": t.arm != nil}, map[string]bool{}
	place := end{number: at}
	rows := t.from.Rows
	for i := range rows {
		r := &rows[i]
		_, element, ok := audit.Place(r.Offset)
		if ok && element && t.list == nil {
			t.begin()
		}
		if t.list != nil && !(ok && element) && t.list.to < 0 {
			t.list.to = len(t.fields)
			place = end{lost: true}
		}
		if t.list == nil && !t.continues(&place, r) {
			place = t.gap(place, r)
		}
		f := &field{row: r}
		f.name = d.nameOf(t, r)
		if offset, ok := offsetOf(r.Offset); ok && !place.lost && place.letters == "" && offset < place.number {
			t.again(f, offset)
			continue
		}
		f.size = missing(rows, i)
		f.sign = d.typed(t, f, i == len(rows)-1).sign
		t.fields = append(t.fields, f)
		place = place.after(f)
	}
	if t.list != nil && t.list.to < 0 {
		t.list.to = len(t.fields)
	}
	if n := len(t.fields); n > 0 && t.fields[n-1].beside { // a row on the page is before a row
		t.fields = append(t.fields, &field{length: t.letter("R"), kind: "u8[until end]", name: unique("rest", t.taken)})
	}
	t.start, t.end = at, place
	t.places()
}

// continues adds a row for the table before if that ends where this one begins. It reports whether it did so.
func (t *table) continues(place *end, r *audit.Row) bool {
	offset, ok := offsetOf(r.Offset)
	b := t.before
	if len(t.fields) > 0 || b == nil {
		return false
	}
	if !ok || offset == 0 || b.end != (end{number: offset}) {
		t.before = nil
		return false
	}
	name := fieldName(b.from.Heading)
	if name == "" {
		name = "before"
	}
	f := &field{row: &audit.Row{Line: r.Line}, length: strconv.Itoa(offset), kind: b.name, name: unique(name, t.taken)}
	f.mark("the offsets continue those of " + b.name)
	t.fields, *place = append(t.fields, f), b.end
	return true
}

// missing returns the number of bytes from a row without a length to the next one. It returns 0 if the offsets do not
// say it.
func missing(rows []audit.Row, i int) int {
	from, known := offsetOf(rows[i].Offset)
	if text := rows[i].Length; !known || strings.Trim(text, "-–—? ") != "" && !inBits.MatchString(text) {
		return 0
	}
	for _, r := range rows[i+1:] {
		to, ok := offsetOf(r.Offset)
		if ok && to == from {
			continue
		}
		if !ok || to < from || to-from > 1<<16 {
			break
		}
		return to - from
	}
	return 0
}

// inBits is a length that is not in bytes.
var inBits = pattern.New(`^[0-9]+ bits?$`)

// unsigned returns the lines with numbers of which the document does not say the sign. A
// length or a count has none.
func (t *table) unsigned() []string {
	var lines []string
	for _, f := range t.fields {
		if f.sign && f.value == "" && strings.HasPrefix(f.kind, "u") && !strings.Contains(f.kind, "[") {
			lines = append(lines, strconv.Itoa(f.row.Line))
		}
	}
	return lines
}

// offsetOf returns the number that an offset is.
func offsetOf(cell string) (n int, ok bool) {
	text, _, ok := audit.Place(cell)
	n, err := strconv.Atoi(text)
	return n, ok && err == nil
}

// again adds a row for bytes that are in the rows before. A row of the page has a length; one for which the document says
// something else takes no bytes.
func (t *table) again(f *field, offset int) {
	f.offset, f.length, f.kind = strconv.Itoa(offset), f.row.Length, besideType(f.row)
	if _, _, ok := audit.Place(f.row.Length); ok && f.row.Length != "" {
		f.beside = true
		f.mark("these bytes are in the rows before as well; the row is on the page alone")
	} else {
		f.length, f.kind = "0", "u8[0]"
		f.mark("these bytes are in the rows before as well; bits are for you to write")
	}
	t.fields = append(t.fields, f)
}

func besideType(r *audit.Row) string {
	if l := lengthOf(r.Length); l.ok && l.letter == "" {
		if kind := fixed(l.bytes, r).text; !strings.Contains(kind, "[") {
			return kind
		}
	}
	return "u8"
}

// after returns the place after a row.
func (e end) after(f *field) end {
	if n, err := strconv.Atoi(f.length); err == nil {
		e.number += n
	} else {
		e.letters += "+" + f.length
	}
	return e
}

// gap adds a row for bytes that the document leaves out.
func (t *table) gap(place end, r *audit.Row) end {
	offset, ok := offsetOf(r.Offset)
	if !ok || place.lost || place.letters != "" || offset <= place.number || offset > 1<<16 {
		return place
	}
	n := offset - place.number
	f := &field{length: strconv.Itoa(n), kind: fmt.Sprintf("u8[%d]", n), name: unique(fmt.Sprintf("gap_%d", place.number), t.taken)}
	f.mark(fmt.Sprintf("the page has no row for %d bytes before this line", n))
	f.row = &audit.Row{Line: r.Line}
	t.fields = append(t.fields, f)
	return end{number: offset}
}

func (f *field) mark(text string) { f.marks = append(f.marks, text) }

// isGap reports whether a row is for bytes that the document leaves out.
func (f *field) isGap() bool { return f.row == nil || f.row.Row == 0 }

func (d *draft) nameOf(t *table, r *audit.Row) string {
	name := fieldName(r.Name)
	if name == "" {
		name = fieldName(audit.Translated("description", r.Description))
	}
	if name == "" {
		name = "value"
	}
	return unique(name, t.taken)
}

// begin begins the list of the rows that are elements of an array.
func (t *table) begin() {
	t.list = &list{from: len(t.fields), to: -1, name: unique("items", t.taken)}
	if f := t.holder(""); f != nil {
		t.list.count = f.name
		f.value = "count(" + t.list.name + ")"
		f.mark("taken for the number of " + t.list.name)
	}
}

// holder returns the row that may hold a length or a count. It is one of the name, or without a name the last number
// whose description mentions a length.
func (t *table) holder(name string) *field {
	return t.lastFree(func(f *field) bool {
		return name != "" && strings.EqualFold(f.name, name) || name == "" && saysLength.MatchString(f.row.Name+" "+f.row.Description)
	})
}

// holderOf returns the row that may hold the length of a row. It is the last one with the name of a length whose other words
// end the name of the row, or the last number whose description mentions a length.
func (t *table) holderOf(name string) *field {
	f := t.lastFree(func(f *field) bool { of := f.lengthOf(); return of != "" && strings.HasSuffix("_"+name, "_"+of) })
	if f == nil {
		f = t.holder("")
	}
	return f
}

// lastFree returns the last row of an unsigned number without a value for which is returns true, or nil.
func (t *table) lastFree(is func(*field) bool) *field {
	for i := len(t.fields) - 1; i >= 0; i-- {
		f := t.fields[i]
		if !f.isGap() && f.value == "" && !f.beside && strings.HasPrefix(f.kind, "u") && !strings.Contains(f.kind, "[") && is(f) {
			return f
		}
	}
	return nil
}

// lengthOf returns the name of the row whose length this row has by its own name, or "".
func (f *field) lengthOf() string {
	if of := ofName.ReplaceAllString(f.name, ""); of != f.name {
		return of
	}
	return ""
}

// typed sets the length and the type of a row.
func (d *draft) typed(t *table, f *field, last bool) guess {
	r := f.row
	l := lengthOf(r.Length)
	if class := audit.TypeClass(r.Type); class == "" {
		if record := d.types[typeName(brackets.ReplaceAllString(cellText(r.Type), ""))]; record != "" && (t.arm != nil || record != t.name) {
			if d.several(t, f, l, record, last) {
				return guess{}
			}
			f.kind, f.length = record, strconv.Itoa(l.bytes)
			if l.letter != "" || !l.ok || l.others {
				f.length = t.letter(l.letter)
			}
			return guess{}
		}
	}
	if f.size > 0 {
		l = length{bytes: f.size, ok: true}
		f.mark("the page does not say the length; the bytes up to the next row are taken")
	}
	if l.others {
		f.mark(fmt.Sprintf("the length %d is taken; if another row selects it, write | 4 or 8 | by other { 0 u32, 1 u64 } |", l.bytes))
	}
	if l.ok && l.letter == "" && l.bytes > 0 {
		g := fixed(l.bytes, r)
		f.kind, f.length, f.attr = g.text+d.orderOf(g.text, r), strconv.Itoa(l.bytes), g.attr
		if g.mark != "" {
			f.mark(g.mark)
		}
		if kind, value := constantRow(l.bytes, r); value != "" && l.bytes > 8 && g.text == fmt.Sprintf("u8[%d]", l.bytes) {
			f.kind, f.value = kind, value
		} else if kind, value := constantBytes(l.bytes, r); value != "" {
			f.kind, f.value = kind, value
		} else {
			f.value = constant(f.kind, l.bytes, r)
		}
		if f.value != "" {
			f.mark("the row is taken for a constant")
		}
		return g
	}
	if strings.Contains(r.Type, "<variable>") && d.union != "" {
		f.kind, f.length = d.union, t.letter(l.letter)
		return guess{}
	}
	holder := t.holder(l.letter)
	if holder == nil && saysEnded.MatchString(r.Type+" "+r.Description) {
		f.kind, f.length = `u8[until "00"]`, t.letter(l.letter)
		if saysText.MatchString(r.Type + " " + r.Description) {
			f.kind = `utf8[until "00"]`
		}
		return guess{}
	}
	if holder == nil || l.letter == "" {
		holder = t.holderOf(f.name)
	}
	if cellText(r.Length) == "" && holder != nil && holder.lengthOf() == f.name {
		l.factor = 1
	}
	if holder != nil && l.factor > 0 {
		if kind, text := elements(l.factor, r, holder.name); kind != "" {
			f.kind = kind
			holder.value = "count(" + f.name + ")"
			f.length = holder.name
			if l.factor > 1 {
				f.length = fmt.Sprintf("%d*%s", l.factor, holder.name)
			}
			if text {
				holder.value = "len(" + f.name + ")"
			}
			if !strings.EqualFold(l.letter, holder.name) {
				f.length = t.letter(l.letter)
			}
			if !strings.EqualFold(l.letter, holder.name) {
				holder.mark("taken for the length of " + f.name)
			}
			return guess{}
		}
	}
	d.unknown(t, f, l, last)
	return guess{}
}

// wide is the type of a number of several bytes without an order.
var wide = pattern.New(`^[uif](16|24|32|40|48|64)$`)

// orderOf returns the order of the bytes of a number. It returns "" unless the description of its row has another one than the
// document.
func (d *draft) orderOf(kind string, r *audit.Row) string {
	big, little := saysBig.MatchString(r.Description), saysLittle.MatchString(r.Description)
	switch {
	case !wide.MatchString(kind) || big == little || big == d.big:
		return ""
	case big:
		return "be"
	}
	return "le"
}

// several writes a row of several records. Its length is a number times a letter, or it has none and its type cell has
// brackets. A row holds the number of the records, or they go on to the end.
func (d *draft) several(t *table, f *field, l length, record string, last bool) bool {
	if m := brackets.FindStringSubmatch(cellText(f.row.Type)); m != nil && l.letter == "" {
		f.kind = fmt.Sprintf("%s[%s]", record, m[1])
		count, err := strconv.Atoi(m[1])
		switch size, fixed := d.sizeOf(record); {
		case err == nil && fixed:
			f.length = strconv.Itoa(count * size)
		case l.ok:
			f.length = strconv.Itoa(l.bytes)
		default:
			f.length = t.letter("")
		}
		return true
	}
	product := l.letter != "" && l.factor >= 2
	if !product && (!strings.Contains(f.row.Type, "[") || l.ok && l.letter == "") {
		return false
	}
	if holder := t.holder(l.letter); product && holder != nil {
		f.length = fmt.Sprintf("%d*%s", l.factor, l.letter)
		f.counted(record, holder)
		return true
	}
	switch holder := t.holder(""); {
	case holder != nil:
		holder.mark("taken for the number of " + f.name)
		f.counted(record, holder)
	case !product && last && t.list == nil:
		f.kind = record + "[until end]"
	default:
		return false
	}
	f.length = t.letter(l.letter)
	return true
}

// ofName is in names of rows that hold lengths, beside the name of the row whose length it is.
var ofName = pattern.New(`_(length|len|size|bytes)$|^(length|len|size)_(of_)?`)

// brackets are a number of elements in the cell of a type.
var brackets = pattern.New(` ?\[([1-9][0-9]{0,4})\]$`)

// sizeOf returns the bytes of a record if the lengths of all its rows are numbers.
func (d *draft) sizeOf(record string) (size int, fixed bool) {
	i := slices.IndexFunc(d.tables, func(t *table) bool { return t.name == record })
	if i < 0 || d.tables[i].from == nil {
		return 0, false
	}
	for _, r := range d.tables[i].from.Rows {
		l := lengthOf(r.Length)
		if _, element, _ := audit.Place(r.Offset); element || !l.ok || l.letter != "" || l.others {
			return 0, false
		}
		size += l.bytes
	}
	return size, true
}

// counted makes the row a list of records whose number another row holds.
func (f *field) counted(record string, holder *field) {
	holder.value = "count(" + f.name + ")"
	f.kind = fmt.Sprintf("%s[%s]", record, holder.name)
}

// unknown writes a row whose length no row of the table holds.
func (d *draft) unknown(t *table, f *field, l length, last bool) {
	switch {
	case last && t.list == nil:
		f.kind, f.length = "u8[until end]", t.letter(l.letter)
		f.mark(noHolder(f.row) + "; all bytes up to the end are taken")
	case t.arm == nil && l.letter != "" && l.factor == 1:
		name := unique(l.letter, t.taken)
		t.params = append(t.params, name)
		f.kind, f.length = "u8["+name+"]", name
		f.mark(fmt.Sprintf("the length %q is an argument of the type; a row that has this type gives it", cellText(f.row.Length)))
	default:
		f.kind, f.length = `u8[until "00"]`, t.letter(l.letter)
		f.mark(noHolder(f.row) + "; all bytes up to a byte 00 are taken")
	}
}

// simpler writes a row in a way that has fewer errors, and reports whether there is one.
func (t *table) simpler(f *field, last bool) bool {
	defer t.places()
	f.plain++
	l, err := strconv.Atoi(f.length)
	switch {
	case t.list != nil && (f.plain > 3 || f.isGap() || t.list.count == "" && t.list.to < len(t.fields)):
		t.list, f.plain = nil, 0
		f.mark("the rows are those of a list; each is written once here")
		return true
	case f.plain > 3 || f.isGap():
		return false
	case f.value != "" || f.attr != "":
		f.value, f.attr, f.marks = "", "", nil
		return true
	case err == nil && f.plain == 1:
		f.kind = fmt.Sprintf("u8[%d]", l)
	case last:
		f.kind = "u8[until end]"
	default:
		f.kind = `u8[until "00"]`
	}
	if err != nil {
		f.length = t.letter("")
	}
	f.mark("the row as the page has it contradicts the others; bytes are taken")
	return true
}

// places sets the offsets of the rows: the end of the row before, or a letter after a list.
func (t *table) places() {
	place := end{number: t.start}
	for i := 0; i < len(t.fields); i++ {
		if t.list != nil && i == t.list.from && t.list.to > i {
			t.elements(place)
			i = t.list.to - 1
			place = end{lost: true}
			continue
		}
		f := t.fields[i]
		if f.beside {
			continue
		}
		if place.lost {
			if t.behind == "" {
				t.behind = t.letter("P")
			}
			place = end{letters: "+" + t.behind}
		}
		f.offset = place.text()
		place = place.after(f)
	}
}

// elements sets the offsets of the rows of a list. They are those of element i, or
// letters if an element has no fixed size.
func (t *table) elements(first end) {
	size, fixed := 0, true
	rows := t.fields[t.list.from:t.list.to]
	for _, f := range rows {
		n, err := strconv.Atoi(f.length)
		size, fixed = size+n, fixed && err == nil
	}
	if !fixed {
		if t.element == "" {
			t.element = t.letter("X")
		}
		first = end{letters: "+" + t.element}
	}
	for _, f := range rows {
		f.offset = first.text()
		if fixed {
			f.offset += strings.TrimSuffix(fmt.Sprintf("+i*%d", size), "*1")
		}
		first = first.after(f)
	}
}

// noHolder says that no row of the table holds the length of r.
func noHolder(r *audit.Row) string {
	if text := cellText(r.Length); text != "" {
		return fmt.Sprintf("the page does not say which row holds the length %q", text)
	}
	return "the page gives no length"
}
