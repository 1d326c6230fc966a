// Readers: objects with which callers read values.

package interp

import "math"

// Reader decodes with one Machine. It keeps the memory of what it decoded, to
// use it again: the values of a call are valid until the next one. The zero
// Reader is not usable; see [Machine.NewReader].
type Reader struct {
	m    *Machine
	opt  Options
	slab slab
	copy []byte // the private copy of the input
	run  reading
	fast fastReader
	keys keySet

	places [blockSize]int // of records of a block: see plan
	short  [16]byte       // a run at the beginning of the input, behind eight bytes

	sparse  bool // lists of elements of a fixed size are skipped
	skipped []skippedList

	obs   *listener // nil if nobody observes the calls
	again *Writer   // of Canonical; nil before its first call
}

// NewReader returns a Reader with the given options.
func (m *Machine) NewReader(opt Options) *Reader {
	r := &Reader{m: m, opt: opt}
	r.keys.rules = m.keys
	r.prepare()
	return r
}

// SetOptions changes the options of the calls to come.
func (r *Reader) SetOptions(opt Options) {
	r.opt, r.again = opt, nil
	r.prepare()
}

// Machine returns the machine that r reads with.
func (r *Reader) Machine() *Machine { return r.m }

// Read decodes one value at the beginning of b and returns how many bytes it
// took. The value points into b, which must not be changed while it is used,
// and into memory of r, which the next call uses again. If a value's
// padding is missing at the end of b, used is len(b).
func (r *Reader) Read(b []byte) (v Value, used int, err error) {
	r.reset(b)
	switch f := &r.fast; {
	case uint64(len(b)) > math.MaxUint32: // the instructions alone look whether a Value can count its parts
	case f.root != nil:
		f.depth, f.inside, f.memory = 0, false, r.opt.MaxMemory
		if pos, ok := r.loops(&f.first, &f.cell, f.root, b, 0, len(b), 0); ok {
			return f.cell[0], pos, nil
		}
		r.reset(b)
	case f.plan != nil:
		if used, ok := r.planned(b); ok {
			return f.top[0], used, nil
		}
		r.reset(b)
	}
	return r.read(b)
}

// reset makes all cells free.
func (r *Reader) reset(b []byte) {
	r.slab.reset(len(b))
	r.keys.forget()
}

// ReadCopy is Read on a private copy of b, so that b may be changed afterwards.
func (r *Reader) ReadCopy(b []byte) (v Value, used int, err error) {
	r.copy = append(r.copy[:0], b...)
	return r.Read(r.copy)
}

// Decode is Read into new memory: nothing of it is used again, and the
// value keeps its memory alive. The value points into b.
func (m *Machine) Decode(b []byte, opt Options) (v Value, used int, err error) {
	return m.DecodeObserved(b, opt, nil)
}

// DecodeObserved is Decode with an observer, which may be nil.
func (m *Machine) DecodeObserved(b []byte, opt Options, o Observer) (v Value, used int, err error) {
	r, _ := m.readers.Get().(*Reader)
	if r == nil {
		r = m.NewReader(opt)
	} else if r.opt != opt {
		r.SetOptions(opt)
	}
	if o != nil {
		r.Observe(o)
	}
	v, used, err = r.Read(b)
	if o != nil {
		r.Observe(nil)
	}
	r.release()
	m.readers.Put(r)
	return v, used, err
}

// release lets go of everything that belongs to the caller.
func (r *Reader) release() {
	r.slab.release()
	r.keys.release()
	r.fast.cell[0], r.fast.top[0] = Value{}, Value{}
	r.fast.first = readLoop{}
	r.fast.spare = nil
	clear(r.fast.stack)
	if len(r.fast.stack) > 64 {
		r.fast.stack = nil
	}
	r.run.in, r.run.err, r.run.scope = nil, nil, scope{}
	clear(r.run.bases[:cap(r.run.bases)])
	clear(r.run.cells[:cap(r.run.cells)])
	clear(r.run.path[:cap(r.run.path)])
	if cap(r.run.cells) > 1<<10 || cap(r.run.path) > 1<<10 {
		r.run.cells, r.run.path = nil, nil
	}
}
