package browser

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// awaitPromise evaluates to what a promise resolves to.
func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// {"pos": Vector2(1, 2), "list": [42, "hi"]}
const dictionary = "1b000000 02000000 04000000 03000000 706f7300 05000000 0000803f 00000040 04000000 04000000 6c697374 1c000000 02000000 02000000 2a000000 04000000 02000000 68690000"

// A selection in one pane is a selection in all.
func TestSelection(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		for expression, want := range map[string]string{
			`[...document.querySelectorAll("#pane-tree .line.on span")].map(e => e.textContent).join(" ").replace(/ +/g, " ").trim()`: "value 42 32-bit signed integer",
			`[...document.querySelectorAll("#pane-bytes .digits .on")].map(e => e.textContent).join("")`:                              "2a000000",
			`document.querySelector("#pane-schema .line.on").innerText.includes("32-bit signed integer")`:                             "true",
			`document.querySelector("#pane-document tr.on") !== null`:                                                                 "true",
			`document.querySelector("#crumbs .range").textContent`:                                                                    "0x38 to 0x3b, 4 bytes",
			`document.querySelector("#crumbs").innerText.includes("list")`:                                                            "true",
			`document.querySelector(".row-info").innerText.includes("int.value")`:                                                     "true",
			`document.querySelectorAll("#pane-bytes .digits .k-padding").length`:                                                      "3",
			`document.querySelectorAll("#pane-bytes .digits .k-derived").length > 0`:                                                  "true",
			`document.querySelectorAll("#pane-bytes .digits .k-flags").length > 0`:                                                    "true",
			`document.querySelector("#pane-schema .tabs [aria-selected=true]").textContent.includes(".oct")`:                          "true",
		} {
			p.is(expression, want)
		}
		p.shot("wide")
		p.key(`#pane-tree [role=tree]`, kb.ArrowUp)
		p.selected("02000000")
		p.do(chromedp.Click(`#pane-document td`, chromedp.ByQuery))
		p.settle()
		p.is(`document.querySelectorAll("#pane-schema .line.on").length`, "1")
		p.narrow()
		p.settle()
		p.is(`document.documentElement.scrollWidth`, "390")
		p.shot("narrow")
	})
}

// Values and bytes are edited, undone, and redone.
func TestEditing(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		before := strings.ReplaceAll(dictionary, " ", "")
		p.open("a.bin", unhex(t, dictionary))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="69"]`, chromedp.ByQuery))
		p.settle()
		p.do(chromedp.SetValue(`textarea[aria-label="Value"]`, "hello", chromedp.ByQuery))
		p.click("Set")
		after := strings.Replace(before, "0200000068690000", "0500000068656c6c6f000000", 1)
		p.digits(after)
		p.shot("edited")
		p.click("Undo")
		p.digits(before)
		p.click("Redo")
		p.digits(after)
		// undo selects what the change was about, and not what the change before it was about
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		p.do(chromedp.SetValue(`textarea[aria-label="Value"]`, "7", chromedp.ByQuery))
		p.click("Set")
		p.digits(strings.Replace(after, "2a000000", "07000000", 1))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="69"]`, chromedp.ByQuery))
		p.settle()
		p.click("Undo")
		p.digits(after)
		p.wait(`document.querySelector("#pane-tree .line.on")?.textContent.includes("42")`)
		p.click("Undo")
		p.digits(before)
		p.wait(`document.querySelector("#pane-tree .line.on")?.textContent.includes("hi")`)
		// digits in the pane of bytes: 2a becomes 07
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		p.key(`#pane-bytes [role=grid]`, "0")
		p.key(`#pane-bytes [role=grid]`, "7")
		p.digits(strings.Replace(before, "2a000000", "07000000", 1))
		// a wrong count is an error, and what was read before it stays
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="48"]`, chromedp.ByQuery))
		p.settle()
		p.key(`#pane-bytes [role=grid]`, "0")
		p.key(`#pane-bytes [role=grid]`, "9")
		p.wait(`document.querySelector("#faults .fault") !== null`)
		p.is(`document.querySelectorAll("#pane-tree .line").length > 3`, "true")
		p.shot("error")
	})
}

// The schema of a packet is edited, and the packet follows.
func TestSchemaEditor(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, "05 61"))
		chosen := `document.querySelector("select[aria-label=Schema]").value`
		before := p.eval(chosen)
		p.click("Schema editor")
		p.wait(`document.querySelector("textarea.source").value !== ""`)
		time.Sleep(time.Second) // longer than the editor waits
		p.settle()
		p.is(chosen, before) // nothing is edited yet
		const text = "schema \"t\" {\n    order little\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | first | \"one\"\n    | 1 | 1 | u8 | second | \"two\"\n}\n"
		set := func(text string) {
			p.eval(fmt.Sprintf(`(() => { const a = document.querySelector("textarea.source"); a.value = %q; a.dispatchEvent(new Event("input")); })()`, text))
		}
		set(text)
		p.wait(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "second")`)
		p.shot("editor")
		set(strings.Replace(text, "u8 | second", "u9 | second", 1))
		p.wait(`document.querySelector(".problems .fault") !== null`)
		set(strings.Replace(text, "| second", "| renamed", 1))
		p.wait(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "renamed")`)
		p.is(chosen+`.startsWith("text:")`, "true")
		p.click("Start again")
		p.is(chosen, before)
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "godot-2", chromedp.ByQuery))
		p.is(`document.querySelector("#tool").getAttribute("aria-label")`, "Differences")
		p.click("Schema editor")
		p.wait(`document.querySelector("textarea.source").value.includes('schema "godot-2"')`)
		set(text) // a text that is edited stays
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "godot-3", chromedp.ByQuery))
		p.is(`document.querySelector("#tool").getAttribute("aria-label")`, "Differences")
		p.click("Schema editor")
		p.is(`document.querySelector("textarea.source").value.includes('schema "t"')`, "true")
	})
}

