// The findings of a comparison.

package diff

import (
	"encoding/hex"
	"encoding/json"
)

// Sort is the sort of thing that a change is about.
type Sort string

// The sorts of things that change.
const (
	Arm    Sort = "type"     // an arm of a union: a type with a number
	Header Sort = "header"   // what all arms of a union begin with
	Record Sort = "record"   // a record that others contain
	Text   Sort = "encoding" // how text is written
	Limit  Sort = "limit"    // byte order, depth, gates, which keys are equal
	Other  Sort = "other"    // a difference that the schemas give no reason for
)

// Kind is a kind of change.
type Kind string

// The kinds of change.
const (
	Added       Kind = "added"
	Removed     Kind = "removed"
	Renumbered  Kind = "renumbered"
	Renamed     Kind = "renamed"     // names are not on the wire
	Rewritten   Kind = "other rows"  // its instructions are not the same
	Changed     Kind = "changed"     // another rule or limit
	Unexplained Kind = "unexplained" // nothing changed, and readings differ
)

// Class is the effect of a change on existing packets. The order is from
// the worst to the mildest.
type Class string

// The classes. A reader misreads silently if it reads a packet without an error
// as another value, or reads another number of its bytes, which shifts all that
// follows if the value is inside another one.
const (
	OldMisreads Class = "old reader misreads silently"  // what the new one writes
	NewMisreads Class = "new reader misreads silently"  // what the old one writes
	OldRefuses  Class = "old reader refuses"            // what the new one writes
	NewRefuses  Class = "new reader refuses old bytes"  //
	Unwritten   Class = "bytes that no writer produces" // are read otherwise: damage, or what somebody else writes
	Unseen      Class = "not seen by itself"            // no packet was found that shows it: it has no effect, or other changes hide it
	Compatible  Class = "compatible"                    // either reads what the other one writes
)

// Classes lists the classes, the worst first.
var Classes = []Class{OldMisreads, NewMisreads, OldRefuses, NewRefuses, Unwritten, Unseen, Compatible}

func rank(c Class) int {
	for i, k := range Classes {
		if k == c {
			return i
		}
	}
	return len(Classes)
}

// Breaks reports whether packets of one side are lost or misread by the other.
func (c Class) Breaks() bool { return rank(c) < rank(Unwritten) }

// Bytes are a packet; in JSON they are hexadecimal digits.
type Bytes []byte

// MarshalJSON writes the bytes as a string of digits.
func (b Bytes) MarshalJSON() ([]byte, error) { return json.Marshal(hex.EncodeToString(b)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bytes) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	out, err := hex.DecodeString(s)
	*b = out
	return err
}

// Reading is the result of one side's reader for a packet.
type Reading struct {
	Value   string `json:"value,omitempty"`
	Used    int    `json:"used,omitempty"` // bytes of the packet
	Refused bool   `json:"refused,omitempty"`
	Kind    string `json:"kind,omitempty"`   // of the error, in one word
	Offset  int    `json:"offset,omitempty"` // of the byte in error
	Error   string `json:"error,omitempty"`  // in full
}

// Effect is one consequence of a change, with the shortest packet that shows it.
type Effect struct {
	Class  Class `json:"class"`
	Packet Bytes `json:"packet"`
	// Shortest reports that no packet that shows this can be shorter. The packet is
	// as short as the thing that changed can be. Otherwise it is the shortest found.
	Shortest bool    `json:"shortest"`
	Objects  bool    `json:"objects,omitempty"` // the gates have to be open for it
	Choice   string  `json:"choice,omitempty"`  // of the option, if it is not the first
	Old      Reading `json:"old"`
	New      Reading `json:"new"`
	// Rewritten is what the other side writes for the same value, if that is
	// what differs.
	Rewritten Bytes `json:"rewritten,omitempty"`
	// By says who writes the packet: old, new, both, or nobody.
	By string `json:"by"`
}

// Name is the name of something on one side.
type Name struct {
	Name  string `json:"name"`
	Union string `json:"union,omitempty"` // of a type
	ID    uint64 `json:"id"`              // of a type
}

// Change is one change of what is on the wire.
type Change struct {
	Sort    Sort     `json:"sort"`
	Kinds   []Kind   `json:"kinds"`
	Old     *Name    `json:"old,omitempty"` // nil for what was added
	New     *Name    `json:"new,omitempty"` // nil for what was removed
	Class   Class    `json:"class"`         // the worst of the effects
	About   []string `json:"about,omitempty"`
	Removed []string `json:"removed,omitempty"` // rows that only the old schema has
	Added   []string `json:"added,omitempty"`   // rows that only the new schema has
	Effects []Effect `json:"effects"`

	key string
}

// Title is the name of what changed.
func (c *Change) Title() string {
	if c.New != nil {
		return c.New.Name
	}
	return c.Old.Name
}

// SideInfo names a side in a report.
type SideInfo struct {
	Name    string `json:"name"`
	Schema  string `json:"schema"`
	Title   string `json:"title,omitempty"`
	Choice  string `json:"choice,omitempty"`
	Program string `json:"program"` // hash
}

// Report is the outcome of a comparison.
type Report struct {
	Old     SideInfo `json:"old"`
	New     SideInfo `json:"new"`
	Packets int      `json:"packets"` // that were given to both readers
	Changes []Change `json:"changes"`
}

// Count returns how many changes are of a class.
func (r *Report) Count(c Class) int {
	n := 0
	for i := range r.Changes {
		if r.Changes[i].Class == c {
			n++
		}
	}
	return n
}

// Breaks reports whether some change loses or misreads packets.
func (r *Report) Breaks() bool {
	for i := range r.Changes {
		if r.Changes[i].Class.Breaks() {
			return true
		}
	}
	return false
}
