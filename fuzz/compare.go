// Comparing the results of laws.

package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// Mismatch is the error of a law whose two results differ.
type Mismatch struct {
	Want, Got any // a codec.Value, []byte, or an error
	text      string
}

func (m *Mismatch) Error() string { return m.text }

func mismatch(want, got any, format string, args ...any) error {
	return &Mismatch{want, got, fmt.Sprintf(format, args...)}
}

// differ returns a [*Mismatch] that shows how values differ, or nil.
func differ(what string, want, got codec.Value) error {
	if codec.Equal(want, got) {
		return nil
	}
	return different(what, want, got)
}

// different returns a [*Mismatch] that shows two values.
func different(what string, want, got codec.Value) error {
	if _, path, sentence := vectors.Compare(want, got); sentence != "" {
		return mismatch(want, got, "%s: %s", what, strings.TrimPrefix(path+": "+sentence, ": "))
	}
	return mismatch(want, got, "%s: want %+v, got %+v", what, raw.Value(want), raw.Value(got))
}

// differBytes returns a [*Mismatch] that shows how bytes differ, or nil.
func differBytes(what string, want, got []byte) error {
	if bytes.Equal(want, got) {
		return nil
	}
	return mismatch(want, got, "%s: want %x, got %x", what, want, got)
}

// errOr returns err, or an error that says that no error occurred. It is to be wrapped in the error of a law.
func errOr(err error) error {
	if err == nil {
		return errors.New("there was no error")
	}
	return err
}

// Outcome compares the results of two ways of decoding. These are the values to the last bit,
// the bytes used, and the errors. It returns an error if they differ.
func Outcome(v interp.Value, used int, err error, w interp.Value, n int, err2 error) error {
	if !reflect.DeepEqual(err, err2) {
		return fmt.Errorf("error %v, not %v", err2, err)
	}
	if used != n {
		return fmt.Errorf("used %d, not %d", n, used)
	}
	if !interp.Identical(v, w, true) {
		return different("values", raw.Wrap(v), raw.Wrap(w))
	}
	return nil
}
