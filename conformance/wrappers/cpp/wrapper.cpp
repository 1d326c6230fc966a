// The protocol of octable conform for C++, around the codec in codec.hpp:
//
//	g++ -std=c++17 -o conform wrapper.cpp
//	octable conform -spec godot-4.4 -- ./conform
//
// JSON is that of Debian's nlohmann-json3-dev, or json.hpp of github.com/nlohmann/json.
// For another codec, change the lines from CODEC to END.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

using json = nlohmann::json;

struct Unsupported : std::runtime_error { using runtime_error::runtime_error; };

// CODEC
#include "codec.hpp"

const json about = {{"protocol", 1}, {"name", "example"}, {"language", "C++"}, {"ops", {"decode", "encode", "recode"}},
    {"specs", {"godot-4.4"}}, {"types", {"Nil", "bool", "int", "float", "String"}}, {"reals", "bits"}};

// Returns a value of the codec in the notation of values.
json show(const Value& v) {
  if (auto x = std::get_if<bool>(&v)) return *x;
  if (auto x = std::get_if<int64_t>(&v)) return {{"$type", "int"}, {"value", std::to_string(*x)}};
  if (auto x = std::get_if<std::string>(&v)) return {{"$type", "String"}, {"value", *x}};
  auto x = std::get_if<double>(&v);
  if (!x) return nullptr;
  uint64_t bits;
  memcpy(&bits, x, 8);
  char text[32];
  snprintf(text, sizeof text, "bits:%016llx", static_cast<unsigned long long>(bits));
  return {{"$type", "float"}, {"value", text}};
}

// Returns the value of the codec for one in the notation.
Value make(const json& said) {
  const std::string type = said.at("$type");
  if (type == "Nil") return {};
  const json& value = said.at("value");
  if (type == "bool") return value.get<bool>();
  if (type == "int") return static_cast<int64_t>(std::stoll(value.get<std::string>()));
  if (type == "String" && value.is_string()) return value.get<std::string>();
  if (type != "float") throw Unsupported("the codec has no value for " + said.dump());
  uint64_t bits = std::stoull(value.get<std::string>().substr(5), nullptr, 16);
  double x;
  memcpy(&x, &bits, 8);
  return x;
}
// END

json answer(const json& request) {
  const std::string op = request.at("op"), digits = request.value("bytes", "");
  if (op == "hello") return {{"hello", about}};
  std::string packet, hex;
  for (size_t i = 0; i < digits.size(); i += 2) packet += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  if (op == "decode") {
    auto [value, used] = decode(packet);
    return {{"ok", true}, {"value", show(value)}, {"used", used}};
  }
  if (op != "encode" && op != "recode") throw Unsupported("the operation " + op);
  for (unsigned char x : encode(op == "encode" ? make(request.at("value")) : decode(packet).first))
    hex += {"0123456789abcdef"[x >> 4], "0123456789abcdef"[x & 15]};
  return {{"ok", true}, {"bytes", hex}};
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    json request = json::parse(line), said;
    try { said = answer(request); }
    catch (const Unsupported& e) { said = {{"unsupported", e.what()}}; }
    catch (const std::exception& e) { said = {{"error", e.what()}}; }
    said["id"] = request["id"];
    std::cout << said.dump() << std::endl; // flushed
  }
}
