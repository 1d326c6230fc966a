-- Godot 4.4 to 4.6, as the engines implement it: a dissector for Wireshark.
-- Made from schema godot-4.4 by octable export wireshark; changes here are lost.
-- Its facts: 4.6.3 run; sources of 4.4 to 4.6
-- Program 2e8f0099aef5c1eee15097b82c806fb79f3218eee20e8c8d06a8ff90c3c8eab6
--
-- What it does not do:
--   - How values are written: a dissector reads.
--   - A byte order mark at the beginning of a text is shown with it.
--   - Values nested deeper than Wireshark's trees may be, some hundred levels, are not shown.
--
-- Put it where Wireshark looks for Lua plugins (Help, About, Folders), or start with
--
--	wireshark -X lua_script:godot-4.4.lua
--
-- and choose the protocol under Decode As, or set its ports in the preferences.

local ID, TITLE = "godot_4_4_single", "Godot 4.4 to 4.6, as the engines implement it"
local LITTLE, MAX_DEPTH, MAX_CALLS = true, 1024, 4160

local free, P = pcall(Proto, ID, TITLE)
if not free then -- Wireshark has another protocol of this name or title
	TITLE = TITLE .. " (" .. ID .. ")"
	free, P = pcall(Proto, ID, TITLE)
end
if not free then
	ID = ID .. "_schema"
	P = Proto(ID, TITLE .. " (schema)")
end

