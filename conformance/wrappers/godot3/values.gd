# Variants of Godot 3 to and from the notation of values (codec/godot/doc.go): write shows every
# value, and read makes the values that a script can make. What it cannot make is in lack.
extends Reference

# The types that are made of numbers, by the names of Godot 4, which the notation has.
const MATH = {
	TYPE_VECTOR2: "Vector2", TYPE_RECT2: "Rect2", TYPE_VECTOR3: "Vector3", TYPE_TRANSFORM2D: "Transform2D", TYPE_PLANE: "Plane",
	TYPE_QUAT: "Quaternion", TYPE_AABB: "AABB", TYPE_BASIS: "Basis", TYPE_TRANSFORM: "Transform3D", TYPE_COLOR: "Color",
	TYPE_INT_ARRAY: "PackedInt32Array", TYPE_REAL_ARRAY: "PackedFloat32Array", TYPE_VECTOR2_ARRAY: "PackedVector2Array",
	TYPE_VECTOR3_ARRAY: "PackedVector3Array", TYPE_COLOR_ARRAY: "PackedColorArray",
}

const LARGE = 10000 # elements

var lack = ""
var buffer = StreamPeerBuffer.new()

func lacks(what):
	lack = what
	return ""

# --- to notation ---

# Not recursive, since scripts cannot call as deep as values may be nested.
func write(v):
	var said = PoolStringArray()
	var todo = [[v]] # backwards: texts, and values in Arrays of one
	while not todo.empty():
		var next = todo.pop_back()
		if next is String:
			said.append(next)
			continue
		next = parts(next[0])
		if next is Array:
			next.invert()
			todo += next
		else:
			said.append(next)
	return said.join("")

# The text of a value, or its texts and the values in it.
func parts(v):
	match typeof(v):
		TYPE_NIL:
			return "null"
		TYPE_BOOL:
			return "true" if v else "false"
		TYPE_INT:
			return '{"$type":"int","value":"%s"}' % v
		TYPE_REAL:
			buffer.seek(0)
			buffer.put_double(v)
			return '{"$type":"float","value":%s}' % bits_said(8)
		TYPE_STRING:
			return '{"$type":"String","value":%s}' % text(v)
		TYPE_NODE_PATH:
			var names = []
			var subnames = []
			for i in v.get_name_count():
				names.append(text(v.get_name(i)))
			for i in v.get_subname_count():
				subnames.append(text(v.get_subname(i)))
			return '{"$type":"NodePath","absolute":%s,"names":%s,"subnames":%s}' % [parts(v.is_absolute()), list(names), list(subnames)]
		TYPE_RID:
			return '{"$type":"RID","value":"%d"}' % v.get_id()
		TYPE_OBJECT:
			return object(v)
		TYPE_ARRAY:
			if v.size() > LARGE: return lacks("a script takes minutes to show so large a container")
			var said = ['{"$type":"Array","value":[']
			for e in v:
				said += [[e], ","]
			return closed(said, "]}")
		TYPE_DICTIONARY:
			if v.size() > LARGE: return lacks("a script takes minutes to show so large a container")
			var said = ['{"$type":"Dictionary","value":[']
			for key in v:
				said += ["[", [key], ",", [v[key]], "]", ","]
			return closed(said, "]}")
		TYPE_RAW_ARRAY:
			return '{"$type":"PackedByteArray","value":"%s"}' % base64(v)
		TYPE_STRING_ARRAY:
			var texts = []
			for s in v:
				texts.append(text(s))
			return '{"$type":"PackedStringArray","value":%s}' % list(texts)
	return '{"$type":"%s","value":%s}' % [MATH[typeof(v)], list(numbers(v))]

