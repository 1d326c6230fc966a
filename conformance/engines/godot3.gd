# Writes fresh cases for the comparison, one JSON object a line, from inside Godot 3
# (tried with 3.2.3 and 3.6.2; godot4.gd is its twin and says what the cases are):
#
#	OCTABLE_OUT=cases.jsonl OCTABLE_SEED=7 OCTABLE_VALUES=1200 OCTABLE_DAMAGED=1800 \
#		OCTABLE_OBJECTS=300 godot3-server -s godot3.gd
#
# The same seed gives the same cases, except for the padding bytes of NodePaths, which
# Godot 3 leaves as it found them, and whatever depends on them.
extends SceneTree

const FIXED = { # payload words of the types that always have the same length
	TYPE_VECTOR2: 2, TYPE_RECT2: 4, TYPE_VECTOR3: 3, TYPE_TRANSFORM2D: 6, TYPE_PLANE: 4, TYPE_QUAT: 4,
	TYPE_AABB: 6, TYPE_BASIS: 9, TYPE_TRANSFORM: 12, TYPE_COLOR: 4,
}
const PACKED = { # bytes of an element
	TYPE_RAW_ARRAY: 1, TYPE_INT_ARRAY: 4, TYPE_REAL_ARRAY: 4, TYPE_VECTOR2_ARRAY: 8, TYPE_VECTOR3_ARRAY: 12,
	TYPE_COLOR_ARRAY: 16,
}
const WORDS = [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x7ffffffe, 0x80000001,
	0x10000, 0x20000000, 0x40000000, 0x1ffffffe, 0x00ffffff, 0xff000000]
const LETTERS = ["a", "b", "Z", "0", " ", "_", "ß", "é", "ж", "日", "本", "😀"]
const ODD = ["\"", "\\", "'", "\t", "\n", "\r", "\b", "\f", "\v", "\a", "/", ":", "%", "@", "&", "^", "{", "}",
	"[", "]", "(", ")", ",", "#", "\\n", "\\u0041", "\\", "$", "<", ">", "=", ".", "..", ";", "é́"]
const CODES = [1, 2, 8, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xad, 0x301, 0x7ff, 0x800, 0x2028,
	0x2029, 0x202e, 0xd7ff, 0xe000, 0xfeff, 0xfdd0, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0x1ffff,
	0xe0001, 0x10fffe, 0x10ffff]
# Bytes that are no clean text, or clean text a careless reader trips over.
const TEXTS = ["efbbbf", "efbbbf61", "efbbbfefbbbf61", "61efbbbf", "00", "6100", "610062", "6100ff", "00ff", "ff", "fe",
	"80", "61bf", "c080", "c1bf", "c3", "c3a9", "c328", "e08080", "e09fbf", "e08380", "e09080", "e0a080", "e28282", "e2",
	"e282", "eda080", "eda080edb080", "edbfbf", "ed9fbf", "ee8080", "efbfbd", "efbfbe", "efbfbf", "f0808080",
	"f0878080", "f08fbfbf", "f0908080", "f09f9880", "f09f98", "f48fbfbf", "f4908080", "f5808080", "f7bfbfbf",
	"f880808080", "f884808080", "f888808080", "fbbfbfbfbf", "fc8080808080", "fc8280808080", "fc8480808080",
	"fdbfbfbfbfbf", "feffffffffffff", "efbb", "efbbbf00", "00efbbbf", "7f", "01", "c280", "c285", "61c080", "6161c3a900c3",
	"edb080eda080", "eda08061", "e08080808080", "e080a0", "f0808380", "f8808380", "f880808380", "fc8080808380", "f081"]

var rng = RandomNumberGenerator.new()
var out = File.new()
var pool = []
var kept = [] # objects whose ids were written: they have to live as long as the cases are made

func _init():
	var path = OS.get_environment("OCTABLE_OUT")
	if out.open(path, File.WRITE) != OK:
		OS.alert("godot3.gd: cannot write OCTABLE_OUT, which is '%s'" % path)
		OS.exit_code = 1
		quit()
		return
	rng.seed = int(OS.get_environment("OCTABLE_SEED"))
	for i in range(int(OS.get_environment("OCTABLE_VALUES"))):
		random_value()
	for i in range(int(OS.get_environment("OCTABLE_DAMAGED"))):
		if n(5) < 2:
			targeted(i)
		else:
			generic()
	var objects = int(OS.get_environment("OCTABLE_OBJECTS"))
	if objects > 0:
		write_objects(objects)
	out.close()
	quit()

