-- ended reads and shows a number in digits before a terminator. Other accepts letters of the other size and zeros before
-- the number.
local function ended(s, t, field, alphabet, last, signed, other)
	local at, base, high, low = s.pos, #alphabet, 0, 0
	local rest = s.tvb(at, s.stop - at):raw()
	local sign = signed and rest:match("^-") or ""
	local digits = rest:sub(#sign + 1):match("^[" .. alphabet:lower() .. alphabet:upper() .. "]*"):sub(1, 31)
	local width = #sign + #digits + #last
	local after = rest:sub(#sign + #digits + 1, width)
	if digits == "" and after ~= "" or after ~= last:sub(1, #after) then
		fail(s, at, "a number is not in digits of base " .. base .. " before its terminator")
	end
	need(s, width)
	for digit in digits:gmatch(".") do
		low = low * base + tonumber(digit, 16)
		high, low = high * base + math.floor(low / 2 ^ 32), low % 2 ^ 32
		if high >= 2 ^ 32 then fail(s, at, "a number has more than 64 bits") end
	end
	if signed and high >= 2 ^ 31 and not (sign == "-" and high == 2 ^ 31 and low == 0) then
		fail(s, at, "a number has more than 64 bits")
	end
	if not other and (digits:find("[^" .. alphabet .. "]") or digits:find("^0.") or sign .. digits == "-0") then
		fail(s, at, "a number is not in the form that a writer writes")
	end
	if sign ~= "" then
		low, high = (2 ^ 32 - low) % 2 ^ 32, (low == 0 and 2 ^ 32 or 2 ^ 32 - 1) - high
		high = high % 2 ^ 32
	end
	s.pos = at + width
	t:add(field, s.tvb(at, width), signed and Int64(low, high) or UInt64(low, high))
	if signed and high >= 2 ^ 31 then high = high - 2 ^ 32 end
	return high * 2 ^ 32 + low
end