# The numbers of math types and of packed arrays, in the order of the wire. A script sees a
# signalling NaN as a quiet one.
func numbers(v):
	match typeof(v):
		TYPE_VECTOR2:
			return lanes([v.x, v.y])
		TYPE_VECTOR3:
			return lanes([v.x, v.y, v.z])
		TYPE_RECT2, TYPE_AABB:
			return numbers(v.position) + numbers(v.size)
		TYPE_PLANE:
			return numbers(v.normal) + lanes([v.d])
		TYPE_QUAT:
			return lanes([v.x, v.y, v.z, v.w])
		TYPE_TRANSFORM2D:
			return numbers(v.x) + numbers(v.y) + numbers(v.origin)
		TYPE_BASIS: # row by row, where a script sees columns
			return lanes([v.x.x, v.y.x, v.z.x, v.x.y, v.y.y, v.z.y, v.x.z, v.y.z, v.z.z])
		TYPE_TRANSFORM:
			return numbers(v.basis) + numbers(v.origin)
		TYPE_COLOR:
			return lanes([v.r, v.g, v.b, v.a])
		TYPE_REAL_ARRAY:
			return lanes(v)
	var said = []
	for e in v:
		said.append('"%d"' % e if e is int else list(numbers(e)))
	return said

func lanes(reals):
	var said = []
	for x in reals:
		buffer.seek(0)
		buffer.put_float(x)
		said.append(bits_said(4))
	return said

# The bytes that were just written to the buffer, as bits.
func bits_said(width):
	var bytes = buffer.data_array.subarray(0, width - 1)
	bytes.invert()
	return '"bits:%s"' % bytes.hex_encode()

func list(said):
	return "[" + PoolStringArray(said).join(",") + "]"

# Texts of Godot 3 may hold what is no UTF-8, and its JSON does not escape all control characters.
func text(s):
	return '{"$bytes":"%s"}' % base64(s.to_utf8())

func base64(bytes):
	return Marshalls.raw_to_base64(bytes) if bytes.size() > 0 else ""

func unsigned(i):
	var tens = (i >> 1 & 0x7fffffffffffffff) / 5
	return (str(tens) if tens > 0 else "") + str(i - 10 * tens)

func object(v):
	if v == null:
		return '{"$type":"Object"}'
	if v is EncodedObjectAsID:
		return '{"$type":"Object","id":"%s"}' % unsigned(v.object_id)
	var said = ['{"$type":"Object","class":%s,"properties":[' % text(v.get_class())]
	for name in stored(v):
		var value = v.get(name)
		said += ["[%s," % text(name), [null if value == null else value], "]", ","] # no null of a class
	if not v is Reference:
		v.free()
	return closed(said, "]}")

# Parts with an end in place of the last comma.
func closed(said, end):
	if said.size() > 1:
		said.pop_back()
	return said + [end]

func stored(v):
	var names = []
	for property in v.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			names.append(property["name"])
	return names

# --- from the explicit notation ---

func read(json):
	var type = json["$type"]
	if "kind" in json or "of" in json:
		return lacks("there is no such type")
	var value = json["value"] if "value" in json else null
	match type:
		"Nil":
			return null
		"bool":
			return value
		"int":
			return whole(value)
		"float":
			return real(value)
		"String":
			return chars(value)
		"NodePath":
			return node_path(json)
		"RID":
			return RID() if value == "0" else lacks("a script cannot make a RID")
		"Object":
			return make_object(json)
		"Array":
			var made = []
			for e in value:
				made.append(read(e))
			return made
		"Dictionary":
			var made = {}
			for pair in value:
				var key = read(pair[0])
				if made.has(key):
					return lacks("a Dictionary has a key once")
				made[key] = read(pair[1])
			return made
		"PackedByteArray":
			return Marshalls.base64_to_raw(value) if value != "" else PoolByteArray()
		"PackedStringArray":
			var made = PoolStringArray()
			for s in value:
				made.append(chars(s))
			return made
	if not type in MATH.values():
		return lacks("there is no type " + type)
	return math(type, value)