# --- chance ---

func n(limit):
	return rng.randi() % limit

func pick(from):
	return from[n(from.size())]

func bits64():
	return (rng.randi() << 32) | rng.randi()

# --- bytes ---

func word(v):
	return PoolByteArray([v & 0xff, (v >> 8) & 0xff, (v >> 16) & 0xff, (v >> 24) & 0xff])

func long(v):
	return join([word(v), word(v >> 32)])

func double(v):
	var s = StreamPeerBuffer.new()
	s.put_double(v)
	return s.data_array

func double_of(bits):
	var s = StreamPeerBuffer.new()
	s.put_64(bits)
	s.seek(0)
	return s.get_double()

func single_of(bits):
	var s = StreamPeerBuffer.new()
	s.put_u32(bits)
	s.seek(0)
	return s.get_float()

func word_at(b, at):
	return b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24

func with_word(b, at, v):
	for i in range(4):
		b[at + i] = (v >> (8 * i)) & 0xff
	return b

func slice(b, from, to):
	from = min(from, b.size())
	to = min(to, b.size())
	return b.subarray(from, to - 1) if to > from else PoolByteArray()

func join(parts):
	var b = PoolByteArray()
	for p in parts:
		b.append_array(p)
	return b

func padded(b):
	while b.size() % 4 != 0:
		b.append(0)
	return b

func string(utf8):
	return padded(join([word(utf8.size()), utf8]))

func head(type, flags = 0):
	return word(type | flags << 16)

func unhex(s):
	var b = PoolByteArray()
	for i in range(0, s.length(), 2):
		b.append(("0x" + s.substr(i, 2)).hex_to_int())
	return b

# --- numbers ---

func whole():
	match n(3):
		0:
			return n(512) - 256
		1:
			return bits64() >> n(64)
	return pick([0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, 65535, 65536, 2147483646, 2147483647,
		2147483648, 2147483649, -2147483647, -2147483648, -2147483649, 4294967295, 4294967296, -4294967296,
		9007199254740991, 9007199254740992, 9007199254740993, -9007199254740993, 9223372036854775806,
		9223372036854775807, -9223372036854775807, -9223372036854775807 - 1])

func real():
	match n(9):
		0, 1:
			return pick([0.0, double_of(1 << 63), 1.0, -1.0, 0.5, 0.1, -0.1, 1.0 / 3.0, PI, INF, -INF, NAN, double_of(1),
				double_of(0x0010000000000000), double_of(0x000fffffffffffff), double_of(0x7fefffffffffffff),
				single_of(1), single_of(0x00800000), single_of(0x007fffff), single_of(0x7f7fffff),
				double_of(0x47efffffefffffff), double_of(0x47effffff0000000), single_of(0xff7fffff),
				16777215.0, 16777216.0, 16777217.0, 9007199254740992.0, 1e15, 1e16, 1e17, 123456789012345680.0, 1e21, 1e22,
				1e300, -1e-300, 1e-5, 0.0001, 1e-7, 100000.0, 1000000.0, 999999.0, 9999999.0, 2147483647.0,
				-2147483648.0, 4294967296.0])
		2:
			return double_of(bits64())
		3:
			return single_of(word_real())
		4:
			return float(n(2001) - 1000)
		5:
			return (n(200001) - 100000) / pow(10.0, n(8))
	return (rng.randi() / 4294967296.0 - 0.5) * 2000.0

# The bits of a single-precision number.
func word_real():
	match n(6):
		0:
			return pick([0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
				0x7fa00001, 0x7fffffff, 0xff800001, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
				0x4b7fffff, 0x4b800000, 0x3dcccccd, 0x3eaaaaab, 0x49742400, 0x5f000000, 0x4f000000])
		1:
			return rng.randi()
	var s = StreamPeerBuffer.new()
	s.put_float(real())
	s.seek(0)
	return s.get_u32()

func word_int():
	return whole() & 0xffffffff

# --- text ---

