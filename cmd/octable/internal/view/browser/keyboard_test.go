package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press presses keys, one after the other, where the focus is.
func (p *page) press(keys ...string) {
	p.Helper()
	p.pressWith(0, keys...)
}

// pressWith is press with Shift or Control.
func (p *page) pressWith(m input.Modifier, keys ...string) {
	p.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k, chromedp.KeyModifiers(m)))
		p.settle()
	}
}

// focused describes the element that has the focus, with "hidden focus" if its outline does not show.
const focused = `(() => {
	const e = document.activeElement;
	if (!e || e === document.body) return "body";
	const s = getComputedStyle(e);
	const seen = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || e.matches(".menu button");
	const r = e.getBoundingClientRect();
	const name = e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 40);
	return (seen ? "" : "hidden focus ") + (r.width > 0 && r.height > 0 ? "" : "no box ") + e.tagName.toLowerCase() + " " + name;
})()`

// focus waits until an element has the focus, visibly.
func (p *page) focus(want string) {
	p.Helper()
	p.is(focused, want)
}

// tabTo presses the tab key until an element has the focus.
func (p *page) tabTo(want string, m input.Modifier) {
	p.Helper()
	for range 60 {
		p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(m)))
		if p.eval(focused) == want {
			return
		}
	}
	p.shot("failed")
	p.Fatalf("the tab key does not come to %q; the focus is on %q", want, p.eval(focused))
}

// Everything is done by keys alone.
func TestKeyboard(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		saved := t.TempDir()
		program := cdp.WithExecutor(p.ctx, chromedp.FromContext(p.ctx).Browser)
		if err := browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(saved).Do(program); err != nil {
			t.Fatal(err)
		}
		p.eval(`(navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); })`)
		p.keysOpen("a.bin", unhex(t, dictionary))
		p.keysBytes()
		p.keysValues()
		p.keysRows()
		p.keysVersions()
		p.keysEditor()

		p.pressWith(input.ModifierShift, kb.F6, kb.F6, kb.F6, kb.F6, kb.F6)
		p.focus("button Open…")
		p.tabTo("button Copy as…", 0)
		p.press(kb.Enter, "j")
		p.focus("button JSON")
		p.press(kb.Enter)
		p.focus("button Copy as…")
		p.is(`JSON.stringify(JSON.parse(window.copied).list)`, `[42,"hi"]`)
		p.press(kb.Enter, kb.Escape)
		p.focus("button Copy as…")
		p.pressWith(input.ModifierCtrl, "s")
		got := []byte(nil)
		for end := time.Now().Add(time.Minute); len(got) == 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			got, _ = os.ReadFile(filepath.Join(saved, "a.bin"))
		}
		if want := unhex(t, dictionary); string(got) != string(want) {
			t.Errorf("the file that was saved has %x, want %x", got, want)
		}
	})
}

// keysOpen opens a file by the keyboard.
func (p *page) keysOpen(name string, data []byte) {
	p.Helper()
	file := filepath.Join(p.TempDir(), name)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		p.Fatal(err)
	}
	chosen := make(chan cdp.BackendNodeID, 1)
	chromedp.ListenTarget(p.ctx, func(e any) {
		if e, ok := e.(*cdppage.EventFileChooserOpened); ok {
			chosen <- e.BackendNodeID
		}
	})
	p.do(cdppage.SetInterceptFileChooserDialog(true))
	p.tabTo("button Open…", 0)
	p.press(kb.Enter)
	select {
	case node := <-chosen:
		p.do(dom.SetFileInputFiles([]string{file}).WithBackendNodeID(node))
	case <-time.After(time.Minute):
		p.Fatal("the button does not ask for a file")
	}
	p.is(`document.querySelector("#bar .title").textContent.split(",")[0]`, name)
	p.settle()
}

// rangeShown is what the panes mark for a range of bytes. It is the values, whether several rows of the schema or
// document are marked, and the crumbs.
const rangeShown = `[
	[...document.querySelectorAll("#pane-tree .line.on .label")].map(e => e.textContent).join("+"),
	document.querySelectorAll("#pane-schema .line.on, #pane-document tr.on").length > 1,
	document.querySelector("#crumbs").textContent,
].join(" | ")`

