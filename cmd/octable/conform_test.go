package main

import (
	"os"
	"strings"
	"testing"
)

// asCommand is the environment variable that makes a test binary the command
// itself. So octable conform can start octable serve.
const asCommand = "OCTABLE_TEST_COMMAND"

func TestMain(m *testing.M) {
	worker := len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-test.") // of go test -fuzz
	if os.Getenv(asCommand) != "" && !worker {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	_ = os.Setenv(asCommand, "1")
	os.Exit(m.Run())
}