# No text starts with U+FEFF: Godot writes it and drops it when it reads it again.
func text():
	var s = ""
	var length = n(7)
	if n(40) == 0:
		length = 20 + n(300)
	var odd = n(4)
	for i in range(length):
		match n(4 + odd):
			0, 1, 2, 3:
				s += pick(LETTERS)
			4, 5:
				s += pick(ODD)
			6:
				s += code(s == "")
	return s

func code(first):
	var c = 1 + n(0x10ffff)
	if n(4) != 0 or c >= 0xd800 and c <= 0xdfff:
		c = pick(CODES)
	return "~" if first and c == 0xfeff else char(c)

func path():
	if n(3) > 0:
		var shapes = ["", "/", ".", "..", "a", "/root", "/root/a:b:c", "a/b/c", ":p", ":p:q", "a:b", "../x", "/:a", "a/../b:c",
			"%Name", "a//b", "/a/", "a:", "a b/c d", "日本/é:ß", "@x@2", "a/.:z", "//", "a/b:c/d:e"]
		var shape = pick(shapes)
		return NodePath(shape.replace("a", text().replace("/", "").replace(":", "")) if n(3) == 0 else shape)
	# The same through the wire, where names can hold what the notation has no way to say.
	var names = n(4)
	var subnames = n(3)
	var parts = [head(TYPE_NODE_PATH), word(names | 0x80000000), word(subnames), word(n(2))]
	for i in range(names + subnames):
		parts.append(string(text().to_utf8()))
	return bytes2var(join(parts))

# --- values ---

func value(type, depth):
	match type:
		TYPE_NIL:
			return null
		TYPE_BOOL:
			return n(2) == 1
		TYPE_INT:
			return whole()
		TYPE_REAL:
			return real()
		TYPE_STRING:
			return text()
		TYPE_NODE_PATH:
			return path()
		TYPE_RID:
			return RID()
		TYPE_OBJECT:
			if n(3) == 0:
				return null
			kept.append(Reference.new() if n(2) == 0 else Resource.new())
			return kept[kept.size() - 1]
		TYPE_DICTIONARY:
			return dictionary(depth)
		TYPE_ARRAY:
			var a = []
			for i in range(n(7)):
				a.append(any(depth + 1))
			return a
		TYPE_STRING_ARRAY:
			var a = PoolStringArray()
			for i in range(size_of(depth)):
				a.append(text())
			return a
	if FIXED.has(type):
		return bytes2var(fixed(type))
	return bytes2var(packed(type, size_of(depth)))

func size_of(depth):
	return 20 + n(60) if n(30) == 0 and depth < 2 else n(6)

func any(depth):
	return value(kind(depth), depth)

func kind(depth):
	if depth < 4 and n(6) == 0:
		return TYPE_ARRAY
	if depth < 4 and n(6) == 0:
		return TYPE_DICTIONARY
	while true:
		var type = n(TYPE_MAX)
		if depth < 4 or type != TYPE_ARRAY and type != TYPE_DICTIONARY:
			return type

func fixed(type):
	var b = head(type)
	for i in range(FIXED[type]):
		b.append_array(word(word_real()))
	return b

func packed(type, count):
	var b = join([head(type), word(count)])
	match type:
		TYPE_RAW_ARRAY:
			for i in range(count):
				b.append(n(256))
			return padded(b)
		TYPE_INT_ARRAY:
			for i in range(count):
				b.append_array(word(word_int()))
		_:
			for i in range(count * PACKED[type] / 4):
				b.append_array(word(word_real()))
	return b

func dictionary(depth):
	var d = {}
	for i in range(n(6)):
		var key = any(depth + 1) if n(3) == 0 else pick([text(), whole(), real()])
		d[key] = any(depth + 1)
	return d

func random_value():
	var v = value(kind(0), 0)
	var b = var2bytes(v)
	pool.append(b)
	say_value(v, b, false, true)

func say_value(v, b, objects, readable):
	var said = written(v)
	var exact = read_again(said, objects) if readable and said != "" else null
	var fields = {
		"kind": "random", "type": typeof(v), "hex": b.hex_encode(), "text": said,
		"text_exact": exact != null and exact.size() == b.size() and exact.hex_encode() == b.hex_encode(),
	}
	if objects:
		fields["objects"] = true
	line(fields)

