//go:build !js

// The page as a folder of static files.

package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// module is the path of the module, and program that of the WebAssembly program.
const (
	module  = "github.com/octable/octable"
	program = module + "/cmd/octable/internal/view/wasm"
)

// Build writes the page with the codec as WebAssembly into a folder. Any web server can publish it. It needs a Go
// toolchain: in a checkout of the module it builds the program from there, else from the module proxy, in the
// version of this program.
func Build(ctx context.Context, folder string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("the WebAssembly file is built by Go, which is not installed here; releases have the built page")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	entries, err := dist.ReadDir("web/dist")
	if err != nil {
		return err
	}
	for _, e := range entries {
		b, err := dist.ReadFile("web/dist/" + e.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, e.Name()), b, 0o666)
		}
		if err != nil {
			return err
		}
	}
	root, err := goCommand(ctx, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("the Go toolchain has no lib/wasm/wasm_exec.js: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "wasm_exec.js"), glue, 0o666); err != nil {
		return err
	}
	out, err := filepath.Abs(filepath.Join(folder, "octable.wasm"))
	if err != nil {
		return err
	}
	env := []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}
	if own, err := goCommand(ctx, nil, "list", "-m"); err == nil && strings.TrimSpace(own) == module {
		_, err := goCommand(ctx, env, "build", "-trimpath", "-ldflags=-s -w", "-o", out, program)
		return err
	}
	return install(ctx, env, out)
}

// install builds the program from the module proxy.
func install(ctx context.Context, env []string, out string) error {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != module || info.Main.Version == "" || strings.Contains(info.Main.Version, "devel") {
		return errors.New("this program is not of a released version; run octable view -build in a checkout of " + module)
	}
	tmp, err := os.MkdirTemp("", "octable-view-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	env = append(env, "GOPATH="+tmp, "GOFLAGS=-modcacherw")
	if _, err := goCommand(ctx, env, "install", "-trimpath", "-ldflags=-s -w", program+"@"+info.Main.Version); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(tmp, "bin", "js_wasm", "wasm"))
	if err != nil {
		return err
	}
	return os.WriteFile(out, b, 0o666)
}

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	var out, message bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &message
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(message.String()))
	}
	return out.String(), nil
}
