package codec_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/interp/memory"
	"github.com/octable/octable/interp/planlist"
)

var (
	lists = flag.String("lists", "", "write the listings of TestPlanDigests into a `folder`")
)

// listed are schemas whose records have rows of many kinds.
var listed = []string{"testdata/records.oct", "testdata/steps.oct", "testdata/batch.oct", "bench/symtab/symtab.oct", "../compile/bytecode/testdata/forms.oct", "../compile/bytecode/testdata/post.oct",
	"../fuzz/languages/testdata/sums.oct", "../fuzz/languages/testdata/option-words.oct", "../fuzz/languages/testdata/orders.oct", "../fuzz/languages/testdata/texts.oct",
	"../fuzz/languages/testdata/text-lengths.oct", "../fuzz/languages/testdata/until-condition.oct", "../fuzz/languages/testdata/png.oct"}

// listedSteps is for testdata/steps.oct.
type listedSteps struct {
	Low   uint8 `octable:"low"`
	Inner struct {
		X uint8 `octable:"x"`
		Y uint8 `octable:"y"`
	} `octable:"inner"`
	Text  string      `octable:"text"`
	Fixed []byte      `octable:"fixed"`
	A     uint8       `octable:"a"`
	B     uint8       `octable:"b"`
	List  []shapeItem `octable:"list"`
	X     []byte      `octable:"x"`
	C     uint8       `octable:"c"`
	Y     []byte      `octable:"y"`
	D     uint8       `octable:"d,omitempty"`
	E     uint8       `octable:"e,omitempty"`
	Arms  struct {
		Small *struct {
			Value uint8 `octable:"value"`
		} `octable:"small"`
		Other *struct {
			K uint8 `octable:"k"`
			M uint8 `octable:"m,omitempty"`
		} `octable:"other"`
	} `octable:"arms"`
}

var planList = planlist.List{Stop: codec.ListedByName, Skip: []string{"recordUnion.byType", "recordUnion.factor", "putMore.types", "putMore.factor", "readProgram.pool", "writeProgram.pool", "writeProgram.usual"}}

// TestPlanLists compares the plans of Go types of some schemas with testdata/plans.golden. Each plan is in the file once.
func TestPlanLists(t *testing.T) {
	if strconv.IntSize < 64 || !memory.Raw {
		t.Skip("the golden has the plans of a machine with 64 bits")
	}
	var out strings.Builder
	list := planList
	add := func(c *codec.Codec, typ reflect.Type) {
		for i, plan := range codec.Plans(c, typ) {
			if text := list.Of(plan); text != "" {
				fmt.Fprintf(&out, "%s%s", []string{"read", "write"}[i], text)
			}
		}
	}
	for _, name := range listed {
		source := sourcesOf(t, name)[0]
		c := source.codec
		if !codec.Named(c) {
			continue
		}
		fmt.Fprintf(&out, "%s\n", filepath.Base(name))
		for _, typ := range map[string][]reflect.Type{"testdata/records.oct": {reflect.TypeFor[recordLog](), reflect.TypeFor[recordWritten]()},
			"testdata/steps.oct": {reflect.TypeFor[listedSteps]()}, "bench/symtab/symtab.oct": {reflect.TypeFor[[]recordSymbol]()}}[name] {
			add(c, typ)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 2 {
			with, types := source.goTypes(t, r, codec.Options{})
			add(with, types.Root)
		}
	}
	golden.Check(t, "plans.golden", []byte(planlist.Labeled(out.String())))
}

// TestPlanDigests compares digests of the plans of Go types with testdata/plans.digests. The types are those of each
// schema of package languages, and others for Variants. The numbers of packets that plans read and write, and of
// calls that they need for it, are compared as well. The listings are too long for a golden: the flag -lists writes
// them, with OCTABLE_LONG=1 all of them, to compare those of two versions.
func TestPlanDigests(t *testing.T) {
	if strconv.IntSize < 64 || !memory.Raw {
		t.Skip("the golden has the plans of a machine with 64 bits")
	}
	d := planlist.Digests{List: planList, Folder: *lists}
	files, err := filepath.Glob("../fuzz/languages/testdata/*.oct")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d schemas: %v", len(files), err)
	}
	for _, file := range golden.Part(8, files) {
		var plans []any
		var work codec.Work
		for _, source := range sourcesOf(t, file) {
			if !codec.Named(source.codec) {
				continue
			}
			r := rand.New(rand.NewPCG(3, 4))
			for i := range 4 {
				with, types := source.goTypes(t, r, codec.Options{Alias: i%2 == 1})
				plans = append(plans, codec.Plans(with, types.Root)...)
				eachOfSource(t, file, 12, func(s *packetSource, p drawnPacket) {
					if s == source {
						work.Add(with, p.bytes, reflect.New(types.Root).Interface())
					}
				})
			}
		}
		if err := d.Add(strings.TrimSuffix(filepath.Base(file), ".oct"), plans, fmt.Sprintf("%+v", work)); err != nil {
			t.Fatal(err)
		}
	}
	c := codec.MustLoad("godot-4.4")
	var seeds []uint64
	for i := range uint64(20) {
		seeds = append(seeds, i)
	}
	for _, i := range golden.Part(8, seeds) { // Go types for Variants
		var plans []any
		var work codec.Work
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(i, seed))
			x := reflect.New(randomType(r, 4))
			plans = append(plans, codec.Plans(c, x.Type().Elem())...)
			for range 4 {
				randomFill(r, x.Elem(), 6)
				if b, err := codec.AppendValue(c, nil, x.Interface()); err == nil {
					work.Add(c, b, reflect.New(x.Type().Elem()).Interface())
				}
			}
		}
		if err := d.Add(fmt.Sprintf("variants-%d", i), plans, fmt.Sprintf("%+v", work)); err != nil {
			t.Fatal(err)
		}
	}
	golden.Lines(t, "plans.digests", []byte(d.String()))
}
