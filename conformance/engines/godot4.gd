# Writes fresh cases for the comparison, one JSON object a line, from inside Godot 4:
#
#	OCTABLE_OUT=cases.jsonl OCTABLE_SEED=7 OCTABLE_VALUES=1200 OCTABLE_DAMAGED=1800 \
#		OCTABLE_OBJECTS=300 godot --headless --script godot4.gd
#
# The settings come through the environment because Godot's own command line differs
# from release to release. The same seed gives the same cases, instance ids included.
# The engine is the authority here: nothing in this file says what the right bytes are,
# it only asks. Where bytes are put together by hand they are a question (will you take
# this?), and the answer is written down.
extends SceneTree

const FIXED := { # payload words of the types that always have the same length
	TYPE_VECTOR2: 2, TYPE_VECTOR2I: 2, TYPE_RECT2: 4, TYPE_RECT2I: 4, TYPE_VECTOR3: 3,
	TYPE_VECTOR3I: 3, TYPE_TRANSFORM2D: 6, TYPE_VECTOR4: 4, TYPE_VECTOR4I: 4, TYPE_PLANE: 4,
	TYPE_QUATERNION: 4, TYPE_AABB: 6, TYPE_BASIS: 9, TYPE_TRANSFORM3D: 12,
	TYPE_PROJECTION: 16, TYPE_COLOR: 4,
}
const OF_INTS := [TYPE_VECTOR2I, TYPE_RECT2I, TYPE_VECTOR3I, TYPE_VECTOR4I]
const REALS := [
	TYPE_VECTOR2, TYPE_RECT2, TYPE_VECTOR3, TYPE_TRANSFORM2D, TYPE_VECTOR4, TYPE_PLANE,
	TYPE_QUATERNION, TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_PROJECTION,
]
const PACKED := { # bytes of an element
	TYPE_PACKED_BYTE_ARRAY: 1, TYPE_PACKED_INT32_ARRAY: 4, TYPE_PACKED_INT64_ARRAY: 8,
	TYPE_PACKED_FLOAT32_ARRAY: 4, TYPE_PACKED_FLOAT64_ARRAY: 8, TYPE_PACKED_VECTOR2_ARRAY: 8,
	TYPE_PACKED_VECTOR3_ARRAY: 12, TYPE_PACKED_COLOR_ARRAY: 16, TYPE_PACKED_VECTOR4_ARRAY: 16,
}
const WIDE_PACKED := [TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_VECTOR3_ARRAY, TYPE_PACKED_VECTOR4_ARRAY]
const WORDS := [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x7ffffffe, 0x80000001,
	0x10000, 0x20000000, 0x40000000, 0x1ffffffe, 0x00ffffff, 0xff000000]
const LETTERS := ["a", "b", "Z", "0", " ", "_", "ß", "é", "ж", "日", "本", "😀"]
const ODD := ["\"", "\\", "'", "\t", "\n", "\r", "\b", "\f", "\v", "\a", "/", ":", "%", "@", "&", "^", "{", "}",
	"[", "]", "(", ")", ",", "#", "\\n", "\\u0041", "\\", "$", "<", ">", "=", ".", "..", ";", "é́"]
const CODES := [1, 2, 8, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xad, 0x301, 0x7ff, 0x800, 0x2028,
	0x2029, 0x202e, 0xd7ff, 0xe000, 0xfeff, 0xfdd0, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0x1ffff,
	0xe0001, 0x10fffe, 0x10ffff]
# Bytes that are no clean text, or clean text a careless reader trips over.
const TEXTS := ["efbbbf", "efbbbf61", "efbbbfefbbbf61", "61efbbbf", "00", "6100", "610062", "6100ff", "00ff", "ff", "fe",
	"80", "61bf", "c080", "c1bf", "c3", "c3a9", "c328", "e08080", "e09fbf", "e08380", "e09080", "e0a080", "e28282", "e2",
	"e282", "eda080", "eda080edb080", "edbfbf", "ed9fbf", "ee8080", "efbfbd", "efbfbe", "efbfbf", "f0808080",
	"f0878080", "f08fbfbf", "f0908080", "f09f9880", "f09f98", "f48fbfbf", "f4908080", "f5808080", "f7bfbfbf",
	"f880808080", "f884808080", "f888808080", "fbbfbfbfbf", "fc8080808080", "fc8280808080", "fc8480808080",
	"fdbfbfbfbfbf", "feffffffffffff", "efbb", "efbbbf00", "00efbbbf", "7f", "01", "c280", "c285", "61c080", "6161c3a900c3"]

