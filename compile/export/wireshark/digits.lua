-- digits reads and shows a number in n digits of a base, with the bytes of fill after them. Other
-- accepts spaces before fewer digits, and spaces and zero bytes after them.
local function digits(s, t, field, wide, base, n, fill, other)
	local at, width = s.pos, n + #fill
	need(s, width)
	local row = s.tvb(at, width):raw()
	local text = other and row:match("^ *(%d*)[\0 ]*$") or row:sub(n + 1) == fill and row:sub(1, n)
	if not text or text:find("%D") or base == 8 and text:find("[89]") then
		fail(s, at, "a number is not in " .. n .. " digits of base " .. base)
	end
	local high, low = 0, 0
	for digit in text:gmatch("%d") do
		low = low * base + tonumber(digit)
		high, low = high * base + math.floor(low / 2 ^ 32), low % 2 ^ 32
		if high >= 2 ^ 32 then fail(s, at, "a number has more than 64 bits") end
	end
	s.pos = at + width
	t:add(field, s.tvb(at, width), wide and UInt64(low, high) or low)
	return high * 2 ^ 32 + low
end