local F = {
	ProtoField.uint32(ID .. ".bool.value", "value", base.DEC, nil, nil, "0 for false, 1 for true"),
	ProtoField.bool(ID .. ".int.wide", "wide", 32, nil, 0x10000),
	ProtoField.int32(ID .. ".int.value", "value", base.DEC, nil, nil, "32-bit signed integer"),
	ProtoField.int64(ID .. ".int.value_int64", "value", base.DEC, nil, nil, "32-bit signed integer"),
	ProtoField.bool(ID .. ".float.wide", "wide", 32, nil, 0x10000),
	ProtoField.float(ID .. ".float.value", "value"),
	ProtoField.double(ID .. ".float.value_double", "value"),
	ProtoField.uint32(ID .. ".string.length", "length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".string.text", "text", base.UNICODE, "the text"),
	ProtoField.bool(ID .. ".vector2.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".vector2.x", "x"),
	ProtoField.double(ID .. ".vector2.y", "y"),
	ProtoField.float(ID .. ".vector2.x_float", "x"),
	ProtoField.float(ID .. ".vector2.y_float", "y"),
	ProtoField.int32(ID .. ".vector2i.x", "x", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector2i.y", "y", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".rect2.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".rect2.x", "x"),
	ProtoField.double(ID .. ".rect2.y", "y"),
	ProtoField.double(ID .. ".rect2.width", "width"),
	ProtoField.double(ID .. ".rect2.height", "height"),
	ProtoField.float(ID .. ".rect2.x_float", "x"),
	ProtoField.float(ID .. ".rect2.y_float", "y"),
	ProtoField.float(ID .. ".rect2.width_float", "width"),
	ProtoField.float(ID .. ".rect2.height_float", "height"),
	ProtoField.int32(ID .. ".rect2i.x", "x", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".rect2i.y", "y", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".rect2i.width", "width", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".rect2i.height", "height", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".vector3.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".vector3.x", "x"),
	ProtoField.double(ID .. ".vector3.y", "y"),
	ProtoField.double(ID .. ".vector3.z", "z"),
	ProtoField.float(ID .. ".vector3.x_float", "x"),
	ProtoField.float(ID .. ".vector3.y_float", "y"),
	ProtoField.float(ID .. ".vector3.z_float", "z"),
	ProtoField.int32(ID .. ".vector3i.x", "x", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector3i.y", "y", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector3i.z", "z", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".transform2_d.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".transform2_d.xx", "xx"),
	ProtoField.double(ID .. ".transform2_d.xy", "xy"),
	ProtoField.double(ID .. ".transform2_d.yx", "yx"),
	ProtoField.double(ID .. ".transform2_d.yy", "yy"),
	ProtoField.double(ID .. ".transform2_d.ox", "ox"),
	ProtoField.double(ID .. ".transform2_d.oy", "oy"),
	ProtoField.float(ID .. ".transform2_d.xx_float", "xx"),
	ProtoField.float(ID .. ".transform2_d.xy_float", "xy"),
	ProtoField.float(ID .. ".transform2_d.yx_float", "yx"),
	ProtoField.float(ID .. ".transform2_d.yy_float", "yy"),
	ProtoField.float(ID .. ".transform2_d.ox_float", "ox"),
	ProtoField.float(ID .. ".transform2_d.oy_float", "oy"),
	ProtoField.bool(ID .. ".vector4.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".vector4.x", "x"),
	ProtoField.double(ID .. ".vector4.y", "y"),
	ProtoField.double(ID .. ".vector4.z", "z"),
	ProtoField.double(ID .. ".vector4.w", "w"),
	ProtoField.float(ID .. ".vector4.x_float", "x"),
	ProtoField.float(ID .. ".vector4.y_float", "y"),
	ProtoField.float(ID .. ".vector4.z_float", "z"),
	ProtoField.float(ID .. ".vector4.w_float", "w"),
	ProtoField.int32(ID .. ".vector4i.x", "x", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector4i.y", "y", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector4i.z", "z", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".vector4i.w", "w", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".plane.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".plane.nx", "nx"),
	ProtoField.double(ID .. ".plane.ny", "ny"),
	ProtoField.double(ID .. ".plane.nz", "nz"),
	ProtoField.double(ID .. ".plane.d", "d"),
	ProtoField.float(ID .. ".plane.nx_float", "nx"),
	ProtoField.float(ID .. ".plane.ny_float", "ny"),
	ProtoField.float(ID .. ".plane.nz_float", "nz"),
	ProtoField.float(ID .. ".plane.d_float", "d"),
	ProtoField.bool(ID .. ".quaternion.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".quaternion.x", "x"),
	ProtoField.double(ID .. ".quaternion.y", "y"),
	ProtoField.double(ID .. ".quaternion.z", "z"),
	ProtoField.double(ID .. ".quaternion.w", "w"),
	ProtoField.float(ID .. ".quaternion.x_float", "x"),
	ProtoField.float(ID .. ".quaternion.y_float", "y"),
	ProtoField.float(ID .. ".quaternion.z_float", "z"),
	ProtoField.float(ID .. ".quaternion.w_float", "w"),
	ProtoField.bool(ID .. ".aabb.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".aabb.x", "x"),
	ProtoField.double(ID .. ".aabb.y", "y"),
	ProtoField.double(ID .. ".aabb.z", "z"),
	ProtoField.double(ID .. ".aabb.width", "width"),
	ProtoField.double(ID .. ".aabb.height", "height"),
	ProtoField.double(ID .. ".aabb.depth", "depth"),
	ProtoField.float(ID .. ".aabb.x_float", "x"),
	ProtoField.float(ID .. ".aabb.y_float", "y"),
	ProtoField.float(ID .. ".aabb.z_float", "z"),
	ProtoField.float(ID .. ".aabb.width_float", "width"),
	ProtoField.float(ID .. ".aabb.height_float", "height"),
	ProtoField.float(ID .. ".aabb.depth_float", "depth"),
	ProtoField.bool(ID .. ".basis.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".basis.xx", "xx"),
	ProtoField.double(ID .. ".basis.yx", "yx"),
	ProtoField.double(ID .. ".basis.zx", "zx"),
	ProtoField.double(ID .. ".basis.xy", "xy"),
	ProtoField.double(ID .. ".basis.yy", "yy"),
	ProtoField.double(ID .. ".basis.zy", "zy"),
	ProtoField.double(ID .. ".basis.xz", "xz"),
	ProtoField.double(ID .. ".basis.yz", "yz"),
	ProtoField.double(ID .. ".basis.zz", "zz"),
	ProtoField.float(ID .. ".basis.xx_float", "xx"),
	ProtoField.float(ID .. ".basis.yx_float", "yx"),
	ProtoField.float(ID .. ".basis.zx_float", "zx"),
	ProtoField.float(ID .. ".basis.xy_float", "xy"),
	ProtoField.float(ID .. ".basis.yy_float", "yy"),
	ProtoField.float(ID .. ".basis.zy_float", "zy"),
	ProtoField.float(ID .. ".basis.xz_float", "xz"),
	ProtoField.float(ID .. ".basis.yz_float", "yz"),
	ProtoField.float(ID .. ".basis.zz_float", "zz"),
	ProtoField.bool(ID .. ".transform3_d.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".transform3_d.xx", "xx"),
	ProtoField.double(ID .. ".transform3_d.yx", "yx"),
	ProtoField.double(ID .. ".transform3_d.zx", "zx"),
	ProtoField.double(ID .. ".transform3_d.xy", "xy"),
	ProtoField.double(ID .. ".transform3_d.yy", "yy"),
	ProtoField.double(ID .. ".transform3_d.zy", "zy"),
	ProtoField.double(ID .. ".transform3_d.xz", "xz"),
	ProtoField.double(ID .. ".transform3_d.yz", "yz"),
	ProtoField.double(ID .. ".transform3_d.zz", "zz"),
	ProtoField.double(ID .. ".transform3_d.ox", "ox"),
	ProtoField.double(ID .. ".transform3_d.oy", "oy"),
	ProtoField.double(ID .. ".transform3_d.oz", "oz"),
	ProtoField.float(ID .. ".transform3_d.xx_float", "xx"),
	ProtoField.float(ID .. ".transform3_d.yx_float", "yx"),
	ProtoField.float(ID .. ".transform3_d.zx_float", "zx"),
	ProtoField.float(ID .. ".transform3_d.xy_float", "xy"),
	ProtoField.float(ID .. ".transform3_d.yy_float", "yy"),
	ProtoField.float(ID .. ".transform3_d.zy_float", "zy"),
	ProtoField.float(ID .. ".transform3_d.xz_float", "xz"),
	ProtoField.float(ID .. ".transform3_d.yz_float", "yz"),
	ProtoField.float(ID .. ".transform3_d.zz_float", "zz"),
	ProtoField.float(ID .. ".transform3_d.ox_float", "ox"),
	ProtoField.float(ID .. ".transform3_d.oy_float", "oy"),
	ProtoField.float(ID .. ".transform3_d.oz_float", "oz"),
	ProtoField.bool(ID .. ".projection.wide", "wide", 32, nil, 0x10000),
	ProtoField.double(ID .. ".projection.xx", "xx"),
	ProtoField.double(ID .. ".projection.xy", "xy"),
	ProtoField.double(ID .. ".projection.xz", "xz"),
	ProtoField.double(ID .. ".projection.xw", "xw"),
	ProtoField.double(ID .. ".projection.yx", "yx"),
	ProtoField.double(ID .. ".projection.yy", "yy"),
	ProtoField.double(ID .. ".projection.yz", "yz"),
	ProtoField.double(ID .. ".projection.yw", "yw"),
	ProtoField.double(ID .. ".projection.zx", "zx"),
	ProtoField.double(ID .. ".projection.zy", "zy"),
	ProtoField.double(ID .. ".projection.zz", "zz"),
	ProtoField.double(ID .. ".projection.zw", "zw"),
	ProtoField.double(ID .. ".projection.wx", "wx"),
	ProtoField.double(ID .. ".projection.wy", "wy"),
	ProtoField.double(ID .. ".projection.wz", "wz"),
	ProtoField.double(ID .. ".projection.ww", "ww"),
	ProtoField.float(ID .. ".projection.xx_float", "xx"),
	ProtoField.float(ID .. ".projection.xy_float", "xy"),
	ProtoField.float(ID .. ".projection.xz_float", "xz"),
	ProtoField.float(ID .. ".projection.xw_float", "xw"),
	ProtoField.float(ID .. ".projection.yx_float", "yx"),
	ProtoField.float(ID .. ".projection.yy_float", "yy"),
	ProtoField.float(ID .. ".projection.yz_float", "yz"),
	ProtoField.float(ID .. ".projection.yw_float", "yw"),
	ProtoField.float(ID .. ".projection.zx_float", "zx"),
	ProtoField.float(ID .. ".projection.zy_float", "zy"),
	ProtoField.float(ID .. ".projection.zz_float", "zz"),
	ProtoField.float(ID .. ".projection.zw_float", "zw"),
	ProtoField.float(ID .. ".projection.wx_float", "wx"),
	ProtoField.float(ID .. ".projection.wy_float", "wy"),
	ProtoField.float(ID .. ".projection.wz_float", "wz"),
	ProtoField.float(ID .. ".projection.ww_float", "ww"),
	ProtoField.float(ID .. ".color.r", "r"),
	ProtoField.float(ID .. ".color.g", "g"),
	ProtoField.float(ID .. ".color.b", "b"),
	ProtoField.float(ID .. ".color.a", "a"),
	ProtoField.uint32(ID .. ".string_name.length", "length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".string_name.text", "text", base.UNICODE, "the text"),
	ProtoField.uint32(ID .. ".node_path.word", "word", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".node_path.name_count", "name_count", base.DEC, nil, 0x7fffffff),
	ProtoField.bool(ID .. ".node_path.new_form", "new_form", 32, nil, 0x80000000),
	ProtoField.uint32(ID .. ".node_path.subname_count", "subname_count", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".node_path.flags", "flags", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".node_path.absolute", "absolute", 32, nil, 0x1, "begins at the root; engines before 4.0 drop it when they read an empty path"),
	ProtoField.bool(ID .. ".node_path.property", "property", 32, nil, 0x2),
	ProtoField.uint64(ID .. ".rid.id", "id", base.DEC, nil, nil, "the id"),
	ProtoField.bool(ID .. ".object.as_id", "as_id", 32, nil, 0x10000),
	ProtoField.uint64(ID .. ".object.id", "id", base.DEC, nil, nil, "instance id"),
	ProtoField.uint32(ID .. ".object.class_length", "class_length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".object.class", "class", base.UNICODE, "class name"),
	ProtoField.int32(ID .. ".object.property_count", "property_count", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".signal.name_length", "name_length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".signal.name", "name", base.UNICODE, "name of the signal"),
	ProtoField.uint64(ID .. ".signal.id", "id", base.DEC, nil, nil, "instance id of the object"),
	ProtoField.uint32(ID .. ".dictionary.key_kind", "key_kind", base.DEC, nil, 0x30000),
	ProtoField.uint32(ID .. ".dictionary.value_kind", "value_kind", base.DEC, nil, 0xc0000),
	ProtoField.uint32(ID .. ".dictionary.word", "word", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".dictionary.pair_count", "pair_count", base.DEC, nil, 0x7fffffff),
	ProtoField.uint32(ID .. ".array.kind", "kind", base.DEC, nil, 0x30000),
	ProtoField.uint32(ID .. ".array.word", "word", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".array.element_count", "element_count", base.DEC, nil, 0x7fffffff),
	ProtoField.uint32(ID .. ".packed_byte_array.length", "length", base.DEC, nil, nil),
	ProtoField.bytes(ID .. ".packed_byte_array.bytes", "bytes", base.NONE, "a byte"),
	ProtoField.uint32(ID .. ".packed_int32_array.length", "length", base.DEC, nil, nil),
	ProtoField.int32(ID .. ".packed_int32_array.numbers", "numbers", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".packed_int64_array.length", "length", base.DEC, nil, nil),
	ProtoField.int64(ID .. ".packed_int64_array.numbers", "numbers", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".packed_float32_array.length", "length", base.DEC, nil, nil),
	ProtoField.float(ID .. ".packed_float32_array.numbers", "numbers"),
	ProtoField.uint32(ID .. ".packed_float64_array.length", "length", base.DEC, nil, nil),
	ProtoField.double(ID .. ".packed_float64_array.numbers", "numbers"),
	ProtoField.int32(ID .. ".packed_string_array.length", "length", base.DEC, nil, nil),
	ProtoField.bool(ID .. ".packed_vector2_array.wide", "wide", 32, nil, 0x10000),
	ProtoField.uint32(ID .. ".packed_vector2_array.length", "length", base.DEC, nil, nil),
	ProtoField.double(ID .. ".packed_vector2_array.vectors.x", "x"),
	ProtoField.double(ID .. ".packed_vector2_array.vectors.y", "y"),
	ProtoField.float(ID .. ".packed_vector2_array.vectors.x_float", "x"),
	ProtoField.float(ID .. ".packed_vector2_array.vectors.y_float", "y"),
	ProtoField.bool(ID .. ".packed_vector3_array.wide", "wide", 32, nil, 0x10000),
	ProtoField.uint32(ID .. ".packed_vector3_array.length", "length", base.DEC, nil, nil),
	ProtoField.double(ID .. ".packed_vector3_array.vectors.x", "x"),
	ProtoField.double(ID .. ".packed_vector3_array.vectors.y", "y"),
	ProtoField.double(ID .. ".packed_vector3_array.vectors.z", "z"),
	ProtoField.float(ID .. ".packed_vector3_array.vectors.x_float", "x"),
	ProtoField.float(ID .. ".packed_vector3_array.vectors.y_float", "y"),
	ProtoField.float(ID .. ".packed_vector3_array.vectors.z_float", "z"),
	ProtoField.uint32(ID .. ".packed_color_array.length", "length", base.DEC, nil, nil),
	ProtoField.float(ID .. ".packed_color_array.colors.r", "r"),
	ProtoField.float(ID .. ".packed_color_array.colors.g", "g"),
	ProtoField.float(ID .. ".packed_color_array.colors.b", "b"),
	ProtoField.float(ID .. ".packed_color_array.colors.a", "a"),
	ProtoField.bool(ID .. ".packed_vector4_array.wide", "wide", 32, nil, 0x10000),
	ProtoField.uint32(ID .. ".packed_vector4_array.length", "length", base.DEC, nil, nil),
	ProtoField.double(ID .. ".packed_vector4_array.vectors.x", "x"),
	ProtoField.double(ID .. ".packed_vector4_array.vectors.y", "y"),
	ProtoField.double(ID .. ".packed_vector4_array.vectors.z", "z"),
	ProtoField.double(ID .. ".packed_vector4_array.vectors.w", "w"),
	ProtoField.float(ID .. ".packed_vector4_array.vectors.x_float", "x"),
	ProtoField.float(ID .. ".packed_vector4_array.vectors.y_float", "y"),
	ProtoField.float(ID .. ".packed_vector4_array.vectors.z_float", "z"),
	ProtoField.float(ID .. ".packed_vector4_array.vectors.w_float", "w"),
	ProtoField.uint32(ID .. ".variant.header", "header", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".string.length_uint32", "length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".string.text_string", "text", base.UNICODE, "the text"),
	ProtoField.uint32(ID .. ".object.properties.name.length", "length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".object.properties.name.text", "text", base.UNICODE, "the text"),
	ProtoField.uint32(ID .. ".builtin.type", "type", base.DEC, nil, nil),
	ProtoField.uint32(ID .. ".class.name_length", "name_length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".class.name", "name", base.UNICODE, "a native class"),
	ProtoField.uint32(ID .. ".script.path_length", "path_length", base.DEC, nil, nil),
	ProtoField.string(ID .. ".script.path", "path", base.UNICODE, "path of a script"),
	ProtoField.uint32(ID .. ".packed_string_array.strings.size", "size", base.DEC, nil, nil),
	ProtoField.string(ID .. ".packed_string_array.strings.text", "text", base.UNICODE, "the text and a NUL"),
}
P.fields = F

-- The runtime: numbers, text, and the rest of the packet. s is the state of
-- reading, t the tree that is added to. Any mistake is an error with its
-- place, which is caught outermost and shown there.

local unsigned, signed, real, code = 1, 2, 3, 4

-- swapped is added to these for the other order of bytes.
local swapped = 4

-- order returns one of these, and whether the lowest byte is first.
local function order(how)
	if how > swapped then return how - swapped, not LITTLE end
	return how, LITTLE or how == code
end

local function fail(s, at, text)
	error({at = at, text = text}, 0)
end

local function need(s, n)
	if n < 0 then fail(s, s.pos, "a length is negative: " .. n) end
	if s.stop - s.pos < n then
		fail(s, s.pos, "the packet ends too early: " .. n .. " bytes are needed here, and there are " .. (s.stop - s.pos))
	end
end

-- Numbers are those of Lua 5.2, which are doubles: exact up to 2^53. What would be
-- rounded ends the reading.
local function exact(s, a)
	if a >= 2 ^ 53 or a <= -2 ^ 53 then
		fail(s, s.pos, "the dissector does not compute with numbers beyond 2^53")
	end
	return a
end

local function div(a, b)
	if b == 0 then return 0 end
	local q = math.floor(math.abs(a) / math.abs(b))
	if (a < 0) ~= (b < 0) then return -q end
	return q
end

local function mod(a, b)
	if b == 0 then return 0 end
	return a - b * div(a, b)
end

local function shl(a, n) return a * 2 ^ (n % 64) end
local function shr(a, n)
	n = n % 64
	local out = math.floor(a / 2 ^ n)
	if a < 0 and n > 0 then return out + 2 ^ (64 - n) end -- zeros are shifted in
	return out
end

local function bits(a, b, f)
	local out, place = 0, 1
	while a > 0 or b > 0 do
		local x, y = a % 2, b % 2
		if f(x, y) then out = out + place end
		a, b, place = (a - x) / 2, (b - y) / 2, place * 2
	end
	return out
end

-- halves applies an operation to the halves of numbers of 64 bits.
local function halves(a, b, f)
	local low = bits(a % 2 ^ 32, b % 2 ^ 32, f)
	local high = bits(math.floor(a / 2 ^ 32) % 2 ^ 32, math.floor(b / 2 ^ 32) % 2 ^ 32, f)
	if high >= 2 ^ 31 then high = high - 2 ^ 32 end
	return high * 2 ^ 32 + low
end

local function band(a, b) return halves(a, b, function(x, y) return x == 1 and y == 1 end) end
local function bxor(a, b) return halves(a, b, function(x, y) return x ~= y end) end

local function pick(c, a, b)
	if c then return a end
	return b
end

-- half returns a number of half precision from its bits.
local function half(n)
	local sign = n < 0x8000 and 1 or -1
	local exponent, fraction = math.floor(n / 0x400) % 0x20, n % 0x400
	if exponent == 0 then return sign * fraction * 2 ^ -24 end
	if exponent < 0x1f then return sign * (0x400 + fraction) * 2 ^ (exponent - 25) end
	if fraction == 0 then return sign * math.huge end
	return 0 / 0
end

-- number returns the number at a place.
local function number(s, at, width, how)
	local r = s.tvb(at, width)
	local how, little = order(how)
	if how == code then return r:le_uint() end
	if how == real and width == 2 then return half(little and r:le_uint() or r:uint()) end
	if how == real then return little and r:le_float() or r:float() end
	if width <= 4 then
		if how == signed then return little and r:le_int() or r:int() end
		return little and r:le_uint() or r:uint()
	end
	local low, high
	if little then
		low, high = s.tvb(at, 4):le_uint(), s.tvb(at + 4, width - 4):le_uint()
	else
		low, high = s.tvb(at + width - 4, 4):uint(), s.tvb(at, width - 4):uint()
	end
	if how == signed and high >= 2 ^ (8 * width - 33) then high = high - 2 ^ (8 * width - 32) end
	return high * 2 ^ 32 + low
end

-- add shows the number at a place.
local function add(t, field, range, how)
	local how, little = order(how)
	if how == real and range:len() == 2 then
		return t:add(field, range, half(little and range:le_uint() or range:uint()))
	end
	if little and how ~= code then
		return t:add_le(field, range)
	end
	return t:add(field, range)
end

local function word(s, t, field, width, how)
	need(s, width)
	local at = s.pos
	s.pos = at + width
	s.word = {item = add(t, field, s.tvb(at, width), how), range = s.tvb(at, width), how = how}
	return number(s, at, width, how)
end

-- part shows bits of the last word, below it.
local function part(s, field) add(s.word.item, field, s.word.range, s.word.how) end

local function truth(s, t, field, width, how, nonzero)
	local at = s.pos
	local n = word(s, t, field, width, how)
	if n ~= 0 and n ~= 1 and not nonzero then
		fail(s, at, "neither 0, which is false, nor 1, which is true")
	end
	return n
end

local function named(s, t, at, n, names)
	if not names[n] then fail(s, at, "no type has the number " .. n) end
	t:append_text(" of " .. names[n])
end

local function lanes(s, t, fields, width, how)
	need(s, width * #fields)
	local all = {}
	for i, field in ipairs(fields) do
		add(t, field, s.tvb(s.pos, width), how)
		all[i] = number(s, s.pos, width, how)
		s.pos = s.pos + width
	end
	return all
end

local function room(s, n, least, what)
	if n < 0 then fail(s, s.pos, "the number of " .. what .. " is negative: " .. n) end
	if n * least > s.stop - s.pos then
		fail(s, s.pos, "the packet ends too early: " .. n .. " of " .. what .. " take " .. n * least .. " bytes or more, and there are " .. (s.stop - s.pos))
	end
end

local function bytes(s, t, field, n)
	n = n or s.stop - s.pos
	need(s, n)
	local item
	if n > 0 then
		item = t:add(field, s.tvb(s.pos, n))
	elseif s.tail > 0 then
		item = t:add(field, s.tvb(s.pos, s.tail)):append_text(" (empty; only the bytes that end it)")
	end
	if s.tail > 0 and item then item:set_len(n + s.tail) end
	s.pos = s.pos + n
	return n
end

local function packed(s, t, what, fields, n, width, how)
	local size = width * #fields
	n = n or math.floor((s.stop - s.pos) / size)
	room(s, n, size, what)
	for i = 0, n - 1 do
		local into = t
		if #fields > 1 then into = t:add(s.tvb(s.pos, size), what .. " " .. i) end
		lanes(s, into, fields, width, how)
	end
	return n * size
end

-- Whether bytes are UTF-8 as RFC 3629 says.
local function utf8(b)
	local i, n = 1, #b
	while i <= n do
		local c = b:byte(i)
		local more, low, high = 0, 0x80, 0xbf
		if c >= 0xc2 and c <= 0xdf then more = 1
		elseif c >= 0xe0 and c <= 0xef then
			more = 2
			if c == 0xe0 then low = 0xa0 elseif c == 0xed then high = 0x9f end
		elseif c >= 0xf0 and c <= 0xf4 then
			more = 3
			if c == 0xf0 then low = 0x90 elseif c == 0xf4 then high = 0x8f end
		elseif c >= 0x80 then return i end
		for k = 1, more do
			local d = b:byte(i + k)
			if not d or d < low or d > high then return i end
			low, high = 0x80, 0xbf
		end
		i = i + 1 + more
	end
end

-- Whether bytes are what Godot 3 takes for UTF-8: forms of one to six bytes, of which
-- most that are longer than needed pass.
local function loose(b)
	local i, n = 1, #b
	while i <= n do
		local c = b:byte(i)
		local size = c < 0x80 and 1 or c < 0xc2 and 0 or c < 0xe0 and 2 or c < 0xf0 and 3 or c < 0xf8 and 4 or c < 0xfc and 5 or c < 0xfe and 6 or 0
		if size == 0 then return i end
		for k = 1, size - 1 do
			local d = b:byte(i + k)
			if not d or d < 0x80 or d > 0xbf then return i end
		end
		if size > 2 then
			local first = c % 2 ^ (7 - size)
			if first == 0 and b:byte(i + 1) % 64 == 0 and shr(b:byte(i + 2) % 128, 7 - size) == 0 then return i end
		end
		i = i + size
	end
end

-- unpaired returns the place of the first unit of UTF-16 that is not part of a character.
local function unpaired(b, big)
	local function unit(i)
		local x, y = b:byte(i, i + 1)
		if big then return x * 256 + y else return y * 256 + x end
	end
	local i = 1
	while i <= #b do
		if i == #b then return i end
		local x = unit(i)
		if x >= 0xd800 and x < 0xe000 then
			if x >= 0xdc00 or i + 3 > #b then return i end
			local y = unit(i + 2)
			if y < 0xdc00 or y >= 0xe000 then return i end
			i = i + 2
		end
		i = i + 2
	end
end

-- charsets are the encodings of text with a number from 3 on, and what is malformed in them.
local charsets = {
	[3] = {how = ENC_ASCII, name = "ASCII", bad = function(b) return b:find("[\128-\255]") end},
	[4] = {how = ENC_ISO_8859_1, name = "ISO 8859-1", bad = function() end},
	[5] = {how = ENC_MAC_ROMAN, name = "Mac OS Roman", bad = function() end},
	[6] = {how = ENC_UTF_16 + ENC_LITTLE_ENDIAN, name = "UTF-16", bad = function(b) return unpaired(b, false) end},
	[7] = {how = ENC_UTF_16 + ENC_BIG_ENDIAN, name = "UTF-16", bad = function(b) return unpaired(b, true) end},
	[8] = {how = ENC_WINDOWS_1252, name = "Windows-1252", bad = function(b) return b:find("[\129\141\143\144\157]") end},
	[9] = {how = ENC_CP437, name = "code page 437", bad = function() end},
}

local function text(s, t, field, n, strictness, stops, drops)
	need(s, n)
	local range = s.tvb(s.pos, n)
	local b = n > 0 and range:raw() or ""
	if stops then b = b:match("^[^%z]*") end
	local bad
	local set = charsets[strictness] or {how = ENC_UTF_8, name = "UTF-8"}
	if set.bad then bad = set.bad(b) end
	if strictness == 0 then bad = utf8(b) elseif strictness == 1 then bad = loose(b) end
	if bad then fail(s, s.pos + bad - 1, "text that is no " .. set.name) end
	if n > 0 then
		local item = t:add_packet_field(field, range, set.how)
		if s.tail > 0 then item:set_len(n + s.tail) end
	elseif s.tail > 0 then
		t:add(field, s.tvb(s.pos, s.tail), "")
	end
	s.pos = s.pos + n
	if drops and b:sub(1, 3) == "\239\187\191" then b = b:sub(4) end
	return b
end

-- max_fill is the greatest number of bytes that fill a row.
local max_fill = 1048576

-- find returns where some bytes begin in others, after a number of code units, or nil.
local function find(b, bytes, unit)
	local at = b:find(bytes, 1, true)
	while at and (at - 1) % unit > 0 do
		at = b:find(bytes, at + 1, true)
	end
	return at
end

-- before returns the number of bytes before the next occurrence of others, which s.tail counts.
local function before(s, bytes, unit)
	local at = s.stop > s.pos and find(s.tvb(s.pos, s.stop - s.pos):raw(), bytes, unit)
	if not at then fail(s, s.pos, "the bytes that end the row are missing") end
	s.tail = #bytes
	return at - 1
end

-- filled returns how many of n bytes are before those that fill them, which s.tail counts. With whole, a zero byte
-- in them is refused, since it would end their text.
local function filled(s, n, fill, unit, last, whole)
	need(s, n)
	local b = n > 0 and s.tvb(s.pos, n):raw() or ""
	local bytes, content = string.char(fill):rep(unit), n - n % unit
	if last then
		while content > 0 and b:sub(content - unit + 1, content) == bytes do content = content - unit end
	else
		content = (find(b, bytes, unit) or content + 1) - 1
	end
	s.tail = n - content
	if s.tail > max_fill then fail(s, s.pos, "more than " .. max_fill .. " bytes fill the row") end
	if last and content < n and b:byte(n) ~= fill then fail(s, s.pos + n - 1, "the row is not filled with " .. fill) end
	if whole and find(b:sub(1, content), "\0", 1) then fail(s, s.pos, "a zero byte ends the text before its row is filled") end
	return content
end

-- rest steps over the bytes that end content and returns their number.
local function rest(s)
	local n = s.tail
	s.pos, s.tail = s.pos + n, 0
	return n
end

local function pad(s, t, last, align, or_end, exact, fill)
	local n = (align - last % align) % align
	if or_end then n = math.min(n, s.stop - s.pos) end
	need(s, n)
	if n == 0 then return end
	for i = 0, n - 1 do
		if exact and s.tvb(s.pos + i, 1):uint() ~= fill then fail(s, s.pos + i, "padding is not " .. fill) end
	end
	t:add(s.tvb(s.pos, n), "padding")
	s.pos = s.pos + n
end

local function gate(s, open, name)
	if not open then fail(s, s.pos, name .. " are refused; the preferences of the protocol can allow them") end
end

local function enter(s, nests)
	if s.calls > MAX_CALLS or nests and s.depth > MAX_DEPTH then fail(s, s.pos, "nested too deeply") end
	s.calls = s.calls + 1
	if nests then s.depth = s.depth + 1 end
end

local function leave(s, nests)
	s.calls = s.calls - 1
	if nests then s.depth = s.depth - 1 end
end

local function region(s, n)
	need(s, n)
	local outer = s.stop
	s.stop = s.pos + n
	return outer
end

local function over(s, outer)
	if s.pos < s.stop then fail(s, s.pos, (s.stop - s.pos) .. " bytes of what was announced are left over") end
	s.stop = outer
end

-- inside reads something in a tree of its own.
local function inside(s, t, name, read, ...)
	local at = s.pos
	if at >= s.tvb:len() then -- a tree needs a byte to stand at
		return read(s, t:add(s.tvb(at, 0), name), ...)
	end
	local own = t:add(s.tvb(at), name)
	local result = read(s, own, ...)
	own:set_len(s.pos - at)
	return result
end

local wrong = ProtoExpert.new(ID .. ".wrong", "not of the format", expert.group.MALFORMED, expert.severity.ERROR)
P.experts = {wrong}

-- dissect_with makes a protocol of the reader of the outermost value.
local function dissect_with(proto, read)
	proto.prefs.tcp = Pref.range("TCP ports", "", "of packets that hold one value", 65535)
	proto.prefs.udp = Pref.range("UDP ports", "", "of packets that hold one value", 65535)
	local tcp, udp = "", ""
	function proto.prefs_changed()
		DissectorTable.get("tcp.port"):remove(tcp, proto)
		DissectorTable.get("udp.port"):remove(udp, proto)
		tcp, udp = proto.prefs.tcp, proto.prefs.udp
		DissectorTable.get("tcp.port"):add(tcp, proto)
		DissectorTable.get("udp.port"):add(udp, proto)
	end
	function proto.dissector(tvb, pinfo, tree)
		pinfo.cols.protocol = ID
		local t = tree:add(proto, tvb(), TITLE)
		local s = {tvb = tvb, pos = 0, stop = tvb:len(), tail = 0, depth = 0, calls = 0}
		local ok, e = pcall(read, s, t)
		if ok then
			if s.pos < s.stop then t:add(tvb(s.pos), "bytes after the value") end
			return tvb:len()
		end
		if type(e) ~= "table" then e = {at = s.pos, text = tostring(e)} end
		local at = math.min(e.at, tvb:len())
		t:add_proto_expert_info(wrong, "byte " .. e.at .. ": " .. e.text)
		if at < tvb:len() then t:add(tvb(at), "byte " .. e.at .. ": " .. e.text) end
		return tvb:len()
	end
	DissectorTable.get("wtap_encap"):add(wtap.USER0, proto)
	DissectorTable.get("tcp.port"):add_for_decode_as(proto)
	DissectorTable.get("udp.port"):add_for_decode_as(proto)
end

local R = {} -- the readers, which call each other

function R.read_variant_nil(s, t)
	local last = 0
end

function R.read_variant_bool(s, t)
	local last = 0
	truth(s, t, F[1], 4, unsigned, true)
end

function R.read_variant_int(s, t, r0)
	local r1
	local last = 0
	part(s, F[2])
	r1 = band(shr(r0, 16), 1)
	if not (r1 ~= 0) then
		word(s, t, F[3], 4, signed)
	else
		word(s, t, F[4], 8, signed)
	end
end

function R.read_variant_float(s, t, r0)
	local r1
	local last = 0
	part(s, F[5])
	r1 = band(shr(r0, 16), 1)
	if not (r1 ~= 0) then
		word(s, t, F[6], 4, real)
	else
		word(s, t, F[7], 8, real)
	end
end

function R.read_variant_string(s, t)
	local r1, c0
	local last = 0
	r1 = word(s, t, F[8], 4, unsigned)
	last = r1
	c0 = text(s, t, F[9], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
end

function R.read_variant_vector2(s, t, r0)
	local r1
	local last = 0
	part(s, F[10])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[11], F[12]}, 8, real)
	else
		lanes(s, t, {F[13], F[14]}, 4, real)
	end
end

function R.read_variant_vector2i(s, t)
	local last = 0
	lanes(s, t, {F[15], F[16]}, 4, signed)
end

function R.read_variant_rect2(s, t, r0)
	local r1
	local last = 0
	part(s, F[17])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[18], F[19], F[20], F[21]}, 8, real)
	else
		lanes(s, t, {F[22], F[23], F[24], F[25]}, 4, real)
	end
end

function R.read_variant_rect2i(s, t)
	local last = 0
	lanes(s, t, {F[26], F[27], F[28], F[29]}, 4, signed)
end

function R.read_variant_vector3(s, t, r0)
	local r1
	local last = 0
	part(s, F[30])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[31], F[32], F[33]}, 8, real)
	else
		lanes(s, t, {F[34], F[35], F[36]}, 4, real)
	end
end

function R.read_variant_vector3i(s, t)
	local last = 0
	lanes(s, t, {F[37], F[38], F[39]}, 4, signed)
end

function R.read_variant_transform2_d(s, t, r0)
	local r1
	local last = 0
	part(s, F[40])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[41], F[42], F[43], F[44], F[45], F[46]}, 8, real)
	else
		lanes(s, t, {F[47], F[48], F[49], F[50], F[51], F[52]}, 4, real)
	end
end

function R.read_variant_vector4(s, t, r0)
	local r1
	local last = 0
	part(s, F[53])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[54], F[55], F[56], F[57]}, 8, real)
	else
		lanes(s, t, {F[58], F[59], F[60], F[61]}, 4, real)
	end
end

function R.read_variant_vector4i(s, t)
	local last = 0
	lanes(s, t, {F[62], F[63], F[64], F[65]}, 4, signed)
end

function R.read_variant_plane(s, t, r0)
	local r1
	local last = 0
	part(s, F[66])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[67], F[68], F[69], F[70]}, 8, real)
	else
		lanes(s, t, {F[71], F[72], F[73], F[74]}, 4, real)
	end
end

function R.read_variant_quaternion(s, t, r0)
	local r1
	local last = 0
	part(s, F[75])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[76], F[77], F[78], F[79]}, 8, real)
	else
		lanes(s, t, {F[80], F[81], F[82], F[83]}, 4, real)
	end
end

function R.read_variant_aabb(s, t, r0)
	local r1
	local last = 0
	part(s, F[84])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[85], F[86], F[87], F[88], F[89], F[90]}, 8, real)
	else
		lanes(s, t, {F[91], F[92], F[93], F[94], F[95], F[96]}, 4, real)
	end
end

function R.read_variant_basis(s, t, r0)
	local r1
	local last = 0
	part(s, F[97])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[98], F[99], F[100], F[101], F[102], F[103], F[104], F[105], F[106]}, 8, real)
	else
		lanes(s, t, {F[107], F[108], F[109], F[110], F[111], F[112], F[113], F[114], F[115]}, 4, real)
	end
