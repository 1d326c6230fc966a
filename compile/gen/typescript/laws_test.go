package typescript_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/gentest"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/typescript"
	"github.com/octable/octable/interp"
)

// modelOf returns the model of an embedded schema.
func modelOf(t testing.TB, id string) *model.Model {
	p := codec.MustLoad(id).Program()
	s, err := compile.Load(p.Schema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// dialect is how values look in generated TypeScript.
var dialect = gentest.Dialect{
	Member: model.Camel,
	Record: func(*model.Type) string { return "" },
	Small:  func(i int64, _ bool) any { return gentest.Real(float64(i)) },
	Packed: func(v interp.Value) any {
		s := v.Scalar().String()
		if s == "code4" {
			s = "u32"
		}
		return gentest.Array(s, v.Bytes())
	},
	Text: gentest.Text,
}

// strict are the settings under which modules have to compile.
var strict = map[string]any{
	"target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "lib": []string{"ES2022"}, "types": []string{},
	"strict": true, "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true, "noImplicitOverride": true,
	"noPropertyAccessFromIndexSignature": true, "noUnusedLocals": true, "noUnusedParameters": true, "noImplicitReturns": true,
	"noFallthroughCasesInSwitch": true, "allowUnreachableCode": false, "isolatedModules": true, "verbatimModuleSyntax": true,
	"erasableSyntaxOnly": true, "declaration": true, "outDir": "out", "rootDir": "src",
}

// compiled generates modules, compiles them under the strictest settings, and returns
// the folder of the result. It skips the test where Node or the compiler is missing:
// OCTABLE_TSC is the path of tsc, or tsc stands in the PATH.
func compiled(t *testing.T, ids []string) string {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is not installed")
	}
	tsc := os.Getenv("OCTABLE_TSC")
	if tsc == "" {
		var err error
		if tsc, err = exec.LookPath("tsc"); err != nil {
			t.Skip("the TypeScript compiler is not installed; OCTABLE_TSC can name it")
		}
	}
	dir := t.TempDir()
	put := func(name string, text []byte) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range ids {
		files, err := typescript.Generate(modelOf(t, id), model.Options{})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		put("src/"+id+".ts", files[0].Text)
	}
	put("package.json", []byte(`{"type": "module"}`))
	config, err := json.Marshal(map[string]any{"compilerOptions": strict, "include": []string{"src"}})
	if err != nil {
		t.Fatal(err)
	}
	put("tsconfig.json", config)
	args := []string{"-p", dir}
	if strings.HasSuffix(tsc, ".js") {
		args, tsc = append([]string{tsc}, args...), "node"
	}
	if out, err := exec.Command(tsc, args...).CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
	return filepath.Join(dir, "out")
}

func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles every generated module")
	}
	ids := codec.Schemas()
	peer, err := gentest.Start("node", "testdata/peer.mjs", compiled(t, ids))
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			l := gentest.Laws{Peer: peer, Spec: id, Model: modelOf(t, id), Program: codec.MustLoad(id).Program(), Dialect: dialect, Values: gentest.Values(4), Seed: 1}
			if err := l.Check(); err != nil {
				t.Errorf("%.4000s", err)
			}
		})
	}
}