# Godot's notation, or nothing where asking for it would bring the engine down: to write a
# dictionary var2str sorts its keys, and to compare two arrays, two dictionaries or two pool
# arrays of a kind it reads memory that is not theirs. That corrupts values or crashes at once.
func written(v):
	return var2str(v) if sayable(v) else ""

func sayable(v):
	match typeof(v):
		TYPE_ARRAY:
			for e in v:
				if not sayable(e):
					return false
		TYPE_DICTIONARY:
			var big = 0
			for key in v:
				if typeof(key) == TYPE_ARRAY or typeof(key) == TYPE_DICTIONARY or typeof(key) >= TYPE_RAW_ARRAY:
					big += 1
			return big < 2 and sayable(v.keys()) and sayable(v.values())
		TYPE_OBJECT:
			for property in v.get_property_list() if v != null else []:
				if property["usage"] & PROPERTY_USAGE_STORAGE and not sayable(v.get(property["name"])):
					return false
	return true

# Null where the engine stumbles over its own text: an error ends the function it happens in.
func read_again(said, objects):
	return var2bytes(str2var(said), objects)

# --- damage that knows nothing of the format ---

func valid():
	if pool.empty() or n(3) == 0:
		return var2bytes(any(0))
	return pick(pool)

func generic():
	var from = valid()
	var b = from
	var how = ""
	for i in range(1 if n(5) > 0 else 2 + n(2)):
		var done = hurt(b)
		b = done[1]
		how += (", " if how != "" else "") + done[0]
	judge(from, how, b)

func hurt(b):
	var words = b.size() / 4
	var what = n(11)
	if words == 0:
		what = 10
	var at = n(b.size()) if b.size() > 0 else 0
	match what:
		0:
			return ["truncated", slice(b, 0, at)]
		1:
			b[at] = b[at] ^ (1 << n(8))
			return ["bit flipped at %d" % at, b]
		2:
			b.remove(at)
			return ["byte removed at %d" % at, b]
		3:
			b.insert(at, n(256))
			return ["byte inserted at %d" % at, b]
		4:
			b[at] = pick([0, 1, 0x7f, 0x80, 0xff, n(256)])
			return ["byte changed at %d" % at, b]
		5:
			at = n(words) * 4
			return ["word at %d" % at, with_word(b, at, pick(WORDS))]
		6:
			at = n(words) * 4
			return ["word moved at %d" % at, with_word(b, at, word_at(b, at) + pick([1, -1, 2, -2, 4, -4]))]
		7:
			return ["type", with_word(b, 0, pick([n(TYPE_MAX), n(TYPE_MAX), TYPE_MAX, n(256)]) | n(2) << 16)]
		8:
			at = 0 if n(3) > 0 else n(words) * 4
			return ["flags", with_word(b, at, word_at(b, at) & 0xff | pick([n(16) << 16, n(0x1000000) << 8, 0xffffff00]))]
		9:
			at = n(words) * 4
			return ["spliced at %d" % at, join([slice(b, 0, at), valid(), slice(b, at + pick([0, 4, 8, 12]), b.size())])]
	for i in range(1 + n(12)):
		b.append(n(256))
	return ["bytes appended", b]

# --- damage that goes where readers have gone wrong ---

func hard_text():
	var b = unhex(pick(TEXTS))
	if n(3) == 0:
		b = join([slice("abc".to_utf8(), 0, n(4)), b])
	if n(3) == 0:
		b = join([b, slice("xyz".to_utf8(), 0, n(4))])
	return b

func bad_string():
	var t = text().to_utf8()
	match n(6):
		0: # padding that holds something
			var b = string(t)
			for i in range(4 + t.size(), b.size()):
				b[i] = n(256)
			return b
		1: # no padding
			return join([word(t.size()), t])
		2: # a length that does not fit
			return join([word(pick(WORDS)), t])
	return string(hard_text())

func small():
	return var2bytes(pick([null, true, 7, 1.5, "a", Vector2(1, 2), [], {}]))

# Wrapped in a container, with a value behind it that tells whether the reader is still in step.
func wrapped(b):
	match n(5):
		0:
			return join([head(TYPE_ARRAY), word(2), b, small()])
		1:
			return join([head(TYPE_DICTIONARY), word(1), b, small()])
		2:
			return join([head(TYPE_DICTIONARY), word(1), small(), b])
	return b

