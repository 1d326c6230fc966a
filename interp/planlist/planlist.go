// Package planlist prints compiled plans for goldens. A plan that loses a fast path still gives the right results, so only
// its listing shows the loss.
package planlist

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"regexp"
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
	parts map[string]bool // texts of at least leastLines lines
}

// leastLines is the least number of lines of a text that is printed once, with a label. After that, its label is
// printed.
const leastLines = 4

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
		line, below := l.fields(v.Elem(), 1)
		delete(l.open, v.Pointer())
		return "{" + strings.Join(line, " ") + "}", len(below) == 0
	case reflect.Struct:
		if l.stops(v.Type()) {
			if name := v.FieldByName("name"); name.IsValid() {
				return fmt.Sprintf("%q", name.String()), true
			}
			return v.Type().Name(), true
		}
		line, below := l.fields(v, 1)
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

// widest is the most characters of a list of structs on the line of the struct that it is in.
const widest = 120

// numbers returns a list of leaves, equal ones as a number of times.
func (l *List) numbers(v reflect.Value) (string, bool) {
	var out []string
	structs, size := v.Type().Elem().Kind() == reflect.Struct, 0
	for i := 0; i < v.Len(); {
		text, ok := l.leaf(v.Index(i))
		if !ok {
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
		if size += len(text) + 1; structs && size+1 > widest {
			return "", false
		}
	}
	return "[" + strings.Join(out, " ") + "]", true
}

// fields returns the leaves of a struct that are not zero, and the numbers of its other fields. It stops at most of
// these.
func (l *List) fields(v reflect.Value, most int) (line []string, below []int) {
	for i := 0; i < v.NumField() && len(below) < most; i++ {
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
	l.below(out, v, indent)
}

// below prints a value that has lines of its parts.
func (l *List) below(out *strings.Builder, v reflect.Value, indent string) {
	switch v.Kind() {
	case reflect.Pointer:
		l.seen[v.Pointer()] = len(l.seen)
		l.value(out, v.Elem(), indent)
	case reflect.Interface:
		l.value(out, v.Elem(), indent)
	case reflect.Slice, reflect.Array, reflect.Struct:
		var part strings.Builder
		l.composite(&part, v, indent)
		l.once(out, part.String(), indent)
	case reflect.Map:
		fmt.Fprintf(out, " %d keys\n", v.Len())
	}
}

// once prints the text of a value, or its label if the list has printed the same text before.
func (l *List) once(out *strings.Builder, text, indent string) {
	if strings.Count(text, "\n") < leastLines || strings.Contains(text, "#") {
		out.WriteString(text)
		return
	}
	key := strings.ReplaceAll(text, "\n"+indent, "\n")
	sum := fnv.New32a()
	sum.Write([]byte(key))
	label := fmt.Sprintf(" @%08x", sum.Sum32())
	if l.parts == nil {
		l.parts = map[string]bool{}
	}
	if out.WriteString(label); l.parts[key] {
		out.WriteString("\n")
		return
	}
	l.parts[key] = true
	out.WriteString(text)
}

var labels = regexp.MustCompile(" @[0-9a-f]{8}")

// Labeled returns a text of listings without the labels that are in it once.
func Labeled(text string) string {
	times := map[string]int{}
	for _, label := range labels.FindAllString(text, -1) {
		times[label]++
	}
	return labels.ReplaceAllStringFunc(text, func(label string) string {
		if times[label] == 1 {
			return ""
		}
		return label
	})
}

// composite prints a struct, or a list with values that need lines.
func (l *List) composite(out *strings.Builder, v reflect.Value, indent string) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		out.WriteString("\n")
		for i := 0; i < v.Len(); i++ {
			if v.Index(i).IsZero() {
				continue
			}
			fmt.Fprintf(out, "%s%d", indent, i)
			first := i
			text, ok := l.leaf(v.Index(i))
			for ; ok && i+1 < v.Len(); i++ { // equal ones on one line
				if next, ok := l.leaf(v.Index(i + 1)); !ok || next != text {
					break
				}
			}
			if i > first {
				fmt.Fprintf(out, "-%d", i)
			}
			if ok {
				fmt.Fprintf(out, " %s\n", text)
			} else {
				l.below(out, v.Index(first), indent+"\t")
			}
		}
	case reflect.Struct:
		line, below := l.fields(v, v.NumField())
		seen := len(l.seen)
		fmt.Fprintf(out, "%s\n", strings.Join(append([]string{":"}, line...), " "))
		for _, i := range below {
			fmt.Fprintf(out, "%s%s", indent, v.Type().Field(i).Name)
			if len(l.seen) == seen {
				l.below(out, v.Field(i), indent+"\t")
			} else { // a pointer below may have been printed since
				l.value(out, v.Field(i), indent+"\t")
			}
		}
	}
}
