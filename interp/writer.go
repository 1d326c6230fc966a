// Writers: objects with which callers write values.

package interp

import (
	"github.com/octable/octable/interp/memory"
)

// Writer encodes with one Machine. It can be used again and is for one
// goroutine at a time. See [Machine.NewWriter].
type Writer struct {
	m    *Machine
	opt  Options
	run  writing
	fast fastWriter
	keys keySet

	places [blockSize]int // of records of a block: see plan
	free   bool           // views are not compared

	obs     *listener // nil if nobody observes the calls
	scratch []byte    // of pooled writers
	usual   int       // bytes of the last output of a pooled writer
}

// NewWriter returns a Writer with the given options.
func (m *Machine) NewWriter(opt Options) *Writer {
	w := &Writer{m: m, opt: opt}
	w.keys.rules = m.keys
	w.prepare()
	return w
}

// SetOptions changes the options of the calls to come.
func (w *Writer) SetOptions(opt Options) {
	w.opt = opt
	w.prepare()
}

// Append encodes v and appends the bytes to dst. On error it returns dst as it
// was given.
func (w *Writer) Append(dst []byte, v Value) ([]byte, error) {
	w.keys.forget()
	if f := &w.fast; f.root != nil {
		if out, ok := w.fastValue(f.root, dst, len(dst), &v, 0); ok {
			return out, nil
		}
	} else if f.plan != nil {
		if out, ok := w.planned(dst, v); ok {
			return out, nil
		}
	}
	if w.m.chooses {
		w.measure(dst, v)
	}
	g := &w.run
	*g = writing{w: w, m: w.m, p: w.m.p, out: dst, base: len(dst), limit: w.m.depth(&w.opt),
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0], held: g.held, obs: w.obs}
	ok := g.routine(g.p.Root, v, nil)
	out, err := g.out, g.err
	g.out, g.err = nil, nil
	if !ok {
		return dst, err
	}
	return out, nil
}

// Append encodes v with the given options and appends the bytes to dst.
func (m *Machine) Append(dst []byte, v Value, opt Options) ([]byte, error) {
	return m.AppendObserved(dst, v, opt, nil)
}

// AppendObserved is Append with an observer, which may be nil.
func (m *Machine) AppendObserved(dst []byte, v Value, opt Options, o Observer) ([]byte, error) {
	w := m.writer(opt)
	if o != nil {
		w.Observe(o)
	}
	out, err := w.Append(dst, v)
	if o != nil {
		w.Observe(nil)
	}
	w.release()
	m.writers.Put(w)
	return out, err
}

// maxScratch is how many bytes of output a pooled Writer keeps for the next call.
const maxScratch = 1 << 20

// minDirect is the least size of the last output for which Encode allocates memory beforehand.
// An output of about that size need not be copied from scratch memory.
const minDirect = 16 << 10

// Encode encodes v with the given options into new memory.
func (m *Machine) Encode(v Value, opt Options) ([]byte, error) {
	w := m.writer(opt)
	buf := w.scratch[:0]
	direct := w.usual >= minDirect && w.usual <= maxScratch
	if direct {
		buf = memory.Buffer(w.usual + w.usual/64 + 2*headroom)
	}
	out, err := w.Append(buf, v)
	switch {
	case err != nil:
		out = nil
	case direct && cap(out) == cap(buf) && len(out) >= cap(out)/8*7:
		w.usual = len(out)
	default:
		w.usual = len(out)
		if cap(out) <= maxScratch {
			if !direct {
				w.scratch = out
			}
			out = append([]byte(nil), out...)
		}
	}
	w.release()
	m.writers.Put(w)
	return out, err
}

func (m *Machine) writer(opt Options) *Writer {
	w, _ := m.writers.Get().(*Writer)
	if w == nil {
		return m.NewWriter(opt)
	}
	if w.opt != opt {
		w.SetOptions(opt)
	}
	return w
}

// release lets go of everything that belongs to the caller.
func (w *Writer) release() {
	w.keys.release()
	w.fast.cell[0], w.fast.top[0] = Value{}, Value{}
	w.fast.first = writeLoop{}
	w.fast.spare = nil
	clear(w.fast.stack)
	if len(w.fast.stack) > 64 {
		w.fast.stack = nil
	}
	w.run.out, w.run.err, w.run.scope = nil, nil, scope{}
	clear(w.run.bases[:cap(w.run.bases)])
	clear(w.run.cells[:cap(w.run.cells)])
	clear(w.run.path[:cap(w.run.path)])
	if cap(w.run.cells) > 1<<10 || cap(w.run.path) > 1<<10 {
		w.run.cells, w.run.path = nil, nil
	}
}
