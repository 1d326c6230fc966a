# Variants of Godot 4 to and from the notation of values (codec/godot/doc.go): write shows every
# value, and read makes the values that a script can make. What it cannot make is in lack.
extends RefCounted

const LANES := { # how many numbers the values have that are made of single-precision ones
	"Vector2": 2, "Rect2": 4, "Vector3": 3, "Transform2D": 6, "Vector4": 4, "Plane": 4, "Quaternion": 4, "AABB": 6,
	"Basis": 9, "Transform3D": 12, "Projection": 16, "Color": 4,
}

var lack := ""

func lacks(what: String) -> Variant:
	lack = what
	return null

# --- to notation ---

# Not recursive, since scripts cannot call as deep as values may be nested.
func write(v: Variant) -> String:
	var said := PackedStringArray()
	var todo := [[v]] # backwards: texts, and values in Arrays of one
	while not todo.is_empty():
		var next: Variant = todo.pop_back()
		if next is String:
			said.append(next)
			continue
		next = parts(next[0])
		if next is Array:
			next.reverse()
			todo.append_array(next)
		else:
			said.append(next)
	return "".join(said)

# The text of a value, or its texts and the values in it.
func parts(v: Variant) -> Variant:
	match typeof(v):
		TYPE_NIL:
			return "null"
		TYPE_BOOL:
			return str(v)
		TYPE_INT:
			return '{"$type":"int","value":"%d"}' % v
		TYPE_FLOAT:
			return '{"$type":"float","value":%s}' % lanes(PackedFloat64Array([v]).to_byte_array(), 8)
		TYPE_STRING:
			return '{"$type":"String","value":%s}' % text(v)
		TYPE_STRING_NAME:
			return '{"$type":"StringName","value":%s}' % text(v)
		TYPE_NODE_PATH:
			var names := range(v.get_name_count()).map(func(i): return text(v.get_name(i)))
			var subnames := range(v.get_subname_count()).map(func(i): return text(v.get_subname(i)))
			return '{"$type":"NodePath","absolute":%s,"names":[%s],"subnames":[%s]}' % [v.is_absolute(), ",".join(names), ",".join(subnames)]
		TYPE_RID:
			return '{"$type":"RID","value":"%s"}' % unsigned(v.get_id())
		TYPE_CALLABLE:
			return '{"$type":"Callable"}'
		TYPE_SIGNAL:
			return '{"$type":"Signal","name":%s,"object":"%s"}' % [text(v.get_name()), unsigned(v.get_object_id())]
		TYPE_OBJECT:
			return object(v)
		TYPE_ARRAY:
			var of := ',"of":' + element(v.get_typed_builtin(), v.get_typed_class_name(), v.get_typed_script()) if v.is_typed() else ""
			var said := ['{"$type":"Array"%s,"value":[' % of]
			for e in v:
				said.append_array([[e], ","])
			return closed(said, "]}")
		TYPE_DICTIONARY:
			var of := ',"of":[%s,%s]' % [
				element(v.get_typed_key_builtin(), v.get_typed_key_class_name(), v.get_typed_key_script()),
				element(v.get_typed_value_builtin(), v.get_typed_value_class_name(), v.get_typed_value_script())] if v.is_typed() else ""
			var said := ['{"$type":"Dictionary"%s,"value":[' % of]
			for key in v:
				said.append_array(["[", [key], ",", [v[key]], "]", ","])
			return closed(said, "]}")
		TYPE_PACKED_BYTE_ARRAY:
			return '{"$type":"PackedByteArray","value":"%s"}' % Marshalls.raw_to_base64(v)
		TYPE_PACKED_STRING_ARRAY:
			return '{"$type":"PackedStringArray","value":[%s]}' % ",".join(Array(v).map(text))
	return '{"$type":"%s","value":[%s]}' % [type_string(typeof(v)), numbers(v)]