func targeted(number):
	match n(15):
		0, 1:
			duplicate_keys()
		2: # any flags on any type
			var from = var2bytes(any(0))
			judge(from, "flags", wrapped(with_word(from, 0, from[0] | pick([1, 1, 1, 2, 3, 4, 5, 8, 15, 16, n(65536)]) << 16)))
		3: # longer than needed, as no encoder of today writes it
			if n(2) == 0:
				judge(var2bytes(0), "not minimal", wrapped(join([head(TYPE_INT, 1), long(whole() >> n(64))])))
			elif n(2) == 0:
				judge(var2bytes(0.0), "not minimal", wrapped(join([head(TYPE_REAL, 1), double(real())])))
			else:
				judge(var2bytes(0.0), "single", wrapped(join([head(TYPE_REAL), word(word_real())])))
		4, 5, 6:
			strings()
		7, 8:
			node_paths()
		9:
			counts()
		10:
			judge(var2bytes(true), "bool word", wrapped(join([head(TYPE_BOOL), word(pick(WORDS))])))
		11, 12:
			objects_unasked()
		13:
			if number % 8 == 0:
				nested()
			else:
				missing_padding()
		14: # cut a value off inside a container that goes on
			var inner = var2bytes(any(1))
			var cut = slice(inner, 0, n(inner.size() + 1))
			judge(join([head(TYPE_ARRAY), word(2), inner, small()]), "inner value cut",
				join([head(TYPE_ARRAY), word(2), cut, small()]))

func duplicate_keys():
	var key = var2bytes(any(2))
	var other = key
	match n(9):
		0:
			key = join([head(TYPE_REAL), word(0)])
			other = join([head(TYPE_REAL), word(0x80000000)])
		1:
			key = join([head(TYPE_REAL), word(0x7fc00000)])
			other = join([head(TYPE_REAL, 1), long(0x7ff8000000000000 | n(0x10000))])
		2:
			key = var2bytes(1)
			other = pick([var2bytes(1.0), var2bytes(true), join([head(TYPE_INT, 1), long(1)])])
		3, 4:
			key = fixed(pick(FIXED.keys()))
			other = key
			for at in range(4, key.size(), 4):
				var same = pick([0, 0x7fc00000, 0x3f800000])
				key = with_word(key, at, same)
				other = with_word(other, at, {0: 0x80000000, 0x7fc00000: 0x7fc00001, 0x3f800000: 0x3f800000}[same])
		5: # containers as keys, equal inside but for a spelling
			key = join([head(TYPE_ARRAY), word(1), head(TYPE_REAL), word(0)])
			other = join([head(TYPE_ARRAY), word(1), head(TYPE_REAL), word(0x80000000)])
		6:
			var pair = join([head(TYPE_STRING), string("a".to_utf8()), small()])
			var pair2 = join([head(TYPE_INT), word(2), small()])
			key = join([head(TYPE_DICTIONARY), word(2), pair, pair2])
			other = join([head(TYPE_DICTIONARY), word(2), pair2, pair])
		7:
			key = packed(pick(PACKED.keys()), 1 + n(2))
			other = key
	var third = var2bytes(any(2))
	var b
	if n(2) == 0:
		b = join([head(TYPE_DICTIONARY), word(2), key, small(), other, small()])
	else:
		b = join([head(TYPE_DICTIONARY), word(4), third, small(), key, small(), third, small(), other, small()])
	judge(var2bytes({}), "equal keys", b)

func strings():
	match n(4):
		0, 1:
			judge(var2bytes(""), "text", wrapped(join([head(TYPE_STRING), bad_string()])))
		2:
			judge(var2bytes(NodePath("")), "text", wrapped(
				join([head(TYPE_NODE_PATH), word(0x80000001), word(1), word(n(2)), bad_string(), string(PoolByteArray([97]))])))
		3:
			var parts = [head(TYPE_STRING_ARRAY), word(2)]
			for i in range(2):
				match n(4):
					0:
						parts.append(bad_string())
					1:
						parts.append(string(text().to_utf8()))
					2:
						parts.append(string(hard_text()))
					3:
						parts.append(string(join([hard_text(), PoolByteArray([0])])))
			judge(var2bytes(PoolStringArray()), "text", wrapped(join(parts)))

