// The messages: one JSON object a line in each direction.

package protocol

import "encoding/json"

// Version is the number of the protocol.
const Version = 1

// Op is the operation of a request.
type Op string

// The operations.
const (
	// Hello asks what the implementation is and supports. It is the first request.
	Hello Op = "hello"
	// Decode asks for the value that bytes represent.
	Decode Op = "decode"
	// Encode asks for the bytes of a value.
	Encode Op = "encode"
	// Recode asks for the bytes that the implementation writes for the value that it reads from
	// bytes. It is for implementations whose values cannot be shown.
	Recode Op = "recode"
)

// Request is a message of the runner.
type Request struct {
	ID   int    `json:"id"` // to be repeated in the answer
	Op   Op     `json:"op"`
	Spec string `json:"spec,omitempty"` // schema and choice, such as "godot-4.4" or "godot-4.4+double"

	Bytes   string          `json:"bytes,omitempty"`   // hexadecimal digits, for Decode and Recode
	Value   json.RawMessage `json:"value,omitempty"`   // explicit JSON, for Encode
	Objects bool            `json:"objects,omitempty"` // allow objects in full
}

// Answer is a message of the implementation. Exactly one of OK, Error, Unsupported and
// Hello is set; see [Answer.Check].
type Answer struct {
	ID int `json:"id"`

	OK    bool            `json:"ok,omitempty"`
	Value json.RawMessage `json:"value,omitempty"` // to Decode: any JSON that codec.ParseJSON takes
	Bytes string          `json:"bytes,omitempty"` // to Encode and Recode
	Used  int             `json:"used,omitempty"`  // to Decode and Recode: bytes that were read; 0 where it does not tell

	Error  string `json:"error,omitempty"`  // refused: why, in the implementation's own words
	Kind   string `json:"kind,omitempty"`   // refused: the kind of error, if it tells
	Offset *int   `json:"offset,omitempty"` // refused: the byte, if it tells

	Unsupported string `json:"unsupported,omitempty"` // it cannot do this at all: what it lacks

	Hello *About `json:"hello,omitempty"` // to Hello
}

// About is the description that an implementation gives of itself.
type About struct {
	Protocol int      `json:"protocol"` // Version
	Name     string   `json:"name"`
	Version  string   `json:"version,omitempty"`
	Language string   `json:"language,omitempty"`
	Link     string   `json:"link,omitempty"`
	Ops      []Op     `json:"ops"`                   // besides Hello
	Specs    []string `json:"specs"`                 // which it reads and writes
	Has      []string `json:"types,omitempty"`       // types that it has, in the names of the spec; none means all
	Lacks    []string `json:"unsupported,omitempty"` // types that it does not have
	// Without are features that it does not have though it has the types: see
	// vectors.Features.
	Without []string `json:"without,omitempty"`
	Objects bool     `json:"objects,omitempty"` // it can be told to allow objects in full
	// Reals is the notation of real numbers that it wants in values of Encode. It is "decimal",
	// which is the default, or "bits", as strings "bits:3ff0000000000000" (8 digits in single
	// precision). Bits are for languages whose reader of decimals is not exact.
	Reals string `json:"reals,omitempty"`
	// NullOnError says that Decode answers null for bytes that it refuses, as it does for Nil. The
	// implementation underneath does not distinguish the two. Such answers are taken for what the
	// case asks for, and marked.
	NullOnError bool `json:"nullOnError,omitempty"`
	// Window is the most requests that may wait for answers; 0 is any number.
	// 1 is for those that take one line at a time and lose what comes after it.
	Window int `json:"window,omitempty"`
	// Notes are what a reader of the results should know of it.
	Notes []string `json:"notes,omitempty"`
}
