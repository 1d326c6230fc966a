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