var rng := RandomNumberGenerator.new()
var out: FileAccess
var pool: Array[PackedByteArray] = []
var kept := [] # objects whose ids were written: they have to live as long as the cases are made

func _init() -> void:
	Engine.print_error_messages = OS.has_environment("OCTABLE_LOUD")
	var path := OS.get_environment("OCTABLE_OUT")
	out = FileAccess.open(path, FileAccess.WRITE)
	if out == null:
		OS.alert("godot4.gd: cannot write OCTABLE_OUT, which is '%s'" % path)
		quit(1)
		return
	rng.seed = int(OS.get_environment("OCTABLE_SEED"))
	for i in int(OS.get_environment("OCTABLE_VALUES")):
		random_value()
	var damaged := int(OS.get_environment("OCTABLE_DAMAGED"))
	for i in damaged:
		if n(5) < 2:
			targeted(i)
		else:
			generic()
	var objects := int(OS.get_environment("OCTABLE_OBJECTS"))
	if objects > 0:
		write_objects(objects)
	out.close()
	quit()

# --- chance ---

func n(limit: int) -> int:
	return rng.randi() % limit

func pick(from: Array) -> Variant:
	return from[n(from.size())]

func bits64() -> int:
	return (rng.randi() << 32) | rng.randi()

# --- numbers ---

func double_of(bits: int) -> float:
	var b := PackedByteArray()
	b.resize(8)
	b.encode_s64(0, bits)
	return b.decode_double(0)

func whole() -> int:
	match n(3):
		0:
			return n(512) - 256
		1:
			return bits64() >> n(64)
	return pick([0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, 65535, 65536, 2147483646, 2147483647,
		2147483648, 2147483649, -2147483647, -2147483648, -2147483649, 4294967295, 4294967296, -4294967296,
		9007199254740991, 9007199254740992, 9007199254740993, -9007199254740993, 9223372036854775806,
		9223372036854775807, -9223372036854775807, -9223372036854775807 - 1])

func real() -> float:
	match n(9):
		0, 1:
			return pick([0.0, double_of(1 << 63), 1.0, -1.0, 0.5, 0.1, -0.1, 1.0 / 3.0, PI, INF, -INF, NAN, 5e-324,
				2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, 1.401298464324817e-45,
				1.1754943508222875e-38, 1.1754942106924411e-38, 3.4028234663852886e38, 3.4028235677973366e38,
				-3.4028234663852886e38, 16777215.0, 16777216.0, 16777217.0, 9007199254740992.0, 9007199254740993.0,
				1e15, 1e16, 1e17, 123456789012345680.0, 1e21, 1e22, 1e300, -1e-300, 1e-5, 0.0001, 1e-7, 100000.0,
				1000000.0, 999999.0, 9999999.0, 2147483647.0, -2147483648.0, 4294967296.0, 9223372036854775807.0])
		2:
			return double_of(bits64())
		3:
			return single_of(word_real())
		4:
			return n(2001) - 1000
		5:
			return (n(200001) - 100000) / pow(10.0, n(8))
	return (rng.randi() / 4294967296.0 - 0.5) * 2000.0

func single_of(bits: int) -> float:
	var b := PackedByteArray()
	b.resize(4)
	b.encode_u32(0, bits)
	return b.decode_float(0)

# The bits of a single-precision number.
func word_real() -> int:
	match n(6):
		0:
			return pick([0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
				0x7fa00001, 0x7fffffff, 0xff800001, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
				0x4b7fffff, 0x4b800000, 0x3dcccccd, 0x3eaaaaab, 0x49742400, 0x5f000000, 0x4f000000])
		1:
			return rng.randi()
	var b := PackedByteArray()
	b.resize(4)
	b.encode_float(0, real())
	return b.decode_u32(0)

func word_int() -> int:
	return whole() & 0xffffffff

# --- text ---

# No text starts with U+FEFF: Godot writes it and drops it when it reads it again,
# so such a value is no value "that encodes to the same bytes". It comes as damage.
func text() -> String:
	var s := ""
	var length := n(7)
	if n(40) == 0:
		length = 20 + n(300)
	var odd := n(4)
	for i in length:
		match n(4 + odd):
			0, 1, 2, 3:
				s += pick(LETTERS)
			4, 5:
				s += pick(ODD)
			6:
				s += code(s == "")
	return s

func code(first: bool) -> String:
	if n(4) == 0:
		var c := 1 + n(0x10ffff)
		if (c < 0xd800 or c > 0xdfff) and c != 0xfeff:
			return String.chr(c)
	var c: int = pick(CODES)
	return "~" if first and c == 0xfeff else String.chr(c)

