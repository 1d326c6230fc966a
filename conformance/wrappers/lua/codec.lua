-- A small codec for five types of Godot 4: nil, boolean, integer, float and string.
local codec = {}

-- take returns the number at an offset from 0.
local function take(format, b, at)
  local size = string.packsize(format)
  if #b < at + size then error(("byte %d: needs %d bytes"):format(at, size), 0) end
  return (string.unpack(format, b, at + 1))
end

-- decode returns the value at the start of a packet, and its length in bytes.
function codec.decode(b)
  local header = take("<I4", b, 0)
  local kind, wide = header & 0xff, header & 1 << 16 ~= 0
  if kind == 0 then return nil, 4 end
  if kind == 1 then return take("<I4", b, 4) ~= 0, 8 end
  if kind == 2 then return take(wide and "<i8" or "<i4", b, 4), wide and 12 or 8 end
  if kind == 3 then return take(wide and "<d" or "<f", b, 4), wide and 12 or 8 end
  if kind ~= 4 then error("byte 0: there is no type " .. kind, 0) end
  local n = take("<I4", b, 4)
  local last = 8 + n + -n % 4
  if last > #b then error(("byte 8: a text of %d bytes does not fit"):format(n), 0) end
  local text = b:sub(9, 8 + n):match("^[^\0]*")
  local length, wrong = utf8.len(text)
  if not length then error(("byte %d: not UTF-8"):format(7 + wrong), 0) end
  return (text:gsub("^\u{feff}", "")), last
end

-- encode returns the packet of a value, in the shortest form.
function codec.encode(v)
  if v == nil then return string.pack("<I4", 0) end
  if type(v) == "boolean" then return string.pack("<I4I4", 1, v and 1 or 0) end
  if type(v) == "string" then return string.pack("<I4s4", 4, v) .. ("\0"):rep(-#v % 4) end
  if math.type(v) == "integer" then
    local narrow = v >= -1 << 31 and v < 1 << 31
    return string.pack(narrow and "<I4i4" or "<I4i8", narrow and 2 or 2 | 1 << 16, v)
  end
  local narrow = string.unpack("<f", string.pack("<f", v)) == v
  return string.pack(narrow and "<I4f" or "<I4d", narrow and 3 or 3 | 1 << 16, v)
end

return codec
