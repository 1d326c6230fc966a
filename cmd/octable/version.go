package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile/bytecode"
)

// setVersion adds the flag -version to the root command. The text comes from the build information of the
// binary, so that a release, go install and a build in a clone all identify themselves without linker flags.
func setVersion(root *cobra.Command) {
	info, _ := debug.ReadBuildInfo()
	root.Version = version(info)
	root.InitDefaultVersionFlag()
	root.Flags().Lookup("version").Usage = "print the version of octable and how it was built"
}

// version returns the module version, the Go release, the platform, and the form of program files. The commit
// follows the version if it is known. A nil info gives "unknown".
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	module := info.Main.Version
	if module == "" || module == "(devel)" {
		module = "devel"
	}
	var parts []string
	if commit := settings["vcs.revision"]; commit != "" {
		commit = "commit " + commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			commit += " with changes"
		}
		if date, _, ok := strings.Cut(settings["vcs.time"], "T"); ok {
			commit += " of " + date
		}
		parts = append(parts, commit)
	}
	if info.GoVersion != "" {
		parts = append(parts, info.GoVersion)
	}
	if settings["GOOS"] != "" {
		parts = append(parts, settings["GOOS"]+"/"+settings["GOARCH"])
	}
	parts = append(parts, fmt.Sprintf("programs of form %d", bytecode.FormatVersion))
	return module + " (" + strings.Join(parts, ", ") + ")"
}