func path() -> NodePath:
	if n(3) > 0:
		var shapes := ["", "/", ".", "..", "a", "/root", "/root/a:b:c", "a/b/c", ":p", ":p:q", "a:b", "../x", "/:a", "a/../b:c",
			"%Name", "%Name/b:c", "a//b", "/a/", "a:", "a b/c d", "日本/é:ß", "a::b", "@x@2", "a/.:z", "//", "a/b:c/d:e"]
		var shape: String = pick(shapes)
		return NodePath(shape.replace("a", text().replace("/", "").replace(":", "")) if n(3) == 0 else shape)
	# The same through the wire, where names can hold what the notation has no way to say.
	var names := n(4)
	var subnames := n(3)
	var b := head(TYPE_NODE_PATH)
	b.append_array(word(names | 0x80000000))
	b.append_array(word(subnames))
	b.append_array(word(n(2)))
	for i in names + subnames:
		b.append_array(string(text().to_utf8_buffer()))
	return bytes_to_var(b)

# --- values ---

func value(type: int, depth: int) -> Variant:
	match type:
		TYPE_NIL:
			return null
		TYPE_BOOL:
			return n(2) == 1
		TYPE_INT:
			return whole()
		TYPE_FLOAT:
			return real()
		TYPE_STRING:
			return text()
		TYPE_STRING_NAME:
			return StringName(text())
		TYPE_NODE_PATH:
			return path()
		TYPE_RID:
			return rid_from_int64(pick([0, 1, 13, whole(), bits64()]))
		TYPE_OBJECT:
			if n(3) == 0:
				return null
			kept.append(RefCounted.new() if n(2) == 0 else Resource.new())
			return kept[-1]
		TYPE_CALLABLE:
			# One only: written, all are the same, and as keys they would be equal on reading alone.
			return Callable(self, "quit")
		TYPE_SIGNAL:
			var b := head(TYPE_SIGNAL)
			b.append_array(string(text().to_utf8_buffer()))
			b.append_array(word(pick([0, 1, word_int()])))
			b.append_array(word(pick([0, 0x80000000, word_int()])))
			return bytes_to_var(b)
		TYPE_DICTIONARY:
			return dictionary(depth)
		TYPE_ARRAY:
			return array(depth)
		TYPE_PACKED_STRING_ARRAY:
			var a := PackedStringArray()
			for i in size_of(depth):
				a.append(text())
			return a
	if FIXED.has(type):
		return bytes_to_var(fixed(type))
	return bytes_to_var(packed(type, size_of(depth)))

func size_of(depth: int) -> int:
	return 20 + n(60) if n(30) == 0 and depth < 2 else n(6)

func any(depth: int) -> Variant:
	return value(kind(depth), depth)

func kind(depth: int) -> int:
	if depth < 4 and n(6) == 0:
		return TYPE_ARRAY
	if depth < 4 and n(6) == 0:
		return TYPE_DICTIONARY
	while true:
		var type := n(TYPE_MAX)
		if depth < 4 or type != TYPE_ARRAY and type != TYPE_DICTIONARY:
			return type
	return TYPE_NIL

func fixed(type: int) -> PackedByteArray:
	var b := head(type)
	for i in FIXED[type]:
		b.append_array(word(word_int() if type in OF_INTS else word_real()))
	return b

func packed(type: int, count: int) -> PackedByteArray:
	var b := head(type)
	b.append_array(word(count))
	match type:
		TYPE_PACKED_BYTE_ARRAY:
			for i in count:
				b.append(n(256))
			b.resize((b.size() + 3) & ~3)
		TYPE_PACKED_INT32_ARRAY:
			for i in count:
				b.append_array(word(word_int()))
		TYPE_PACKED_INT64_ARRAY:
			for i in count:
				b.append_array(long(whole()))
		TYPE_PACKED_FLOAT64_ARRAY:
			for i in count:
				b.append_array(double(real()))
		_:
			for i in count * PACKED[type] / 4:
				b.append_array(word(word_real()))
	return b

func element_type() -> int:
	return 1 + n(TYPE_MAX - 1)

# What a typed container can be told about its elements: type, class, script.
func element() -> Array:
	var type := element_type()
	if type == TYPE_OBJECT:
		return [type, pick([&"Resource", &"RefCounted", &"Object", &"Node"]), null]
	return [type, &"", null]

func array(depth: int) -> Array:
	if n(3) == 0:
		var of := element()
		var a := Array([], of[0], of[1], of[2])
		for i in n(5):
			a.append(null if of[0] == TYPE_OBJECT else value(of[0], depth + 1))
		return a
	var a := []
	for i in n(7):
		a.append(any(depth + 1))
	return a

