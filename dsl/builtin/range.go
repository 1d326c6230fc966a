// Ranges of numbers, such as those of an arm.

package builtin

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Range is the numbers from Lo to Hi, both included.
type Range struct{ Lo, Hi uint64 }

// One returns the range of one number.
func One(n uint64) Range { return Range{n, n} }

// String returns the range as a schema writes it: 5, or 5..9.
func (r Range) String() string { return r.Text(false) }

// Text prints the range, with hexadecimal numbers if hex is true.
func (r Range) Text(hex bool) string {
	verb := "%d"
	if hex {
		verb = "%#x"
	}
	if r.Lo == r.Hi {
		return fmt.Sprintf(verb, r.Lo)
	}
	return fmt.Sprintf(verb+".."+verb, r.Lo, r.Hi)
}

// Ranges are a set of numbers. [Join] makes them sorted, with a gap between each two.
type Ranges []Range

// Join returns the numbers of all ranges.
func Join(all ...Range) Ranges {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	var out Ranges
	for _, r := range all {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 && out[n-1].Hi+1 != 0 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else if n == 0 || out[n-1].Hi+1 != 0 {
			out = append(out, r)
		}
	}
	return out
}

// String returns the ranges as a schema writes them: 5, 7..9.
func (rs Ranges) String() string { return rs.Text(false) }

// Text prints the ranges, with hexadecimal numbers if hex is true.
func (rs Ranges) Text(hex bool) string {
	text := make([]string, len(rs))
	for i, r := range rs {
		text[i] = r.Text(hex)
	}
	return strings.Join(text, ", ")
}

// Contains reports whether a number is in a range.
func (rs Ranges) Contains(n uint64) bool {
	return slices.ContainsFunc(rs, func(r Range) bool { return r.Lo <= n && n <= r.Hi })
}

// Several reports whether there is more than one number.
func (rs Ranges) Several() bool { return len(rs) > 1 || len(rs) == 1 && rs[0].Lo != rs[0].Hi }

// Count returns how many numbers there are; 0 represents 2^64.
func (rs Ranges) Count() uint64 {
	n := uint64(0)
	for _, r := range rs {
		n += r.Hi - r.Lo + 1
	}
	return n
}

// Without returns the numbers of rs that are not in other ranges, which are those of [Join].
func (rs Ranges) Without(other Ranges) Ranges {
	var out Ranges
next:
	for _, left := range rs {
		for _, r := range other {
			if r.Hi < left.Lo || r.Lo > left.Hi {
				continue
			}
			if r.Lo > left.Lo {
				out = append(out, Range{left.Lo, r.Lo - 1})
			}
			if r.Hi >= left.Hi {
				continue next
			}
			left.Lo = r.Hi + 1
		}
		out = append(out, left)
	}
	return out
}

// Shared returns the lowest number of a range that rs has too, and whether there is one.
func (rs Ranges) Shared(of Range) (n uint64, ok bool) {
	for _, r := range rs {
		if first := max(r.Lo, of.Lo); first <= min(r.Hi, of.Hi) && (!ok || first < n) {
			n, ok = first, true
		}
	}
	return n, ok
}

// Integers returns the integers from lo to hi in two's complement.
func Integers(lo, hi int64) Ranges {
	if lo >= 0 || hi < 0 {
		return Ranges{{uint64(lo), uint64(hi)}}
	}
	return Join(Range{0, uint64(hi)}, Range{uint64(lo), math.MaxUint64})
}

// Signed returns the ranges of two's complement numbers of 64 bits for comparisons with sign. No range has its end
// before its begin, and one from -1 to 0 is not divided.
func (rs Ranges) Signed() Ranges {
	var out Ranges
	for _, r := range rs {
		if r.Lo>>63 != r.Hi>>63 {
			out = append(out, Range{r.Lo, 1<<63 - 1})
			r.Lo = 1 << 63
		}
		out = append(out, r)
	}
	if last := len(out) - 1; last > 0 && out[0].Lo == 0 && out[last].Hi == math.MaxUint64 {
		out[0].Lo = out[last].Lo
		return out[:last]
	}
	return out
}

// Varying returns the bits that are not the same in all numbers.
func (rs Ranges) Varying() uint64 {
	out := uint64(0)
	for _, r := range rs {
		out |= r.Lo ^ rs[0].Lo
		for x := r.Lo ^ r.Hi; x != 0; x >>= 1 {
			out |= x // below the highest bit that differs, every bit differs somewhere
		}
	}
	return out
}