// keysBytes moves in the pane of bytes, selects a range, and edits.
func (p *page) keysBytes() {
	before := strings.ReplaceAll(dictionary, " ", "")
	p.press(kb.F6)
	p.focus("div Bytes")
	p.press(kb.End)
	p.selected("0000")
	p.press(kb.Home)
	p.selected("1b000000")
	p.pressWith(input.ModifierCtrl, kb.ArrowRight)
	p.selected("02000000")
	p.press(kb.Home)
	p.pressWith(input.ModifierShift, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.selected("1b00000002000000")
	p.is(rangeShown, "header+word | true | Dictionary0x0 to 0x7, 8 bytes")
	p.shot("range")
	p.press(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown)
	for range 10 { // to the third byte of the number
		p.press(kb.ArrowRight)
	}
	p.selected("2a000000")
	p.press("0", "7")
	p.digits(strings.Replace(before, "2a000000", "2a000700", 1))
	p.pressWith(input.ModifierCtrl, "z")
	p.digits(before)
	p.pressWith(input.ModifierCtrl|input.ModifierShift, "Z")
	p.digits(strings.Replace(before, "2a000000", "2a000700", 1))
	p.pressWith(input.ModifierCtrl, "z")
	p.press(kb.End, kb.Insert)
	p.digits(strings.TrimSuffix(before, "0000") + "000000")
	p.pressWith(input.ModifierCtrl, "z")
	p.press(kb.End, kb.Delete)
	p.is(`document.querySelector("#bar .title").textContent.includes("70 bytes")`, "true")
	p.pressWith(input.ModifierCtrl, "z")
	p.digits(before)
}

// keysValues moves in the tree, and edits a value, elements and pairs.
func (p *page) keysValues() {
	before := strings.ReplaceAll(dictionary, " ", "")
	line := `document.querySelector("#pane-tree .line.here .label")?.textContent`
	p.press(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown)
	for range 8 {
		p.press(kb.ArrowRight)
	}
	p.press(kb.F6)
	p.focus("div Values")
	p.is(line, "value")
	p.press(kb.ArrowLeft)
	p.is(line, "[0]")
	p.press(kb.F2)
	p.focus("textarea Value")
	p.press("4", "3", kb.Enter)
	p.focus("div Values")
	p.digits(strings.Replace(before, "2a000000", "2b000000", 1))
	p.press(kb.F2, "5", kb.Escape)
	p.focus("div Values")
	p.pressWith(input.ModifierCtrl, "z")
	p.digits(before)
	p.press(kb.ArrowLeft)
	p.is(line, "[0]")
	p.press(kb.ArrowLeft, kb.ArrowUp, kb.ArrowDown)
	p.is(line, "[0]")
	p.press(kb.Insert)
	p.digits(strings.Replace(before, "02000000020000002a000000", "03000000020000002a000000020000002a000000", 1))
	p.press(kb.Delete)
	p.digits(before)
	p.pressWith(input.ModifierCtrl, "z", "z")
	p.digits(before)
	p.press(kb.Home, kb.ArrowDown)
	p.is(line, "header")
	p.pressWith(input.ModifierShift, kb.ArrowDown)
	p.selected("1b00000002000000")
	p.press(kb.End, kb.ArrowLeft)
	for range 20 { // to the pair
		if p.eval(line) == `["list"]` {
			break
		}
		p.press(kb.ArrowUp)
	}
	p.press(kb.Insert)
	p.focus("input Key of a new pair")
	p.press(`"`, "k", `"`, kb.Enter)
	p.focus("div Values")
	p.is(`document.querySelector("#pane-bytes").textContent.includes("k···")`, "true")
	p.pressWith(input.ModifierCtrl, "z")
	p.digits(before)
}

// keysRows moves in the schema and in the document.
func (p *page) keysRows() {
	p.press(kb.Home, kb.ArrowDown, kb.F6)
	p.focus("div Schema")
	p.selected("1b000000")
	now := p.eval(`document.querySelector("#pane-schema .line.here").textContent`)
	p.press(kb.ArrowDown)
	p.is(fmt.Sprintf(`document.querySelector("#pane-schema .line.here").textContent === %q`, now), "false")
	p.press(kb.ArrowUp, kb.Enter)
	p.selected("04000000") // the next value that the row has read
	p.press(kb.F6)
	p.focus("article Document")
	p.press(kb.ArrowDown)
	row := p.eval(`document.querySelector("#pane-document tr.on").textContent`)
	p.press(kb.ArrowDown)
	p.is(fmt.Sprintf(`document.querySelector("#pane-document tr.on").textContent === %q`, row), "false")
	p.ranges()
}

// ranges selects ranges in the document and in the schema.
func (p *page) ranges() {
	p.Helper()
	const digits = `[...document.querySelectorAll("#pane-bytes .digits .on")].map(e => e.textContent).join("")`
	extend := func(pane string) {
		p.Helper()
		p.focus(pane)
		before := p.eval(digits)
		after := before
		for n := 0; len(after) <= len(before) && n < 40; n++ {
			p.pressWith(input.ModifierShift, kb.ArrowDown)
			after = p.eval(digits)
		}
		if len(after) <= len(before) {
			p.Fatalf("%s: Shift with the arrow does not extend the bytes %s", pane, before)
		}
		p.wait(`document.querySelectorAll("#pane-schema .line.on, #pane-document tr.on").length > 1`)
	}
	extend("article Document")
	p.pressWith(input.ModifierShift, kb.F6, kb.F6, kb.F6)
	p.focus("div Bytes")
	p.press(kb.Home)
	p.pressWith(input.ModifierCtrl, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.selected("03000000") // the length of the first key
	p.press(kb.F6, kb.F6)
	extend("div Schema")
	p.selected("03000000706f73")
	p.press(kb.F6)
	p.focus("article Document")
}

// keysVersions chooses another version, looks at the differences, and returns.
func (p *page) keysVersions() {
	p.press(kb.F6)
	p.focus("button Gallery")
	p.press(kb.Tab)
	p.focus("button Versions")
	p.press(kb.Enter)
	p.wait(`document.querySelectorAll("#tool table button").length > 3`)
	p.press(kb.F6)
	for range 40 {
		if strings.HasPrefix(p.eval(focused), "button godot-2") {
			break
		}
		p.press(kb.Tab)
	}
	p.press(kb.Enter)
	p.wait(`document.querySelectorAll("#tool .compare tbody tr").length > 0`)
	p.focus("button Differences")
	p.is(`document.querySelector("select[aria-label=Schema]").value`, "godot-2")
	p.shot("differences")
	p.press(kb.F6)
	p.focus("div Bytes")
	p.press(kb.Escape)
	p.focus("button Differences")
	p.is(`document.querySelector("#tool").hidden`, "true")
	p.pressWith(input.ModifierCtrl, "z")
	p.is(`document.querySelector("select[aria-label=Schema]").value`, "godot-4.4")
}

// keysEditor opens the schema editor, writes in it, and leaves it.
func (p *page) keysEditor() {
	schema := `document.querySelector("select[aria-label=Schema]").value.slice(0, 5)`
	p.press(kb.Tab)
	p.focus("button Schema editor")
	p.press(kb.Enter)
	p.wait(`document.querySelector("textarea.source").value.includes('schema "godot-4.4"')`)
	p.press(kb.F6)
	p.focus("textarea Text of the schema")
	p.pressWith(input.ModifierCtrl, kb.Home)
	time.Sleep(time.Second) // longer than the editor waits
	p.settle()
	p.is(schema, "godot")
	p.press(" ")
	p.is(schema, "text:")
	p.press(kb.Backspace)
	p.is(schema, "godot")
	p.pressWith(input.ModifierCtrl, " ")
	p.wait(`!document.querySelector(".words").hidden`)
	p.press(kb.Escape)
	p.wait(`document.querySelector(".words").hidden`)
	p.focus("textarea Text of the schema")
	p.pressWith(input.ModifierShift, kb.Tab)
	p.is(focused+`.includes("textarea")`, "false")
	p.press(kb.Tab)
	p.focus("textarea Text of the schema")
	p.press(kb.Escape)
	p.focus("button Schema editor")
	p.is(`document.querySelector("#tool").hidden`, "true")
}

// The tab key comes to every control and back to the first, and the focus shows at each.
func TestTab(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.click("Schema editor")
		p.wait(`document.querySelector("textarea.source").value !== ""`)
		p.do(chromedp.Focus(`#bar button`, chromedp.ByQuery))
		first := ""
		seen := 0
		for ; seen < 1000; seen++ {
			p.do(chromedp.KeyEvent(kb.Tab))
			at := p.eval(focused)
			if strings.Contains(at, "hidden focus") || strings.Contains(at, "no box") {
				t.Errorf("after %d tabs: %s", seen, at)
			}
			if first == "" {
				first = at
			} else if at == first {
				break
			}
		}
		p.Logf("%d controls", seen)
		if seen < 20 || seen == 1000 {
			t.Errorf("the tab key comes back to %q after %d controls", first, seen)
		}
	})
}