func dictionary(depth: int) -> Dictionary:
	var k := [TYPE_NIL, &"", null]
	var v := [TYPE_NIL, &"", null]
	if n(3) == 0:
		if n(3) > 0:
			k = element()
		if n(3) > 0:
			v = element()
	var d := Dictionary({}, k[0], k[1], k[2], v[0], v[1], v[2])
	for i in n(6):
		var key: Variant
		if k[0] == TYPE_OBJECT:
			key = null
		elif k[0] != TYPE_NIL:
			key = value(k[0], depth + 1)
		elif n(3) == 0:
			key = any(depth + 1)
		else:
			key = pick([text(), StringName(text()), whole(), real()])
		if v[0] == TYPE_OBJECT:
			d[key] = null
		else:
			d[key] = any(depth + 1) if v[0] == TYPE_NIL else value(v[0], depth + 1)
	return d

func random_value() -> void:
	var type := kind(0)
	var v: Variant = value(type, 0)
	var b := var_to_bytes(v)
	pool.append(b)
	var said := var_to_str(v)
	line({
		"kind": "random", "type": type_string(typeof(v)), "hex": b.hex_encode(), "text": said,
		"text_exact": var_to_bytes(str_to_var(said)) == b,
	})

# --- damage that knows nothing of the format ---

func valid() -> PackedByteArray:
	if pool.is_empty() or n(3) == 0:
		return var_to_bytes(any(0))
	return pick(pool)

func generic() -> void:
	var from := valid()
	var b := from.duplicate()
	var how := ""
	for i in 1 if n(5) > 0 else 2 + n(2):
		var done := hurt(b)
		b = done[1]
		how += (", " if how != "" else "") + done[0]
	judge(from, how, b)

func hurt(b: PackedByteArray) -> Array:
	var at := n(b.size()) if b.size() > 0 else 0
	var words := b.size() / 4
	match n(11):
		0:
			return ["truncated", b.slice(0, at)]
		1 when b.size() > 0:
			b[at] ^= 1 << n(8)
			return ["bit flipped at %d" % at, b]
		2 when b.size() > 0:
			b.remove_at(at)
			return ["byte removed at %d" % at, b]
		3:
			b.insert(at, n(256))
			return ["byte inserted at %d" % at, b]
		4 when b.size() > 0:
			b[at] = pick([0, 1, 0x7f, 0x80, 0xff, n(256)])
			return ["byte changed at %d" % at, b]
		5 when words > 0:
			at = n(words) * 4
			b.encode_u32(at, pick(WORDS))
			return ["word at %d" % at, b]
		6 when words > 0:
			at = n(words) * 4
			b.encode_u32(at, (b.decode_u32(at) + pick([1, -1, 2, -2, 4, -4])) & 0xffffffff)
			return ["word moved at %d" % at, b]
		7 when words > 0:
			b.encode_u32(0, pick([n(TYPE_MAX), n(TYPE_MAX), TYPE_MAX, n(256)]) | n(2) << 16)
			return ["type", b]
		8 when words > 0:
			at = 0 if n(3) > 0 else n(words) * 4
			b.encode_u32(at, b.decode_u32(at) & 0xff | pick([n(16) << 16, n(0x1000000) << 8, 0xffffff00]))
			return ["flags", b]
		9 when words > 0:
			at = n(words) * 4
			var spliced := b.slice(0, at)
			spliced.append_array(valid())
			spliced.append_array(b.slice(at + pick([0, 4, 8, 12])))
			return ["spliced at %d" % at, spliced]
	for i in 1 + n(12):
		b.append(n(256))
	return ["bytes appended", b]

# --- damage that goes where readers have gone wrong ---

func head(type: int, flags := 0) -> PackedByteArray:
	return word(type | flags << 16)

func word(v: int) -> PackedByteArray:
	var b := PackedByteArray()
	b.resize(4)
	b.encode_u32(0, v & 0xffffffff)
	return b

func long(v: int) -> PackedByteArray:
	var b := PackedByteArray()
	b.resize(8)
	b.encode_s64(0, v)
	return b

func double(v: float) -> PackedByteArray:
	var b := PackedByteArray()
	b.resize(8)
	b.encode_double(0, v)
	return b

func string(utf8: PackedByteArray) -> PackedByteArray:
	var b := word(utf8.size())
	b.append_array(utf8)
	b.resize((b.size() + 3) & ~3)
	return b

func join(parts: Array) -> PackedByteArray:
	var b := PackedByteArray()
	for p in parts:
		b.append_array(p)
	return b