func node_paths():
	var names = n(4)
	var subnames = n(3)
	var flags = pick([0, 1, 2, 3, 4, 7, 0x80000000, 0xffffffff, 0xfffffffe])
	var parts = []
	for i in range(names + subnames + ((flags >> 1) & 1)):
		parts.append(string(text().to_utf8() if n(4) > 0 else hard_text()))
	var count = names | 0x80000000
	match n(6):
		0: # counts that wrap
			subnames = 0x100000000 - names + n(3)
		1:
			count = pick(WORDS)
		2:
			subnames = pick(WORDS)
		3: # the form before Godot 1.0
			judge(var2bytes(NodePath("")), "old node path", wrapped(join([head(TYPE_NODE_PATH), string(text().to_utf8())])))
			return
	judge(var2bytes(NodePath("a")), "node path",
		wrapped(join([head(TYPE_NODE_PATH), word(count), word(subnames), word(flags)] + parts)))

func counts():
	var type = pick(PACKED.keys() + [TYPE_STRING_ARRAY, TYPE_ARRAY, TYPE_DICTIONARY])
	var payload = PoolByteArray()
	for i in range(n(6)):
		payload.append_array(word(pick([0, 1, 2, word_int()])))
	if n(5) == 0:
		payload = slice(payload, 0, n(payload.size() + 1))
	var count = pick(WORDS + [0x08000000, 0x10000000, 0x15555555, 0x15555556, 0x80000002, 4, 5])
	judge(join([head(type), word(0)]), "count", wrapped(join([head(type, n(2) * n(2)), word(count), payload])))

func missing_padding():
	var bytes = PoolByteArray()
	for i in range(n(8)):
		bytes.append(n(256))
	var tail = PoolByteArray()
	for i in range(n(4)):
		tail.append(n(256))
	judge(packed(TYPE_RAW_ARRAY, bytes.size()), "padding",
		wrapped(join([head(TYPE_RAW_ARRAY), word(bytes.size()), bytes, tail])))

func objects_unasked():
	var b
	match n(5):
		0:
			b = head(TYPE_OBJECT)
		1:
			b = join([head(TYPE_OBJECT), word(0)])
		2:
			b = join([head(TYPE_OBJECT), string("Reference".to_utf8()), word(0)])
		3:
			b = join([head(TYPE_OBJECT, 1), long(pick([0, 1, whole(), bits64()]))])
		4:
			b = join([head(TYPE_OBJECT, 1), word(word_int())])
	judge(var2bytes(null), "object", wrapped(b))

func nested():
	var depth = pick([1022, 1023, 1024, 1025, 1026, 1027, 1100])
	var layer = pick([join([head(TYPE_ARRAY), word(1)]), join([head(TYPE_DICTIONARY), word(1), head(TYPE_NIL)])])
	var leaf = pick([head(TYPE_NIL), join([head(TYPE_ARRAY), word(0)]), join([head(TYPE_DICTIONARY), word(0)]),
		join([head(TYPE_STRING), word(0)])])
	var b = PoolByteArray()
	for i in range(depth):
		b.append_array(layer)
	b.append_array(leaf)
	judge(var2bytes([]), "%d levels" % depth, b)

# Godot 3 answers a bad packet with a script error, which ends the function it happens in;
# so "accepted" is a note the function leaves only where it got that far. A legal null passes.
func judge(from, how, b):
	var said = {"kind": "damaged", "from": from.hex_encode(), "how": how, "hex": b.hex_encode(), "accepted": false}
	var v = attempt(b, false, said)
	if said["accepted"]:
		write_again(v, said)
	line(said)

func attempt(b, objects, said):
	var v = bytes2var(b, objects)
	said["accepted"] = true
	return v

func write_again(v, said):
	said["text"] = written(v)
	said["again"] = ""
	said["again"] = var2bytes(v).hex_encode()

# --- objects ---

