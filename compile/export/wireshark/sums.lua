
-- Checksums. A part is two places and the number that each byte counts as, or -1. Each byte of the
-- numbers that are noted, which may be nil, counts as another one.

local function covered(s, parts, notes, byte)
	local out = {}
	for _, p in ipairs(parts) do
		if p[2] > p[1] then
			local b = p[3] < 0 and s.tvb(p[1], p[2] - p[1]):bytes()
			local begin = #out + 1 - p[1]
			for i = 0, p[2] - p[1] - 1 do
				out[#out + 1] = b and b:get_index(i) or p[3]
			end
			for _, n in ipairs(b and notes or {}) do
				for i = math.max(n.from, p[1]), math.min(n.to, p[2]) - 1 do
					out[begin + i] = byte
				end
			end
		end
	end
	return out
end

local nibbles = {} -- the exclusive or of each pair of numbers of 4 bits
for a = 0, 15 do
	for b = 0, 15 do
		nibbles[a * 16 + b] = bits(a, b, function(x, y) return x ~= y end)
	end
end

-- xored returns the exclusive or of numbers of n bytes.
local function xored(a, b, n)
	local out, place = 0, 1
	for _ = 1, 2 * n do
		local x, y = a % 16, b % 16
		out = out + nibbles[x * 16 + y] * place
		a, b, place = (a - x) / 16, (b - y) / 16, place * 16
	end
	return out
end

-- reversed returns a number with its bits in reverse order.
local function reversed(a, width)
	local out = 0
	for _ = 1, width do
		out = out * 2 + a % 2
		a = (a - a % 2) / 2
	end
	return out
end

local tables = {} -- by polynomial

-- crc divides bytes, the lowest bit first, by a polynomial of n bytes whose bits are reversed.
local function crc(b, n, polynomial, x)
	local t = tables[polynomial]
	if not t then
		t = {}
		for i = 0, 255 do
			local c = i
			for _ = 1, 8 do
				local odd = c % 2
				c = (c - odd) / 2
				if odd == 1 then c = xored(c, polynomial, n) end
			end
			t[i] = c
		end
		tables[polynomial] = t
	end
	for _, c in ipairs(b) do
		local low = x % 256
		x = xored((x - low) / 256, t[xored(low, c, 1)], n)
	end
	return x
end

-- words returns words of n bytes, the last one filled up with zeros.
local function words(b, n, little)
	local out = {}
	for i = 1, #b, n do
		local x = 0
		for k = 0, n - 1 do
			x = x + (b[i + k] or 0) * 256 ^ (little and k or n - 1 - k)
		end
		out[#out + 1] = x
	end
	return out
end

local function total(list)
	local x = 0
	for _, w in ipairs(list) do x = (x + w) % 2 ^ 32 end
	return x
end

local function mixed(list, n)
	local x = 0
	for _, w in ipairs(list) do x = xored(x, w, n) end
	return x
end

-- high takes the highest bit of each byte first. The polynomial is that of crc.
local function high(b, n, polynomial, x)
	local out = {}
	for i, c in ipairs(b) do out[i] = reversed(c, 8) end
	return reversed(crc(out, n, polynomial, reversed(x, 8 * n)), 8 * n)
end

local sums = {
	adler32 = function(b)
		local low, high = 1, 0
		for _, c in ipairs(b) do
			low = (low + c) % 65521
			high = (high + low) % 65521
		end
		return high * 65536 + low
	end,
	inet = function(b)
		local x = 0
		for _, w in ipairs(words(b, 2, false)) do
			x = x + w
			if x > 0xffff then x = x - 0xffff end
		end
		return 0xffff - x
	end,
	sum8 = function(b) return total(b) end,
	sum16 = function(b) return total(words(b, 2, LITTLE)) end,
	sum32 = function(b) return total(words(b, 4, LITTLE)) end,
	xor8 = function(b) return mixed(b, 1) end,
	xor16 = function(b) return mixed(words(b, 2, LITTLE), 2) end,
	xor32 = function(b) return mixed(words(b, 4, LITTLE), 4) end,
}

-- compare refuses a checksum that is not that of the bytes.
local function compare(s, at, name, got, want)
	if got ~= want then
		fail(s, at, name .. " is " .. got .. ", but the bytes give " .. want)
	end
end
