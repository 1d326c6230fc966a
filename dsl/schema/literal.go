// Numbers of literals.

package schema

import (
	"math"
	"strconv"
	"strings"
)

// Whole returns a numeral without underscores, and in decimal if it is hexadecimal. It is
// empty for other literals and for -inf.
func (l *Literal) Whole() string {
	if l.Kind != Numeral || l.Num == "-inf" {
		return ""
	}
	sign, text := "", strings.ReplaceAll(l.Num, "_", "")
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = "-", rest
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		if u, err := strconv.ParseUint(text, 0, 64); err == nil {
			text = strconv.FormatUint(u, 10)
		}
	}
	return sign + text
}

// Float returns the number of a literal: a numeral, inf or nan. False means another literal.
func (l *Literal) Float() (float64, bool) {
	switch {
	case l.Kind == Numeral:
		f, err := strconv.ParseFloat(strings.ReplaceAll(l.Num, "_", ""), 64)
		return f, err == nil
	case l.Kind == Named && l.Name == "inf":
		return math.Inf(1), true
	case l.Kind == Named && l.Name == "nan":
		return math.NaN(), true
	}
	return 0, false
}
