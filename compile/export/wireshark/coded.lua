-- coded reads and shows a number of varying width.
local function coded(s, t, field, coding, longer)
	local at, n, last = s.pos, 0, 0
	repeat
		if n == 10 then fail(s, at, "a number takes more than 10 bytes") end
		need(s, n + 1)
		last = s.tvb(at + n, 1):uint()
		n = n + 1
	until last < 128
	local function group(i) return s.tvb(at + i, 1):uint() % 128 end
	local negative = coding == "sleb128" and last >= 64
	local low = negative and 2 ^ 32 - 1 or 0
	local high, over = low, coding == "sleb128" and n == 10 and last ~= 0 and last ~= 127
	for i = 0, n - 1 do
		low = low * 128 + group(coding == "vlq" and i or n - 1 - i)
		high = high * 128 + math.floor(low / 2 ^ 32)
		over = over or coding ~= "sleb128" and high >= 2 ^ 32
		low, high = low % 2 ^ 32, high % 2 ^ 32
	end
	if over then fail(s, at, "a number has more than 64 bits") end
	local more = n > 1 and last == 0
	if coding == "vlq" then
		more = n > 1 and group(0) == 0
	elseif coding == "sleb128" then
		more = n > 1 and (last == 0 and group(n - 2) < 64 or last == 127 and group(n - 2) >= 64)
	end
	if more and not longer then fail(s, at, "a number takes more bytes than necessary") end
	if coding == "zigzag" then
		negative = low % 2 == 1
		low, high = math.floor(low / 2) + high % 2 * 2 ^ 31, math.floor(high / 2)
		if negative then low, high = 2 ^ 32 - 1 - low, 2 ^ 32 - 1 - high end
	end
	s.pos = at + n
	t:add(field, s.tvb(at, n), coding ~= "sleb128" and coding ~= "zigzag" and UInt64(low, high) or Int64(low, high))
	if negative then high = high - 2 ^ 32 end
	return high * 2 ^ 32 + low
end
