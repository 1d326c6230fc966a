// Candidates: packets and values that might become cases.

package generate

import (
	"crypto/sha256"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/interp"
)

// candidate is the input of a case. The codec decides its result.
type candidate struct {
	typ     int            // what it tests
	shape   string         // name of the seed that it was made from
	rule    *bytecode.Rule // the row that it is about
	what    string         // part of the id: what is special about the row
	context string         // part of the id: the container it is in; "" is alone
	about   string         // in words, without the row
	bytes   []byte         // to be read; nil if value is only to be written
	value   interp.Value   // to be written, if there are no bytes
	open    uint8          // gates
	flags   []string       // keys of the table of flags
	// keep is set for a candidate that is in the suite even if it finds nothing. Such are the smallest packets
	// of a shape, of a row, of a boundary.
	keep bool
}

// candidates collects those of one program.
type candidates struct {
	*model
	all  []candidate
	seen map[string]bool            // ids
	same map[[sha256.Size]byte]bool // contents
	long int                        // bytes of the long packets among all

	headerCut bool // the header of one type is cut already

	engines map[uint8]*corrupt.Engine // see engine
}

// Packets of more than longPacket bytes, which schemas with places have many of, are candidates until they have mostLong bytes.
const (
	longPacket = 1 << 16
	mostLong   = 1 << 26
)

// affords reports whether a packet of n bytes may be one more candidate.
func (c *candidates) affords(n int) bool { return n <= longPacket || c.long+n <= mostLong }

// engine returns what damages packets and changes values that are read with some gates open.
func (c *candidates) engine(open uint8) *corrupt.Engine {
	e := c.engines[open]
	if e == nil {
		if c.engines == nil {
			c.engines = map[uint8]*corrupt.Engine{}
		}
		e = corrupt.New(c.m, interp.Options{Open: open})
		c.engines[open] = e
	}
	return e
}

// id returns the id of the case.
func (c *candidates) id(k *candidate) string {
	name := c.p.Types[k.typ].Name
	id := name
	switch row := k.rule.Name; {
	case row == "" || row == name:
	case strings.HasPrefix(row, name+"."):
		id = row
	case row == c.headerRow():
		id += row[strings.IndexByte(row, '.'):]
	default:
		id += "." + row
	}
	if k.what != "" {
		id += "/" + k.what
	}
	if k.context != "" {
		id += "/" + k.context
	}
	return id
}

// headerRow returns the row of the word that tells the arms of the root union, or "".
func (c *candidates) headerRow() string {
	if _, ok := c.p.UnionTable(c.p.Root); !ok {
		return ""
	}
	name := c.rule(int(c.p.Routines[c.p.Root].Start)).Name
	if !strings.Contains(name, ".") {
		return ""
	}
	return name
}

// add notes a candidate, unless there is one with its id or its content, or its packet is too long.
func (c *candidates) add(k candidate) {
	if !c.affords(len(k.bytes)) {
		return
	}
	content := sha256.Sum256(append([]byte{k.open}, k.bytes...))
	id := c.id(&k)
	if c.seen[id] {
		// The same in another shape of the type, which is seldom of interest.
		if k.shape == "" || k.bytes != nil && c.same[content] {
			return
		}
		k.what, k.about, k.shape, k.keep = join(k.shape, k.what), k.about+", in a value with "+k.shape, "", false
		c.add(k)
		return
	}
	if k.bytes != nil && c.same[content] {
		if !k.keep {
			return
		}
		for i := range c.all { // a case that stays takes the place of one that may
			if o := &c.all[i]; o.bytes != nil && !o.keep && o.open == k.open && string(o.bytes) == string(k.bytes) {
				delete(c.seen, c.id(o))
				c.all[i] = k
				c.seen[id] = true
				return
			}
		}
		return
	}
	c.seen[id] = true
	if k.bytes != nil {
		c.same[content] = true
	}
	if len(k.bytes) > longPacket {
		c.long += len(k.bytes)
	}
	c.all = append(c.all, k)
}

// options returns how to run a candidate.
func (k *candidate) options() interp.Options { return interp.Options{Open: k.open} }
