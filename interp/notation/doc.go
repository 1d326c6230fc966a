// Package notation prints and reads values of any program with the names of its types and
// fields. It has the notation of the examples in schemas, and JSON.
//
//	value                            notation                    JSON
//	record                           {id: 5, name: "a"}          {"id":5,"name":"a"}
//	record that one field represents "a"                         "a"
//	arm of a union                   Move({x: 1})  Ping          {"Move":{"x":1}}  "Ping"
//	tuple, array of numbers          [1, 2]                      [1,2]
//	the same as an arm               Point(1, 2)                 {"Point":[1,2]}
//	bytes                            [1, 2]                      "AQI=" (base64, or a list)
//	list                             ["a", "b"]                  ["a","b"]
//	map                              {"a": 1}                    [["a",1]]
//	integer                          5  -5  0xff                 5  "18446744073709551615"
//	number                           1.5  inf  -inf  nan         1.5  "inf"  "-inf"  "nan"  "-0"
//	other NaN                        nan(0x7fc00001)             "nan:7fc00001"
//	text                             "a\n\xff"                   "a"  {"$bytes":"/w=="}
//	letters of a code                "RIFF"                      "RIFF"
//	true, false                      true                        true
//	no value                         none                        null
//
// Fields without a value are left out. Integers beyond 2^53 are strings in JSON, and so are
// numbers that JSON does not have. Quoted texts have the escapes of Go.
//
// A text does not say which kind a number has; the program does. The forms of a field are the
// instructions that read it. Printing needs names alone. Reading builds a value from a
// [Source], which is a parsed text, JSON or a Go value, by the forms of the
// fields; the writer of the program checks what forms do not say, such as ranges of numbers.
package notation
