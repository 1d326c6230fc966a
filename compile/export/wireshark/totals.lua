-- Checksums of whole records, which are noted until these are complete.

-- note notes the number of some bytes before the cursor.
local function note(s, number, width, x, name)
	local i = #s.bases
	while s.bases[i].number ~= number do i = i - 1 end
	table.insert(s.bases[i].notes, {from = s.pos - width, to = s.pos, number = x, name = name})
	if #s.aways > 0 then s.aways[#s.aways].alone = true end
end

-- noted returns the numbers that are noted for a record around the cursor.
local function noted(s, number)
	local i = #s.bases
	while s.bases[i].number ~= number do i = i - 1 end
	return s.bases[i].notes
end

-- whole returns the bytes of the record that has ended. Each byte of the numbers that are noted for it
-- counts as another one.
local function whole(s, byte)
	return covered(s, {{s.closed.at, s.pos, -1}}, s.closed.notes, byte)
end

-- totals refuses numbers that are not the checksum of the record that has ended.
local function totals(s, want)
	for _, n in ipairs(s.closed.notes) do
		compare(s, n.from, n.name, n.number, want)
	end
end