// Versions are proposed; another one shows what it reads differently.
func TestVersions(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.click("Versions")
		p.wait(`document.querySelectorAll("#tool table button").length > 3`)
		p.shot("versions")
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "godot-2", chromedp.ByQuery))
		p.wait(`document.querySelectorAll("#tool .compare tbody tr").length > 0`)
		p.settle()
		p.shot("differences")
		p.is(`document.querySelectorAll("#pane-bytes .digits .diff").length > 0`, "true")
	})
}

// A link holds the packet. Damaged links are refused.
func TestLink(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.click("Link")
		p.wait(`location.hash.startsWith("#packet=")`)
		p.do(chromedp.Reload())
		p.wait(`document.querySelector("#bar .title")?.textContent.startsWith("a.bin, 72 bytes")`)
		p.settle()
		p.digits(strings.ReplaceAll(dictionary, " ", ""))
		for _, hash := range []string{"#packet=!", "#packet=AAAA", "#packet=" + strings.Repeat("A", 1000)} {
			p.eval(fmt.Sprintf(`(location.hash = %q)`, hash))
			p.wait(`document.querySelector("#faults .fault")?.textContent.includes("link")`)
		}
	})
}

// The text form is edited, and the run is stepped through.
func TestTextForm(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, "04000000 02000000 61620000"))
		p.click("Text form")
		p.wait(`document.querySelector("textarea.assembly").value.includes("length = 2")`)
		p.eval(`(() => { const a = document.querySelector("textarea.assembly"); a.value = a.value.replace("length = 2", "length 1 != 2"); })()`)
		p.click("Assemble")
		p.digits("040000000100000061620000")
		p.click("Undo")
		p.click("Step")
		p.click("Next row")
		p.wait(`document.querySelector(".state") !== null`)
		p.click("Step ▶")
		p.shot("step")
		p.click("End")
		p.wait(`document.querySelector("#tool").innerText.includes("ab")`)
	})
}

// Content of packets and names of files cannot be markup.
func TestMarkup(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		text := `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`
		b := append(unhex(t, "04000000"), byte(len(text)), 0, 0, 0)
		b = append(b, text...)
		b = append(b, make([]byte, -len(b)&3)...)
		p.open("<b>.bin", b)
		for _, tool := range []string{"Versions", "Text form", "Step"} {
			p.click(tool)
		}
		p.settle()
		p.is(`[window.hit, document.querySelectorAll("img, b, main script").length].join()`, ",0")
	})
}

