// The source of the module.

package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
)

// moduleRoot returns the folder of the module that the command is run in.
func moduleRoot() (string, error) {
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