end

function R.read_variant_transform3_d(s, t, r0)
	local r1
	local last = 0
	part(s, F[116])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[117], F[118], F[119], F[120], F[121], F[122], F[123], F[124], F[125], F[126], F[127], F[128]}, 8, real)
	else
		lanes(s, t, {F[129], F[130], F[131], F[132], F[133], F[134], F[135], F[136], F[137], F[138], F[139], F[140]}, 4, real)
	end
end

function R.read_variant_projection(s, t, r0)
	local r1
	local last = 0
	part(s, F[141])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		lanes(s, t, {F[142], F[143], F[144], F[145], F[146], F[147], F[148], F[149], F[150], F[151], F[152], F[153], F[154], F[155], F[156], F[157]}, 8, real)
	else
		lanes(s, t, {F[158], F[159], F[160], F[161], F[162], F[163], F[164], F[165], F[166], F[167], F[168], F[169], F[170], F[171], F[172], F[173]}, 4, real)
	end
end

function R.read_variant_color(s, t)
	local last = 0
	lanes(s, t, {F[174], F[175], F[176], F[177]}, 4, real)
end

function R.read_variant_string_name(s, t)
	local r1, c0
	local last = 0
	r1 = word(s, t, F[178], 4, unsigned)
	last = r1
	c0 = text(s, t, F[179], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
end

function R.read_variant_node_path(s, t)
	local r1, r2, r3, r4, r5, r6, r7
	local last = 0
	r1 = word(s, t, F[180], 4, unsigned)
	part(s, F[181])
	r2 = band(r1, 2147483647)
	part(s, F[182])
	r3 = shr(r1, 31)
	if not (r3 == 1) then fail(s, s.pos - 4, "expected new_form == 1") end
	r4 = word(s, t, F[183], 4, unsigned)
	r5 = word(s, t, F[184], 4, unsigned)
	part(s, F[185])
	r6 = band(r5, 1)
	part(s, F[186])
	r7 = band(shr(r5, 1), 1)
	do
		local from, n = s.pos, math.min(r2, band(((r2 + r4) + r7), 4294967295))
		room(s, n, 4, "names")
		for i = 0, n - 1 do
			inside(s, t, "name " .. i, R.read_string)
		end
		last = s.pos - from
	end
	do
		local from, n = s.pos, (band(((r2 + r4) + r7), 4294967295) - math.min(r2, band(((r2 + r4) + r7), 4294967295)))
		room(s, n, 4, "subnames")
		for i = 0, n - 1 do
			inside(s, t, "subname " .. i, R.read_string)
		end
		last = s.pos - from
	end
end

function R.read_variant_rid(s, t)
	local last = 0
	word(s, t, F[187], 8, unsigned)
end

function R.read_variant_object(s, t, r0)
	local r1, r2, r3, c1
	local last = 0
	part(s, F[188])
	r1 = band(shr(r0, 16), 1)
	if r1 ~= 0 then
		word(s, t, F[189], 8, unsigned)
	else
		gate(s, P.prefs.gate0, "objects")
		r2 = word(s, t, F[190], 4, unsigned)
		last = r2
		c1 = text(s, t, F[191], last, 0, true, true)
		pad(s, t, last, 4, false, false, 0)
		if #c1 ~= 0 then
			r3 = word(s, t, F[192], 4, signed)
			do
				local from, n = s.pos, math.max(r3, 0)
				room(s, n, 8, "elements")
				for i = 0, n - 1 do
					inside(s, t, "element " .. i, R.read_object_properties)
				end
				last = s.pos - from
			end
		else
		end
	end
end

function R.read_variant_callable(s, t)
	local last = 0
end

function R.read_variant_signal(s, t)
	local r1, c0
	local last = 0
	r1 = word(s, t, F[193], 4, unsigned)
	last = r1
	c0 = text(s, t, F[194], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
	word(s, t, F[195], 8, unsigned)
end

function R.read_variant_dictionary(s, t, r0)
	local r1, r2, r3, r4
	local last = 0
	part(s, F[196])
	r1 = band(shr(r0, 16), 3)
	part(s, F[197])
	r2 = band(shr(r0, 18), 3)
	if r1 ~= 0 then
		inside(s, t, "key_type", R.read_container_type, r1)
	else
	end
	if r2 ~= 0 then
		inside(s, t, "value_type", R.read_container_type, r2)
	else
	end
	r3 = word(s, t, F[198], 4, unsigned)
	part(s, F[199])
	r4 = band(r3, 2147483647)
	do
		local from, n = s.pos, r4
		room(s, n, 8, "elements")
		for i = 0, n - 1 do
			inside(s, t, "key " .. i, R.read_variant)
			inside(s, t, "value " .. i, R.read_variant)
		end
		last = s.pos - from
	end
end

function R.read_variant_array(s, t, r0)
	local r1, r2, r3
	local last = 0
	part(s, F[200])
	r1 = band(shr(r0, 16), 3)
	if r1 ~= 0 then
		inside(s, t, "type", R.read_container_type, r1)
	else
	end
	r2 = word(s, t, F[201], 4, unsigned)
	part(s, F[202])
	r3 = band(r2, 2147483647)
	do
		local from, n = s.pos, r3
		room(s, n, 4, "elements")
		for i = 0, n - 1 do
			inside(s, t, "element " .. i, R.read_variant)
		end
		last = s.pos - from
	end
end

function R.read_variant_packed_byte_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[203], 4, unsigned)
	last = bytes(s, t, F[204], r1)
	pad(s, t, last, 4, true, false, 0)
end

function R.read_variant_packed_int32_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[205], 4, unsigned)
	last = packed(s, t, "numbers", {F[206]}, r1, 4, signed)
