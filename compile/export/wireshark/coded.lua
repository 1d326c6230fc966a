-- lead returns how many bytes follow the first byte of a number, and the bits of that byte that belong to the number.
local function lead(s, coding, first)
	if coding == "quic" then
		return 2 ^ math.floor(first / 64) - 1, first % 64
	elseif coding == "compactsize" then
		if first >= 253 then return 2 ^ (first - 252), 0 end
	elseif coding == "ebml" then
		if first == 0 then fail(s, s.pos, "a number takes more than 8 bytes") end
		local after = 7
		while first >= 2 ^ (8 - after) do after = after - 1 end
		return after, first - 2 ^ (7 - after)
	elseif first >= 128 then
		if first == 128 or first > 137 then fail(s, s.pos, "a length has no number of at most 9 bytes after it") end
		return first - 128, 0
	end
	return 0, first
end

-- least has the lowest numbers that take a number of bytes after the first one.
local least = {
	ber = { [0] = 0, 128, 2 ^ 8, 2 ^ 16, 2 ^ 24, 2 ^ 32, 2 ^ 40, 2 ^ 48, 2 ^ 56, 2 ^ 64 },
	quic = { [0] = 0, [1] = 2 ^ 6, [3] = 2 ^ 14, [7] = 2 ^ 30 },
	compactsize = { [0] = 0, [2] = 253, [4] = 2 ^ 16, [8] = 2 ^ 32 },
	ebml = { [0] = 0, 2 ^ 7 - 1, 2 ^ 14 - 1, 2 ^ 21 - 1, 2 ^ 28 - 1, 2 ^ 35 - 1, 2 ^ 42 - 1, 2 ^ 49 - 1 },
}

-- coded reads and shows a number of varying width.
local function coded(s, t, field, coding, longer)
	local begin, at, n, last, bits, first = s.pos, s.pos, 0, 0, 128, 0
	if least[coding] then
		need(s, 1)
		n, first = lead(s, coding, s.tvb(at, 1):uint())
		need(s, n + 1)
		at, bits = at + 1, 256
	else
		repeat
			if n == 10 then fail(s, at, "a number takes more than 10 bytes") end
			need(s, n + 1)
			last = s.tvb(at + n, 1):uint()
			n = n + 1
		until last < 128
	end
	local function group(i) return s.tvb(at + i, 1):uint() % bits end
	local negative = coding == "sleb128" and last >= 64
	local low = negative and 2 ^ 32 - 1 or first
	local high, over = negative and low or 0, coding == "sleb128" and n == 10 and last ~= 0 and last ~= 127
	for i = 0, n - 1 do
		low = low * bits + group((coding == "vlq" or least[coding] and coding ~= "compactsize") and i or n - 1 - i)
		high = high * bits + math.floor(low / 2 ^ 32)
		over = over or coding ~= "sleb128" and high >= 2 ^ 32
		low, high = low % 2 ^ 32, high % 2 ^ 32
	end
	if over then fail(s, begin, "a number has more than 64 bits") end
	local more = n > 1 and last == 0
	if least[coding] then
		more = high * 2 ^ 32 + low < least[coding][n]
		local unknown = coding == "ebml" and first == 2 ^ (7 - n) - 1
		for i = 0, n - 1 do unknown = unknown and group(i) == 255 end
		if unknown then fail(s, begin, "a number is not known") end
	elseif coding == "vlq" then
		more = n > 1 and group(0) == 0
	elseif coding == "sleb128" then
		more = n > 1 and (last == 0 and group(n - 2) < 64 or last == 127 and group(n - 2) >= 64)
	end
	if more and not longer then fail(s, begin, "a number takes more bytes than necessary") end
	if coding == "zigzag" then
		negative = low % 2 == 1
		low, high = math.floor(low / 2) + high % 2 * 2 ^ 31, math.floor(high / 2)
		if negative then low, high = 2 ^ 32 - 1 - low, 2 ^ 32 - 1 - high end
	end
	s.pos = at + n
	t:add(field, s.tvb(begin, s.pos - begin), coding ~= "sleb128" and coding ~= "zigzag" and UInt64(low, high) or Int64(low, high))
	if negative then high = high - 2 ^ 32 end
	return high * 2 ^ 32 + low
end
