// Numbers of varying width on the wire, group by group.

package reference

import (
	"math/big"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// groups returns the groups of 7 bits of a number of varying width, the highest first.
func groups(c builtin.Coding, x int64) (out []byte) {
	n := new(big.Int).SetUint64(uint64(x))
	if c.Scalar().Signed() {
		n.SetInt64(x)
	}
	if c == builtin.Zigzag {
		if n.Lsh(n, 1); n.Sign() < 0 {
			n.Neg(n).Sub(n, big.NewInt(1))
		}
	}
	seven := big.NewInt(0x7f)
	for {
		group := byte(new(big.Int).And(n, seven).Uint64())
		out = append([]byte{group}, out...)
		n.Rsh(n, 7)
		ends := n.Sign() == 0
		if c == builtin.SLEB128 { // the highest bit of the last group is the sign
			ends = n.Sign() == 0 && group < 0x40 || n.Cmp(big.NewInt(-1)) == 0 && group >= 0x40
		}
		if ends {
			return out
		}
	}
}

// codedBytes returns the bytes of a number of varying width: its groups in their order on the
// wire. All but the last one have their highest bit set.
func codedBytes(c builtin.Coding, x int64) []byte {
	all := groups(c, x)
	if c != builtin.VLQ {
		for i, k := 0, len(all)-1; i < k; i, k = i+1, k-1 {
			all[i], all[k] = all[k], all[i]
		}
	}
	for i := range all[:len(all)-1] {
		all[i] |= 0x80
	}
	return all
}

// digitsOf returns the digits of a number, without zeros before them.
func digitsOf(c builtin.Coding, x uint64) string {
	return new(big.Int).SetUint64(x).Text(int(c.Base()))
}

// inDigits returns the bytes of a number in digits.
func inDigits(c builtin.Coding, x uint64) []byte {
	digits := digitsOf(c, x)
	return []byte(strings.Repeat("0", c.Digits()-len(digits)) + digits + c.Fill())
}

// digits takes a number in digits.
func (r *reader) digits(s wire) uint64 {
	begin, c := r.pos, s.coding
	text := string(r.take(int64(c.Width()), 1))
	digits, ok := strings.CutSuffix(text, c.Fill())
	if s.longer { // other spaces, and zero bytes for the fill
		digits, ok = strings.TrimLeft(strings.TrimRight(text, "\x00 "), " "), true
		if digits == "" {
			digits = "0"
		}
	}
	x, valid := new(big.Int).SetString(digits, int(c.Base()))
	if !ok || !valid || strings.Trim(digits, "0123456789") != "" || !x.IsUint64() {
		fail(interp.ErrValue, begin, "%d digits of base %d, found %q", c.Digits(), c.Base(), text)
	}
	return x.Uint64()
}

// coded takes a number of varying width.
func (r *reader) coded(s wire) int64 {
	begin, n := r.pos, new(big.Int)
	for i := 0; ; i++ {
		if i == builtin.MaxCoded {
			fail(interp.ErrValue, begin, "at most %d bytes", builtin.MaxCoded)
		}
		if r.left() == 0 {
			fail(interp.ErrTruncated, begin, "another byte of a number")
		}
		b := r.take(1, 1)[0]
		group := big.NewInt(int64(b & 0x7f))
		last := b < 0x80
		if s.coding == builtin.VLQ {
			n.Or(n.Lsh(n, 7), group)
		} else {
			n.Or(n, group.Lsh(group, uint(7*i)))
		}
		if !last {
			continue
		}
		switch {
		case s.coding == builtin.SLEB128 && b&0x40 != 0:
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(7*(i+1))))
		case s.coding == builtin.Zigzag && n.Bit(0) == 1:
			n.Neg(n.Add(n, big.NewInt(1))).Rsh(n, 1)
		case s.coding == builtin.Zigzag:
			n.Rsh(n, 1)
		}
		break
	}
	x, ok := int64(0), n.IsUint64()
	if x = int64(n.Uint64()); s.Signed() {
		x, ok = n.Int64(), n.IsInt64()
	}
	if !ok {
		fail(interp.ErrValue, begin, "a number of 64 bits")
	}
	if least := len(groups(s.coding, x)); !s.longer && r.pos-begin > least {
		fail(interp.ErrValue, begin, "%d bytes, found %d", least, r.pos-begin)
	}
	return x
}
