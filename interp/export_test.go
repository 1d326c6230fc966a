package interp

// KeyWork returns how many sums of keys r has made, and how many keys it has
// compared after finding them in a table.
func (r *Reader) KeyWork() uint64 { return r.keys.work }

// KeyWork is the same of a Writer.
func (w *Writer) KeyWork() uint64 { return w.keys.work }
