package formats

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// match compares a tree with what an independent reader says, in the notation of the program in samples. The
// error has the path of the first difference. file is the file that the tree is of.
func match(file []byte, path string, got, want any) error {
	if a, ok := got.(arm); ok {
		return matchArm(file, path, a, want)
	}
	ok := false
	switch want := want.(type) {
	case nil:
		return nil
	case map[string]any:
		if name, is := want["$name"].(string); is {
			if got := domain(file, got); got != name {
				return fmt.Errorf("%s is the name %q, the reader says %q", path, got, name)
			}
			return nil
		}
		r, is := got.(record)
		if !is {
			break
		}
		for name, of := range want {
			field, present := r.fields[name]
			if !present {
				return fmt.Errorf("%s has no field %s; it has %v", path, name, r.fields)
			}
			if err := match(file, path+"."+name, field, of); err != nil {
				return err
			}
		}
		return nil
	case []any:
		return matchList(file, path, got, want)
	case bool:
		ok = got == want
	case string:
		if b, is := got.([]byte); is {
			ok = hex.EncodeToString(b) == want
			break
		}
		if l, is := got.([]any); is {
			ok = len(l) == 0 && want == ""
			break
		}
		ok = got == want
	case json.Number:
		if f, is := got.(float64); is {
			w, err := want.Float64()
			ok = err == nil && math.Float64bits(f) == math.Float64bits(w)
			break
		}
		ok = got == want
	}
	if !ok {
		return differ(path, got, want)
	}
	return nil
}

func differ(path string, got, want any) error {
	text, _ := json.Marshal(want)
	return fmt.Errorf("%s is %.300s, the reader says %.300s", path, fmt.Sprint(got), text)
}

// matchArm compares a value of a union.
func matchArm(file []byte, path string, got arm, want any) error {
	w, ok := want.(map[string]any)
	if want == nil {
		return nil
	}
	if !ok || len(w) != 1 {
		return differ(path, got, want)
	}
	for name, of := range w {
		switch {
		case name == got.name:
			return match(file, path+"."+name, got.content, of)
		case name == "$oneof":
			for _, one := range of.([]any) {
				if matchArm(file, path, got, one) == nil {
					return nil
				}
			}
		case name == "$items" && got.name == "array", name == "$pairs" && got.name == "map":
			return match(file, path, got.content, of)
		case name == "$items" && got.name == "open_array":
			return matchList(file, path, got.content, append(of.([]any), map[string]any{"stop": nil}))
		case name == "$pairs" && got.name == "open_map":
			var flat []any
			for _, pair := range of.([]any) {
				flat = append(flat, pair.([]any)...)
			}
			return matchList(file, path, got.content, append(flat, map[string]any{"stop": nil}))
		}
	}
	return differ(path, got, want)
}

// matchList compares a list, an array or a tuple.
func matchList(file []byte, path string, got any, want []any) error {
	var parts []any
	switch got := got.(type) {
	case []any:
		parts = got
	case []byte:
		for _, b := range got {
			parts = append(parts, json.Number(fmt.Sprint(b)))
		}
	case record:
		list, ok := got.only.([]any)
		if !ok {
			return differ(path, got, want)
		}
		parts = list
	default:
		return differ(path, got, want)
	}
	if len(parts) != len(want) {
		return fmt.Errorf("%s has %d elements, the reader has %d: %.300s", path, len(parts), len(want), fmt.Sprint(got))
	}
	for i, part := range parts {
		if err := match(file, fmt.Sprintf("%s[%d]", path, i), part, want[i]); err != nil {
			return err
		}
	}
	return nil
}

// domain returns a name of DNS, with its pointers followed in the file.
func domain(file []byte, labels any) string {
	var parts []string
	for _, l := range labels.([]any) {
		label := l.(arm)
		if label.name == "label" {
			parts = append(parts, label.content.(string))
			continue
		}
		at := pointed(label)
		for hops := 0; hops < len(file) && file[at] != 0; hops++ {
			if file[at] >= 0xc0 {
				at = int(file[at]&0x3f)<<8 | int(file[at+1])
				continue
			}
			parts = append(parts, string(file[at+1:at+1+int(file[at])]))
			at += 1 + int(file[at])
		}
		parts = append(parts, "")
	}
	if len(parts) == 1 {
		return "."
	}
	return strings.Join(parts, ".")
}

// pointed is the offset of a compression pointer.
func pointed(p arm) int {
	fields := p.content.(record).fields
	number := func(name string) int {
		n, _ := fields[name].(json.Number).Int64()
		return int(n)
	}
	return 256*number("high") + number("low")
}
