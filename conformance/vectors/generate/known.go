// Values that are worth a case under any schema: those that engines
// themselves write often. They are data; a schema without their types has none of them.

package generate

import (
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/internal/pattern"
)

// wellKnown are values in JSON, for the schemas whose names match.
var wellKnown = []struct {
	schemas *pattern.Pattern
	what    string
	about   string
	json    string
	open    bool
}{
	{id(`^godot-4\.`), "RefCounted", "the smallest object in full that an engine writes", `{"$type":"Object","class":"RefCounted","properties":[["script",null]]}`, true},
	{id(`^(godot-3|pandemonium-\d)`), "Reference", "the smallest object in full that an engine writes", `{"$type":"Object","class":"Reference","properties":[["script",null]]}`, true},
	{id(`^godot-4\.[34]`), "typed-objects", "an Array of a native class, as engines write it with full objects", `{"$type":"Array","of":{"class":"Node"},"value":[]}`, true},
	{id(`^godot-4\.[34]`), "typed-ids", "an Array of objects, as engines write it without full objects", `{"$type":"Array","of":{"class":"EncodedObjectAsID"},"value":[]}`, false},
	{id(`^(godot|pandemonium)`), "player", "what a game might send", `{"name":"Ada","pos":{"$type":"Vector2","value":[1,2.5]},"hp":12.5,"items":["key",3],"path":{"$type":"NodePath","value":"/root/Town:door"}}`, false},
}

// known adds them, where the schema can write them.
func (c *candidates) known(spec string) {
	for _, k := range wellKnown {
		if !k.schemas.MatchString(spec) {
			continue
		}
		v, err := godot.ParseJSON([]byte(k.json))
		if err != nil {
			panic(k.json) // it is a constant
		}
		t := c.typeOf(c.p.Root, raw.Value(v))
		if t < 0 {
			continue
		}
		one := candidate{typ: t, rule: c.typeRule(t), what: k.what, about: k.about, flags: []string{"basic"}, keep: true}
		if k.open {
			one.open = uint8(1<<len(c.p.Gates) - 1)
			one.flags = append(one.flags, "gate")
		}
		if b, err := c.m.Append(nil, raw.Value(v), one.options()); err == nil {
			one.bytes = b
			c.add(one)
		}
	}
}
