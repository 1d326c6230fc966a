package main

import (
	"bytes"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
)

func TestVersion(t *testing.T) {
	clone := &debug.BuildInfo{
		GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"},
		Settings: []debug.BuildSetting{
			{Key: "GOARCH", Value: "arm64"}, {Key: "GOOS", Value: "darwin"},
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.time", Value: "2026-11-23T15:00:00Z"}, {Key: "vcs.modified", Value: "true"},
		},
	}
	installed := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"}}
	form := strconv.Itoa(bytecode.FormatVersion)
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "unknown"},
		{clone, "devel (commit 0123456789ab with changes of 2026-11-23, go1.26.0, darwin/arm64, programs of form " + form + ")"},
		{installed, "v1.2.3 (go1.26.0, programs of form " + form + ")"},
	} {
		if got := version(c.info); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("the test has no build information")
	}
	want := "octable version " + version(info) + "\n"
	for _, flag := range []string{"-version", "--version"} {
		var out, errs bytes.Buffer
		if code := run([]string{flag}, strings.NewReader(""), &out, &errs); code != exitOK || out.String() != want || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q; want %q", flag, code, out.String(), errs.String(), want)
		}
	}
}
