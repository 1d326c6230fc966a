// Rows that hold checksums of other rows.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// sum draws a few checksums.
func (b *body) sum() bool {
	if b.inner > 0 || b.covering || b.d.budget < 2 { // one in the rows that another covers might cover that
		return false
	}
	for k := 3 + b.d.n(4); k > 0 && !b.ended; k-- {
		b.oneSum()
	}
	return true
}

// oneSum draws a checksum of rows before it, or of rows after it, which are drawn here.
func (b *body) oneSum() {
	d := b.d
	of := d.checksum()
	name, before := b.name(), len(b.rows)
	const covered = "COVERED"
	b.sumRow(of, name, of.String()+"("+covered+")")
	line := len(b.lines) - 1
	own := slices.Index(b.rows, name)
	later := d.chance(50)
	if later {
		b.covering = true
		for range 1 + d.n(2) {
			switch {
			case b.ended:
			case d.has(fRegions) && d.chance(40):
				b.bounded()
			default:
				b.group()
			}
		}
		b.covering = false
	}
	args := b.sumArgs(before, own, later)
	for ; !strings.Contains(b.lines[line], covered); line-- {
	}
	b.lines[line] = strings.Replace(b.lines[line], covered, args, 1)
}

// lateSum draws a checksum of the row before it, whose size a writer has after the checksum.
func (b *body) lateSum() {
	d := b.d
	if d.has(fSums) && b.inner == 0 && !b.covering && len(b.rows) > 0 && d.likely(onLateSums, 10) {
		of := d.checksum()
		covered := b.rows[len(b.rows)-1]
		b.sumRow(of, b.name(), of.String()+"("+covered+")")
	}
}

// lastSum draws a checksum of the rows before it at the end of a record, where most formats have theirs.
func (b *body) lastSum() {
	d := b.d
	if d.has(fSums) && !b.ended && b.inner == 0 && !b.covering && len(b.rows) > 0 && d.budget > 0 && d.chance(30) {
		of := d.checksum()
		covered := b.rows[d.n(len(b.rows))]
		if last := b.rows[len(b.rows)-1]; last != covered {
			covered += ".." + last
		}
		b.sumRow(of, b.name(), of.String()+"("+covered+")")
	}
}

// checksum draws a sort of checksums. Most of the table is CRCs, which are one mechanism, so a second draw often
// replaces one.
func (d *drawer) checksum() builtin.Checksum {
	of := builtin.Checksum(d.n(int(builtin.NumChecksums)))
	if builtin.Sums[of].CRC != nil && d.chance(60) {
		of = builtin.Checksum(d.n(int(builtin.NumChecksums)))
	}
	return of
}

// sumRow draws the row of a checksum.
func (b *body) sumRow(of builtin.Checksum, name, value string) {
	d := b.d
	info := builtin.Sums[of]
	bits := info.Bits
	if info.Cut {
		bits = 8
	}
	if d.has(fExpressions) && d.chance(30) {
		bits = 8
		switch d.n(5) {
		case 0:
			value += fmt.Sprintf(" & %d", d.n(256))
		case 1:
			value += " ^ " + d.number(int64(d.n(1000)))
		case 2:
			value += " + " + d.number(int64(d.n(1000)))
		case 3:
			value = "-" + value
		default:
			value = d.number(int64(d.n(1000))) + " - " + value
		}
	}
	var fit []builtin.Scalar
	for _, s := range []builtin.Scalar{builtin.U8, builtin.U16, builtin.U32, builtin.U64} {
		if 8*s.Width() >= bits && (s != builtin.U64 || d.has(fWide)) {
			fit = append(fit, s)
		}
	}
	s := fit[d.n(len(fit))]
	if d.has(fDigits) && bits < 64 && d.chance(50) {
		r, _ := b.digits(1<<bits-1, name)
		r.value = value
		r.attrs = append(r.attrs, b.pad(10)...)
		b.row(r)
		return
	}
	r := row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: name, value: value}
	r.attrs = append(b.pad(10), d.list(15, "any")...)
	b.least(int64(s.Width()))
	b.row(r)
}

// total draws a checksum of a whole record from which places count. It is in the record, or in records inside
// of it that another checksum may cover. No rows before and after it are covered together.
func (b *body) total(base string) {
	d := b.d
	own := func(b *body) string {
		name, of := b.name(), d.checksum()
		b.sumRow(of, name, fmt.Sprintf("%s(%s with %s as %s)", of, base, name, pick(d.source, "0", "32", "0xff")))
		return name
	}
	defer func() { b.rows = nil }()
	if !d.likely(onTotals, 80) {
		own(b)
		return
	}
	sealed := fmt.Sprint("Sealed", d.new())
	inner := d.partBody()
	inner.number()
	hole := own(inner)
	inner.number()
	d.declare(sealed, inner)
	name := b.name()
	at := ""
	if !d.has(fCodings) && d.likely(onTotals, 75) { // a number of varying width does not hold the size of a part
		at = b.placeOf("", name)
	}
	if d.likely(onTotals, 95) && (at != "" || !b.chooses) {
		of := d.checksum()
		b.sumRow(of, b.name(), fmt.Sprintf("%s(%s with %s.%s as %s)", of, name, sealed, hole, pick(d.source, "0", "7")))
	}
	b.sized("size", name, func(size string) {
		least := b.rec.least
		b.store(false)
		r := row{typ: sealed, length: size, name: name, at: at, attrs: b.pad(15)}
		if at != "" {
			defer func() { b.rec.least = least }()
		}
		b.row(r)
	})
}

// sumArgs draws the rows that a checksum covers, given its own row and the number of rows
// before it. Later adds rows after it.
func (b *body) sumArgs(before, own int, later bool) string {
	d := b.d
	var args []string
	span := func(from, to int) {
		arg := b.rows[from]
		if to > from {
			arg += ".." + b.rows[to]
		}
		hole := -1
		if from <= own && own <= to {
			hole = own
		} else if d.chance(20) {
			hole = from + d.n(to-from+1)
		}
		if hole >= 0 {
			arg += fmt.Sprintf(" with %s as %s", b.rows[hole], pick(d.source, "0", "32", "0xff"))
		}
		args = append(args, arg)
	}
	last := len(b.rows) - 1
	switch {
	case later && last > own:
		to := own + 1 + d.n(last-own)
		from := own + 1 + d.n(to-own)
		if d.chance(40) {
			from = d.n(own + 1)
		}
		span(from, to)
	case before > 0 && d.chance(70):
		from := d.n(before)
		span(from, from+d.n(before-from))
	default:
		span(own, own)
	}
	if before > 0 && d.chance(20) {
		k := d.n(before)
		span(k, k)
	}
	return strings.Join(args, ", ")
}