# The numbers of math types and of packed arrays, in the order of the wire. Going through
# packed arrays keeps every bit, where numbers of a script would change some NaNs, as they do
# those of a Plane's d and of a Quaternion.
func numbers(v: Variant) -> String:
	match typeof(v):
		TYPE_VECTOR2:
			return lanes(PackedVector2Array([v]).to_byte_array())
		TYPE_VECTOR3:
			return lanes(PackedVector3Array([v]).to_byte_array())
		TYPE_VECTOR4:
			return lanes(PackedVector4Array([v]).to_byte_array())
		TYPE_COLOR:
			return lanes(PackedColorArray([v]).to_byte_array())
		TYPE_RECT2, TYPE_AABB:
			return numbers(v.position) + "," + numbers(v.size)
		TYPE_PLANE:
			return numbers(v.normal) + "," + lanes(PackedFloat32Array([v.d]).to_byte_array())
		TYPE_QUATERNION:
			return numbers(Vector4(v.x, v.y, v.z, v.w))
		TYPE_TRANSFORM2D:
			return ",".join([numbers(v.x), numbers(v.y), numbers(v.origin)])
		TYPE_BASIS: # row by row, where a script sees columns
			var by_column := numbers(v.x).split(",") + numbers(v.y).split(",") + numbers(v.z).split(",")
			return ",".join(range(9).map(func(i): return by_column[i % 3 * 3 + i / 3]))
		TYPE_TRANSFORM3D:
			return numbers(v.basis) + "," + numbers(v.origin)
		TYPE_PROJECTION:
			return ",".join([numbers(v.x), numbers(v.y), numbers(v.z), numbers(v.w)])
		TYPE_VECTOR2I:
			return "%d,%d" % [v.x, v.y]
		TYPE_VECTOR3I:
			return "%d,%d,%d" % [v.x, v.y, v.z]
		TYPE_VECTOR4I:
			return "%d,%d,%d,%d" % [v.x, v.y, v.z, v.w]
		TYPE_RECT2I:
			return numbers(v.position) + "," + numbers(v.size)
		TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY:
			return ",".join(Array(v).map(func(i): return '"%d"' % i))
		TYPE_PACKED_FLOAT32_ARRAY:
			return lanes(v.to_byte_array())
		TYPE_PACKED_FLOAT64_ARRAY:
			return lanes(v.to_byte_array(), 8)
	return ",".join(Array(v).map(func(e): return "[%s]" % numbers(e))) # arrays of vectors and colors

func lanes(bytes: PackedByteArray, width := 4) -> String:
	bytes.reverse()
	return ",".join(range(bytes.size() - width, -1, -width).map(func(at): return '"bits:%s"' % bytes.slice(at, at + width).hex_encode()))

func text(s: String) -> String:
	for i in s.length():
		if s.unicode_at(i) < 32:
			return '{"$bytes":"%s"}' % Marshalls.utf8_to_base64(s)
	return '"%s"' % s.json_escape()

func unsigned(i: int) -> String:
	var tens := (i >> 1 & 0x7fffffffffffffff) / 5
	return (str(tens) if tens > 0 else "") + str(i - 10 * tens)

func object(v: Object) -> Variant:
	if v == null:
		return '{"$type":"Object"}'
	if v is EncodedObjectAsID:
		return '{"$type":"Object","id":"%s"}' % unsigned(v.object_id)
	var said := ['{"$type":"Object","class":%s,"properties":[' % text(v.get_class())]
	for name in stored(v):
		said.append_array(["[%s," % text(name), [v.get(name)], "]", ","])
	if not v is RefCounted:
		v.free()
	return closed(said, "]}")

# Parts with an end in place of the last comma.
func closed(said: Array, end: String) -> Array:
	if said.size() > 1:
		said.pop_back()
	return said + [end]

func stored(v: Object) -> Array:
	return v.get_property_list().filter(func(p): return p["usage"] & PROPERTY_USAGE_STORAGE).map(func(p): return p["name"])

