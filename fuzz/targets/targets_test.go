package targets

import (
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/dsl/long"
)

// fuzzOne is a target as go test -fuzz has it.
func fuzzOne(f *testing.F, name string) {
	for _, t := range All {
		if t.Name != name {
			continue
		}
		seeds := seedsOf(t)
		if !testing.Verbose() {
			seeds = few(seeds, long.Number(3, 100))
		}
		for _, b := range seeds {
			f.Add(b)
		}
		f.Fuzz(func(_ *testing.T, b []byte) { t.Fuzz(b) })
		return
	}
	f.Fatalf("there is no target %s", name)
}

var known = map[string][][]byte{}

// seedsOf returns the seeds of a target, which are made once.
func seedsOf(t Target) [][]byte {
	if known[t.Name] == nil {
		known[t.Name] = t.Seeds()
	}
	return known[t.Name]
}

// few returns up to n seeds in place of many: those that go test runs when it does not
// fuzz. With -v it runs all.
func few(seeds [][]byte, n int) [][]byte {
	var out [][]byte
	for i := 0; i < len(seeds); i += 1 + len(seeds)/n {
		out = append(out, seeds[i])
	}
	return out
}

func FuzzDecode(f *testing.F)      { fuzzOne(f, "Decode") }
func FuzzChoices(f *testing.F)     { fuzzOne(f, "Choices") }
func FuzzProgram(f *testing.F)     { fuzzOne(f, "Program") }
func FuzzProgramFile(f *testing.F) { fuzzOne(f, "ProgramFile") }
func FuzzSchema(f *testing.F)      { fuzzOne(f, "Schema") }
func FuzzDrawn(f *testing.F)       { fuzzOne(f, "Drawn") }
func FuzzJSON(f *testing.F)        { fuzzOne(f, "JSON") }
func FuzzText(f *testing.F)        { fuzzOne(f, "Text") }
func FuzzContainer(f *testing.F)   { fuzzOne(f, "Container") }

// TestSeeds checks that most seeds are inputs of the kind that their target is
// about. No target is without any.
func TestSeeds(t *testing.T) {
	for _, target := range All {
		seeds := seedsOf(target)
		useful, tried := 0, few(seeds, long.Number(2, 100))
		for _, b := range tried {
			useful += target.Fuzz(b)
		}
		if useful == 0 {
			t.Errorf("%s: none of %d seeds is of use", target.Name, len(tried))
		}
		t.Logf("%s: %d seeds", target.Name, len(seeds))
	}
}

// TestPanics: a target tells when something does not hold.
func TestPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an error does not end the target")
		}
	}()
	_, err := codec.Load("nothing")
	must(err)
}
