// Numbers of varying width: a type for each coding, whose groups of 7 bits Kaitai reads one by one.

package kaitai

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// numeral returns the type of the entry of a number, and what follows the name of the entry in an
// expression for the number.
func (w *writer) numeral(s *model.Stmt) (typ, path string) {
	if !s.Coding.Varies() {
		w.missing.Coded(s)
		return w.scalar(s.Scalar, s.Swapped), ""
	}
	key := s.Coding.String()
	if s.Longer {
		key += "_any"
	}
	name, ok := w.lanes[key]
	if !ok {
		name = w.taken.Name(key)
		w.lanes[key] = name
		w.coded(w.newType(name, nil), s.Coding, s.Longer)
	}
	return name, ".number"
}

// coded declares the entries of a number of varying width: its groups, and what they must be.
func (w *writer) coded(t *ktype, c builtin.Coding, longer bool) {
	t.add("", "groups").set("type", "u1").set("repeat", "until").set("repeat-until", "_ < 128")
	t.demand("", fmt.Sprintf("groups.size <= %d", builtin.MaxCoded), "the number has at most 10 bytes")
	highest, shorter := "groups[9] <= 1", "groups.last == 0"
	switch c {
	case builtin.SLEB128:
		below := "groups[groups.size - 2] % 128"
		highest = "groups[9] == 0 or groups[9] == 127"
		shorter = "(groups.last == 0 and " + below + " < 64) or (groups.last == 127 and " + below + " >= 64)"
	case builtin.VLQ:
		highest, shorter = "groups[0] <= 129", "groups[0] == 128"
	}
	t.demand("", fmt.Sprintf("groups.size < %d or (%s)", builtin.MaxCoded, highest), "the number has 64 bits")
	if !longer {
		t.demand("", "groups.size == 1 or not ("+shorter+")", "the number has no more bytes than necessary")
	}
	switch c {
	case builtin.SLEB128: // of a negative number, the groups are those of what is above it, up to -1
		negative := t.instance("negative", "groups.last >= 64")
		above := t.instance("magnitude", sum(func(i int) string {
			return fmt.Sprintf("(%s ? 127 - groups[%d] %% 128 : groups[%d] %% 128).as<s8>", negative, i, i)
		}))
		t.instance("number", fmt.Sprintf("%s ? 0 - %s - 1 : %s", negative, above, above))
	case builtin.Zigzag:
		twice := t.instance("twice", sum(lowestFirst))
		half := fmt.Sprintf("(%s / 2).as<s8>", twice)
		t.instance("number", fmt.Sprintf("%s %% 2 == 0 ? %s : 0 - %s - 1", twice, half, half))
	case builtin.VLQ:
		t.instance("number", sum(func(i int) string { return fmt.Sprintf("(groups[groups.size - %d] %% 128).as<u8>", i+1) }))
	default:
		t.instance("number", sum(lowestFirst))
	}
}

// lowestFirst returns a group of a number whose lowest group is first.
func lowestFirst(i int) string { return fmt.Sprintf("(groups[%d] %% 128).as<u8>", i) }

// sum returns the sum of the groups of a number, given the group that begins at bit 7i.
func sum(group func(i int) string) string {
	text := group(0)
	for i := 1; i < builtin.MaxCoded; i++ {
		factor := fmt.Sprint(int64(1) << (7 * min(i, 8)))
		if i == 9 { // as 2^63 is beyond the literals of some languages
			factor += " * 128"
		}
		text += fmt.Sprintf(" + (groups.size > %d ? %s * %s : 0)", i, group(i), factor)
	}
	return text
}