func hard_text() -> PackedByteArray:
	var b: PackedByteArray = pick(TEXTS).hex_decode()
	if n(3) == 0:
		b = join(["abc".to_utf8_buffer().slice(0, n(4)), b])
	if n(3) == 0:
		b.append_array("xyz".to_utf8_buffer().slice(0, n(4)))
	return b

func bad_string() -> PackedByteArray:
	match n(6):
		0: # padding that holds something
			var t := text().to_utf8_buffer()
			var b := string(t)
			for i in range(4 + t.size(), b.size()):
				b[i] = n(256)
			return b
		1: # no padding
			var t := text().to_utf8_buffer()
			return join([word(t.size()), t])
		2: # a length that does not fit
			return join([word(pick(WORDS)), text().to_utf8_buffer()])
	return string(hard_text())

func small() -> PackedByteArray:
	return var_to_bytes(pick([null, true, 7, 1.5, "a", &"a", Vector2i(1, 2), [], {}]))

# Wrapped in a container, with a value behind it that tells whether the reader is still in step.
func wrapped(b: PackedByteArray) -> PackedByteArray:
	match n(5):
		0:
			return join([head(TYPE_ARRAY), word(2), b, small()])
		1:
			return join([head(TYPE_DICTIONARY), word(1), b, small()])
		2:
			return join([head(TYPE_DICTIONARY), word(1), small(), b])
	return b

func targeted(number: int) -> void:
	match n(17):
		0:
			duplicate_keys()
		1: # any flags on any type
			var from := var_to_bytes(any(0))
			var b := from.duplicate()
			b.encode_u16(2, pick([1, 1, 1, 2, 3, 4, 5, 8, 12, 15, 16, n(65536)]))
			judge(from, "flags", wrapped(b))
		2, 3:
			wide()
		4: # longer than needed, as no encoder of today writes it
			if n(2) == 0:
				judge(var_to_bytes(0), "not minimal", wrapped(join([head(TYPE_INT, 1), long(whole() >> n(64))])))
			elif n(2) == 0:
				judge(var_to_bytes(0.0), "not minimal", wrapped(join([head(TYPE_FLOAT, 1), double(real())])))
			else:
				judge(var_to_bytes(0.0), "single", wrapped(join([head(TYPE_FLOAT), word(word_real())])))
		5, 6, 7:
			strings()
		8, 9:
			node_paths()
		10:
			counts()
		11:
			judge(var_to_bytes(true), "bool word", wrapped(join([head(TYPE_BOOL), word(pick(WORDS))])))
		12, 13:
			typed()
		14:
			objects_unasked()
		15:
			if number % 8 == 0:
				nested()
			else:
				missing_padding()
		16: # cut a value off inside a container that goes on
			var inner := var_to_bytes(any(1))
			var cut := inner.slice(0, n(inner.size() + 1))
			judge(join([head(TYPE_ARRAY), word(2), inner, small()]), "inner value cut",
				join([head(TYPE_ARRAY), word(2), cut, small()]))

func duplicate_keys() -> void:
	var key := var_to_bytes(any(2))
	var other := key
	match n(9):
		0:
			key = join([head(TYPE_FLOAT), word(0)])
			other = join([head(TYPE_FLOAT), word(0x80000000)])
		1:
			key = join([head(TYPE_FLOAT), word(0x7fc00000)])
			other = join([head(TYPE_FLOAT, 1), long(0x7ff8000000000000 | n(0x10000))])
		2:
			var t := text().to_utf8_buffer()
			key = join([head(TYPE_STRING), string(t)])
			other = join([head(TYPE_STRING_NAME), string(t)])
		3:
			key = var_to_bytes(1)
			other = pick([var_to_bytes(1.0), var_to_bytes(true), join([head(TYPE_INT, 1), long(1)])])
		4:
			key = fixed(pick(FIXED.keys()))
			other = key.duplicate()
			for at in range(4, key.size(), 4):
				key.encode_u32(at, pick([0, 0x7fc00000, 0x3f800000]))
				var same := key.decode_u32(at)
				other.encode_u32(at, {0: 0x80000000, 0x7fc00000: 0x7fc00001}.get(same, same))
		5: # containers as keys, equal inside but for a spelling
			key = join([head(TYPE_ARRAY), word(1), head(TYPE_FLOAT), word(0)])
			other = join([head(TYPE_ARRAY), word(1), head(TYPE_FLOAT), word(0x80000000)])
		6:
			var pair := join([head(TYPE_STRING), string("a".to_utf8_buffer()), small()])
			var pair2 := join([head(TYPE_INT), word(2), small()])
			key = join([head(TYPE_DICTIONARY), word(2), pair, pair2])
			other = join([head(TYPE_DICTIONARY), word(2), pair2, pair])
		7:
			var type: int = pick(PACKED.keys())
			key = packed(type, 1 + n(2))
			other = key.duplicate()
	var third := var_to_bytes(any(2))
	var b: PackedByteArray
	if n(2) == 0:
		b = join([head(TYPE_DICTIONARY), word(2), key, small(), other, small()])
	else:
		b = join([head(TYPE_DICTIONARY), word(4), third, small(), key, small(), third, small(), other, small()])
	judge(var_to_bytes({}), "equal keys", b)

