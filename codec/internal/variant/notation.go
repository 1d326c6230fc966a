// Godot's text notation of values, which package godot describes.

package variant

import (
	"strings"

	"github.com/octable/octable/interp"
)

// parseNodePath returns the path that a text is to the engines. It fails if a
// name after a colon is empty, other than at the end.
func parseNodePath(text string) (interp.Value, bool) {
	path, property, _ := strings.Cut(text, ":")
	var names, subnames []interp.Value
	for name := range strings.SplitSeq(path, "/") {
		if name != "" {
			names = append(names, interp.MakeText(0, name))
		}
	}
	if property != "" {
		property = strings.TrimSuffix(property, ":")
		for name := range strings.SplitSeq(property, ":") {
			if name == "" {
				return interp.Value{}, false
			}
			subnames = append(subnames, interp.MakeText(0, name))
		}
	}
	return MakeNodePath(strings.HasPrefix(path, "/"), names, subnames), true
}

// MakeNodePath returns a NodePath with lists of texts.
func MakeNodePath(absolute bool, names, subnames []interp.Value) interp.Value {
	return interp.MakeRecord(uint16(NodePathType), []interp.Value{
		interp.MakeBool(0, absolute), interp.MakeList(0, names), interp.MakeList(0, subnames)})
}

// nodePathText returns a path as the engines write it; ok is false when they
// would read another path from that.
func nodePathText(v interp.Value) (text string, ok bool) {
	var b strings.Builder
	if v.At(0).Bool() {
		b.WriteByte('/')
	}
	for i, name := range v.At(1).Cells() {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(name.Text())
	}
	for _, name := range v.At(2).Cells() {
		b.WriteByte(':')
		b.WriteString(name.Text())
	}
	back, ok := parseNodePath(b.String())
	return b.String(), ok && Equal(back, v.WithWide(false))
}
