package engines

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// CompareTexts checks how an engine reads our texts. The text is that of an answer, and read
// has, for each answer, the bytes that the engine writes for the value that it read in the
// text.
func (r *Report) CompareTexts(e Engine, cases []Case, answers []Answer, read []string) {
	for i, a := range answers {
		if !r.Read.add(r.sameText(e, cases[i], a, read[i])) {
			r.fail(cases[i], "the engine reads something else in our text "+clip(a.Text), read[i], "ok "+a.Hex)
		}
	}
}

func (r *Report) sameText(e Engine, c Case, a Answer, engine string) bool {
	if a.Hex == engine {
		return true
	}
	d := dialects[e.Spec]
	packet, err := hex.DecodeString(c.Hex)
	if err != nil {
		return false
	}
	theirs, err := hex.DecodeString(engine)
	if err != nil {
		return false
	}
	mine, err := hex.DecodeString(a.Hex)
	if err != nil {
		return false
	}
	_, seen, err := normal(d, packet, 0)
	if err != nil {
		return false
	}
	// A name may lose all of its characters on reading.
	if _, ours, err := normal(d, mine, 0); err == nil {
		seen.unsaid = seen.unsaid || ours.unsaid
	}
	switch {
	case seen.unsaid && gaveUp(a, mine, theirs):
		r.Excused[ruleUnsaid]++
		return true
	case seen.special && e.noSpecial && gaveUp(a, mine, theirs):
		r.Excused[ruleSpecial]++
		return true
	}
	rules := ruleNaNBits | ruleDigits
	if d.oldPath {
		rules |= rulePadding
	}
	if seen.wrong {
		rules |= ruleElements
	}
	if seen.wrongValue {
		rules |= ruleValues
	}
	if seen.noText {
		rules |= ruleNoText
	}
	if seen.className {
		rules |= ruleClassName
	}
	if !equalNumbers(d, theirs, mine, rules) {
		return false
	}
	for _, n := range ruleNames {
		if rules&n.rule != 0 && equalNumbers(d, theirs, mine, rules&^n.rule) {
			rules &^= n.rule
		}
	}
	for _, n := range ruleNames {
		if rules&n.rule != 0 {
			r.Excused[n.rule]++
		}
	}
	return true
}

// equalNumbers is equal, but with ruleDigits doubles may differ about which it is true
// that no digits mean them.
func equalNumbers(d *dialect, engine, ours []byte, rules rule) bool {
	x := walker{d: d, rules: rules, in: ours}
	if _, err := x.value(); err != nil {
		return false
	}
	y := walker{d: d, rules: rules, in: engine, given: x.wrongs}
	if y.given == nil {
		y.given = []bool{}
	}
	if _, err := y.value(); err != nil {
		return false
	}
	bx, by := x.out.Bytes(), y.out.Bytes()
	if rules&ruleDigits != 0 && len(bx) == len(by) {
		for _, at := range x.numbers {
			if at+8 > len(bx) {
				continue // inside what was left aside
			}
			fx := math.Float64frombits(binary.LittleEndian.Uint64(bx[at:]))
			fy := math.Float64frombits(binary.LittleEndian.Uint64(by[at:]))
			// Zeros before the first digit count towards the 18 that engines look at: 13 are left of 0.0001…
			if fx != fy && math.Abs(fx-fy) <= max(math.Abs(fx)*1e-12, 1e-290) && !hasDigits(fx) {
				copy(by[at:at+8], bx[at:at+8])
			}
		}
	}
	return bytes.Equal(bx, by)
}

// gaveUp reports whether the engine found no value in a text. Godot 4 then has null or an empty
// value of the type, Godot 3 the text itself.
func gaveUp(a Answer, ours, theirs []byte) bool {
	if len(theirs) >= 8 && theirs[0] == 4 {
		return bytes.HasPrefix(theirs[8:], []byte(a.Text))
	}
	if len(theirs) > 4 && theirs[0] != ours[0] {
		return false
	}
	return len(theirs) >= 4 && len(theirs) <= 16 && len(bytes.Trim(theirs[1:], "\x00\x80")) == 0
}

// hasDigits reports whether some decimal number of 17 or 18 digits is f, which is not zero. It
// must be f both to a reader that rounds correctly and to the engines.
func hasDigits(f float64) bool {
	f = math.Abs(f)
	if f < 0x1p-1021 { // the power of ten is infinite, and few digits are many numbers
		return false
	}
	for n := 17; n <= 18; n++ {
		text := strconv.FormatFloat(f, 'e', n-1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		middle, _ := strconv.ParseInt(strings.Replace(mantissa, ".", "", 1), 10, 64)
		exp, _ := strconv.Atoi(exponent)
		exp -= n - 1
		for _, step := range []int64{1, -1} {
			for m := middle; ; m += step {
				if exact, _ := strconv.ParseFloat(strconv.FormatInt(m, 10)+"e"+strconv.Itoa(exp), 64); exact != f {
					break
				}
				if engineReads(m, exp) == f {
					return true
				}
			}
		}
	}
	return false
}

// engineReads is what the engines read of a number of at most 18 digits and a power of ten.
func engineReads(m int64, exp int) float64 {
	f := 1e9*float64(m/1e9) + float64(m%1e9)
	size, power := min(max(exp, -exp), 511), 1.0
	for i, factor := range []float64{1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256} {
		if size>>i&1 == 1 {
			power *= factor
		}
	}
	if exp < 0 {
		return f / power
	}
	return f * power
}