# The 8-byte form a double-precision build writes.
func wide() -> void:
	var type: int = pick(REALS + WIDE_PACKED)
	var reals: int
	var parts := [head(type, 1)]
	if FIXED.has(type):
		reals = FIXED[type]
	else:
		var count := n(4)
		parts.append(word(count))
		reals = count * PACKED[type] / 4
	for i in reals:
		parts.append(double(real()))
	var b := join(parts)
	if n(4) == 0:
		b = b.slice(0, n(b.size()))
	judge(var_to_bytes(type_convert(null, type)), "double precision", wrapped(b))

func strings() -> void:
	match n(5):
		0:
			judge(var_to_bytes(""), "text", wrapped(join([head(TYPE_STRING), bad_string()])))
		1:
			judge(var_to_bytes(&""), "text", wrapped(join([head(TYPE_STRING_NAME), bad_string()])))
		2:
			judge(var_to_bytes(Signal()), "text", wrapped(join([head(TYPE_SIGNAL), bad_string(), long(bits64())])))
		3:
			judge(var_to_bytes(NodePath()), "text", wrapped(
				join([head(TYPE_NODE_PATH), word(0x80000001), word(1), word(n(2)), bad_string(), string([97])])))
		4:
			var parts := [head(TYPE_PACKED_STRING_ARRAY), word(2)]
			for i in 2:
				match n(4):
					0:
						parts.append(bad_string())
					1:
						parts.append(string(text().to_utf8_buffer()))
					2:
						parts.append(string(hard_text()))
					3:
						parts.append(string(join([hard_text(), PackedByteArray([0])])))
			judge(var_to_bytes(PackedStringArray()), "text", wrapped(join(parts)))

func node_paths() -> void:
	var names := n(4)
	var subnames := n(3)
	var flags: int = pick([0, 1, 2, 3, 4, 7, 0x80000000, 0xffffffff, 0xfffffffe])
	var parts := []
	for i in names + subnames + ((flags >> 1) & 1):
		parts.append(string(text().to_utf8_buffer() if n(4) > 0 else hard_text()))
	var count := names | 0x80000000
	match n(6):
		0: # counts that wrap
			subnames = 0x100000000 - names + n(3)
		1:
			count = pick(WORDS)
		2:
			subnames = pick(WORDS)
		3: # the form before Godot 1.0
			var t := text().to_utf8_buffer()
			judge(var_to_bytes(NodePath()), "old node path", wrapped(join([head(TYPE_NODE_PATH), string(t)])))
			return
	judge(var_to_bytes(NodePath("a")), "node path",
		wrapped(join([head(TYPE_NODE_PATH), word(count), word(subnames), word(flags)] + parts)))

func counts() -> void:
	var types := PACKED.keys() + [TYPE_PACKED_STRING_ARRAY, TYPE_ARRAY, TYPE_DICTIONARY]
	var type: int = pick(types)
	var payload := PackedByteArray()
	for i in n(6):
		payload.append_array(word(pick([0, 1, 2, word_int()])))
	if n(5) == 0:
		payload = payload.slice(0, n(payload.size() + 1))
	var count: int = pick(WORDS + [0x08000000, 0x10000000, 0x15555555, 0x15555556, 0x80000002, 4, 5])
	judge(var_to_bytes(type_convert(null, type)), "count", wrapped(join([head(type, n(2) * n(2)), word(count), payload])))

func missing_padding() -> void:
	var bytes := PackedByteArray()
	for i in n(8):
		bytes.append(n(256))
	var tail := PackedByteArray()
	for i in n(4):
		tail.append(n(256))
	judge(packed(TYPE_PACKED_BYTE_ARRAY, bytes.size()), "padding", wrapped(
		join([head(TYPE_PACKED_BYTE_ARRAY), word(bytes.size()), bytes, tail])))