end

function R.read_variant_packed_int64_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[207], 4, unsigned)
	last = packed(s, t, "numbers", {F[208]}, r1, 8, signed)
end

function R.read_variant_packed_float32_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[209], 4, unsigned)
	last = packed(s, t, "numbers", {F[210]}, r1, 4, real)
end

function R.read_variant_packed_float64_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[211], 4, unsigned)
	last = packed(s, t, "numbers", {F[212]}, r1, 8, real)
end

function R.read_variant_packed_string_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[213], 4, signed)
	do
		local from, n = s.pos, math.max(r1, 0)
		room(s, n, 4, "elements")
		for i = 0, n - 1 do
			inside(s, t, "element " .. i, R.read_packed_string_array_strings)
		end
		last = s.pos - from
	end
end

function R.read_variant_packed_vector2_array(s, t, r0)
	local r1, r2
	local last = 0
	part(s, F[214])
	r1 = band(shr(r0, 16), 1)
	r2 = word(s, t, F[215], 4, unsigned)
	if r1 ~= 0 then
		last = packed(s, t, "vectors", {F[216], F[217]}, r2, 8, real)
	else
		last = packed(s, t, "vectors", {F[218], F[219]}, r2, 4, real)
	end
end

function R.read_variant_packed_vector3_array(s, t, r0)
	local r1, r2
	local last = 0
	part(s, F[220])
	r1 = band(shr(r0, 16), 1)
	r2 = word(s, t, F[221], 4, unsigned)
	if r1 ~= 0 then
		last = packed(s, t, "vectors", {F[222], F[223], F[224]}, r2, 8, real)
	else
		last = packed(s, t, "vectors", {F[225], F[226], F[227]}, r2, 4, real)
	end
