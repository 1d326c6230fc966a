// Containers on the wire: typed ones, packed arrays, and the arrays of Pandemonium.

package engines

import (
	"bytes"
	"encoding/binary"
	"math"
)

// A want is what a typed container asks of its members.
type want struct {
	kind uint32
	id   uint32
}

func (v want) wrong(w *walker, h head) bool {
	switch {
	case v.kind == 0 || v.kind == 1 && v.id == 0:
		return false
	case v.kind > 1 || v.id == uint32(w.d.object):
		return !h.isObj
	}
	return uint32(h.id) != v.id
}

// element steps over the field that says what a typed container holds.
func (w *walker) element(kind uint32) (want, error) {
	v := want{kind: kind}
	var err error
	switch {
	case kind == 1:
		start := w.out.Len()
		v.id, err = w.word()
		if v.id == uint32(w.d.object) {
			w.seen.className = true
			if w.rules&ruleClassName != 0 {
				w.out.Truncate(start)
			}
		}
	case kind > 1:
		start, at := w.out.Len(), w.out.Len()+4
		if err = w.text(false); err == nil && kind == 2 {
			name := w.out.Bytes()[min(at, w.out.Len()):]
			other := !bytes.HasPrefix(name, []byte("EncodedObjectAsID"))
			w.seen.className = w.seen.className || other
			w.seen.unsaid = w.seen.unsaid || other // it may be no name at all
		}
		w.seen.unsaid = w.seen.unsaid || kind == 3 // a script that is not there
		if err == nil && w.rules&ruleClassName != 0 {
			w.out.Truncate(start)
		}
	}
	return v, err
}

// unclass takes a class out of a container's header at some place, with ruleClassName.
func (w *walker) unclass(at, shift int, of want) {
	if (of.kind > 1 || of.kind == 1 && of.id == uint32(w.d.object)) && w.rules&ruleClassName != 0 {
		w.out.Bytes()[at+2] &^= 3 << shift
	}
}

func (w *walker) array(flags uint32) error {
	at := w.out.Len() - 4
	var of want
	if w.d.typed {
		var err error
		if of, err = w.element(flags >> 16 & 3); err != nil {
			return err
		}
	}
	w.unclass(at, 0, of)
	body := w.out.Len()
	n, err := w.word()
	if err != nil {
		return err
	}
	number := len(w.wrongs)
	w.wrongs = append(w.wrongs, false)
	wrong, keyIDs := false, w.keyIDs
	for n &= 0x7fffffff; n > 0; n-- {
		h, err := w.value()
		if err != nil {
			return err
		}
		wrong = wrong || of.wrong(w, h)
	}
	w.seen.wrong = w.seen.wrong || wrong
	if w.isWrong(number, body, wrong && w.rules&(ruleElements|ruleValues) != 0) {
		w.keyIDs = keyIDs
		w.keyLeft = w.keyLeft || w.inKey > 0
	}
	return nil
}

func (w *walker) dict(flags uint32) error {
	at := w.out.Len() - 4
	var keys, values want
	if w.d.typed {
		var err error
		if keys, err = w.element(flags >> 16 & 3); err != nil {
			return err
		}
		if values, err = w.element(flags >> 18 & 3); err != nil {
			return err
		}
	}
	w.unclass(at, 0, keys)
	w.unclass(at, 2, values)
	body := w.out.Len()
	n, err := w.word()
	if err != nil {
		return err
	}
	number := len(w.wrongs)
	w.wrongs = append(w.wrongs, false)
	wrong := false
	keyIDs := w.keyIDs
	outerIDs, outerNaNs, outerTiny, outerLeft, lost := w.keyIDs, w.keyNaNs, w.keyTiny, w.keyLeft, false
	same := map[string]bool{} // the keys that ruleIDKeys makes equal
	pairs := n & 0x7fffffff
	for n = pairs; n > 0; n-- {
		key := w.out.Len()
		w.keyIDs, w.keyNaNs, w.keyTiny, w.keyLeft = false, false, false, false
		w.inKey++
		h, err := w.value()
		w.inKey--
		if err != nil {
			return err
		}
		// The engine keeps a value of the wrong type unchanged: nothing to excuse.
		wrong = wrong || keys.wrong(w, h)
		// Of equal keys one stays, with the value of another one.
		blank := w.rules&ruleIDKeys != 0 && w.keyIDs
		lost = lost || w.keyNaNs && w.rules&ruleNaNKeys != 0 || w.keyTiny && w.rules&ruleDigits != 0 || w.keyLeft
		outerLeft = outerLeft || w.keyLeft
		outerIDs, outerNaNs, outerTiny = outerIDs || w.keyIDs, outerNaNs || w.keyNaNs, outerTiny || w.keyTiny
		value := w.out.Len()
		if h, err = w.value(); err != nil {
			return err
		}
		if values.wrong(w, h) {
			w.seen.wrongValue = true
			wrong = wrong || w.rules&ruleValues != 0
		}
		outerIDs, outerNaNs, outerTiny = outerIDs || w.keyIDs, outerNaNs || w.keyNaNs, outerTiny || w.keyTiny
		if !blank {
			continue
		}
		w.out.Truncate(value)
		if k := string(w.out.Bytes()[key:]); same[k] {
			w.out.Truncate(key)
			pairs--
		} else {
			same[k] = true
		}
	}
	w.keyIDs, w.keyNaNs, w.keyTiny, w.keyLeft = outerIDs, outerNaNs, outerTiny, outerLeft
	if w.rules&ruleIDKeys != 0 {
		binary.LittleEndian.PutUint32(w.out.Bytes()[body:], pairs)
	}
	w.seen.wrong = w.seen.wrong || wrong
	if w.isWrong(number, body, wrong && w.rules&(ruleElements|ruleValues) != 0 || lost) {
		w.keyIDs = keyIDs
		w.keyLeft = w.keyLeft || w.inKey > 0
	}
	return nil
}

func (w *walker) packed(size int, poolReals bool, id byte) error {
	n, err := w.word()
	if err != nil {
		return err
	}
	if int64(n)*int64(size) > int64(len(w.in)) {
		return errWalk
	}
	length := int(n) * size
	if _, err := w.copy(length); err != nil {
		return err
	}
	if w.inKey > 0 && poolReals {
		for written := w.out.Bytes()[w.out.Len()-length:]; len(written) >= 4; written = written[4:] {
			if f := math.Float32frombits(binary.LittleEndian.Uint32(written)); f == f {
				continue
			}
			w.seen.nanKey = true
			w.keyNaNs = true
		}
	}
	w.singles(id, length)
	if id == w.d.doubles && id != 0 {
		for at := w.out.Len() - length; at < w.out.Len(); at += 8 {
			w.double(at)
		}
	}
	// At the very end of a packet the padding may be missing.
	_, err = w.copy(min(-length&3, len(w.in)))
	return err
}

func (w *walker) texts() error {
	n, err := w.word()
	if err != nil {
		return err
	}
	for i := int32(0); i < int32(n); i++ {
		if err := w.text(false); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) pandArray(stripped bool) error {
	of, err := w.word()
	if err != nil {
		return err
	}
	if of&0x7fffffff == uint32(w.d.object) && !stripped {
		if _, err := w.value(); err != nil {
			return err
		}
	}
	n, err := w.word()
	if err != nil {
		return err
	}
	for n &= 0x7fffffff; n > 0; n-- {
		if _, err := w.value(); err != nil {
			return err
		}
	}
	return nil
}