func element_field(kind_bits: int, of: int) -> PackedByteArray:
	match kind_bits:
		1:
			return word(of)
		2:
			return string(pick(["EncodedObjectAsID", "Object", "Nope", "", "Resource"]).to_utf8_buffer()) if n(4) > 0 else bad_string()
		3:
			return string(pick(["res://nope.gd", "", "user://a.gd", "x"]).to_utf8_buffer())
	return PackedByteArray()

func type_word() -> int:
	return element_type() if n(4) > 0 else pick([0, TYPE_MAX - 1, TYPE_MAX, 255, 0xffffffff, 0x80000000, TYPE_OBJECT])

func typed() -> void:
	var k := n(4)
	var v := n(4)
	var of_k := type_word()
	var of_v := type_word()
	var is_array := n(2) == 0
	var parts := [head(TYPE_ARRAY, k) if is_array else head(TYPE_DICTIONARY, k | v << 2)]
	parts.append(element_field(k, of_k))
	if not is_array:
		parts.append(element_field(v, of_v))
	var count := n(4)
	parts.append(word(count | (0x80000000 if n(8) == 0 else 0)))
	for i in count:
		parts.append(member(k, of_k))
		if not is_array:
			parts.append(member(v, of_v))
	var b := join(parts)
	if n(8) == 0:
		b = b.slice(0, n(b.size()))
	judge(var_to_bytes([] if is_array else {}), "typed container", wrapped(b))

# A member of the type asked for, mostly; sometimes of another one.
func member(kind_bits: int, of: int) -> PackedByteArray:
	if kind_bits == 0 or n(8) == 0:
		return var_to_bytes(any(3))
	if kind_bits > 1 or of == TYPE_OBJECT:
		return join([head(TYPE_OBJECT, 1), long(pick([0, 5, bits64()]))]) if n(2) == 0 else head(TYPE_NIL)
	return var_to_bytes(value(of, 3) if of > 0 and of < TYPE_MAX else any(3))

func objects_unasked() -> void:
	var b: PackedByteArray
	match n(5):
		0:
			b = head(TYPE_OBJECT)
		1:
			b = join([head(TYPE_OBJECT), word(0)])
		2:
			b = join([head(TYPE_OBJECT), string("RefCounted".to_utf8_buffer()), word(0)])
		3:
			b = join([head(TYPE_OBJECT, 1), long(pick([0, 1, whole(), bits64()]))])
		4:
			b = join([head(TYPE_OBJECT, 1), word(word_int())])
	judge(var_to_bytes(null), "object", wrapped(b))

func nested() -> void:
	var depth: int = pick([1022, 1023, 1024, 1025, 1026, 1027, 1100])
	var layer: PackedByteArray = pick([
		join([head(TYPE_ARRAY), word(1)]),
		join([head(TYPE_DICTIONARY), word(1), head(TYPE_NIL)]),
		join([head(TYPE_ARRAY, 1), word(TYPE_ARRAY), word(1)]),
	])
	var leaf: PackedByteArray = pick([head(TYPE_NIL), join([head(TYPE_ARRAY), word(0)]), join([head(TYPE_DICTIONARY), word(0)]),
		join([head(TYPE_STRING), word(0)])])
	var b := PackedByteArray()
	for i in depth:
		b.append_array(layer)
	b.append_array(leaf)
	judge(var_to_bytes([]), "%d levels" % depth, b)

# decode_var_size tells a refusal (0) from a legal null (4), which bytes_to_var cannot.
func judge(from: PackedByteArray, how: String, b: PackedByteArray) -> void:
	var said := {
		"kind": "damaged", "from": from.hex_encode(), "how": how, "hex": b.hex_encode(),
		"accepted": b.decode_var_size(0, false) > 0,
	}
	if said["accepted"]:
		var v: Variant = bytes_to_var(b)
		said["again"] = var_to_bytes(v).hex_encode()
		said["text"] = var_to_str(v)
	line(said)

# --- objects ---

# Classes left alone: they want a window, a thread, a file or a script that has a path,
# or they do something costly with numbers that mean nothing to them.
const AVOID := ["Script", "Mesh", "Texture", "World2D", "World3D", "VideoStream", "PackedScene", "Thread", "Material", "Image",
	"AudioStream", "Navigation", "Shape3D", "Shape2D", "SkyMaterial", "Sky", "Mutex", "Semaphore", "Editor", "Extension",
	"OccluderPolygon2D", "Occluder3D", "Font", "Skin", "TextLine", "TextParagraph", "TileSet", "Environment", "CompositorEffect",
	"VoxelGIData", "LightmapGIData", "MultiMesh", "Shader", "Skeleton", "XR", "OpenXR", "GLTF", "FBX", "WebRTC", "Socket", "Peer",
	"Server", "JavaScript", "Noise", "Upnp", "UPNP", "Crypto", "TLS", "X509"]

