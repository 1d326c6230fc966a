-- digits reads and shows a number in n digits at a side, with the bytes of fill after them. Other accepts
-- letters of the other size, spaces before fewer digits, and spaces and zero bytes after them.
local function digits(s, t, field, wide, alphabet, n, side, fill, other)
	local at, width, base = s.pos, n + #fill, #alphabet
	need(s, width)
	local row = s.tvb(at, width):raw()
	local text = row:match("^ *(%x*)[\0 ]*$")
	local exact = text and (text == "" and "0" or text:gsub("^0+(.)", "%1"))
	if exact then
		local rest = string.rep(side == "" and "0" or " ", n - #exact)
		exact = (side == "left" and exact .. rest or rest .. exact) .. fill
	end
	if not text or not other and (row ~= exact or text:find("[^" .. alphabet .. "]")) or text:lower():find("[^" .. alphabet:lower() .. "]") then
		fail(s, at, "a number is not in " .. n .. " digits of base " .. base)
	end
	local high, low = 0, 0
	for digit in text:gmatch("%x") do
		low = low * base + tonumber(digit, 16)
		high, low = high * base + math.floor(low / 2 ^ 32), low % 2 ^ 32
		if high >= 2 ^ 32 then fail(s, at, "a number has more than 64 bits") end
	end
	s.pos = at + width
	t:add(field, s.tvb(at, width), wide and UInt64(low, high) or low)
	return high * 2 ^ 32 + low
end
