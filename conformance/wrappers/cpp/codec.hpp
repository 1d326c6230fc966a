// A small codec for five types of Godot 4.
#pragma once
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

// Returns the number at an offset. The machine is little-endian, like the format.
template <class T>
T take(const std::string& b, size_t at) {
  if (b.size() < at + sizeof(T)) throw std::runtime_error("byte " + std::to_string(at) + ": needs " + std::to_string(sizeof(T)) + " bytes");
  T x;
  memcpy(&x, b.data() + at, sizeof x);
  return x;
}

// Throws if a text is not strict UTF-8.
inline void check(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    unsigned char first = text[i];
    int more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
    uint32_t rune = more > 0 ? first & (0x3f >> more) : first;
    bool ok = more >= 0 && i + more < text.size();
    for (int k = 1; ok && k <= more; k++) {
      unsigned char next = text[i + k];
      ok = next >> 6 == 2;
      rune = rune << 6 | (next & 0x3f);
    }
    ok = ok && (more != 2 || (rune >= 0x800 && rune >> 11 != 27)) && (more != 3 || (rune >= 0x10000 && rune <= 0x10ffff));
    if (!ok) throw std::runtime_error("byte " + std::to_string(8 + i) + ": not UTF-8");
    i += 1 + more;
  }
}

// Returns the value at the start of a packet, and its length in bytes.
inline std::pair<Value, size_t> decode(const std::string& b) {
  uint32_t header = take<uint32_t>(b, 0);
  bool wide = header & 1 << 16;
  switch (header & 0xff) {
    case 0: return {Value{}, 4};
    case 1: return {take<uint32_t>(b, 4) != 0, 8};
    case 2: return wide ? std::pair<Value, size_t>{take<int64_t>(b, 4), 12} : std::pair<Value, size_t>{int64_t{take<int32_t>(b, 4)}, 8};
    case 3: return wide ? std::pair<Value, size_t>{take<double>(b, 4), 12} : std::pair<Value, size_t>{double{take<float>(b, 4)}, 8};
    case 4: {
      uint64_t n = take<uint32_t>(b, 4), end = 8 + ((n + 3) & ~uint64_t{3});
      if (end > b.size()) throw std::runtime_error("byte 8: a text of " + std::to_string(n) + " bytes does not fit");
      std::string text = b.substr(8, n);
      text = text.substr(0, text.find('\0'));
      check(text);
      if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);
      return {text, end};
    }
  }
  throw std::runtime_error("byte 0: there is no type " + std::to_string(header & 0xff));
}

template <class T>
std::string packet(uint32_t header, T x) {
  std::string b(4 + sizeof x, '\0');
  memcpy(&b[0], &header, 4);
  memcpy(&b[4], &x, sizeof x);
  return b;
}

// Returns the packet of a value, in the shortest form.
inline std::string encode(const Value& v) {
  if (auto x = std::get_if<bool>(&v)) return packet<uint32_t>(1, *x);
  if (auto x = std::get_if<int64_t>(&v)) return *x == static_cast<int32_t>(*x) ? packet(2, static_cast<int32_t>(*x)) : packet(2 | 1 << 16, *x);
  if (auto x = std::get_if<double>(&v)) return *x == static_cast<float>(*x) ? packet(3, static_cast<float>(*x)) : packet(3 | 1 << 16, *x);
  if (auto x = std::get_if<std::string>(&v)) {
    std::string b = packet<uint32_t>(4, x->size()) + *x;
    return b.append(-b.size() % 4, '\0');
  }
  return std::string(4, '\0');
}
