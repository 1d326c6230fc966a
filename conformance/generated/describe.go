// Descriptions of Go types, with which the program converts values.

package generated

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
)

// describer prints the shapes and records of a model as Go source.
type describer struct {
	types   *golang.Types
	shapes  map[*model.Shape]int
	records map[*model.Type]int
	out     []string // shapes
	recs    []string
}

// describe prints the description of the values of a schema: the first shape is that of the root.
func describe(m *model.Model, t *golang.Types) string {
	d := &describer{types: t, shapes: map[*model.Shape]int{}, records: map[*model.Type]int{}}
	d.shape(m.Root.Shape)
	return fmt.Sprintf("typedShapes{\n[]shape{\n%s},\n[]record{\n%s},\n}", strings.Join(d.out, ""), strings.Join(d.recs, ""))
}

// shape returns the number of a shape.
func (d *describer) shape(s *model.Shape) int {
	if s == nil {
		return -1
	}
	if i, ok := d.shapes[s]; ok {
		return i
	}
	i := len(d.out)
	d.shapes[s] = i
	d.out = append(d.out, "")
	scalars := make([]string, len(s.Scalars))
	for k, x := range s.Scalars {
		scalars[k] = fmt.Sprint(uint8(x))
	}
	rec := -1
	if s.Type != nil {
		rec = d.record(s.Type)
	}
	var arms []string
	if s.Routine != nil && s.Routine.Union != nil {
		for _, a := range s.Routine.Union.Arms {
			arms = append(arms, fmt.Sprintf("{%d, %d, %t, reflect.TypeFor[variant.%s]()}", d.record(a.Type), a.ID, a.Else, d.types.Of[a.Type]))
		}
	}
	d.out[i] = fmt.Sprintf("{%d, []bytecode.Scalar{%s}, %d, %d, %d, %d, []arm{%s}},\n", s.Kind, strings.Join(scalars, ", "), s.Width, d.shape(s.Key), d.shape(s.Elem), rec, strings.Join(arms, ", "))
	return i
}

// record returns the number of a record or an arm.
func (d *describer) record(t *model.Type) int {
	if i, ok := d.records[t]; ok {
		return i
	}
	i := len(d.recs)
	d.records[t] = i
	d.recs = append(d.recs, "")
	var fields []string
	for _, f := range t.Fields {
		fields = append(fields, fmt.Sprintf("{%d, %d, %t, %t}", d.shape(f.Shape), f.Kind, f.Alone, f.Optional))
	}
	d.recs[i] = fmt.Sprintf("{%d, %t, %t, %t, []field{%s}},\n", t.Tag, d.types.Of[t] != "", t.Alone() != nil, t.Lanes != nil, strings.Join(fields, ", "))
	return i
}
