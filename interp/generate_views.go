// Views while generating: their content is drawn as that of other rows, and then becomes what a
// reader finds in the bytes.

package interp

// show returns a value with the views that its bytes give. It is not ok if a writer refuses the result.
func (g *Generator) show(v Value) (Value, bool) {
	opt := Options{Open: g.opt.Open, MaxDepth: g.opt.MaxDepth, KeepWidths: g.opt.KeepWidths}
	if g.free == nil {
		g.free = g.m.NewWriter(opt)
		g.free.free = true
	}
	w := Value{}
	b, err := g.free.Append(nil, v)
	if err == nil {
		w, _, err = g.m.Decode(b, opt)
	}
	if err != nil {
		return v, false
	}
	_, err = g.w.Append(nil, w)
	return w, err == nil
}
