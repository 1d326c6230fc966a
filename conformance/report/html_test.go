package report

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/schema"
)

// large makes runs of many implementations, on vectors made of the examples of the
// schemas, alone and in arrays.
func large(t testing.TB, spec string, implementations, cases int) []*runner.Run {
	t.Helper()
	s := &vectors.Suite{Format: vectors.Format, Schema: spec, Title: "", Program: strings.Repeat("0123456789abcdef", 4), Flags: map[string]vectors.Flag{}}
	classes := []string{"byte order", "count unit", "mask", "missing check", "NUL", "padding", "row and column", "sign", "swapped fields", "wrong offset", "wrong width"}
	for _, c := range classes {
		s.Flags[c] = vectors.Flag{Class: c, Why: "implementations take " + c + " for something else than it is", Effect: "everything after it is misread", Errata: []string{"E7"}}
	}
	parsed, err := compile.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	c := codec.MustLoad(spec)
	random := rand.New(rand.NewPCG(1, 2))
	for depth := 0; len(s.Cases) < cases; depth++ {
		for _, u := range parsed.Unions {
			for _, arm := range u.Arms {
				for i, e := range examplesOf(arm) {
					if len(s.Cases) < cases {
						s.Cases = append(s.Cases, exampleCase(t, c, arm.Name, fmt.Sprintf("example-%d", i+1), e, depth, classes[random.IntN(len(classes))], random))
					}
				}
			}
		}
	}
	names := []string{"octable", "godot-engine", "godot-binary-serialization", "@gd-com/utils", "gd-com", "gdvariant.py", "VariantSharp", "a-very-long-name-of-an-implementation"}
	languages := []string{"Go", "C++", "TypeScript", "JavaScript", "JavaScript", "Python", "C#", "Rust"}
	var runs []*runner.Run
	for n := range implementations {
		wrong := answers{}
		lacks := map[string]bool{}
		for _, u := range parsed.Unions {
			for _, a := range u.Arms {
				if n > 1 && random.IntN(12) < n-1 {
					lacks[a.Name] = true
				}
			}
		}
		for i := range s.Cases {
			k := &s.Cases[i]
			for _, op := range []protocol.Op{protocol.Decode, protocol.Encode} {
				if lacks[k.Type] {
					wrong[k.ID+" "+string(op)] = runner.CaseResult{Outcome: runner.Unsupported, Verdict: runner.Skip, Reason: k.Type}
					continue
				}
				if n == 0 || random.IntN(14) >= n {
					continue
				}
				outcomes := runner.Outcomes[4:]
				o := outcomes[random.IntN(len(outcomes))]
				a := protocol.Answer{}
				switch o {
				case runner.Wrong, runner.Lossy:
					a = protocol.Answer{OK: true, Value: json.RawMessage("17"), Used: 8}
					if op == protocol.Encode {
						a = protocol.Answer{OK: true, Bytes: k.Bytes + "00000000"}
					}
				case runner.RefusedWrongly:
					a = protocol.Answer{Error: "RangeError: offset is out of bounds at DataView.getUint32"}
				}
				wrong[k.ID+" "+string(op)] = failed(o, a, k.Row, 4, "", "the value of the field is 17, expected 3")
			}
		}
		about := protocol.About{Name: names[n%len(names)], Version: fmt.Sprintf("%d.%d.2", n/2, n), Language: languages[n%len(languages)], Link: "https://example.org/" + names[n%len(names)]}
		r := run(about, s, wrong, "node", "conformance/wrappers/"+names[n%len(names)]+".mjs")
		r.Restarts = n
		runs = append(runs, r)
	}
	return runs
}

func examplesOf(a *schema.Arm) (out []string) {
	for _, e := range a.Examples {
		out = append(out, hex.EncodeToString(e.Bytes))
	}
	return out
}

// exampleCase is a case of an example, in n arrays.
func exampleCase(t testing.TB, c *codec.Codec, typ, id, text string, depth int, class string, random *rand.Rand) vectors.Case {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for range depth {
		b = append(binary.LittleEndian.AppendUint32(nil, 28), append([]byte{1, 0, 0, 0}, b...)...)
	}
	k := vectors.Case{ID: fmt.Sprintf("%s/%s/in-%d", typ, id, depth), About: "An example of the schema, in " + count(depth, "array") + ".", Row: typ + ".value", Source: "godot-2.oct",
		Type: typ, Uses: []string{typ}, Result: vectors.Valid, Level: []vectors.Level{vectors.Must, vectors.Must, vectors.Should, vectors.May}[random.IntN(4)], Flags: []string{class}, Bytes: hex.EncodeToString(b)}
	v, _, err := c.Decode(b)
	if err != nil {
		k.Result, k.Error = vectors.Invalid, &vectors.Error{Kind: "truncated", Offset: len(b), Text: err.Error()}
		return k
	}
	if k.Value, err = godot.AppendJSONStyle(nil, v, godot.JSONStyle{Explicit: true}); err != nil {
		t.Fatal(err)
	}
	return k
}

func page8(t testing.TB, runs []*runner.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, runs, HTMLOptions{Title: "Godot's binary Variant format: conformance", About: []string{"Each implementation was given the same packets and values, as a black box."}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every outcome has its symbol, which no other has, and an explanation.
func TestLegend(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range legend {
		if seen[l.Symbol] || l.Means == "" {
			t.Errorf("%+v", l)
		}
		seen[l.Symbol] = true
	}
	for _, o := range runner.Outcomes {
		if symbol(o) == "?" && o != runner.Garbled {
			t.Errorf("%s has no symbol", o)
		}
	}
}

func TestHTML(t *testing.T) {
	b := page8(t, runs())
	golden.Check(t, "page.html", b)
	pageFaults(t, string(b))
}

// A page of eight implementations and 700 cases is no more than a page should be.
func TestHTMLSize(t *testing.T) {
	all := large(t, "godot-4.4", 8, 700)
	b := page8(t, all)
	pageFaults(t, string(b))
	if len(b) > 3<<20 {
		t.Errorf("%d bytes", len(b))
	}
	if name := os.Getenv("OCTABLE_PAGE"); name != "" {
		b = page8(t, append(all, large(t, "godot-3", 3, 60)...))
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
