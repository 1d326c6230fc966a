package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAccessible checks that the page has no violation of the rules of axe-core. It tries the light and the dark scheme,
// each tool open, and the width of a telephone. Both back ends have the same page, so it is examined with one.
// OCTABLE_AXE is the folder of the npm package.
func TestAccessible(t *testing.T) {
	folder := os.Getenv("OCTABLE_AXE")
	if folder == "" {
		t.Skip("set OCTABLE_AXE to the folder with node_modules/axe-core; .ci/run installs it and runs this test")
	}
	script, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	withServer(t, chromium(t), []string{"-call-time", "2m"}, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		p.do(chromedp.Evaluate(string(script), nil))
		check := func(name string) {
			t.Helper()
			p.settle()
			var text string
			p.do(chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; "))}))))`, &text, awaitPromise))
			var found []struct {
				ID, Help string
				Nodes    []string
			}
			if err := json.Unmarshal([]byte(text), &found); err != nil {
				t.Fatal(err)
			}
			for _, v := range found {
				t.Errorf("%s: %s, %s:\n\t%s", name, v.ID, v.Help, strings.Join(v.Nodes, "\n\t"))
			}
		}
		check("light")
		p.eval(`(document.documentElement.style.colorScheme = "dark")`)
		check("dark")
		p.shot("dark")
		for _, tool := range []string{"Gallery", "Versions", "Schema editor", "Text form", "Step"} {
			p.click(tool)
			check(tool)
		}
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "godot-2", chromedp.ByQuery))
		p.wait(`document.querySelectorAll("#tool .compare tbody tr").length > 0`)
		check("Differences")
		p.shot("differences")
		p.narrow()
		check("narrow")
	})
}