func element(type: int, class_text: StringName, script: Variant) -> String:
	if script != null:
		return '{"script":%s}' % text(script.resource_path)
	if class_text != &"":
		return '{"class":%s}' % text(class_text)
	return "null" if type == TYPE_NIL else '"%s"' % type_string(type)

# --- from the explicit notation ---

func read(json: Variant) -> Variant:
	var type: Variant = json["$type"]
	if "kind" in json:
		return lacks("there is no such type")
	var value: Variant = single(json["value"]) if "wide" in json else json.get("value")
	match type:
		"Nil":
			return null
		"bool":
			return value
		"int":
			return whole(value)
		"float":
			return bits([value]).decode_double(0)
		"String":
			return chars(value)
		"StringName":
			return StringName(chars(value))
		"NodePath":
			return node_path(json)
		"RID":
			return rid_from_int64(whole(value))
		"Callable":
			return Callable()
		"Signal":
			if json["object"] == "0" and json["name"] == "":
				return Signal()
			return lacks("a Signal is of an object that exists")
		"Object":
			return make_object(json)
		"Array":
			return array(value, json.get("of"))
		"Dictionary":
			return dictionary(value, json.get("of", [null, null]))
		"PackedByteArray":
			return Marshalls.base64_to_raw(value)
		"PackedStringArray":
			return PackedStringArray(value.map(chars))
		"PackedInt32Array":
			return PackedInt32Array(value.map(whole))
		"PackedInt64Array":
			return PackedInt64Array(value.map(whole))
		"PackedFloat32Array":
			return bits(value).to_float32_array()
		"PackedFloat64Array":
			return bits(value).to_float64_array()
		"PackedVector2Array":
			return bits(flat(value)).to_vector2_array()
		"PackedVector3Array":
			return bits(flat(value)).to_vector3_array()
		"PackedVector4Array":
			return bits(flat(value)).to_vector4_array()
		"PackedColorArray":
			return bits(flat(value)).to_color_array()
		"Vector2i":
			return Vector2i(whole(value[0]), whole(value[1]))
		"Vector3i":
			return Vector3i(whole(value[0]), whole(value[1]), whole(value[2]))
		"Vector4i":
			return Vector4i(whole(value[0]), whole(value[1]), whole(value[2]), whole(value[3]))
		"Rect2i":
			return Rect2i(whole(value[0]), whole(value[1]), whole(value[2]), whole(value[3]))
	if not type in LANES:
		return lacks("there is no type %s" % type)
	return math(type, bits(value))

func math(type: String, lanes_: PackedByteArray) -> Variant:
	var two := lanes_.to_vector2_array() if lanes_.size() % 8 == 0 else PackedVector2Array()
	var three := lanes_.to_vector3_array() if lanes_.size() % 12 == 0 else PackedVector3Array()
	var four := lanes_.to_vector4_array() if lanes_.size() % 16 == 0 else PackedVector4Array()
	match type:
		"Vector2":
			return two[0]
		"Vector3":
			return three[0]
		"Vector4":
			return four[0]
		"Color":
			return lanes_.to_color_array()[0]
		"Rect2":
			return Rect2(two[0], two[1])
		"AABB":
			return AABB(three[0], three[1])
		"Plane":
			return Plane(lanes_.slice(0, 12).to_vector3_array()[0], lanes_.decode_float(12))
		"Quaternion":
			return Quaternion(four[0].x, four[0].y, four[0].z, four[0].w)
		"Transform2D":
			return Transform2D(two[0], two[1], two[2])
		"Basis":
			return basis(lanes_)
		"Transform3D":
			return Transform3D(basis(lanes_), three[3])
	return Projection(four[0], four[1], four[2], four[3])

func basis(rows: PackedByteArray) -> Basis:
	var columns := PackedByteArray()
	for i in 9:
		columns.append_array(rows.slice(i % 3 * 12 + i / 3 * 4, i % 3 * 12 + i / 3 * 4 + 4))
	var of := columns.to_vector3_array()
	return Basis(of[0], of[1], of[2])

