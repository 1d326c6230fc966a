// Generated TypeScript: compiled by tsc, run by Node.

package generated

import (
	_ "embed" // of the peer
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/typescript"
	"github.com/octable/octable/interp"
)

//go:embed peer.mjs
var typescriptPeer []byte

//go:embed shown.mjs
var typescriptShown []byte

// inTypeScript is how values look there.
var inTypeScript = Dialect{
	Members: typescript.Members,
	Gates:   typescript.Gates,
	Record:  func(*model.Type) string { return "" },
	Small:   func(i int64) any { return Real(float64(i)) },
	Packed: func(v interp.Value) any {
		s := typescript.ArrayScalar(v.Scalar())
		if s != v.Scalar() && s.Width() != v.Scalar().Width() {
			v = inScalar(ordinary(v), s)
		}
		if s == bytecode.Code4 {
			s = bytecode.U32
		}
		return Array(s.String(), v.Bytes())
	},
	NaN: func(uint64) uint64 { return ordinary64 }, // the language has one
}

// strict are the settings under which modules have to compile.
var strict = map[string]any{
	"target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "lib": []string{"ES2022"}, "types": []string{},
	"strict": true, "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true, "noImplicitOverride": true,
	"noPropertyAccessFromIndexSignature": true, "noUnusedLocals": true, "noUnusedParameters": true, "noImplicitReturns": true,
	"noFallthroughCasesInSwitch": true, "allowUnreachableCode": false, "isolatedModules": true, "verbatimModuleSyntax": true,
	"erasableSyntaxOnly": true, "declaration": true, "outDir": "out", "rootDir": "src",
}

// openTypeScript compiles modules under the strictest settings, and starts a peer.
// OCTABLE_TSC is the path of tsc, or tsc is in the PATH.
func openTypeScript(dir string, specs []string) (Code, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return nil, Missing("Node is not installed; on a machine with it, .ci/run compares generated TypeScript")
	}
	tsc, err := tool("OCTABLE_TSC", "tsc")
	if err != nil {
		return nil, err
	}
	if err := Write("ts", filepath.Join(dir, "src"), specs); err != nil {
		return nil, err
	}
	config, err := json.Marshal(map[string]any{"compilerOptions": strict, "include": []string{"src"}})
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{"package.json": []byte(`{"type": "module"}`), "tsconfig.json": config, "peer.mjs": typescriptPeer, "shown.mjs": typescriptShown} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return nil, err
		}
	}
	if out, err := command(tsc, "-p", dir).CombinedOutput(); err != nil {
		return nil, &BuildError{Tool: "tsc", Err: err, Output: string(out)}
	}
	peer, err := Start("node", filepath.Join(dir, "peer.mjs"), filepath.Join(dir, "out"))
	if err != nil {
		return nil, err
	}
	return newModules("TypeScript", specs, peer, func(*model.Model) Dialect { return inTypeScript }), nil
}