end

function R.read_variant_packed_color_array(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[228], 4, unsigned)
	last = packed(s, t, "colors", {F[229], F[230], F[231], F[232]}, r1, 4, real)
end

function R.read_variant_packed_vector4_array(s, t, r0)
	local r1, r2
	local last = 0
	part(s, F[233])
	r1 = band(shr(r0, 16), 1)
	r2 = word(s, t, F[234], 4, unsigned)
	if r1 ~= 0 then
		last = packed(s, t, "vectors", {F[235], F[236], F[237], F[238]}, r2, 8, real)
	else
		last = packed(s, t, "vectors", {F[239], F[240], F[241], F[242]}, r2, 4, real)
	end
end

function R.read_variant(s, t)
	enter(s, true)
	local at = s.pos
	local r0 = word(s, t, F[243], 4, unsigned)
	local arm = band(r0, 255)
	if arm == 0 then
		t:append_text(": Nil")
		R.read_variant_nil(s, t)
	elseif arm == 1 then
		t:append_text(": bool")
		R.read_variant_bool(s, t)
	elseif arm == 2 then
		t:append_text(": int")
		R.read_variant_int(s, t, r0)
	elseif arm == 3 then
		t:append_text(": float")
		R.read_variant_float(s, t, r0)
	elseif arm == 4 then
		t:append_text(": String")
		R.read_variant_string(s, t)
	elseif arm == 5 then
		t:append_text(": Vector2")
		R.read_variant_vector2(s, t, r0)
	elseif arm == 6 then
		t:append_text(": Vector2i")
		R.read_variant_vector2i(s, t)
	elseif arm == 7 then
		t:append_text(": Rect2")
		R.read_variant_rect2(s, t, r0)
	elseif arm == 8 then
		t:append_text(": Rect2i")
		R.read_variant_rect2i(s, t)
	elseif arm == 9 then
		t:append_text(": Vector3")
		R.read_variant_vector3(s, t, r0)
	elseif arm == 10 then
		t:append_text(": Vector3i")
		R.read_variant_vector3i(s, t)
	elseif arm == 11 then
		t:append_text(": Transform2D")
		R.read_variant_transform2_d(s, t, r0)
	elseif arm == 12 then
		t:append_text(": Vector4")
		R.read_variant_vector4(s, t, r0)
	elseif arm == 13 then
		t:append_text(": Vector4i")
		R.read_variant_vector4i(s, t)
	elseif arm == 14 then
		t:append_text(": Plane")
		R.read_variant_plane(s, t, r0)
	elseif arm == 15 then
		t:append_text(": Quaternion")
		R.read_variant_quaternion(s, t, r0)
	elseif arm == 16 then
		t:append_text(": AABB")
		R.read_variant_aabb(s, t, r0)
	elseif arm == 17 then
		t:append_text(": Basis")
		R.read_variant_basis(s, t, r0)
	elseif arm == 18 then
		t:append_text(": Transform3D")
		R.read_variant_transform3_d(s, t, r0)
	elseif arm == 19 then
		t:append_text(": Projection")
		R.read_variant_projection(s, t, r0)
	elseif arm == 20 then
		t:append_text(": Color")
		R.read_variant_color(s, t)
	elseif arm == 21 then
		t:append_text(": StringName")
		R.read_variant_string_name(s, t)
	elseif arm == 22 then
		t:append_text(": NodePath")
		R.read_variant_node_path(s, t)
	elseif arm == 23 then
		t:append_text(": RID")
		R.read_variant_rid(s, t)
	elseif arm == 24 then
		t:append_text(": Object")
		R.read_variant_object(s, t, r0)
	elseif arm == 25 then
		t:append_text(": Callable")
		R.read_variant_callable(s, t)
	elseif arm == 26 then
		t:append_text(": Signal")
		R.read_variant_signal(s, t)
	elseif arm == 27 then
		t:append_text(": Dictionary")
		R.read_variant_dictionary(s, t, r0)
	elseif arm == 28 then
		t:append_text(": Array")
		R.read_variant_array(s, t, r0)
	elseif arm == 29 then
		t:append_text(": PackedByteArray")
		R.read_variant_packed_byte_array(s, t)
	elseif arm == 30 then
		t:append_text(": PackedInt32Array")
		R.read_variant_packed_int32_array(s, t)
	elseif arm == 31 then
		t:append_text(": PackedInt64Array")
		R.read_variant_packed_int64_array(s, t)
	elseif arm == 32 then
		t:append_text(": PackedFloat32Array")
		R.read_variant_packed_float32_array(s, t)
	elseif arm == 33 then
		t:append_text(": PackedFloat64Array")
		R.read_variant_packed_float64_array(s, t)
	elseif arm == 34 then
		t:append_text(": PackedStringArray")
		R.read_variant_packed_string_array(s, t)
	elseif arm == 35 then
		t:append_text(": PackedVector2Array")
		R.read_variant_packed_vector2_array(s, t, r0)
	elseif arm == 36 then
		t:append_text(": PackedVector3Array")
		R.read_variant_packed_vector3_array(s, t, r0)
	elseif arm == 37 then
		t:append_text(": PackedColorArray")
		R.read_variant_packed_color_array(s, t)
	elseif arm == 38 then
		t:append_text(": PackedVector4Array")
		R.read_variant_packed_vector4_array(s, t, r0)
	else
		fail(s, at, "no type has the number " .. arm)
	end
	leave(s, true)
