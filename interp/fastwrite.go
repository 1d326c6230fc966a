package interp

type fastWriter struct{}

func (w *Writer) appendFast(dst []byte, v Value) ([]byte, bool) { return nil, false }
