package schema

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/schema/schematest"
)

// TestResolvedKeeps compares results of the resolver with testdata/resolved.digests. They are the limits of the records of
// each schema, and a digest of its resolved rows and of the names of its index. A program within the limits does not show
// that one of them counts too little.
func TestResolvedKeeps(t *testing.T) {
	const folder = "../../fuzz/languages/testdata"
	texts := schematest.Texts(t, folder, "testdata/errors")
	load := func(id string) (*dsl.File, error) {
		if text, ok := texts[filepath.Join(folder, id+".oct")]; ok {
			return dsl.Parse(id+".oct", []byte(text))
		}
		return beside(id)
	}
	var out strings.Builder
	for _, name := range golden.Part(8, slices.Sorted(maps.Keys(texts))) {
		f, err := dsl.Parse(filepath.Base(name), []byte(texts[name]))
		sum, all := fnv.New64a(), needs{}
		x := NewIndex(f, load)
		for _, n := range x.Names {
			fmt.Fprintln(sum, n.Pos.Offset, n.Pos, n.Text, n.Declares, n.To.Key(), n.To.At, n.To.Body, len(n.To.Fields))
		}
		for _, d := range x.Declared {
			fmt.Fprintln(sum, d.Key())
		}
		var choices []string
		var s *Schema
		if err == nil {
			if s, err = Resolve(f, load); err == nil {
				choices = s.Choices()
			}
		}
		for _, choice := range choices {
			with, err := s.With(choice)
			if err != nil {
				t.Fatal(err)
			}
			flat(sum, with)
			for _, body := range with.Bodies() {
				keepBody(sum, body, &all)
			}
		}
		fmt.Fprintf(&out, "%s: %d choices, %d numbers, %d instructions, %d blocks, %016x\n", filepath.Base(name), len(choices), all.numbers, all.code, all.blocks, sum.Sum64())
	}
	golden.Lines(t, "resolved.digests", []byte(out.String()))
}

// keepBody prints the fields and nodes of a body, and adds what a program needs for it.
func keepBody(w io.Writer, body Body, all *needs) {
	if rec := body.Record; rec != nil {
		all.numbers, all.code, all.blocks = all.numbers+rec.needs.numbers, all.code+rec.needs.code, all.blocks+rec.needs.blocks
		flat(w, rec)
		for _, f := range rec.Fields {
			flat(w, f)
		}
	}
	Walk(body.Nodes, func(n Node) bool {
		flat(w, n)
		switch n := n.(type) {
		case *Row:
			flat(w, n.Type)
		case *List:
			flat(w, n.Key)
			flat(w, n.Elem)
			for _, of := range []*Type{n.Key, n.Elem} {
				if of != nil && of.Record != nil && of.Record.Name == "" {
					keepBody(w, Body{Record: of.Record}, all)
				}
			}
		}
		return true
	})
}

// flat prints the fields of a struct that are numbers, truths and texts. Of slices and maps it prints the length, of
// others whether they are set.
func flat(w io.Writer, ptr any) {
	v := reflect.ValueOf(ptr).Elem()
	if !v.IsValid() { // a list that is no map has no keys
		return
	}
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64, reflect.String:
			fmt.Fprint(w, f, " ")
		case reflect.Slice, reflect.Map:
			fmt.Fprint(w, f.Len(), " ")
		default:
			fmt.Fprint(w, !f.IsZero(), " ")
		}
	}
	fmt.Fprintf(w, "%T\n", ptr)
}