func math(type, n):
	match type:
		"Vector2":
			return Vector2(real(n[0]), real(n[1]))
		"Rect2":
			return Rect2(real(n[0]), real(n[1]), real(n[2]), real(n[3]))
		"Vector3":
			return vector3(n, 0, 1, 2)
		"Transform2D":
			return Transform2D(math("Vector2", n), Vector2(real(n[2]), real(n[3])), Vector2(real(n[4]), real(n[5])))
		"Plane":
			return Plane(vector3(n, 0, 1, 2), real(n[3]))
		"Quaternion":
			return Quat(real(n[0]), real(n[1]), real(n[2]), real(n[3]))
		"AABB":
			return AABB(vector3(n, 0, 1, 2), vector3(n, 3, 4, 5))
		"Basis":
			return Basis(vector3(n, 0, 3, 6), vector3(n, 1, 4, 7), vector3(n, 2, 5, 8))
		"Transform3D":
			return Transform(math("Basis", n), vector3(n, 9, 10, 11))
		"Color":
			return Color(real(n[0]), real(n[1]), real(n[2]), real(n[3]))
		"PackedInt32Array":
			var made = PoolIntArray()
			for digits in n:
				made.append(whole(digits))
			return made
		"PackedFloat32Array":
			var made = PoolRealArray()
			for x in n:
				made.append(real(x))
			return made
		"PackedVector2Array":
			var made = PoolVector2Array()
			for xy in n:
				made.append(math("Vector2", xy))
			return made
		"PackedVector3Array":
			var made = PoolVector3Array()
			for xyz in n:
				made.append(math("Vector3", xyz))
			return made
	var made = PoolColorArray()
	for rgba in n:
		made.append(math("Color", rgba))
	return made

func vector3(n, x, y, z):
	return Vector3(real(n[x]), real(n[y]), real(n[z]))

# A real that is given as bits, of single or of double precision.
func real(said):
	var bytes = unhex(said.trim_prefix("bits:"))
	bytes.invert()
	buffer.data_array = bytes
	return buffer.get_float() if bytes.size() == 4 else buffer.get_double()

func unhex(digits):
	var bytes = PoolByteArray()
	for at in range(0, digits.length(), 2):
		bytes.append(("0x" + digits.substr(at, 2)).hex_to_int())
	return bytes

# A whole number in decimal digits, up to 2^64-1, which is -1 here.
func whole(digits):
	var n = 0
	for digit in digits.trim_prefix("-"):
		n = n * 10 + (-int(digit) if digits[0] == "-" else int(digit))
	return n

func chars(value):
	if value is String:
		return value
	var bytes = Marshalls.base64_to_raw(value["$bytes"])
	var s = bytes.get_string_from_utf8()
	if s.to_utf8() != bytes:
		lacks("a String holds characters, not bytes")
	return s

func node_path(json):
	var path = NodePath(("/" if json["absolute"] else "") + PoolStringArray(json["names"]).join("/") + PoolStringArray([""] + json["subnames"]).join(":"))
	var names = []
	var subnames = []
	for i in path.get_name_count():
		names.append(path.get_name(i))
	for i in path.get_subname_count():
		subnames.append(path.get_subname(i))
	if path.is_absolute() != json["absolute"] or JSON.print([names, subnames]) != JSON.print([json["names"], json["subnames"]]):
		return lacks("a script makes paths of text, in which names are parted by / and :")
	return path

func make_object(json):
	if "id" in json:
		return lacks("the engine chooses the ids of objects")
	if not "class" in json:
		return lacks("a null Object is written as Nil")
	var name = chars(json["class"])
	var made = ClassDB.instance(name) if ClassDB.can_instance(name) else null
	if made == null:
		return lacks("there is no class that is called so")
	var names = []
	for property in json["properties"]:
		names.append(chars(property[0]))
		made.set(chars(property[0]), read(property[1]))
	return made if str(stored(made)) == str(names) else lacks("a %s has other properties" % name)
