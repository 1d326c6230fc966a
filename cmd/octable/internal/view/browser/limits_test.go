package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

// spinning is put in front of the worker: the call save never returns.
const spinning = `let call; Object.defineProperty(self, "octableCall", {
	get: () => call,
	set: f => { call = (method, params, done) => { if (method === "save") for (;;); return f(method, params, done); }; },
});
`

// A back end that hangs is ended after the time limit. The packet stays, with its edits: it is read again.
func TestHanging(t *testing.T) {
	_, folder := built(t)
	stuck := t.TempDir()
	if err := os.CopyFS(stuck, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(stuck, "worker.js")
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append([]byte(spinning), b...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	eachBackEndOf(t, stuck, []string{"-call-time", "8s"}, func(p *page) {
		p.open("a.bin", unhex(t, dictionary))
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.settle()
		p.key(`#pane-bytes [role=grid]`, "0")
		p.key(`#pane-bytes [role=grid]`, "7")
		edited := strings.Replace(strings.ReplaceAll(dictionary, " ", ""), "2a000000", "07000000", 1)
		p.digits(edited)
		if p.server != nil {
			p.stopProcess()
		} else {
			p.eval(`(document.querySelector("meta[name=call-time]").content = "4")`)
		}
		p.do(chromedp.Click(`//button[normalize-space()="Save"]`, chromedp.BySearch))
		p.wait(`document.querySelector("#faults .fault")?.textContent.includes("was stopped")`)
		p.eval(`(document.querySelector("meta[name=call-time]").content = "60")`)
		p.shot("stopped")
		p.settle()
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="64"]`, chromedp.ByQuery))
		p.is(`document.querySelector("#pane-tree .line.on .value")?.textContent`, "2")
		p.click("Undo")
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="56"]`, chromedp.ByQuery))
		p.is(`document.querySelector("#pane-tree .line.on .value")?.textContent`, "42")
		p.settle()
		p.is(`document.querySelectorAll("#faults .fault").length`, "0")
	})
}

// stopProcess stops the process in which the server reads packets, so that it does not answer.
func (p *page) stopProcess() {
	p.Helper()
	pid := p.server.Process.Pid
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		p.Skipf("the processes of the server are not known here: %v", err)
	}
	children := strings.Fields(string(list))
	for task, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)); len(children) == 0 && len(task) > 0; task = task[1:] {
		list, _ = os.ReadFile(task[0])
		children = strings.Fields(string(list))
	}
	if len(children) != 1 {
		p.Fatalf("the server has the processes %q", children)
	}
	child, err := strconv.Atoi(children[0])
	if err == nil {
		err = syscall.Kill(child, syscall.SIGSTOP)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// The page asks for the password of an encrypted file.
func TestEncrypted(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(root, "codec/godot/container/testdata/g4_gdec_config_pass.bin"))
	if err != nil {
		t.Fatal(err)
	}
	eachBackEnd(t, func(p *page) {
		name := filepath.Join(t.TempDir(), "save.dat")
		if err := os.WriteFile(name, file, 0o666); err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.SetUploadFiles(`input[aria-label="File to open"]`, []string{name}, chromedp.ByQuery))
		p.wait(`document.querySelector("dialog").open`)
		p.shot("asks")
		p.do(chromedp.SendKeys(`dialog input`, "wrong\r", chromedp.ByQuery))
		p.wait(`document.querySelector("dialog").open && document.querySelector("dialog p").textContent.includes("wrong")`)
		p.do(chromedp.SendKeys(`dialog input`, "pässword\r", chromedp.ByQuery))
		p.wait(`document.querySelector("#bar .title").textContent.includes("encrypted (GDEC of Godot 4)")`)
		p.settle()
		p.is(`document.querySelector("dialog").open`, "false")
		p.shot("opened")
		// the escape key leaves what was open before
		before := p.eval(`document.querySelector("#bar .title").textContent`)
		p.do(chromedp.SetUploadFiles(`input[aria-label="File to open"]`, []string{name}, chromedp.ByQuery))
		p.wait(`document.querySelector("dialog").open`)
		p.do(chromedp.KeyEvent("\x1b"))
		p.wait(`document.querySelector("#faults .fault")?.textContent.includes("key")`)
		p.is(`document.querySelector("#bar .title").textContent`, before)
	})
}

// Errors are places: what was read before them stays, and reading goes on behind the region that has one.
func TestErrorsInRegions(t *testing.T) {
	// a WebAssembly module with a section of an unknown type, one that is cut off, one with a byte that is left over
	module := "0061736d 01000000 0f 02 aabb 01 04 01 60 01 7f 08 02 05 ee 03 02 01 00"
	eachBackEnd(t, func(p *page) {
		p.open("a.wasm", unhex(t, module))
		p.do(chromedp.SetValue(`select[aria-label="Schema"]`, "wasm", chromedp.ByQuery))
		p.wait(`document.querySelectorAll("#faults .fault").length === 3`)
		p.settle()
		for i, want := range []string{"Body", "FuncType", "Section"} {
			p.is(fmt.Sprintf(`document.querySelectorAll("#faults .fault")[%d].textContent.includes(%q)`, i, want), "true")
			p.is(fmt.Sprintf(`document.querySelectorAll("#faults .hint")[%d].textContent.endsWith("Reading went on.")`, i), "true")
		}
		p.is(`[...document.querySelectorAll("#pane-bytes .digits .bad")].map(e => e.dataset.at).join()`, "10,18,21")
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="25"]`, chromedp.ByQuery))
		p.settle()
		p.is(`document.querySelector("#crumbs").innerText.includes("[3]")`, "true")
		p.do(chromedp.Click(`#pane-bytes .digits [data-at="16"]`, chromedp.ByQuery))
		p.settle()
		p.is(`document.querySelector("#crumbs").innerText.includes("[1]")`, "true")
		p.shot("errors")
	})
}

// Versions are proposed for packets of several MiB and for streams, too.
func TestLongVersions(t *testing.T) {
	stream := bytes.Repeat(append(unhex(t, "08100000 1d000000 00100000"), make([]byte, 4096)...), 300)
	eachBackEnd(t, func(p *page) {
		p.open("stream.bin", stream)
		p.is(`document.querySelector("select[aria-label=Schema]").value`, "godot-4.4")
		p.is(`document.querySelectorAll("#pane-bytes .digits .k-frame").length > 3`, "true")
		p.click("Versions")
		p.wait(`document.querySelector("#tool table button")?.textContent === "godot-4.4, lengths little-endian"`)
		p.shot("stream")
	})
}
