package view

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write web/src/messages.ts")

// The types of the page are those of this package.
func TestMessages(t *testing.T) {
	w := &typeWriter{seen: map[reflect.Type]string{}}
	w.b.WriteString("// Messages between the page and the codec. Made of messages.go by: go test ./cmd/octable/internal/view -run TestMessages -update\n\n")
	var names []string
	for name := range methods {
		names = append(names, name)
	}
	slices.Sort(names)
	var table strings.Builder
	table.WriteString("/** Methods has the parameters and the result of each method. */\nexport interface Methods {\n")
	for _, name := range names {
		m := methods[name]
		fmt.Fprintf(&table, "\t%s: { params: %s; result: %s };\n", name, w.name(reflect.TypeOf(m.params)), w.name(reflect.TypeOf(m.result)))
	}
	fmt.Fprintf(&table, "\tstart: { params: Record<string, never>; result: %s };\n}\n", w.name(reflect.TypeOf(StartParams{})))
	w.name(reflect.TypeOf(Error{}))
	for len(w.todo) > 0 {
		next := w.todo[0]
		w.todo = w.todo[1:]
		w.declare(next)
	}
	got := w.b.String() + table.String()
	const file = "web/src/messages.ts"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not current; run: go test ./cmd/octable/internal/view -run TestMessages -update", file)
	}
}

// typeWriter writes types of Go as types of TypeScript.
type typeWriter struct {
	b    strings.Builder
	seen map[reflect.Type]string
	todo []reflect.Type
}

// words are the values of the types that are words.
var words = map[reflect.Type][]string{
	reflect.TypeOf(Value):  {string(Value), string(List), string(Row), string(Cell), string(Derived), string(Flags), string(Padding), string(Frame), string(Gap), string(Unread), string(Trailing), string(Part)},
	reflect.TypeOf(NoEdit): {string(NoEdit), string(EditNumber), string(EditText), string(EditBool), string(EditValue)},
}

// name returns the name of a type.
func (w *typeWriter) name(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return w.name(t.Elem())
		}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string"
		}
		return w.name(t.Elem()) + "[]"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Uint64, reflect.Int64:
		return "number"
	case reflect.String:
		if words[t] == nil {
			return "string"
		}
		if w.seen[t] == "" {
			w.seen[t] = t.Name()
			w.todo = append(w.todo, t)
		}
		return t.Name()
	case reflect.Struct:
		if w.seen[t] == "" {
			w.seen[t] = t.Name()
			w.todo = append(w.todo, t)
		}
		return t.Name()
	}
	panic("no type of TypeScript for " + t.String())
}

// declare writes the declaration of a type.
func (w *typeWriter) declare(t reflect.Type) {
	if t.Kind() == reflect.String {
		var all []string
		for _, s := range words[t] {
			all = append(all, fmt.Sprintf("%q", s))
		}
		fmt.Fprintf(&w.b, "export type %s = %s;\n\n", t.Name(), strings.Join(all, " | "))
		return
	}
	fmt.Fprintf(&w.b, "export interface %s", t.Name())
	var base []string
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			base = append(base, w.name(f.Type))
		}
	}
	if base != nil {
		w.b.WriteString(" extends " + strings.Join(base, ", "))
	}
	w.b.WriteString(" {\n")
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			continue
		}
		name := w.name(f.Type)
		if f.Type.Kind() == reflect.Pointer {
			name += " | null"
		}
		comment := ""
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8 {
			comment = " // base64"
		}
		fmt.Fprintf(&w.b, "\t%s: %s;%s\n", f.Tag.Get("json"), name, comment)
	}
	w.b.WriteString("}\n\n")
}
