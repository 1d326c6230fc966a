// The file format of vectors: cases with their bytes, values and errors.

package vectors

import (
	"encoding/json"
	"strings"
)

// Format is the number of this file format. It changes when a reader of older
// files would misread a newer one.
const Format = 1

// Suite is the content of one file: the cases of one schema under one choice of
// its option.
type Suite struct {
	Format  int             `json:"format"`
	Schema  string          `json:"schema"`           // id, such as "godot-4.4"
	Choice  string          `json:"choice,omitempty"` // of the option, such as "double"; none where the schema has no option or it is the default
	Title   string          `json:"title"`            // of the schema
	Program string          `json:"program"`          // hash of the compiled schema that the cases were made from
	Flags   map[string]Flag `json:"flags"`            // every flag that a case of the file has
	Cases   []Case          `json:"cases"`            // in the order of their ids
	Large   []Large         `json:"large,omitempty"`  // likewise; a file has rules for them
}

// Spec is the schema and choice as the command takes them: "godot-4.4" or
// "godot-4.4+double".
func (s *Suite) Spec() string {
	if s.Choice == "" {
		return s.Schema
	}
	return s.Schema + "+" + s.Choice
}

// All calls f for each case, the large ones without packet and value, until f returns false.
func (s *Suite) All(f func(*Case) bool) {
	for i := range s.Cases {
		if !f(&s.Cases[i]) {
			return
		}
	}
	for i := range s.Large {
		if !f(&s.Large[i].Case) {
			return
		}
	}
}

// Flag describes the common property of the cases that carry it.
type Flag struct {
	Class  string   `json:"class"`            // of bug that they find, such as "wrong width"
	Why    string   `json:"why"`              // implementations get it wrong
	Effect string   `json:"effect"`           // of getting it wrong
	Links  []string `json:"links,omitempty"`  // where it is known from: issues, documents
	Errata []string `json:"errata,omitempty"` // of the documents, such as "E11"
}

// Result is the result that a reader has to have for the bytes of a case.
type Result string

// The results.
const (
	// Valid bytes are what a writer produces for the value: a reader gives the
	// value, and a writer these bytes.
	Valid Result = "valid"
	// Acceptable bytes are not produced by writers, but engines take them. A
	// reader that accepts them gives the value, for which a writer gives Canonical.
	Acceptable Result = "acceptable"
	// Invalid bytes, or an invalid value where a case has no bytes, are refused.
	Invalid Result = "invalid"
)

// Level is the importance of a case for an implementation.
type Level string

// The levels.
const (
	Must   Level = "must"   // engines do it, and data is lost or peers are hurt by those that do not
	Should Level = "should" // engines do it; others may have a reason not to
	May    Level = "may"    // engines differ, or nobody could tell
)

// Case is one vector.
type Case struct {
	ID     string   `json:"id"`              // stays the same when cases are added: "String.length/one-short/in-array"
	About  string   `json:"about"`           // what it is about, in a sentence
	Row    string   `json:"row"`             // of the schema, such as "String.length"
	Source string   `json:"source"`          // file of the schema that the row is in, such as "godot-2.oct"
	Type   string   `json:"type"`            // what it tests, in the schema's names, such as "String"
	Uses   []string `json:"uses"`            // every type in it, sorted: who does not support one cannot pass
	Result Result   `json:"result"`          //
	Level  Level    `json:"level"`           //
	Flags  []string `json:"flags,omitempty"` // keys of Suite.Flags

	// Bytes are the packet, in hexadecimal digits. A case without them is about
	// encoding Value alone.
	Bytes string `json:"bytes,omitempty"`
	// Used is the number of bytes that a reader takes, if others follow.
	Used int `json:"used,omitempty"`
	// Value is the result of a reader, in explicit JSON (see README.md).
	Value json.RawMessage `json:"value,omitempty"`
	// Deep is Value where that is nested so deeply that common readers of JSON would
	// refuse the file. [Suite.Marshal] and [Parse] see to it.
	Deep *Nested `json:"deep,omitempty"`
	// Also is another value that a reader may give just as well. It is the one
	// that Canonical represents, if that is not Value. Such are a Dictionary whose
	// equal keys are merged, and a vector in the precision of the schema's choice.
	Also json.RawMessage `json:"also,omitempty"`
	// Canonical has the bytes that a writer gives for the value, if they are not Bytes.
	Canonical string `json:"canonical,omitempty"`
	// Error is why an invalid case is refused.
	Error *Error `json:"error,omitempty"`
	// Objects tells to allow objects in full ("full objects" of an engine). Without
	// it they are refused.
	Objects bool `json:"objects,omitempty"`
}

// Nested is a JSON text in parts: Before N times, then Inner, then After N
// times.
type Nested struct {
	Times  int    `json:"times"`
	Before string `json:"before"`
	Inner  string `json:"inner"`
	After  string `json:"after"`
}

// Text returns the whole text.
func (n *Nested) Text() string {
	return strings.Repeat(n.Before, n.Times) + n.Inner + strings.Repeat(n.After, n.Times)
}

// Error is a refusal. An implementation need not tell it; one that does is told
// apart from one that refuses by accident.
type Error struct {
	Kind   string `json:"kind"`   // truncated, type, text, value, closed, depth, limit, mismatch, range, trailing or checksum
	Offset int    `json:"offset"` // of the byte that is wrong; when encoding, 0
	Path   string `json:"path"`   // of the value that it is in, such as .entities[3]["pos"]
	Text   string `json:"text"`   // in words
}

// Cross is a packet that several schemas read differently, or that some refuse.
type Cross struct {
	ID       string    `json:"id"`
	About    string    `json:"about"`
	Flags    []string  `json:"flags,omitempty"`
	Bytes    string    `json:"bytes"`
	Readings []Reading `json:"readings"` // in the order of the versions
}

// Reading is the result of one schema for the bytes of a Cross: a value, or an error.
type Reading struct {
	Spec  string          `json:"spec"`
	Value json.RawMessage `json:"value,omitempty"`
	Used  int             `json:"used,omitempty"` // where bytes are left over
	Error *Error          `json:"error,omitempty"`
}

// CrossFile is the content of cross.json.
type CrossFile struct {
	Format int             `json:"format"`
	Flags  map[string]Flag `json:"flags"`
	Cases  []Cross         `json:"cases"`
}

// Manifest lists the files of a set of vectors.
type Manifest struct {
	Format int    `json:"format"`
	Files  []File `json:"files"` // by name
}

// File is one file of a Manifest.
type File struct {
	Name    string `json:"name"`
	Spec    string `json:"spec,omitempty"`    // none for cross.json
	Program string `json:"program,omitempty"` // hash of the compiled schema
	SHA256  string `json:"sha256"`            // of the file
	Cases   int    `json:"cases"`
}
