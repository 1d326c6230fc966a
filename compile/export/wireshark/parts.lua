-- Parts: rows at places that count from the first byte of a record, their base.

-- base begins such a record, some bytes before the cursor.
local function base(s, number, before)
	s.bases, s.aways, s.work = s.bases or {}, s.aways or {}, s.work or 16 * s.tvb:len() + 2 ^ 20
	table.insert(s.bases, {number = number, at = s.pos - before, stop = s.stop, parts = {}, views = {}, notes = {}})
end

-- seek goes to the place of a part, or of a view, which shows bytes of others. Align is 0 if the place
-- is stored; else a writer chooses a multiple of it, and others are accepted if free is true.
local function seek(s, number, place, kind, view, align, free)
	local i = #s.bases
	while s.bases[i].number ~= number do i = i - 1 end
	local b = s.bases[i]
	if place < 0 or place > b.stop - b.at then
		fail(s, s.pos, "the place " .. place .. " is not in the " .. (b.stop - b.at) .. " bytes that it counts from")
	end
	local part = {base = b, from = place, kind = kind, align = align, free = free, pos = s.pos, stop = s.stop}
	table.insert(s.aways, part)
	table.insert(view and b.views or b.parts, part)
	s.pos, s.stop = b.at + place, b.stop
end

-- back ends a part.
local function back(s)
	local p = table.remove(s.aways)
	p.to = s.pos - p.base.at
	s.work = s.work - (p.to - p.from) - 1
	if s.work < 0 then fail(s, s.pos, "parts share too many bytes") end
	s.pos, s.stop = p.pos, p.stop
end

-- closed ends a base: its parts do not overlap, zeros are between them unless the base keeps these
-- bytes, and they are where a writer puts them. A base that keeps bytes goes up to its end.
local function closed(s)
	local b = table.remove(s.bases)
	s.closed = b
	local sequence = s.pos - b.at
	local place = sequence
	for _, p in ipairs(b.parts) do
		if p.align > 0 then
			place = place + (p.align - place % p.align) % p.align
			if p.from ~= place and not p.free then fail(s, b.at + p.from, "a part is not at the place " .. place) end
			place = place + p.to - p.from
		end
	end
	table.insert(b.parts, {from = 0, to = sequence, kind = -1})
	table.sort(b.parts, function(x, y) return x.from < y.from or x.from == y.from and x.to < y.to end)
	local stop, gaps, last = 0, 0, nil
	for _, p in ipairs(b.parts) do
		gaps = gaps + math.max(0, p.from - stop)
		if gaps > 2 ^ 20 then fail(s, b.at + stop, "too many bytes are between parts") end
		for i = stop, b.keeps and stop - 1 or p.from - 1 do
			if s.tvb(b.at + i, 1):uint() ~= 0 then fail(s, b.at + i, "bytes between parts are not 0") end
		end
		stop = math.max(stop, p.from)
		local shared = last and last.from == p.from and last.to == p.to and last.kind == p.kind and not (p.alone or last.alone)
		if p.to > p.from and not shared then
			if p.from < stop then fail(s, b.at + p.from, "a part begins in another one") end
			last, stop = p, p.to
		end
	end
	if b.keeps then stop = b.stop - b.at end
	for _, p in ipairs(b.views) do
		if p.to > stop then fail(s, b.at + p.from, "a view goes up to " .. p.to .. ", behind the end of its record") end
	end
	s.pos = b.at + stop
end
