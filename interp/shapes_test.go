package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/interp"
)

// shapes are the types of small schemas, each of a shape that plans have to handle.
// The root is T.
var shapes = map[string]string{
	"batch": `type T {
    | 0 | 4 | u32 | count = count(records) | "number of records"
    repeat count as records {
        | P    | 4 | u32 | id | "number"
        | P+4  | 2 | u16 | sensor | "sensor"
        | P+6  | 2 | i16 | level | "level"
        | P+8  | 4 | f32 | value | "value"
        | P+12 | 2 | u16 | length = len(name) | "bytes"
        | P+14 | L | utf8[length] | name | "name"
    }
}`,
	"scalars": `type T {
    | 0 | 1 | u8  | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | a | "a"
        | P+1 | 1 | i8 | b | "b"
        | P+2 | 2 | u16 | c | "c"
        | P+4 | 2 | i16 | d | "d"
        | P+6 | 4 | u32 | e | "e"
        | P+10 | 4 | i32 | f | "f"
        | P+14 | 8 | u64 | g | "g"
        | P+22 | 8 | i64 | h | "h"
        | P+30 | 4 | f32 | i | "i"
        | P+34 | 8 | f64 | j | "j"
        | P+42 | 4 | code4 | k | "k"
    }
}`,
	"lengths": `type T {
    | 0 | 1 | u8  | a = len(s) | "bytes"
    | 1 | N | utf8[a] | s | "text"
    | P | 2 | u16 | b = len(t) | "bytes"
    | P+2 | M | utf8[b] | t | "text" pad 4 any
    | Q | 8 | u64 | c = len(u) | "bytes"
    | Q+8 | L | utf8[c] | u | "text" pad 2 any
    | R | 2 | i16 | d = len(w) | "bytes"
    | R+2 | K | utf8[d] | w | "text" pad 8 any
    | S | 4 | u32 | tail | "number"
}`,
	"bits": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 2 | u16 | word | "bits" {
            0     low  "a flag"
            1..3  kind "a number" check kind != 5
            8..15 high "a number"
        }
        | P+2 | 1 | u8 | other | "other" {
            7 flag "a flag"
            0..6 rest "a number"
        }
    }
}`,
	"flags": `type T {
    | 0 | 1 | u8 | flags | "flags" {
        0 named = present(name) "there is a name"
        1 sized = present(size) "there is a size"
    }
    if named {
        | P | 1 | u8 | length = len(name) | "bytes"
        | P+1 | N | utf8[length] | name | "the name" pad 4 any
    }
    if sized {
        | Q | 2 | u16 | size | "the size"
    }
    | R | 2 | u16 | after | "after"
}`,
	"truths": `type T {
    | 0 | 2 | u16 | n = count(list) | "number"
    repeat n as list {
        | P   | 1 | bool8 | a | "strict"
        | P+1 | 1 | bool8 | b | "any" any
        | P+2 | 4 | bool32 | c | "wide"
    }
}`,
	"lists": `type T {
    | 0 | 1 | u8 | n = count(rows) | "rows"
    repeat n as rows {
        | P | 2 | u16 | m = count(cells) | "cells"
        repeat m as cells {
            | Q | 1 | u8 | x | "x"
            | Q+1 | 1 | u8 | k = len(s) | "bytes"
            | Q+2 | N | utf8[k] | s | "text"
        }
        | R | 4 | i32 | sum | "sum"
    }
    | S | 1 | u8 | end | "end"
}`,
	"alone": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 2 | u16 | x | "x"
    }
    | Q | 1 | u8 | m = count(names) | "number"
    repeat m as names {
        | R | 1 | u8 | k = len(s) | "bytes"
        | R+1 | N | utf8[k] | s | "text" pad 4 any
    }
}`,
	"maps": `type T {
    | 0 | 1 | u8 | n = count(pairs) | "number"
    map n as pairs {
        | P | 2 | K | key | "key"
        | P+2 | N | V | value | "value"
    }
}
type K { | 0 | 2 | u16 | x | "x" }
type V {
    | 0 | 1 | u8 | k = len(s) | "bytes"
    | 1 | N | utf8[k] | s | "text"
    | Q | 1 | u8 | y | "y"
}`,
	"calls": `type T {
    | 0 | 4 | A | a | "a record"
    | 4 | N | B | b | "another"
    | P | 2 | u16 | z | "z"
}
type A {
    | 0 | 2 | u16 | x | "x"
    | 2 | 2 | i16 | y | "y"
}
type B {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list { | P | 4 | A | a | "a record" }
}`,
	"regions": `type T {
    | 0 | 1 | u8 | kind | "kind"
    | 1 | 2 | u16 | size = size(body) | "bytes"
    | 3 | size | Body | body | "the body" pad 4 any
    | P | 1 | u8 | after | "after"
}
type Body {
    | 0 | 2 | u16 | x | "x"
    repeat until end as parts {
        | P | 1 | u8 | k = len(s) | "bytes"
        | P+1 | N | utf8[k] | s | "text"
    }
}`,
	"union": `union T by kind { | 0 | 2 | u16 | kind | "what it is" }
arm T 0 nothing {}
arm T 1 number { | 2 | 4 | i32 | x | "number" }
arm T 2 pair {
    | 2 | 1 | u8 | a | "a"
    | 3 | 1 | u8 | b | "b"
}
arm T 3 text {
    | 2 | 1 | u8 | k = len(s) | "bytes"
    | 3 | N | utf8[k] | s | "text"
}
arm T 4 list {
    | 2 | 2 | u16 | n = count(list) | "number"
    repeat n as list { | P | N | T | item | "an item" }
}
arm T 5 map {
    | 2 | 1 | u8 | n = count(pairs) | "number"
    map n as pairs {
        | P | N | T | key | "a key"
        | Q | M | T | value | "a value"
    }
}
arm T 6 end {}`,
	"arms": `type T {
    | 0 | 1 | u8 | kind | "what it is"
    | 1 | 2 | u16 | length = size(body) | "bytes"
    | 3 | length | Body(kind & 3, kind >> 2 & 1) | body | "the rest"
    | 3+length | N | Inner | inner | "a record"
}
type Inner {
    | 0 | 1 | u8 | size = size(data) + 1 | "bytes with itself"
    | 1 | size-1 | u8[until end] | data | "bytes" check size(data) % 2 == 0 "even"
}
union Body(kind, odd) by kind {}
arm Body 1 number {
    | 0 | 2 | u16 | number | "one number"
}
arm Body 2 pair {
    | 0 | 1 | u8 | first | "a number"
    | 1 | N | Inner | inner | "a record"
    | 1+N | R | Deeper(first & odd) | rest | "another one"
}
arm Body else other {
    | 0 | R | u8[until end] | bytes | "bytes"
}
union Deeper(kind) by kind {}
arm Deeper 0 none {}
arm Deeper else some {
    | 0 | N | Inner | inner | "a record"
    | N | 1 | u8 | last | "a number"
}`,
	"chunks": `type T {
    | 0 | 1 | u8 | mode | "decides what is in a chunk" check mode <= 3
    | 1 | R | Chunk[until type == 'last'](mode) | chunks | "chunks"
}
type Chunk(mode) {
    | 0 | 2 | u16 | length = size(data) | "bytes of the data"
    | 2 | 4 | code4 | type | "type of the data"
    | 6 | length | Data(type, mode) | data | "the data" check size(data) <= 300
    | 6+length | 4 | u32 | sum = crc32(type..data) | "checksum"
}
union Data(type, mode) by type {}
arm Data 'last' last {}
arm Data 'text' text {
    | 0 | R | u8[until end] | bytes | "bytes"
}
arm Data 'unit' unit {
    | 0 | 4 | u32 | number | "one number"
}
arm Data 'pair' pair {
    | 0 | 1 | u8 | first | "a number" check first != 7
    | 1 | 2 | u16 | second | "a number"
}
arm Data else other {
    if mode == 0 {
        | 0 | 2 | u16 | grey | "a number"
    } else {
        | 0 | 1 | u8 | index | "a number"
    }
}`,
	"packed": `type T {
    | 0 | 2 | u16 | n = count(a) | "number"
    | 2 | N | u8[n] | a | "bytes" pad 4 any
    | P | 1 | u8 | m = count(b) | "number"
    | P+1 | M | i16[m] | b | "numbers"
    | S | 3 | u8[3] | c | "three"
    | S+3 | 1 | u8 | k = count(vectors) | "number"
    repeat k as vectors {
        | Q | 4 | f32 | x | "x"
        | Q+4 | 4 | f32 | y | "y"
    }
    | R | L | u16[until end] | d | "the rest"
}`,
	"conditions": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | a | "a" check a < 200
        | P+1 | 2 | u16 | b | "b" check b != a
        if a > 100 {
            | Q | 4 | u32 | c | "c"
        } else {
            | Q | 1 | u8 | d | "d"
        }
    }
}`,
	"words": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | kind = 1 | "a constant"
        if kind == 1 {
            | P+1 | 1 | u8 | x | "x"
        }
        | Q | 2 | u16 | end = 7 | "a constant"
    }
    | R | E | E | e | "a record without fields"
}
type E {
    | 0 | 1 | u8 | tag = 3 | "a constant"
    if tag == 3 {
        | 1 | 1 | u8 | more = 4 | "another"
    }
}`,
	"runs": `type T {
    | 0 | 1 | u8 | n0 = len(s0) | "bytes"
    | 1 | 1 | u8 | n1 = len(s1) | "bytes"
    | 2 | 1 | u8 | n2 = len(s2) | "bytes"
    | 3 | 1 | u8 | n3 = len(s3) | "bytes"
    | 4 | 1 | u8 | n4 = len(s4) | "bytes"
    | 5 | 1 | u8 | n5 = len(s5) | "bytes"
    | 6 | 1 | u8 | n6 = len(s6) | "bytes"
    | 7 | 1 | u8 | n7 = len(s7) | "bytes"
    | 8 | 1 | u8 | n8 = len(s8) | "bytes"
    | 9 | 1 | u8 | n9 = len(s9) | "bytes"
    | 10 | K | utf8[n0] | s0 | "text"
    | a | 2 | u16 | x0 | "number"
    | B | L | utf8[n1] | s1 | "text"
    | b | 2 | u16 | x1 | "number"
    | C | M | utf8[n2] | s2 | "text"
    | c | 2 | u16 | x2 | "number"
    | D | N | utf8[n3] | s3 | "text"
    | d | 2 | u16 | x3 | "number"
    | E | O | utf8[n4] | s4 | "text"
    | e | 2 | u16 | x4 | "number"
    | F | P | utf8[n5] | s5 | "text"
    | f | 2 | u16 | x5 | "number"
    | G | Q | utf8[n6] | s6 | "text"
    | g | 2 | u16 | x6 | "number"
    | H | R | utf8[n7] | s7 | "text"
    | h | 2 | u16 | x7 | "number"
    | I | S | utf8[n8] | s8 | "text"
    | i | 2 | u16 | x8 | "number"
    | J | T | utf8[n9] | s9 | "text"
    | j | 2 | u16 | x9 | "number"
}`,
	"sums": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P    | 4 | u32 | before | "not part of the sum"
        | P+4  | 2 | u16 | flags | "bits" {
            0..8  kind "a number"
            9     odd  "a flag"
        }
        | P+6  | 4 | u32 | y | "part of the sum"
        | P+10 | 4 | u32 | sum = crc32(flags..y) | "checksum"
        if kind > 300 {
            | Q | 1 | u8 | z | "z"
        } else {
            | R | 3 | u8[3] | w | "three"
        }
    }
}`,
	"tuples": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 2 | u16 | x | "x"
        | P+2 | 5 | Five | five | "bytes"
        | P+7 | 4 | Two | two | "words"
        | P+11 | 8 | Pair | pair | "numbers"
        | P+19 | 12 | Wide | wide | "numbers"
    }
}
type Five {
    | 0 | 1 | u8 | a | "a"
    | 1 | 1 | u8 | b | "b"
    | 2 | 1 | u8 | c | "c"
    | 3 | 1 | u8 | d | "d"
    | 4 | 1 | u8 | e | "e"
}
type Two {
    | 0 | 2 | i16 | a | "a"
    | 2 | 2 | i16 | b | "b"
}
type Pair {
    | 0 | 4 | f32 | a | "a"
    | 4 | 4 | f32 | b | "b"
}
type Wide {
    | 0 | 4 | u32 | a | "a"
    | 4 | 4 | u32 | b | "b"
    | 8 | 4 | u32 | c | "c"
}`,
	"labels": `type T {
    | 0 | 1 | u8 | n = count(names) | "number"
    repeat n as names { | P | L | Name | name | "a name" }
}
type Name { | 0 | N | Label[until head == 0 || kind == 3] | labels | "labels" }
union Label by kind {
    | 0 | 1 | u8 | head | "kind and length" { 6..7 kind "what it is" }
}
arm Label 0 label {
    head { 0..5 length = len(text) "bytes" }
    | 1 | length | utf8[length] | text | "the label"
}
arm Label 1 flag { head { 0..5 number "a number" } }
arm Label 2 reserved { refuse "not in use" }
arm Label 3 pointer {
    head { 0..5 high "high bits" }
    | 1 | 1 | u8 | low | "low bits"
}`,
	"values": `type T {
    | 0 | 2 | u16 | n = count(items) | "number"
    repeat n as items {
        | P | 2 | u16 | id | "id"
        | P+2 | N | V | v | "a value"
    }
}
union V by kind { | 0 | 4 | u32 | kind | "what it is" }
arm V 0 none {}
arm V 1 int { | 4 | 4 | i32 | x | "number" }
arm V 2 text {
    | 4 | 4 | u32 | k = len(s) | "bytes"
    | 8 | N | utf8[k] | s | "text" pad 4 any
}
arm V 3 list {
    | 4 | 4 | u32 | n = count(list) | "number"
    repeat n as list { | P | N | V | item | "an item" }
}
arm V 4 row {
    | 4 | N | R | row | "a record with values inside"
}
type R {
    | 0 | 1 | u8 | m = count(rows) | "number"
    repeat m as rows {
        | P | 1 | u8 | x | "x"
        | P+1 | N | V | v | "a value"
    }
}`,
	"nested-arms": `type T {
    | 0 | 1 | u8 | n = count(items) | "number"
    repeat n as items {
        | P | 1 | u8 | kind | "what it is"
        | P+1 | N | Body(kind & 7, kind >> 3) | body | "a value"
    }
}
union Body(kind, high) by kind {}
arm Body 0 none {}
arm Body 1 number { | 0 | 1 | u8 | x | "number" }
arm Body 2 again {
    | 0 | 1 | u8 | next | "what the next one is"
    | 1 | N | Body(next & 7, high) | inner | "a value inside"
}
arm Body 3 list {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | next | "what it is"
        | P+1 | N | Body(next & 7, high) | item | "an item"
    }
}
arm Body 4 flag { | 0 | high | u8[high] | bytes | "bytes" }
arm Body else forms { | 0 | 1 or 2 | by high { 0 u8, 1..31 u16 } | x | "number" }`,
	"measured": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | k = len(s) | "bytes"
        | P+1 | K | utf8[k] | s | "text"
        | Q | L | u8[len(s)] | bytes | "as many bytes"
        | R | 1 | u8 | m = len(last) | "bytes"
        | R+1 | M | utf8[m] | last | "text"
    }
}`,
	"computed": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | k | "number"
        | P+1 | 8 | Next(k & 15, k >> 4) | next | "a record"
    }
}
type Next(k, high) {
    | 0 | 1 | u8 | more = k + 1 | "the number after it"
    | 1 | 2 | u16 | x | "x"
    | 3 | 1 | u8 | half = high * 2 + (high & 1) | "another number"
    | 4 | 1 | u8 | both = k + high * 2 | "a sum"
    | 5 | 1 | u8 | odd = k * 2 + 3 | "another sum"
    | 6 | 1 | u8 | quarter = (k - 9) / 4 + 9 | "a quotient"
    | 7 | 1 | u8 | shifted = (high << 2) + k | "a number that is shifted"
}`,
	"given": `type T {
    | 0 | 1 | u8 | mark | "order of the numbers"
    order by mark { 1 little, 2 big }
    | 1 | N | Option[until end] | options | "options"
}
union Option by kind { | 0 | 1 | u8 | kind | "what it is" }
arm Option 0 none {}
arm Option 2 size { | 1 | 2 | u16 | n | "number" }
arm Option 3 name {
    | 1 | 1 | u8 | k = len(s) | "bytes"
    | 2 | N | utf8[k] | s | "text"
}
arm Option else other { kind { 0..7 number "number" } }`,
	"rest-sums": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P   | 1 | u8 | k = len(s) | "bytes"
        | P+1 | K | utf8[k] | s | "text"
        | Q   | 2 | u16 | sum = sum8(s) | "checksum of the text"
        | Q+2 | 1 | u8 | m = len(t) | "bytes"
        | Q+3 | M | utf8[m] | t | "text"
        | R   | 4 | u32 | crc = crc32(m..t) | "checksum"
        | R+4 | 2 | u16 | both = inet(k..t) | "checksum of all"
        | R+6 | 1 | u8 | z | "a number"
    }
}`,
	"mixed-regions": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P   | 2 | u16 | size = size(body) | "bytes"
        | P+2 | size | Body[until end] | body | "records"
        | Q   | 1 | u8 | all = size(rest) | "bytes"
        | Q+1 | all | u16[until end] | rest | "numbers"
        | R   | 1 | u8 | other | "a number"
    }
}
type Body {
    | 0 | 2 | u16 | x | "x"
    | 2 | 1 | u8 | k = count(parts) | "number"
    | 3 | N | u16[k] | parts | "numbers"
}`,
	"variants": `type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        | P | 1 | u8 | id | "id"
        | P+1 | N | V | v | "a value"
        | Q | 2 | u16 | end | "end"
    }
}
union V by kind { | 0 | 1 | u8 | kind | "what it is" }
arm V 0 none {}
arm V 1 int { | 1 | 4 | i32 | x | "number" }
arm V 2 pair {
    | 1 | 1 | u8 | a | "a"
    | 2 | 2 | u16 | b | "b"
}
arm V 3 text {
    | 1 | 1 | u8 | k = len(s) | "bytes"
    | 2 | N | utf8[k] | s | "text" pad 4 any
}
arm V 4 list {
    | 1 | 1 | u8 | n = count(list) | "number"
    repeat n as list { | P | 2 | u16 | x | "x" }
}
arm V 5 two {
    | 1 | N | Two | a | "a"
    | P | M | Two | b | "b"
}
type Two {
    | 0 | 1 | u8 | k = len(s) | "bytes"
    | 1 | N | utf8[k] | s | "text"
    | P | 1 | u8 | x | "x"
}`,
	"leaf-texts": `type T {
    | 0 | 1 | u8 | n = count(names) |
    repeat n as names { | P | L | Name | name | }
    | Q | 1 | u8 | m = count(numbers) |
    repeat m as numbers { | P | L | Numbers | list | }
}
type Name { | 0 | N | Label[until head == 0] | labels | }
union Label by kind {
    | 0 | 1 | u8 | head | "kind and length" { 6..7 kind "what it is" }
}
arm Label 0 label {
    head { 0..5 length = len(text) }
    | 1 | 1 | u8 | constant = 7 |
    | 2 | length | utf8[length] | text |
}
arm Label 1 flag { head { 0..5 number } }
arm Label else other { refuse "not in use" }
type Numbers { | 0 | N | Number[until kind == 0] | numbers | }
union Number by kind { | 0 | 1 | u8 | kind | }
arm Number 0 end {}
arm Number 1..2 int { | 1 | 1 or 2 | by kind { 1 u8, 2 u16 } | x | }
arm Number 4..5 float { | 1 | 4 or 8 | by kind { 4 f32, 5 f64 } | y | any }
arm Number 6 constant { | 1 | 2 | u16 | c = 7 | | 3 | 1 | u8 | x | }
arm Number 7 constant2 { | 1 | 2 | u16 | c = 7 | }
arm Number else other { refuse "not in use" }`,
	"arguments": `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | k |
        | P+1 | 3 | Next(k ^ 3) | next |
        | P+4 | 1 | One(k ^ 5) | one |
        | P+5 | L | Two(k ^ 6 & 7) | two |
        | U | 1 | u8 | l = len(x) |
        | V | l | utf8[l] | x |
        | W | 2 | Len(len(x)) | len2 |
    }
}
type Next(k) {
    | 0 | 1 | u8 | more = k + 1 |
    | 1 | 1 | u8 | x |
    | 2 | 1 | u8 | y |
}
type One(k) { | 0 | 1 | u8 | x | check x + k < 1000 }
union Two(k) by k {}
arm Two 0 none {}
arm Two 1 one { | 0 | 1 | u8 | x | }
arm Two else two { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }
type Len(k) { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y = x + (k & 1)  | }`,
	"patches": `type T {
    | 0 | 1 | i8 | n = size(body) |
    | 1 | n | Body | body |
    | P | 1 | i8 | w | { 0..3 m = size(other) 4..6 x }
    | P+1 | m | Body | other |
    | Q | 1 | u8 | v | { 0..3 l = size(third) % 11 4..7 y }
    | Q+1 | N | Body | third |
    | S | 8 | u64 | o = size(last) |
    | S+8 | o | Body | last |
}
type Body { | 0 | 2 | u16 | k = len(s) | | 2 | k | utf8[k] | s | }`,
	"decided": `type T {
    | 0 | 1 | u8 | k |
    if k < 100 {
        | 1 | 1 | u8 | n = count(list) |
        repeat n as list { | P | 2 | Two | two | } check size(list) < 90
    } else {
        | 1 | 2 | u16 | m = count(list) |
        repeat m as list { | P | 2 | Two | two | }
    }
    | Q | 1 | u8 | l = count(others) |
    repeat l as others {
        if 0 == 0 { | R | 1 | u8 | x | }
        | S | 1 | u8 | y |
    }
}
type Two { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }`,
	"members": `type T {
    | 0 | 1 | u8 | flags | { 0 has = present(p) 1 other = present(r) }
    if has { | 1 | 2 | Pair | p | }
    if other { | Q | N | Named | r | }
    | P | 1 | u8 | z | check p.x != z
    | P+1 | 1 | u8 | w = p.y + r.k |
}
type Pair { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y | }
type Named { | 0 | 1 | u8 | k | | 1 | 1 | u8 | n = len(s) | | 2 | n | utf8[n] | s | }`,
	"lens": `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | l = len(x) |
        | Q | l | utf8[l] | x |
        | R | 1 | u8 | m = len(y) |
        | S | m | utf8[m] | y |
        | W | 2 | Len(len(x)) | len2 |
    }
}
type Len(k) { | 0 | 1 | u8 | x | | 1 | 1 | u8 | y = x + (k & 1)  | }`,
	"given-leaves": `type T {
    | 0 | 1 | u8 | deep |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | Items(deep) | items | }
}
type Items(deep) { | 0 | N | Item[until kind == 0](deep) | items | }
union Item(deep) by kind { | 0 | 1 | u8 | head | { 4..7 kind } }
arm Item 0 none { head { 0..3 x } }
arm Item 1 sum {
    head { 0..3 d = deep }
    if deep { | 1 | 1 | u8 | x | }
    | P | 1 | u8 | n | check n < 20
    | P+1 | N | u8[n + deep] | bytes |
}
arm Item 2 text {
    head { 0..3 length = len(text) }
    | 1 | length | utf8[length] | text |
}
arm Item 3 two { head { 0..3 x } | 1 | 1 | u8 | y | }
arm Item else other { refuse "not in use" }`,
	"given-rest": `type T {
    | 0 | 1 | u8 | size = size(list) |
    | 1 | size | Only | list |
    | Q | 1 | u8 | size2 = size(list2) |
    | Q+1 | size2 | Only2 | list2 |
}
type Only { repeat until end as list { | P | 2 | u16 | x | } }
type Only2 { repeat until end as list { | P | N | Wide | x | } }
union Wide by k { | 0 | 2 | u16 | k | }
arm Wide 0 none {}
arm Wide else one { k { 0..15 number } | 2 | 1 | u8 | x | }`,
	"wide-kinds": `type T {
    | 0 | 2 | u16 | kind |
    | 2 | N | Item(kind) | item |
    | P | 1 | u8 | n = count(numbers) |
    | P+1 | 2 | u16 | other |
    | P+3 | n | u8[n] | numbers |
    | Q | 2 | u16 | c | check c <= c / 2 + 500
    | Q+2 | 1 | u8 | k = len(s) |
    | Q+3 | K | utf8[k] | s |
    | R | len(s) | u8[until end] | body | check size(body) % 2 == 0
}
union Item(kind) by kind {}
arm Item 0..3 none {}
arm Item 6..599 reserved { refuse "x" }
arm Item 4..5, 600 two { | 0 | 1 | u8 | x | }`,
	"text-flags": `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | flags | { 0 flag 1..3 number 4..7 other }
        | P+1 | 1 | u8 | k = len(s) |
        | P+2 | K | utf8[k] | s |
    }
    | Q | 1 | u8 | m = count(list2) |
    repeat m as list2 {
        | P | 1 | i8 | flags | { 0..3 number 4..7 other }
        | P+1 | 1 | u8 | k = len(s) |
        | P+2 | K | utf8[k] | s |
    }
}`,
	"texts": `type T {
    | 0 | 1 | u8 | n0 = len(s0) | "bytes"
    | 1 | K | utf8[n0] | s0 | "text"
    | a | 1 | u8 | n1 = len(s1) | "bytes"
    | a+1 | L | utf8[n1] | s1 | "text"
    | b | 1 | u8 | n2 = len(s2) | "bytes"
    | b+1 | M | utf8[n2] | s2 | "text"
    | c | 1 | u8 | n3 = len(s3) | "bytes"
    | c+1 | N | utf8[n3] | s3 | "text"
    | d | 1 | u8 | n4 = len(s4) | "bytes"
    | d+1 | O | utf8[n4] | s4 | "text"
    | e | 1 | u8 | n5 = len(s5) | "bytes"
    | e+1 | P | utf8[n5] | s5 | "text"
    | f | 1 | u8 | n6 = len(s6) | "bytes"
    | f+1 | Q | utf8[n6] | s6 | "text"
    | g | 1 | u8 | n7 = len(s7) | "bytes"
    | g+1 | R | utf8[n7] | s7 | "text"
    | h | 1 | u8 | n8 = len(s8) | "bytes"
    | h+1 | S | utf8[n8] | s8 | "text"
    | i | 1 | u8 | n9 = len(s9) | "bytes"
    | i+1 | T | utf8[n9] | s9 | "text"
}`,
	"scaled": `type T {
    | 0 | 1 | u8 | n = (size(body) + 3) / 4 |
    | 1 | N | Body | body |
    | P | 1 | u8 | m = size(other) * 4 |
    | P+1 | m / 4 | Body | other |
    | Q | 1 | u8 | w | { 4..7 l = size(third) / 4 + 2  0..3 x }
    | Q+1 | L | Body | third |
}
type Body { | 0 | 1 | u8 | k = len(s) | | 1 | k | utf8[k] | s | pad 4 any }`,
	"sums-of-texts": `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | k = len(s) |
        | P+1 | K | utf8[k] | s |
        | Q | 1 | u8 | sum = sum8(k..s) |
        | Q+1 | 1 | u8 | x |
        | Q+2 | 4 | u32 | crc = crc32(x..x) |
    }
    | R | N | Chunk[until last == 1] | chunks |
    | S | M | Ends | ends |
    | U | O | Twice | twice |
    | V | Q | Odd | odd |
}
type Odd {
    | 0 | 1 | u8 | k = len(s) |
    | 1 | k | utf8[k] | s |
    | Q | 2 | u16 | sum = inet(k..x with sum as 0) |
    | Q+2 | 2 | u16 | x |
    | Q+4 | 2 | u16 | parts = inet(k, x) |
}
type Ends {
    | 0 | 1 | u8 | l = len(t) |
    | 1 | L | utf8[l] | t |
    | U | 4 | u32 | crc = crc32(l..l) |
    | U+4 | 4 | u32 | crc2 = crc32(l..t) |
    | U+8 | 1 | u8 | m = len(u) |
    | U+9 | M | utf8[m] | u |
    | V | 4 | u32 | crc3 = crc32(l..u) |
}
type Twice {
    | 0 | 1 | u8 | k = len(s) |
    | 1 | K | utf8[k] | s |
    | Q | 4 | u32 | sum = crc32(k..s) |
    | Q+4 | 1 | u8 | x |
    | Q+5 | 1 | u8 | l = len(t) |
    | Q+6 | L | utf8[l] | t |
    | R | 4 | u32 | crc = crc32(k..t) |
}
type Chunk {
    | 0 | 1 | u8 | last |
    | 1 | 1 | u8 | x |
    if x < 100 { | 2 | 1 | u8 | z = 3 | } else {
        | 2 | 1 | u8 | m = len(u) |
        | 3 | M | utf8[m] | u |
        | A | 4 | u32 | crc = crc32(u) |
    }
}`,
	"few-left": `
type T {
    | 0 | 1 | u8 | id |
    | 1 | E | Extension[until left() <= 8] | extensions |
    | 1+E | M | Mac | mac | if more()
}
type Extension {
    | 0 | 1 | u8 | size = count(value) |
    | 1 | size | u8[size] | value |
}
type Mac {
    | 0 | 2 | u16 | key |
    | 2 | D | u8[until end] | digest |
}`,
}

// chain returns a record that has a record, and so on.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("type T { | 0 | N | T0 | x | \"a record\" }\n")
	for i := range n {
		fmt.Fprintf(&b, "type T%d {\n| 0 | 1 | u8 | a | \"a\"\n| 1 | N | T%d | x | \"a record\"\n| P | 2 | u16 | b | \"b\"\n}\n", i, i+1)
	}
	fmt.Fprintf(&b, "type T%d { | 0 | 1 | u8 | n = len(s) | \"bytes\"\n| 1 | N | utf8[n] | s | \"text\" }\n", n)
	return b.String()
}

// shape compiles one of the shapes in an order of bytes.
func shape(t testing.TB, name, order string) *interp.Machine {
	t.Helper()
	return shapeOf(t, name, order, shapes[name])
}

// shapeOf compiles types in an order of bytes.
func shapeOf(t testing.TB, name, order, types string) *interp.Machine {
	t.Helper()
	text := fmt.Sprintf("schema %q {\n    title \"A shape\"\n    source \"none\"\n    order %s\n    root T\n    depth 20\n}\n%s\n", name, order, types)
	p, err := compile.Text(name+".oct", []byte(text), "")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}
