// Texts: bytes of each charset.

package interp_test

import (
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/reference"
)

// TestTextForms checks that a reader and the reference take the same bytes as texts, and read the same characters. It tries
// first bytes of each length of UTF-8, with the least and largest bytes that may follow and those beside them.
func TestTextForms(t *testing.T) {
	first := "A\x00\x7f\x80\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xf7\xf8\xf9\xfb\xfc\xfd\xfe\xff"
	next := "\x7f\x80\x81\x82\x84\x87\x88\x8f\x90\x9f\xa0\xbf\xc0"
	for _, charset := range []string{"utf8 loose", "utf8 strict", "utf8 unchecked", "utf16", "ascii"} {
		text := "schema \"forms\" {\n    order big\n    root T\n}\nencoding form {\n    " + charset + "\n}\ntype T {\n    | 0 | N | form[until end] | text |\n}\n"
		s, err := compile.Resolve("forms.oct", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		m := machineOf(t, text)
		r := m.NewReader(interp.Options{})
		accepted := 0
		for i := range first {
			for j := range next {
				for k := range next {
					for _, rest := range []string{"", "\x80", "\xbf\x80", "\x80\x80\x80", "\xbf\xbf\xbf", "A"} {
						b := first[i:i+1] + next[j:j+1] + next[k:k+1] + rest
						v, _, err := r.Read([]byte(b))
						w, _, err2 := reference.Decode(s, []byte(b), reference.Options{})
						if (err == nil) != (err2 == nil) || err == nil && v.Text() != w.Text() {
							t.Fatalf("%s: % x is %q, %v; by the reference %q, %v", charset, b, v.Text(), err, w.Text(), err2)
						}
						if err == nil {
							accepted++
						}
					}
				}
			}
		}
		if accepted == 0 && !strings.HasPrefix(charset, "ascii") {
			t.Errorf("%s: nothing is accepted", charset)
		}
	}
}

// TestSharedText: a text that is read points into the packet, unless characters in it have longer forms than they need.
func TestSharedText(t *testing.T) {
	m := machineOf(t, "schema \"shared\" { root T }\nencoding form { utf8 loose }\ntype T { | 0 | N | form[until end] | text | }\n")
	for text, shared := range map[string]bool{"a": true, "\u0080\u07ff": true, "\u0800\uffff": true, "\U00010000": true, "\xed\xa0\x80": true, "\xf8\x88\x80\x80\x80": true, "a\xe0\x81\xa1": false} {
		b := []byte(text)
		v, _, err := m.Decode(b, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if is := &v.Bytes()[0] == &b[0]; is != shared {
			t.Errorf("%q is in the packet: %v", text, is)
		}
	}
}