func class_names() -> Array:
	var names := []
	for name in ClassDB.get_class_list():
		if not ClassDB.can_instantiate(name) or not ClassDB.is_parent_class(name, "RefCounted"):
			continue
		var left := false
		for part in AVOID:
			left = left or part in name
		if not left:
			names.append(name)
	names.sort()
	return names

func write_objects(count: int) -> void:
	var names := class_names()
	var file := FileAccess.open("res://thing.gd", FileAccess.WRITE)
	file.store_string("extends Resource\n@export var first: int\n@export var second: Dictionary[String, Array]\n")
	file.close()
	var script: Variant = load("res://thing.gd")
	for i in count:
		var with_script := n(6) == 0
		var name: String = names[i] if i < names.size() else pick(names)
		var o: Object = made("Resource" if with_script else name, script if with_script else null, 0)
		var v: Variant = o
		match n(8):
			0:
				v = [o, any(2), null, o]
			1:
				v = {any(3): o, "o": [o, null], o: any(3)}
			2:
				v = Array([o, null, o], TYPE_OBJECT, StringName(o.get_class()), null)
			3:
				v = Dictionary({o: o}, TYPE_OBJECT, &"RefCounted", null, TYPE_OBJECT, StringName(o.get_class()), null)
			4 when o.get_script() != null:
				v = Array([o, null], TYPE_OBJECT, &"Resource", o.get_script())
			5 when o.get_script() != null:
				v = Dictionary({"a": o}, TYPE_STRING, &"", null, TYPE_OBJECT, &"Resource", o.get_script())
		var b := var_to_bytes_with_objects(v)
		if b.is_empty(): # the engine itself would not: nothing to compare with
			continue
		var said := var_to_str(v)
		line({
			"kind": "random", "objects": true, "type": type_string(typeof(v)), "hex": b.hex_encode(), "text": said,
			"text_exact": var_to_bytes_with_objects(str_to_var(said)) == b,
		})
		# Without objects allowed the very same packet is refused, or taken where it holds none after all.
		line({
			"kind": "damaged", "from": b.hex_encode(), "how": "objects not allowed", "hex": b.hex_encode(),
			"accepted": b.decode_var_size(0, false) > 0,
		})
		if n(3) == 0:
			var cut := b.slice(0, n(b.size()))
			line({
				"kind": "damaged", "objects": true, "from": b.hex_encode(), "how": "truncated", "hex": cut.hex_encode(),
				"accepted": cut.decode_var_size(0, true) > 0,
			})

func made(name: String, script: Variant, depth: int) -> Object:
	var o: Object = ClassDB.instantiate(name)
	kept.append(o)
	if script != null:
		o.set_script(script)
	for property in o.get_property_list():
		if not property["usage"] & PROPERTY_USAGE_STORAGE or n(2) == 0:
			continue
		match property["type"]:
			TYPE_BOOL:
				o.set(property["name"], n(2) == 1)
			TYPE_INT:
				o.set(property["name"], n(5))
			TYPE_FLOAT:
				o.set(property["name"], n(64) / 16.0)
			TYPE_STRING, TYPE_STRING_NAME:
				if property["hint"] == PROPERTY_HINT_NONE:
					o.set(property["name"], text())
			TYPE_COLOR:
				o.set(property["name"], Color(n(5) / 4.0, n(5) / 4.0, n(5) / 4.0, n(5) / 4.0))
			TYPE_VECTOR2:
				o.set(property["name"], Vector2(n(64) / 16.0, n(64) / 16.0))
	if o is Resource:
		for i in n(4):
			var v: Variant = any(2)
			if depth < 2 and n(4) == 0:
				v = made(pick(["Resource", "Gradient", "Curve", "InputEventKey"]), null, depth + 1)
			o.set_meta("m%d" % i, v)
	return o

# --- output ---

func line(fields: Dictionary) -> void:
	var keys := fields.keys()
	keys.sort()
	var parts := []
	for key in keys:
		var v: Variant = fields[key]
		parts.append("\"%s\": %s" % [key, quoted(v) if v is String else str(v).to_lower()])
	out.store_string("{" + ", ".join(parts) + "}\n")

# The engine's own JSON writer knows \v, which JSON does not, and lets other control characters pass.
func quoted(s: String) -> String:
	s = s.replace("\\", "\\\\").replace("\"", "\\\"")
	for i in range(1, 32):
		var c := String.chr(i)
		if c in s:
			s = s.replace(c, "\\u%04x" % i)
	return "\"" + s + "\""