# Classes left alone: they want a window, a thread, a file or a running scene,
# or they do something costly with numbers that mean nothing to them.
const AVOID = ["Script", "Mesh", "Texture", "World", "VideoStream", "PackedScene", "Thread", "Material", "Image", "AudioStream",
	"Navigation", "Shape", "Sky", "Mutex", "Semaphore", "Editor", "Occluder", "Font", "TileSet", "Environment", "Server",
	"MultiMesh", "Shader", "Skeleton", "ARVR", "WebRTC", "Socket", "Peer", "JavaScript", "Noise", "UPNP", "Crypto", "X509",
	"GIProbe", "BakedLightmap", "Visual", "NativeScript", "GDNative", "Packet", "Stream", "TCP", "HTTP", "SceneState",
	"GLTF", "Tween", "Resource"]

func class_names():
	var names = ["Resource"]
	for name in ClassDB.get_class_list():
		if not ClassDB.can_instance(name) or not ClassDB.is_parent_class(name, "Reference"):
			continue
		var left = false
		for part in AVOID:
			left = left or part in name
		if not left:
			names.append(name)
	names.sort()
	return names

func write_objects(count):
	var names = class_names()
	var script = GDScript.new()
	script.source_code = "extends Resource\nexport var first: int\nexport var second = {\"a\": \"\\\"\"}\n"
	script.reload()
	for i in range(count):
		var with_script = n(6) == 0
		var name = names[i] if i < names.size() else pick(names)
		var o = made("Resource" if with_script else name, script if with_script else null, 0)
		var v = o
		match n(6):
			0:
				v = [o, any(2), null, o]
			1:
				v = {any(3): o, "o": [o, null], o: any(3)}
		object_lines(v, not with_script)

# Godot 3.6 crashes when it reads an object that brings its own script along, as text or as bytes.
func object_lines(v, readable):
	var b = var2bytes(v, true)
	say_value(v, b, true, readable)
	# Without objects allowed the very same packet is refused, or taken where it holds none after all.
	var said = {"kind": "damaged", "from": b.hex_encode(), "how": "objects not allowed", "hex": b.hex_encode(), "accepted": false}
	attempt(b, false, said)
	line(said)
	if readable and n(3) == 0:
		var cut = slice(b, 0, n(b.size()))
		said = {"kind": "damaged", "objects": true, "from": b.hex_encode(), "how": "truncated", "hex": cut.hex_encode(), "accepted": false}
		attempt(cut, true, said)
		line(said)

func made(name, script, depth):
	var o = ClassDB.instance(name)
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
			TYPE_REAL:
				o.set(property["name"], n(64) / 16.0)
			TYPE_STRING:
				if property["hint"] == PROPERTY_HINT_NONE:
					o.set(property["name"], text())
			TYPE_COLOR:
				o.set(property["name"], Color(n(5) / 4.0, n(5) / 4.0, n(5) / 4.0, n(5) / 4.0))
			TYPE_VECTOR2:
				o.set(property["name"], Vector2(n(64) / 16.0, n(64) / 16.0))
	if o is Resource:
		for i in range(n(4)):
			var v = any(2)
			if depth < 2 and n(4) == 0:
				v = made(pick(["Resource", "Gradient", "Curve", "InputEventKey"]), null, depth + 1)
			o.set_meta("m%d" % i, v)
	return o

# --- output ---

func line(fields):
	var keys = fields.keys()
	keys.sort()
	var parts = []
	for key in keys:
		var v = fields[key]
		parts.append("\"%s\": %s" % [key, quoted(v) if v is String else str(v).to_lower()])
	out.store_string("{" + PoolStringArray(parts).join(", ") + "}\n")

# The engine's own JSON writer knows \v, which JSON does not, and lets other control characters pass.
# Godot 3 also holds characters that are no Unicode; they cannot be said in JSON, U+FFFD stands for them.
func quoted(s):
	s = s.replace("\\", "\\\\").replace("\"", "\\\"")
	for i in range(1, 32):
		var c = char(i)
		if c in s:
			s = s.replace(c, "\\u%04x" % i)
	var clean = ""
	var start = 0
	for i in range(s.length()):
		var c = ord(s[i])
		if c >= 0xd800 and c <= 0xdfff or c > 0x10ffff or c < 0:
			clean += s.substr(start, i - start) + "\\ufffd"
			start = i + 1
	return "\"" + clean + s.substr(start, s.length() - start) + "\""
