//go:build unix

package runner

import (
	"context"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/conformance/internal/broken"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/dsl/long"
)

// TestSmoke: each way in which a wrapper can break the protocol is named, and a good one passes. One of three is tried
// without OCTABLE_LONG=1.
func TestSmoke(t *testing.T) {
	t.Parallel()
	s := suite(t, "godot-4.4")
	wanted := map[string]string{
		"good":                   "",
		"banner":                 "",
		"window 1":               "",
		"lacks":                  "",
		"has two":                "",
		"bits":                   "",
		"recode only":            "",
		"slow":                   "",
		"dies at once":           "it starts and answers hello: .*exit status 1.*left-pad",
		"protocol 2":             `it starts and answers hello: .*"protocol" of hello is 2`,
		"no hello":               "it starts and answers hello: .*is each answer flushed",
		"all at the end":         "it starts and answers hello: .*is each answer flushed",
		"other spec":             `it has the schema: "specs" of hello are godot-3; godot-4.4 is not among them`,
		"lacks nonsense":         `its types are those of the schema: "unsupported" of hello has "Vektor"`,
		"has nonsense":           `its types are those of the schema: "types" of hello has "Vektor"`,
		"exit status at the end": "it ends when its input ends: .*exit status 7.*; leave the loop",
		"does not end":           "it ends when its input ends: .*did not end within",
		"noise":                  "it answers decode: this line is no JSON object: debug: decoding; .*standard error",
		"id as text":             `it answers decode: the key "id" of an answer holds a string`,
		"refuses all":            "it answers decode: it refuses all of the 10 smallest packets and values, at last with: not today",
		"dies of errors":         `it answers with an error what it refuses, and goes on: .*exit status 2.*catch what the implementation throws`,
		"dies of operations":     `it answers an operation that it does not have: .*exit status 2.*"unsupported"`,
		"disorder":               `it takes requests that do not wait for answers: .*request \d+ is answered before`,
		"every tenth":            "exit status 9",
	}
	for _, mode := range long.Part(3, slices.Sorted(maps.Keys(wanted))) {
		want := wanted[mode]
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			cfg := process.Config{Command: []string{os.Args[0]}, Env: broken.Env(mode), EndTimeout: time.Second}
			if strings.Contains(want, "flushed") {
				cfg.StartTimeout = 300 * time.Millisecond
			}
			findings, err := Smoke(context.Background(), cfg, s)
			if err != nil {
				t.Fatal(err)
			}
			var wrong []string
			for _, f := range findings {
				if !f.OK {
					wrong = append(wrong, f.Check+": "+strings.ReplaceAll(f.Text, "\n", " "))
				}
			}
			switch {
			case want == "" && (len(wrong) > 0 || len(findings) < 6):
				t.Errorf("%q of %d", wrong, len(findings))
			case want != "" && len(wrong) == 0:
				t.Errorf("nothing is wrong, want %s", want)
			case want != "" && !slices.ContainsFunc(wrong, regexp.MustCompile(want).MatchString):
				t.Errorf("%q, want %s", wrong, want)
			}
		})
	}
}