// Large packets scroll, and long lists open.
func TestLarge(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		n := 100_000
		b := unhex(t, "1c000000 a0860100")
		b = append(b, bytes.Repeat(unhex(t, "02000000 07000000"), n)...)
		p.open("list.bin", b)
		p.eval(`window.began = performance.now()`)
		p.do(chromedp.Click(`//span[@class="label"][text()="elements"]/../span[@class="twist"]`, chromedp.BySearch))
		p.wait(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "[3]")`)
		p.Logf("100,000 elements open in %s ms", p.eval(`Math.round(performance.now() - window.began)`))
		p.key(`#pane-tree [role=tree]`, kb.End)
		p.wait(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "[99999]")`)
		p.is(`document.querySelectorAll("#pane-tree .line").length < 100`, "true")
		p.shot("elements")
		bytes10 := append(unhex(t, "1d000000 00009000"), make([]byte, 0x900000)...)
		p.open("bytes.bin", bytes10)
		frames := p.eval(`0`)
		p.do(chromedp.Evaluate(`new Promise(done => {
			const list = document.querySelector("#pane-bytes .virtual, #pane-bytes.virtual") ?? document.querySelector("[role=grid]");
			const times = []; let last = performance.now(), k = 0;
			const step = now => { times.push(now - last); last = now; list.scrollTop += 400; if (++k < 120) requestAnimationFrame(step); else { times.sort((a, b) => a - b); done("median " + times[60].toFixed(1) + " ms, 95% " + times[114].toFixed(1) + " ms"); } };
			requestAnimationFrame(step);
		})`, &frames, awaitPromise))
		p.Logf("9 MB scroll: frames of %s", frames)
		p.shot("scrolled")
		longList(p)
	})
}

// longList scrolls the elements, a list that is higher than elements can be. It scrolls by small steps line
// by line, by its scrollbar to any place, and to its ends.
func longList(p *page) {
	const list = `document.querySelector("#pane-tree [role=tree]")`
	const first = `(r => document.elementFromPoint(r.x + 60, r.y + 11)?.closest(".line")?.querySelector(".label")?.textContent)(` + list + `.getBoundingClientRect())`
	by := func(distance int) { p.eval(fmt.Sprintf(list+`.scrollTop += %d`, distance)) }
	element := func() (n int) {
		p.wait(`/^\[[0-9]+\]$/.test(` + first + `)`)
		if _, err := fmt.Sscanf(p.eval(first), "[%d]", &n); err != nil {
			p.Fatal(err)
		}
		return n
	}
	for _, share := range []float64{0.1, 0.5, 0.9} {
		p.eval(fmt.Sprintf(list+`.scrollTop = %g * `+list+`.scrollHeight`, share))
		p.settle()
		before := element()
		if before < 1000 || before > 0x900000-1000 {
			p.Errorf("the scrollbar at %g shows element %d", share, before)
		}
		for _, lines := range []int{1, 40, 400, -300} {
			by(22 * lines)
			time.Sleep(300 * time.Millisecond) // the scrollbar is put to its place then
			if after := element(); after != before+lines {
				p.Errorf("at %g, the list moves from element %d to %d, want %d lines", share, before, after, lines)
			}
			before += lines
		}
	}
	p.key(`#pane-tree [role=tree]`, kb.End)
	p.wait(fmt.Sprintf(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "[%d]")`, 0x900000-1))
	p.is(fmt.Sprintf(`Math.abs(%[1]s.scrollTop + %[1]s.clientHeight - %[1]s.scrollHeight) < 20000`, list), "true")
	p.key(`#pane-tree [role=tree]`, kb.Home)
	p.is(list+`.scrollTop`, "0")
}

// The gallery has the schemas with their examples to start from. The document of a schema has its changes.
func TestGallery(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.click("Gallery")
		p.wait(`document.querySelectorAll("#tool .gallery details").length > 20`)
		p.do(chromedp.Click(`//section[@id="tool"]//summary[strong="png"]`, chromedp.BySearch))
		p.wait(`[...document.querySelectorAll("#tool .gallery button")].some(e => e.textContent === "black")`)
		p.shot("gallery")
		p.click("black")
		p.wait(`document.querySelector("#bar .title").textContent.startsWith("black, ")`)
		p.is(`document.querySelector("select[aria-label=Schema]").value`, "png")
		p.is(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "width")`, "true")
		p.click("Edit the schema")
		p.wait(`document.querySelector("textarea.source")?.value.includes('schema "png"')`)
		p.settle()
		p.is(`document.querySelector("select[aria-label=Schema]").value`, "png") // nothing is edited yet
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "godot-4.4", chromedp.ByQuery))
		p.settle()
		p.click("Changes")
		p.wait(`[...document.querySelectorAll("#pane-document h3")].some(e => e.textContent === "Changes")`)
		p.shot("changes")
	})
}

// A stream is stepped through, from value to value.
func TestStepStream(t *testing.T) {
	eachBackEnd(t, func(p *page) {
		p.open("stream.bin", unhex(t, "08000000 02000000 05000000 08000000 02000000 07000000"))
		p.click("Step")
		p.click("End")
		p.wait(`document.querySelector("#tool .state dd")?.textContent === "1 of 2"`)
		p.click("Step ▶")
		p.wait(`document.querySelector("#tool .state dd")?.textContent === "2 of 2"`)
		p.click("End")
		p.is(`document.querySelector("#tool").innerText.includes("int(7)")`, "true")
		p.click("Previous value")
		p.wait(`document.querySelector("#tool .state dd")?.textContent === "1 of 2"`)
	})
}

// Screenshots of all tools, wide and narrow, in light and dark, to be looked at. They are kept with -shots only.
func TestLook(t *testing.T) {
	if *shots == "" {
		t.Skip("it keeps screenshots for people to look at: go test -run TestLook -shots FOLDER does")
	}
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		for _, tool := range []string{"", "Gallery", "Versions", "Schema editor", "Text form", "Step"} {
			if tool != "" {
				p.click(tool)
			}
			for _, width := range []int64{1440, 390} {
				p.do(emulation.SetDeviceMetricsOverride(width, 900, 1, width < 700))
				for _, scheme := range []string{"light", "dark"} {
					p.eval(fmt.Sprintf(`(document.documentElement.style.colorScheme = %q)`, scheme))
					p.settle()
					p.is(`document.documentElement.scrollWidth`, fmt.Sprint(width))
					if tool != "" && width == 390 {
						p.eval(`document.querySelector("#tool").scrollIntoView()`)
					}
					p.shot(fmt.Sprintf("%s-%d-%s", strings.ReplaceAll(tool, " ", "-"), width, scheme))
				}
			}
			p.do(emulation.SetDeviceMetricsOverride(1440, 900, 1, false))
		}
	})
}
