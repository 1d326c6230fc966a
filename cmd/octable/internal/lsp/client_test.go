package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// asServer is set in the environment of this test where it is to be a server.
const asServer = "OCTABLE_LSP_SERVE"

// stdio is input and output as one stream.
type stdio struct{}

func (stdio) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (stdio) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (stdio) Close() error                { return os.Stdin.Close() }

// shelf is where .ci/packages puts the packages of testdata/client.
func shelf(t *testing.T) string {
	dir := os.Getenv("OCTABLE_LSP_CLIENT")
	if dir == "" {
		base := os.Getenv("OCTABLE_PACKAGES")
		if base == "" {
			cache, err := os.UserCacheDir()
			if err != nil {
				t.Skip("there is no cache folder; set OCTABLE_PACKAGES to the folder of .ci/packages, which .ci/run calls: ", err)
			}
			base = filepath.Join(cache, "octable-packages")
		}
		dir = filepath.Join(base, "cmd-octable-internal-lsp-testdata-client")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "vscode-languageserver-protocol")); err != nil {
		t.Skip("the packages of the client are not installed; .ci/packages cmd/octable/internal/lsp/testdata/client installs them, and .ci/run calls it")
	}
	return dir
}

// The library by which Visual Studio Code talks with servers gets on with this one,
// over input and output.
func TestRealClient(t *testing.T) {
	dir := shelf(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed; .ci/run runs this test if it is")
	}
	folder := t.TempDir()
	command, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"base.oct": base, "derived.oct": derived} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	client := exec.Command(node, "testdata/client/client.mjs", command, filepath.Join(folder, "base.oct"))
	client.Env = append(os.Environ(), "OCTABLE_LSP_CLIENT="+dir, asServer+"=1")
	client.Stderr = os.Stderr
	out, err := client.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got, want any
	const expected = `{
		"capabilities": ["codeActionProvider", "completionProvider", "definitionProvider", "documentFormattingProvider",
			"documentSymbolProvider", "foldingRangeProvider", "hoverProvider", "inlayHintProvider", "positionEncoding",
			"referencesProvider", "renameProvider", "semanticTokensProvider", "textDocumentSync", "workspaceSymbolProvider"],
		"right": [], "hover": "**string**, type", "definition": 16, "rename": {"base.oct": 2, "derived.oct": 1},
		"completion": ["HEX", "Message", "string"], "symbols": ["base", "string", "Message", "Ping", "Point", "Names"],
		"formatting": [], "hints": ["= length, padded to 4", "= 4 bytes or more"], "tokens": 0, "folds": 8, "found": ["Point"],
		"wrong": [{"line": 40, "code": "E201", "severity": 1}], "fix": ["Replace strong by string: string"], "exit": 0}`
	if err := json.Unmarshal([]byte(expected), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the client was told\n%s", out)
	}
}
