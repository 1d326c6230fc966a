package main

import (
	"strings"
	"testing"
)

// TestUnsupported checks that a back end that cannot express a schema says so, with exit
// status 1, and writes nothing.
func TestUnsupported(t *testing.T) {
	const dir = "../../fuzz/languages/testdata/"
	for _, c := range []struct{ args, want string }{
		{"export kaitai " + dir + "codes.oct", "Wide.most"},
		{"export wireshark " + dir + "codes.oct", "Wide.most"},
	} {
		out, errs, code := call("", strings.Fields(c.args)...)
		if code != exitRefused || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("octable %s: exit status %d\n%s%s", c.args, code, out, errs)
		}
	}
}