# The bytes of reals that are given as bits.
func bits(list: Array) -> PackedByteArray:
	var bytes := "".join(range(list.size() - 1, -1, -1).map(func(i): return list[i].trim_prefix("bits:"))).hex_decode()
	bytes.reverse()
	return bytes

# Reals of double precision in the single precision that the engine has for them.
func single(list: Array) -> Array:
	return list.map(func(e): return single(e) if e is Array else lanes(PackedFloat32Array([bits([e]).decode_double(0)]).to_byte_array()).trim_prefix('"').trim_suffix('"'))

func flat(lists: Array) -> Array:
	var all := []
	for list in lists:
		all.append_array(list)
	return all

# A whole number in decimal digits, up to 2^64-1, which is -1 here.
func whole(digits: String) -> int:
	var n := 0
	for digit in digits.trim_prefix("-"):
		n = n * 10 + (-int(digit) if digits[0] == "-" else int(digit))
	return n

func chars(value: Variant) -> String:
	if value is String:
		return value
	lacks("a String holds characters, not bytes")
	return ""

func node_path(json: Dictionary) -> Variant:
	var names: Array = json["names"].map(chars)
	var subnames: Array = json["subnames"].map(chars)
	var path := NodePath(("/" if json["absolute"] else "") + "/".join(names) + "".join(subnames.map(func(s): return ":" + s)))
	var same: bool = path.is_absolute() == json["absolute"] and path.get_name_count() == names.size() and path.get_subname_count() == subnames.size()
	for i in names.size() if same else 0:
		same = same and path.get_name(i) == names[i]
	for i in subnames.size() if same else 0:
		same = same and path.get_subname(i) == subnames[i]
	return path if same else lacks("a script makes paths of text, in which names are parted by / and :")

func make_object(json: Dictionary) -> Variant:
	if "id" in json:
		return lacks("the engine chooses the ids of objects")
	if not "class" in json:
		return lacks("a null Object is written as Nil")
	var made: Variant = ClassDB.instantiate(chars(json["class"])) if ClassDB.can_instantiate(chars(json["class"])) else null
	if made == null:
		return lacks("there is no class that is called so")
	for property in json["properties"]:
		made.set(chars(property[0]), read(property[1]))
	if stored(made) != json["properties"].map(func(p): return chars(p[0])):
		return lacks("a %s has other properties" % json["class"])
	return made

# The type of elements: its number, class and script.
func element_type(of: Variant) -> Array:
	if of == null:
		return [TYPE_NIL, &"", null]
	if of is String:
		for type in TYPE_MAX:
			if type_string(type) == of:
				return [type, &"", null]
	elif "class" in of:
		return [TYPE_OBJECT, StringName(chars(of["class"])), null]
	lacks("a script is a file that exists" if of is Dictionary else "there is no type %s" % of)
	return [TYPE_NIL, &"", null]

func fits(v: Variant, type: Array) -> bool:
	return type[0] == TYPE_NIL or typeof(v) == type[0] or type[0] == TYPE_OBJECT and v == null

func array(values: Array, of: Variant) -> Variant:
	var type := element_type(of)
	var made := Array([], type[0], type[1], type[2])
	for json in values:
		var v: Variant = read(json)
		if not fits(v, type):
			return lacks("a typed Array has no element of another type")
		made.append(v)
	return made

func dictionary(pairs: Array, of: Array) -> Variant:
	var key_type := element_type(of[0])
	var value_type := element_type(of[1])
	var made := Dictionary({}, key_type[0], key_type[1], key_type[2], value_type[0], value_type[1], value_type[2])
	for pair in pairs:
		var key: Variant = read(pair[0])
		var value: Variant = read(pair[1])
		if not fits(key, key_type) or not fits(value, value_type):
			return lacks("a typed Dictionary has no key or value of another type")
		if made.has(key):
			return lacks("a Dictionary has a key once")
		made[key] = value
	return made
