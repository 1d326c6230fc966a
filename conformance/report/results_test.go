package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/golden"
)

func TestPage(t *testing.T) {
	var b bytes.Buffer
	err := Page(&b, runs(), PageOptions{
		About:  []string{"Results of implementations for the vectors."},
		Origin: map[string]string{"naive-variant": "From npm: `npm install naive-variant@0.1.6`."},
		Causes: 3,
		Link: func(r *runner.Run) string {
			if r == nil {
				return "matrix.html"
			}
			return r.About.Name + ".json"
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "results.md", b.Bytes())
	markdownFaults(t, b.String())
}

func TestPageHostile(t *testing.T) {
	for n := 0; n < len(evil); n += 3 {
		var b bytes.Buffer
		run := hostile(n)
		err := Page(&b, []*runner.Run{run, hostile(n + 1)}, PageOptions{Title: evil[n], Causes: 4, Link: func(*runner.Run) string { return evil[n] }})
		if err != nil {
			t.Fatal(err)
		}
		if err := quiet(b.String()); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		markdownFaults(t, b.String())
	}
}

// markdownFaults checks that blocks of code end, and that no text became markup. Tables must have as many
// cells in each row as in their head.
func markdownFaults(t *testing.T, text string) {
	t.Helper()
	fence, columns := "", 0
	for i, l := range strings.Split(text, "\n") {
		at := fmt.Sprintf("line %d, %.120q", i+1, l)
		trimmed := strings.TrimSpace(l)
		switch {
		case fence != "":
			if trimmed == fence {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") && strings.Trim(trimmed, "`") == "":
			fence = trimmed
		case strings.HasPrefix(l, "|"):
			n := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
			if columns == 0 {
				columns = n
			}
			if n != columns {
				t.Errorf("%s: %d cells, not %d", at, n-1, columns-1)
			}
		default:
			columns = 0
			rest := strings.NewReplacer("<details><summary>", "", "</summary>", "", "</details>", "", `\<`, "").Replace(l)
			if i := strings.IndexByte(rest, '<'); i >= 0 && !strings.HasPrefix(rest[i:], "<http") && !strings.Contains(rest[:i], "`") {
				t.Errorf("%s: markup", at)
			}
		}
	}
	if fence != "" {
		t.Error("a block of code without an end")
	}
}
