package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// assembled returns the digits that asm prints for a text.
func assembled(t *testing.T, text string, flags ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "packets.txt")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, code := command(append(append([]string{"asm"}, flags...), file)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// bare returns digits without blanks.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// Examples of schemas are printed as texts, assembled as the same bytes, and printed as rows that hold.
func TestAsmExamples(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`^example \w+ "`)
	for _, id := range long.Part(3, []string{"wasm", "png", "dns", "wave", "godot-4.4", "ntp"}) {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		var want, owners []string
		for _, body := range s.Bodies() {
			for _, e := range body.Examples {
				if body.Type == s.Root.Name && (e.Choice == nil || e.Choice == s.Choice) {
					owner := body.Type
					if body.Name != owner {
						owner += "." + body.Name
					}
					want, owners = append(want, hex.EncodeToString(e.Bytes)), append(owners, owner)
				}
			}
		}
		text, errs, code := command("disasm", "-examples", "-spec", id)
		if code != 0 || len(want) == 0 {
			t.Fatalf("%s: exit %d, %d examples: %s", id, code, len(want), errs)
		}
		got := assembled(t, text)
		if len(got) != len(want) {
			t.Fatalf("%s: %d packets of %d", id, len(got), len(want))
		}
		for i := range got {
			if bare(got[i]) != want[i] {
				t.Errorf("%s: packet %d is %s, want %s", id, i, got[i], want[i])
			}
		}
		rows := assembled(t, text, "-example")
		var again strings.Builder
		for i, row := range rows {
			fmt.Fprintf(&again, "\nextend %s {\n    %s\n}\n", owners[i], named.ReplaceAllString(row, `example "`))
		}
		own := filepath.Join(t.TempDir(), "again.oct")
		body := fmt.Sprintf("schema \"again\" extends %q {\n    title \"with its examples again\"\n}\n%s", id, again.String())
		if err := os.WriteFile(own, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := command("check", "-tries", "0", own); code != 0 {
			t.Errorf("%s: exit %d: %.2000s%.2000s", id, code, out, errs)
		}
	}
}

// The row of an example has the gates that a reader needs, and no others.
func TestAsmGates(t *testing.T) {
	const schema = `schema "two" {
    root U
    gate first "one"
    gate second "another"
    gate third "unused"
}

union U by kind {
    | 0 | 1 | u8 | kind | "the arm"
}

arm U 0 plain {
    | 1 | 1 | u8 | n | "a number"
}

arm U 1 one {
    requires second
    | 1 | 1 | u8 | n | "a number"
}

arm U 2 both {
    requires first
    requires second
    | 1 | 1 | u8 | n | "a number"
}
`
	file := filepath.Join(t.TempDir(), "two.oct")
	if err := os.WriteFile(file, []byte(schema), 0o666); err != nil {
		t.Fatal(err)
	}
	for digits, want := range map[string]string{
		"0007": `example "0007" is plain(7)`,
		"0107": `example "0107" with second is one(7)`,
		"0207": `example "0207" with first, second is both(7)`,
		"01":   `example "01" refused closed`,
	} {
		text, errs, code := command("disasm", "-spec", file, digits)
		if code > exitRefused {
			t.Fatalf("%s: exit %d: %s", digits, code, errs)
		}
		if got := assembled(t, text, "-spec", file, "-example"); len(got) != 1 || got[0] != want {
			t.Errorf("%s: the row is %q, want %s", digits, got, want)
		}
	}
}

// Cases of suites are printed as texts and assembled as the same bytes.
func TestAsmVectors(t *testing.T) {
	t.Parallel()
	suite, err := suites.Load("godot-3.0")
	if err != nil {
		t.Fatal(err)
	}
	suite.Cases, suite.Large = long.Part(3, suite.Cases), nil
	file := filepath.Join(t.TempDir(), "suite.json")
	if err := os.WriteFile(file, suite.Marshal(), 0o666); err != nil {
		t.Fatal(err)
	}
	var want []string
	suite.All(func(c *vectors.Case) bool {
		if c.Bytes != "" {
			want = append(want, c.Bytes)
		}
		return true
	})
	text, errs, code := command("disasm", "-vectors", file)
	if code != 0 || len(want) < 50 {
		t.Fatalf("exit %d, %d cases: %s", code, len(want), errs)
	}
	got := assembled(t, text)
	if len(got) != len(want) {
		t.Fatalf("%d packets of %d", len(got), len(want))
	}
	for i := range got {
		if bare(got[i]) != want[i] {
			t.Errorf("packet %d is %s, want %s", i, got[i], want[i])
		}
	}
}
