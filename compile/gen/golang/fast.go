// The loops for plain forms: one function that reads values one after the other and
// one that writes them, each calling itself for the values inside of a value.
//
// They report no errors. The functions that read and write everything do so for a value
// that is not plain. Bytes or a value that are wrong end the loop, and those functions
// read or write the whole again and report the error with its place.

package golang

import "slices"

// ordered returns the plain forms in the order of the arms.
func (g *generator) ordered() []*plain {
	var out []*plain
	for _, a := range g.m.Root.Union.Arms {
		if p := g.fast[a]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

// keyForm is the form of the text that keys of maps mostly are.
func (g *generator) keyForm() *plain {
	for _, p := range g.ordered() {
		if p.kind == plainText && p.arm.Type.Natural {
			return p
		}
	}
	return nil
}

func (g *generator) hasMaps() bool {
	return slices.ContainsFunc(g.ordered(), func(p *plain) bool { return p.kind == plainMap })
}

// fastTools are what the loop that reads needs.
const fastTools = `// The loop that reads values in their plain forms. It reports no errors. The
// functions that read everything read a value that is not plain, and bytes that are wrong
// end the loop.

package octable

// What is known of the values that a loop reads.
const (
	modeMap     = 1 // they are keys and values in turn
	modeSuspect = 2 // some key may be among them twice
)

// set sets the parts of a value one by one, which is faster than a literal.
func (v *Value) set(p unsafe.Pointer, u uint64, n uint32, tag Type, kind Kind, form uint8) {
	v.p = p
	v.u = u
	v.n = n
	v.tag = tag
	v.kind = kind
	v.form = form
}

// setNumber is set without a pointer.
func (v *Value) setNumber(u uint64, n uint32, tag Type, kind Kind, form uint8) {
	v.p = nil
	v.u = u
	v.n = n
	v.tag = tag
	v.kind = kind
	v.form = form
}

// place of b[i], which must be inside of b.
func addr(b []byte, i int) unsafe.Pointer { return unsafe.Pointer(&b[i]) }

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

//gen:copy textOnes odd

// plainText reports whether the n bytes at b[at:] are ASCII without NUL. At least
// eight bytes must precede them. If it returns false, the text may still be valid.
func plainText(b []byte, at, n int) bool {
	if n <= 8 {
		return odd(load64(b, at+n-8))>>(64-8*uint(n)) == 0
	}
	return plainLong(b, at, n)
}

func plainLong(b []byte, at, n int) bool {
	end := at + n - 8
	t := odd(load64(b, end))
	for ; at < end; at += 8 {
		t |= odd(load64(b, at))
	}
	return t == 0
}

`

// fastCase prints the case of one plain form in a loop.
type fastCase interface {
	numbers() // a number, or nothing
	text()
	lanes()
	packed()
	children(root string)
}

// print prints the case of a form, by its kind.
func (f *plain) print(c fastCase, root string) {
	switch f.kind {
	case plainText:
		c.text()
	case plainLanes:
		c.lanes()
	case plainPacked:
		c.packed()
	case plainList, plainMap:
		c.children(root)
	default:
		c.numbers()
	}
}

func (g *generator) hasText() bool {
	return slices.ContainsFunc(g.ordered(), func(p *plain) bool { return p.kind == plainText })
}

// alike returns the forms that the same code as that of f reads and writes. They may differ in
// their type, which is then computed from the number.
func (g *generator) alike(f *plain) []*plain {
	out := []*plain{f}
	for _, q := range g.ordered() {
		same := q != f && q.kind == f.kind && q.mask == f.mask && q.scalar == f.scalar && q.wide == f.wide && q.width == f.width && q.enc == f.enc &&
			q.pad == f.pad && q.orEnd == f.orEnd && q.writes == f.writes &&
			int64(q.arm.ID)-int64(q.arm.Type.Tag) == int64(f.arm.ID)-int64(f.arm.Type.Tag)
		if same && (f.kind == plainText || f.kind == plainLanes) {
			out = append(out, q)
		}
	}
	return out
}

// form is the form of the numbers of a value.
func form(f *plain) string {
	if f.wide {
		return scalarConst(f.scalar) + "|formWide"
	}
	return scalarConst(f.scalar)
}
