package spoil

import (
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/interp"
)

// Pool has parts of values, which take the places of others.
type Pool struct {
	rng   *rand.Rand
	parts []interp.Value
}

// NewPool returns a Pool without parts.
func NewPool(rng *rand.Rand) *Pool { return &Pool{rng: rng} }

// most is how many parts a Pool has.
const most = 500

// Add adds some of the parts of a value.
func (p *Pool) Add(v interp.Value) {
	if len(p.parts) < most {
		p.parts = append(p.parts, v)
	} else if p.rng.IntN(4) == 0 {
		p.parts[p.rng.IntN(most)] = v
	}
	for _, c := range v.Cells() {
		if p.rng.IntN(3) == 0 {
			p.Add(c)
		}
	}
}

// Part returns one of the parts, or v if it has no parts.
func (p *Pool) Part(v interp.Value) interp.Value {
	if len(p.parts) == 0 {
		return v
	}
	return p.parts[p.rng.IntN(len(p.parts))]
}

// Change returns v with one of its parts changed, which is at most some levels deep.
func (p *Pool) Change(v interp.Value, levels int, change func(interp.Value) interp.Value) interp.Value {
	cells := slices.Clone(v.Cells())
	if len(cells) == 0 || levels == 0 || p.rng.IntN(3) == 0 {
		return change(v)
	}
	i := p.rng.IntN(len(cells))
	cells[i] = p.Change(cells[i], levels-1, change)
	return v.WithCells(cells)
}

// Text returns a text that is malformed, or easy to get wrong.
func Text(rng *rand.Rand) string { return texts[rng.IntN(len(texts))] }

var texts = []string{"a", "\x00", "a\x00b", "\xff", "\xed\xa0\x80", "\xe0\x83\x80", "\ufeffx", "größe\U0001f600"}
