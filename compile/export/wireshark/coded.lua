-- coded reads and shows a number of varying width.
local function coded(s, t, field, coding, longer)
	local begin, at, n, last, bits = s.pos, s.pos, 0, 0, 128
	if coding == "ber" then
		need(s, 1)
		local first = s.tvb(at, 1):uint()
		n = math.max(0, first - 128)
		if first == 128 or n > 9 then fail(s, at, "a length has no number of at most 9 bytes after it") end
		need(s, n + 1)
		if n > 0 then at, bits = at + 1, 256 end
		n = math.max(1, n)
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
	local low = negative and 2 ^ 32 - 1 or 0
	local high, over = low, coding == "sleb128" and n == 10 and last ~= 0 and last ~= 127
	for i = 0, n - 1 do
		low = low * bits + group((coding == "vlq" or coding == "ber") and i or n - 1 - i)
		high = high * bits + math.floor(low / 2 ^ 32)
		over = over or coding ~= "sleb128" and high >= 2 ^ 32
		low, high = low % 2 ^ 32, high % 2 ^ 32
	end
	if over then fail(s, begin, "a number has more than 64 bits") end
	local more = n > 1 and last == 0
	if coding == "ber" then
		more = bits == 256 and (group(0) == 0 or n == 1 and group(0) < 128)
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
