package browser

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// Elements and pairs are inserted and removed, and the counts follow.
func TestElements(t *testing.T) {
	const (
		list   = "1c000000 02000000 02000000 2a000000 04000000 02000000 68690000"
		copied = "1c000000 03000000 02000000 2a000000 02000000 2a000000 04000000 02000000 68690000"
		first  = "1c000000 03000000 03000000 0000803f 02000000 2a000000 04000000 02000000 68690000"
		only   = "1c000000 01000000 04000000 02000000 68690000"
		pairs  = "1b000000 01000000 02000000 05000000 01000000 01000000"
		more   = "1b000000 02000000 02000000 05000000 01000000 01000000 04000000 01000000 6b000000 02000000 07000000"
	)
	eachBackEnd(t, func(p *page) {
		value := func(text string) { p.do(chromedp.SetValue(`textarea[aria-label="Value"]`, text, chromedp.ByQuery)) }
		element := func(label string) {
			p.wait(fmt.Sprintf(`[...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === %q)`, label))
			p.do(chromedp.Click(fmt.Sprintf(`//section[@id="pane-tree"]//span[@class="label"][text()='%s']`, label), chromedp.BySearch))
			p.settle()
		}
		p.open("list.bin", unhex(t, list))
		p.byteAt(12)
		element("[0]")
		p.click("Insert after")
		p.digits(copied)
		p.click("Undo")
		p.digits(list)
		element("[0]")
		value("1.0")
		p.click("Insert before")
		p.digits(first)
		p.is(`document.querySelector("#pane-tree .line.on").textContent.includes("float1")`, "true")
		p.click("Undo")
		element("[0]")
		p.click("Remove")
		p.digits(only)
		element("[0]")                            // lists that are open stay open
		p.key(`#pane-tree [role=tree]`, "\u007f") // Delete
		p.digits("1c000000 00000000")
		p.click("Undo")
		p.click("Undo")
		p.digits(list)
		// a value that cannot be read is refused, and the packet stays
		element("[0]")
		value("Vector2(")
		p.click("Insert after")
		p.wait(`document.querySelector("#faults .fault") !== null`)
		p.digits(list)
		p.open("pairs.bin", unhex(t, pairs))
		p.byteAt(12)
		element("[5]")
		p.click("Insert after")
		p.wait(`document.querySelector("#faults .fault")?.textContent.includes("key")`)
		p.do(chromedp.SendKeys(`input[aria-label="Key of a new pair"]`, `"k"`, chromedp.ByQuery))
		value("7")
		p.click("Insert after")
		p.digits(more)
		p.shot("pairs")
		element(`["k"]`)
		p.click("Remove")
		p.digits(pairs)
	})
}

// Each form of "Copy as" has the bytes or the values of the packet.
func TestCopy(t *testing.T) {
	packet := unhex(t, dictionary)
	eachBackEnd(t, func(p *page) {
		p.open("a.bin", packet)
		p.eval(`(navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); })`)
		names := map[string]string{"hex": "Hexadecimal digits", "text": "Notation of the schema", "json": "JSON", "go": "Go literal", "typescript": "TypeScript literal",
			"python": "Python literal", "gdscript": "GDScript literal", "assembly": "Text form (octable asm)"}
		copied := func(form string) string {
			t.Helper()
			p.eval(`(window.copied = undefined)`)
			p.click("Copy as…")
			p.click(names[form])
			p.wait(`window.copied !== undefined`)
			return p.eval(`window.copied`)
		}
		same := func(form string, got []byte) {
			t.Helper()
			if !bytes.Equal(got, packet) {
				p.Errorf("%s: the copy has the bytes %x, want %x", form, got, packet)
			}
		}
		same("hex", unhex(t, strings.ReplaceAll(strings.TrimSpace(copied("hex")), "\n", "")))
		same("go", listed(t, copied("go"), `^\[\]byte\{(?s:(.*))\}\n$`))
		same("gdscript", listed(t, copied("gdscript"), `^PackedByteArray\(\[(?s:(.*))\]\)\n$`))
		same("typescript", unhex(t, p.eval(fmt.Sprintf(`[...(%s)].map(x => x.toString(16).padStart(2, "0")).join("")`, copied("typescript")))))
		same("python", quoted(t, copied("python")))
		if python, err := exec.LookPath("python3"); err == nil {
			out, err := exec.Command(python, "-c", "print("+copied("python")+".hex())").Output()
			if err != nil {
				t.Fatal(err)
			}
			same("python", unhex(t, strings.TrimSpace(string(out))))
		}
		if got, want := strings.Join(strings.Fields(copied("text")), " "), `{ "pos": Vector2(1, 2), "list": [42, "hi"] }`; got != want {
			p.Errorf("text: the copy is %s, want %s", got, want)
		}
		if got, want := p.eval(fmt.Sprintf(`JSON.stringify(JSON.parse(%q))`, copied("json"))), `{"pos":{"$type":"Vector2","value":[1,2]},"list":[42,"hi"]}`; got != want {
			p.Errorf("json: the copy is %s, want %s", got, want)
		}
		program, _ := built(t)
		cmd := exec.Command(program, "asm", "-raw")
		cmd.Stdin = strings.NewReader(copied("assembly"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		same("assembly", out)
	})
}

// listed returns the bytes of a list of numbers with commas, which is the group of a pattern.
func listed(t *testing.T, text, pattern string) []byte {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the copy does not match %s:\n%s", pattern, text)
	}
	var out []byte
	for word := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return strings.ContainsRune(", \n\t", r) }) {
		n, err := strconv.ParseUint(word, 0, 8)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, byte(n))
	}
	return out
}

