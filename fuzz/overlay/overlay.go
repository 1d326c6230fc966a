// Package overlay builds tests of this module with changes of its source. The changes are in an overlay of
// the go command, so the tree is unchanged, and one program has all of them: package active switches them on.
package overlay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Root returns the folder of the module that the command is run in.
func Root() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" {
		return "", errors.New("there is no module here; run the command in a clone of octable")
	}
	return filepath.Dir(file), nil
}

// Write writes the changed files into a folder, and returns the path of the file for the option -overlay.
func (p *Planted) Write(folder string) (string, error) {
	replace := map[string]string{}
	for name, text := range p.Files {
		file := filepath.Join(folder, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(p.root, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// Test builds the test of a package. It reports whether the package has one.
func Test(ctx context.Context, root, name, binary string, options ...string) (bool, error) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-vet=off"}, options...), "-o", binary, name)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return false, fmt.Errorf("the test of %s cannot be built: %w\n%s", name, err, out)
	}
	_, err := os.Stat(binary)
	return err == nil, nil
}
