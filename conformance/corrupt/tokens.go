// Tokens: the byte strings that mean something in packets.

package corrupt

import (
	"fmt"
	"math"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Token is a string of bytes that means something to a reader.
type Token struct {
	Name  string // such as "Variant.header, Array" or "overlong UTF-8"
	Bytes []byte
}

// Tokens returns the parts of packets of the engine's program. They are the word of each arm of
// a union alone and with each of its flags, type ids, lengths and counts at their limits,
// malformed texts, and reals that implementations often get wrong. No two have the same bytes,
// and they are in the order of the program.
func (e *Engine) Tokens() []Token {
	var all []Token
	seen := map[string]bool{}
	add := func(b []byte, format string, args ...any) {
		if !seen[string(b)] && len(b) > 0 {
			seen[string(b)] = true
			all = append(all, Token{fmt.Sprintf(format, args...), b})
		}
	}
	name := func(rule uint32) string { return e.p.Rules[rule].Name }
	done := map[uint32]bool{}
	for pc := range e.p.Code {
		in := &e.p.Code[pc]
		switch in.Op {
		case bytecode.Union:
			site := e.rows.tables[in.Rule]
			if site == nil {
				continue
			}
			for i, arm := range site.table.Arms {
				if arm.Else {
					continue
				}
				what := e.p.Types[arm.Type].Name
				id := arm.ID << site.id.shift
				for _, n := range arm.Ends() {
					add(e.scalar(in.Rule, site.scalar, n<<site.id.shift), "%s, %s", name(in.Rule), what)
				}
				for _, p := range e.rows.unions[in.Rule][i].parts {
					if p.span == site.id || p.bits > 4 {
						continue
					}
					for x := uint64(1); x < 1<<p.bits; x++ {
						add(e.scalar(in.Rule, site.scalar, id|x<<p.shift), "%s, %s, %s %d", name(in.Rule), what, name(p.rule), x)
					}
				}
			}
		case bytecode.Word:
			w := e.rows.word(in.Rule, in.Scalar().Width())
			if w == nil || done[in.Rule] {
				continue
			}
			done[in.Rule] = true
			for _, p := range w.parts {
				most := p.mask() >> p.shift
				for _, x := range []uint64{0, 1, 2, 3, 4, 5, most, min(most, math.MaxInt32), 1 << 24} {
					if x <= most && (p.role == length || p.role == count) {
						add(e.scalar(in.Rule, w.scalar, x<<p.shift), "%s %d", name(p.rule), x)
					}
				}
				if p.table != nil {
					for _, arm := range p.table.Arms {
						for _, n := range arm.Ends() {
							add(e.scalar(in.Rule, w.scalar, n<<p.shift), "%s, %s", name(p.rule), e.p.Types[arm.Type].Name)
						}
					}
				}
				if p.role == flag || p.role == checked {
					p.expr.Walk(func(x *bytecode.Expr) {
						if n, ok := x.Constant(); ok && uint64(n) <= most {
							add(e.scalar(in.Rule, w.scalar, uint64(n)<<p.shift), "%s %d", name(p.rule), n)
						}
					})
				}
			}
			for bit := range 8 * w.scalar.Width() {
				if w.rest()>>bit&1 != 0 && (bit == 0 || w.rest()>>(bit-1)&1 == 0) {
					add(e.scalar(in.Rule, w.scalar, 1<<bit), "%s, bit %d", name(in.Rule), bit)
				}
			}
		}
	}
	for pc := range e.p.Code {
		in := &e.p.Code[pc]
		switch in.Op {
		case bytecode.Text:
			for _, bad := range badTexts {
				add([]byte(bad.text), "%s", bad.kind)
			}
		case bytecode.Scalars, bytecode.Lanes, bytecode.Packed:
			s := in.Scalar()
			if done[1<<31|uint32(s)] {
				continue
			}
			done[1<<31|uint32(s)] = true
			for _, x := range edges(s) {
				if s.IsFloat() {
					x, _ = interp.BitsOf(s, math.Float64frombits(x))
				}
				add(e.scalar(in.Rule, s, x), "%s", s)
			}
		}
	}
	if w := e.wrapper(); w != nil {
		add(w, "a value that holds the next one")
	}
	return all
}

// Dictionary returns tokens in the form that libFuzzer and AFL++ read, with a
// comment that says what the file is.
func Dictionary(about string, tokens []Token) []byte {
	var b strings.Builder
	for line := range strings.Lines(about) {
		b.WriteString("# " + line)
	}
	b.WriteString("\n")
	used := map[string]int{}
	for _, t := range tokens {
		name := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, t.Name)
		if used[name]++; used[name] > 1 {
			name = fmt.Sprintf("%s_%d", name, used[name])
		}
		fmt.Fprintf(&b, "%s=\"", name)
		for _, c := range t.Bytes {
			fmt.Fprintf(&b, "\\x%02x", c)
		}
		b.WriteString("\"\n")
	}
	return []byte(b.String())
}
