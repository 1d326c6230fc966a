-- The protocol of octable conform for Lua, around the codec in codec.lua:
--
--	octable conform -spec godot-4.4 -- lua5.4 wrapper.lua
--
-- JSON is that of Debian's lua-cjson, or of "luarocks install lua-cjson".
-- For another codec, change the lines from CODEC to END.
package.path = (arg[0]:match("^.*/") or "./") .. "?.lua;" .. package.path
local json = require("cjson").new()
json.decode_max_depth(100000) -- values may be nested 1024 deep, and JSON of them three times that
json.encode_max_depth(100000)

-- unsupported ends an answer: the codec lacks a feature.
local function unsupported(lacks) error({ unsupported = lacks }) end

-- CODEC
local codec = require("codec")
local about = {
  protocol = 1, name = "example", language = "Lua", ops = { "decode", "encode", "recode" }, specs = { "godot-4.4" },
  types = { "Nil", "bool", "int", "float", "String" }, reals = "bits",
}

-- show returns a value of the codec in the notation of values.
local function show(v)
  if v == nil then return json.null end
  if type(v) == "boolean" then return v end
  if type(v) == "string" then return { ["$type"] = "String", value = v } end
  if math.type(v) == "integer" then return { ["$type"] = "int", value = ("%d"):format(v) } end
  return { ["$type"] = "float", value = ("bits:%016x"):format(string.unpack(">i8", string.pack(">d", v))) }
end

-- make returns the value of the codec for one in the notation.
local function make(said)
  local kind, value = said["$type"], said.value
  if kind == "Nil" then return nil end
  if kind == "bool" then return value end
  if kind == "int" then return tonumber(value) end
  if kind == "float" then return (string.unpack(">d", string.pack(">i8", tonumber("0x" .. value:sub(6))))) end
  if kind == "String" and type(value) == "string" then return value end
  unsupported("the codec has no value for " .. json.encode(said))
end

local function decode(packet) return codec.decode(packet) end
local function encode(value) return codec.encode(value) end
-- END

local function answer(request)
  local op = request.op
  if op == "hello" then return { hello = about } end
  local packet = (request.bytes or ""):gsub("..", function(x) return string.char(tonumber(x, 16)) end)
  if op == "decode" then
    local value, used = decode(packet)
    return { ok = true, value = show(value), used = used }
  end
  if op ~= "encode" and op ~= "recode" then unsupported("the operation " .. op) end
  local value
  if op == "encode" then value = make(request.value) else value = decode(packet) end
  return { ok = true, bytes = (encode(value):gsub(".", function(x) return ("%02x"):format(x:byte()) end)) }
end

for line in io.lines() do
  local request = json.decode(line)
  local ok, said = pcall(answer, request)
  if not ok and not (type(said) == "table" and said.unsupported) then said = { error = tostring(said) } end
  said.id = request.id
  io.stdout:write(json.encode(said), "\n")
  io.stdout:flush()
end
