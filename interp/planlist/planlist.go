// Package planlist prints compiled plans for goldens. A plan that loses a fast path still gives the right results, so only
// its listing shows the loss.
package planlist

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// List prints the fields of plans that are not zero, in the order of their declaration.
type List struct {
	Stop []reflect.Type // structs that are printed by the text in their field name
	Skip []string       // TYPE.FIELD of fields that are not printed, since they depend on addresses

	seen  map[uintptr]int  // plans by their addresses
	open  map[uintptr]bool // pointers whose fields are being looked at
	texts map[string]bool
}

// Of returns the listing of a value, or "" if the list has returned the same one before.
func (l *List) Of(v any) string {
	l.seen, l.open = map[uintptr]int{}, map[uintptr]bool{}
	var out strings.Builder
	l.value(&out, reflect.ValueOf(v), "\t")
	text := out.String()
	if l.texts == nil {
		l.texts = map[string]bool{}
	}
	if l.texts[text] {
		return ""
	}
	l.texts[text] = true
	return text
}

var typeOfType = reflect.TypeFor[reflect.Type]()

// leaf returns the text of a value that fits on the line of the struct that it is in.
func (l *List) leaf(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.Invalid:
		return "nil", true
	case reflect.Bool:
		return fmt.Sprint(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > 1<<16 {
			return fmt.Sprintf("%#x", v.Uint()), true
		}
		return fmt.Sprint(v.Uint()), true
	case reflect.Float32, reflect.Float64:
		return fmt.Sprint(v.Float()), true
	case reflect.String:
		return fmt.Sprintf("%q", v.String()), true
	case reflect.Func:
		return "func", true
	case reflect.Interface:
		if v.Type() == typeOfType {
			return typeName(v), true
		}
		return l.leaf(v.Elem())
	case reflect.Pointer:
		if v.IsNil() {
			return "nil", true
		}
		if l.stops(v.Type().Elem()) {
			return l.leaf(v.Elem())
		}
		if n, ok := l.seen[v.Pointer()]; ok {
			return fmt.Sprint("#", n), true
		}
		if v.Type().Elem().Kind() != reflect.Struct {
			return l.leaf(v.Elem())
		}
		if l.open[v.Pointer()] {
			return "", false // a plan that contains itself
		}
		l.open[v.Pointer()] = true
		_, below := l.fields(v.Elem())
		delete(l.open, v.Pointer())
		if len(below) == 0 {
			return l.leaf(v.Elem())
		}
	case reflect.Struct:
		if l.stops(v.Type()) {
			if name := v.FieldByName("name"); name.IsValid() {
				return fmt.Sprintf("%q", name.String()), true
			}
			return v.Type().Name(), true
		}
		line, below := l.fields(v)
		return "{" + strings.Join(line, " ") + "}", len(below) == 0
	case reflect.Slice, reflect.Array:
		return l.numbers(v)
	}
	return "", false
}

// typeName returns the name of a type that a field holds, or its kind.
func typeName(v reflect.Value) string {
	if v.IsNil() || !v.CanAddr() {
		return "type"
	}
	t := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem().Interface().(reflect.Type)
	if t.Name() == "" {
		return t.Kind().String()
	}
	return t.Name()
}

func (l *List) stops(t reflect.Type) bool {
	return slices.Contains(l.Stop, t) || t.PkgPath() == "sync"
}

// numbers returns a list of leaves, equal ones as a number of times.
func (l *List) numbers(v reflect.Value) (string, bool) {
	var out []string
	for i := 0; i < v.Len(); {
		text, ok := l.leaf(v.Index(i))
		if !ok || v.Index(i).Kind() == reflect.Struct {
			return "", false
		}
		n := 1
		for ; i+n < v.Len(); n++ {
			if next, ok := l.leaf(v.Index(i + n)); !ok || next != text {
				break
			}
		}
		if i += n; n > 1 {
			text += fmt.Sprint("*", n)
		}
		out = append(out, text)
	}
	return "[" + strings.Join(out, " ") + "]", true
}

// fields returns the leaves of a struct that are not zero, and the numbers of its other fields.
func (l *List) fields(v reflect.Value) (line []string, below []int) {
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() && !slices.Contains(l.Skip, v.Type().Name()+"."+v.Type().Field(i).Name) {
			if text, ok := l.leaf(f); ok {
				line = append(line, v.Type().Field(i).Name+"="+text)
			} else {
				below = append(below, i)
			}
		}
	}
	return line, below
}

// value prints a value: leaves on the line, the others below it.
func (l *List) value(out *strings.Builder, v reflect.Value, indent string) {
	if text, ok := l.leaf(v); ok {
		fmt.Fprintf(out, " %s\n", text)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		l.seen[v.Pointer()] = len(l.seen)
		l.value(out, v.Elem(), indent)
	case reflect.Interface:
		l.value(out, v.Elem(), indent)
	case reflect.Slice, reflect.Array:
		out.WriteString("\n")
		for i := 0; i < v.Len(); i++ {
			if v.Index(i).IsZero() {
				continue
			}
			fmt.Fprintf(out, "%s%d", indent, i)
			first := i
			for text, ok := l.leaf(v.Index(i)); ok && i+1 < v.Len(); i++ { // equal ones on one line
				if next, ok := l.leaf(v.Index(i + 1)); !ok || next != text {
					break
				}
			}
			if i > first {
				fmt.Fprintf(out, "-%d", i)
			}
			l.value(out, v.Index(first), indent+"\t")
		}
	case reflect.Map:
		fmt.Fprintf(out, " %d keys\n", v.Len())
	case reflect.Struct:
		line, below := l.fields(v)
		fmt.Fprintf(out, "%s\n", strings.Join(append([]string{":"}, line...), " "))
		for _, i := range below {
			fmt.Fprintf(out, "%s%s", indent, v.Type().Field(i).Name)
			l.value(out, v.Field(i), indent+"\t")
		}
	}
}

// Difference returns the number of the first line in which two texts differ, and both lines, or "" if the texts are equal.
func Difference(got, want string) string {
	if got == want {
		return ""
	}
	a, b := append(strings.Split(got, "\n"), ""), append(strings.Split(want, "\n"), "")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("%d: %s\ninstead of\n%s", i+1, a[i], b[i])
}
