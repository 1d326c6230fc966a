package report

import (
	"bytes"
	"testing"

	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl/golden"
)

var plainTree = inspect.Options{Width: 90, Row: 8}

func TestText(t *testing.T) {
	for i, run := range runs() {
		var b bytes.Buffer
		if err := Text(&b, run, TextOptions{Width: 90, Causes: 6, More: "-all shows them"}); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, []string{"good.txt", "naive.txt"}[i], b.Bytes())
	}
}