// quoted returns the bytes of literals of Python, whose escapes Go has, too.
func quoted(t *testing.T, text string) []byte {
	t.Helper()
	var out []byte
	for _, literal := range regexp.MustCompile(`b("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(text, -1) {
		s, err := strconv.Unquote(literal[1])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s...)
	}
	return out
}

// An encrypted file is opened with its key, edited, and saved with the same key.
func TestSaveWithKey(t *testing.T) {
	const key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	octable, _ := built(t)
	dir := t.TempDir()
	in, keyFile := filepath.Join(dir, "in.dat"), filepath.Join(dir, "key")
	if err := os.WriteFile(keyFile, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(octable, "encode", "-key", "file:"+keyFile, "-o", in, `{"a": 41}`).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	eachBackEnd(t, func(p *page) {
		saved := t.TempDir()
		program := cdp.WithExecutor(p.ctx, chromedp.FromContext(p.ctx).Browser)
		err := browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(saved).Do(program)
		if err != nil {
			t.Fatal(err)
		}
		p.pick("save.dat", file)
		p.wait(`document.querySelector("dialog").open`)
		p.do(chromedp.SetValue(`dialog select`, "key", chromedp.ByQuery))
		p.do(chromedp.SendKeys(`dialog input`, "12\r", chromedp.ByQuery))
		p.wait(`document.querySelector("dialog").open && document.querySelector("dialog p").textContent.includes("64 hexadecimal digits")`)
		p.do(chromedp.SendKeys(`dialog input`, key+"\r", chromedp.ByQuery))
		p.wait(`document.querySelector("#bar .title").textContent.includes("encrypted (GDEC of Godot 4)")`)
		p.settle()
		p.byteAt(24)
		p.do(chromedp.SetValue(`textarea[aria-label="Value"]`, "42", chromedp.ByQuery))
		p.click("Set")
		p.wait(`document.querySelector("#pane-bytes .digits [data-at='24']").textContent === "2a"`)
		p.click("Save")
		got := ""
		for end := time.Now().Add(time.Minute); got == "" && time.Now().Before(end); time.Sleep(50 * time.Millisecond) { // until the file is complete
			out, _ := exec.Command(octable, "decode", "-key", "file:"+keyFile, filepath.Join(saved, "save.dat")).Output()
			got = strings.TrimSpace(string(out))
		}
		if got != `{"a": 42}` {
			p.Errorf("the file that was saved has %q", got)
		}
	})
}

// A schema with those that are beside its file: "view -spec" opens all, and a link holds all.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	base := "schema \"base\" {\n    order little\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | first | \"of the schema beside\"\n}\n"
	own := "schema \"own\" extends \"base\" {\n}\n\nextend T {\n    | 1 | 2 | u16 | second | \"of the schema itself\"\n}\n"
	for name, text := range map[string]string{"base.oct": base, "own.oct": own, "p.bin": "\x05\x07\x00"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, folder := built(t)
	link := ""
	eachBackEndOf(t, folder, []string{"-call-time", "2m", "-spec", filepath.Join(dir, "own.oct"), filepath.Join(dir, "p.bin")}, func(p *page) {
		if p.server == nil { // the static page has no files of a command
			if link == "" {
				p.Skip("the test of the server makes the link that this page opens: go test -run TestBeside runs both")
			}
			p.eval(fmt.Sprintf(`(location.hash = %q)`, link))
		}
		p.wait(`document.querySelector("#bar .title").textContent.startsWith("p.bin, 3 bytes")`)
		labels := `[...document.querySelectorAll("#pane-tree .label")].map(e => e.textContent).filter(t => t === "first" || t === "second" || t === "renamed").join()`
		p.is(labels, "first,second")
		p.settle()
		p.byteAt(0)
		p.is(`document.querySelector("#pane-schema .tabs [aria-selected=true]").textContent`, "base.oct")
		p.byteAt(1)
		p.is(`document.querySelector("#pane-schema .line.on").innerText.includes("second")`, "true")
		if p.server != nil {
			p.click("Link")
			p.wait(`location.hash.startsWith("#packet=")`)
			link = p.eval(`location.hash`)
		}
		p.click("Schema editor")
		p.eval(`(() => { const a = document.querySelector("textarea.source"); a.value = a.value.replace("second", "renamed"); a.dispatchEvent(new Event("input")); })()`)
		p.is(labels, "first,renamed")
		p.shot("beside")
	})
}
