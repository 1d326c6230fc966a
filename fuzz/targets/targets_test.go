package targets

import (
	"testing"

	"github.com/octable/octable/codec"
)

// fuzzOne is a target as go test -fuzz has it.
func fuzzOne(f *testing.F, name string) {
	for _, t := range All {
		if t.Name != name {
			continue
		}
		for i, b := range t.Seeds() {
			if i%seedsEvery == 0 || testing.Verbose() {
				f.Add(b)
			}
		}
		f.Fuzz(func(_ *testing.T, b []byte) { t.Fuzz(b) })
		return
	}
	f.Fatalf("there is no target %s", name)
}

// seedsEvery is how many seeds there are for one that go test runs when it does not
// fuzz; with -v it runs all.
const seedsEvery = 16

func FuzzDecode(f *testing.F)      { fuzzOne(f, "Decode") }
func FuzzChoices(f *testing.F)     { fuzzOne(f, "Choices") }
func FuzzProgram(f *testing.F)     { fuzzOne(f, "Program") }
func FuzzProgramFile(f *testing.F) { fuzzOne(f, "ProgramFile") }
func FuzzSchema(f *testing.F)      { fuzzOne(f, "Schema") }
func FuzzJSON(f *testing.F)        { fuzzOne(f, "JSON") }
func FuzzText(f *testing.F)        { fuzzOne(f, "Text") }

// TestSeeds: seeds are inputs of the kind that their target is about, most of them,
// and no target is without any.
func TestSeeds(t *testing.T) {
	for _, target := range All {
		seeds := target.Seeds()
		useful, tried := 0, 0
		for i, b := range seeds {
			if i%seedsEvery == 0 {
				tried++
				useful += target.Fuzz(b)
			}
		}
		if tried == 0 || useful == 0 {
			t.Errorf("%s: %d of %d seeds are of use", target.Name, useful, tried)
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