end

function R.read_string(s, t)
	enter(s, false)
	local r0, c0
	local last = 0
	r0 = word(s, t, F[244], 4, unsigned)
	last = r0
	c0 = text(s, t, F[245], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
	leave(s, false)
end

function R.read_object_properties(s, t)
	enter(s, false)
	local r0, c0
	local last = 0
	r0 = word(s, t, F[246], 4, unsigned)
	last = r0
	c0 = text(s, t, F[247], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
	inside(s, t, "value", R.read_variant)
	leave(s, false)
end

function R.read_container_type_builtin(s, t)
	local r1
	local last = 0
	r1 = word(s, t, F[248], 4, unsigned)
	named(s, t, s.pos - 4, r1, {[0] = "Nil", [1] = "bool", [2] = "int", [3] = "float", [4] = "String", [5] = "Vector2", [6] = "Vector2i", [7] = "Rect2", [8] = "Rect2i", [9] = "Vector3", [10] = "Vector3i", [11] = "Transform2D", [12] = "Vector4", [13] = "Vector4i", [14] = "Plane", [15] = "Quaternion", [16] = "AABB", [17] = "Basis", [18] = "Transform3D", [19] = "Projection", [20] = "Color", [21] = "StringName", [22] = "NodePath", [23] = "RID", [24] = "Object", [25] = "Callable", [26] = "Signal", [27] = "Dictionary", [28] = "Array", [29] = "PackedByteArray", [30] = "PackedInt32Array", [31] = "PackedInt64Array", [32] = "PackedFloat32Array", [33] = "PackedFloat64Array", [34] = "PackedStringArray", [35] = "PackedVector2Array", [36] = "PackedVector3Array", [37] = "PackedColorArray", [38] = "PackedVector4Array"})
end

function R.read_container_type_class(s, t)
	local r1, c0
	local last = 0
	r1 = word(s, t, F[249], 4, unsigned)
	last = r1
	c0 = text(s, t, F[250], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
end

function R.read_container_type_script(s, t)
	local r1, c0
	local last = 0
	r1 = word(s, t, F[251], 4, unsigned)
	last = r1
	c0 = text(s, t, F[252], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
end

function R.read_container_type(s, t, r0)
	enter(s, false)
	local at = s.pos
	local arm = r0
	if arm == 1 then
		t:append_text(": builtin")
		R.read_container_type_builtin(s, t)
	elseif arm == 2 then
		t:append_text(": class")
		R.read_container_type_class(s, t)
	elseif arm == 3 then
		t:append_text(": script")
		R.read_container_type_script(s, t)
	else
		fail(s, at, "no type has the number " .. arm)
	end
	leave(s, false)
end

function R.read_packed_string_array_strings(s, t)
	enter(s, false)
	local r0, c0
	local last = 0
	r0 = word(s, t, F[253], 4, unsigned)
	last = r0
	c0 = text(s, t, F[254], last, 0, true, true)
	pad(s, t, last, 4, false, false, 0)
	leave(s, false)
end

P.prefs.gate0 = Pref.bool("Allow objects", false, "Without it they are refused")
dissect_with(P, R.read_variant)
