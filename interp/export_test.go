package interp

// KeyWork returns how many sums of keys r has made, and how many keys it has
// compared after finding them in a table.
func (r *Reader) KeyWork() uint64 { return r.keys.work }

// KeyWork is the same of a Writer.
func (w *Writer) KeyWork() uint64 { return w.keys.work }

// ByPlan reports whether a plan reads b to its end, without the instructions.
func (r *Reader) ByPlan(b []byte) bool {
	r.reset(b)
	_, ok := r.planned(b)
	return ok
}

// ByPlan reports whether a plan writes v, without the instructions.
func (w *Writer) ByPlan(v Value) bool {
	w.keys.forget()
	_, ok := w.planned(nil, v)
	return ok
}
