package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/internal/pattern"
)

var (
	parentheses = pattern.New(`\s*\([^)]*\)`)
	quoted      = pattern.New(`^(?:[Tt]he )?"([^"]+)"`)
	endOfName   = pattern.New(`[.:;,=—]|\s[-–]\s`)
	words       = pattern.New(`[A-Za-z0-9]+`)
	preamble    = pattern.New(`(?i)^(?:the )?(?:[a-z]+|[0-9]+)-(?:byte|bit) .*?\bat offset [0-9]+ (?:gives|designates|indicating|indicates|is|contains|holds|specifies) `)
	hexadecimal = pattern.New(`\b0[xX][0-9A-Fa-f]+\b`)
	sectionHead = pattern.New(`^(?:(?:Table |Figure )?[0-9]+(?:[-.][0-9]+)*[.:]?\s+)`)
	mixedCase   = pattern.New(`^(?:[A-Za-z][A-Za-z0-9_]*)?(?:[a-z][A-Z]|[A-Z]_[A-Za-z0-9]*[a-z])[A-Za-z0-9_]*$`)
	snakeCase   = pattern.New(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$`)
)

var dropped = map[string]bool{
	"the": true, "a": true, "an": true, "of": true, "in": true, "for": true, "this": true, "that": true, "is": true,
	"are": true, "to": true, "at": true, "by": true, "and": true, "or": true, "with": true, "which": true, "its": true,
	"it": true, "each": true, "from": true, "on": true, "as": true, "always": true, "be": true, "must": true,
}

// maxWords is the number of words in a name.
const maxWords = 4

// fieldName makes a name from a cell with a name or a description. It takes the first significant words, or
// the only word, such as a. A name in which case separates words, such as bLength, is unchanged. It returns "" if
// the text begins with a number or has no words.
func fieldName(text string) string {
	if name := cellText(text); mixedCase.MatchString(name) || snakeCase.MatchString(name) {
		return name
	}
	text = hexBytes.ReplaceAllString(cellText(text), "")
	text = preamble.ReplaceAllString(hexadecimal.ReplaceAllString(text, ""), "")
	if m := quoted.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = parentheses.ReplaceAllString(text, "")
	if at := endOfName.FindStringIndex(text); at != nil && strings.TrimSpace(text[:at[0]]) != "" {
		text = text[:at[0]]
	}
	var parts []string
	all := words.FindAllString(strings.ReplaceAll(text, "_", " "), -1)
	for _, w := range all {
		w = strings.ToLower(w)
		if dropped[w] && len(all) > 1 {
			continue
		}
		if len(parts) == 0 && unicode.IsDigit(rune(w[0])) {
			return ""
		}
		if parts = append(parts, w); len(parts) == maxWords {
			break
		}
	}
	return strings.Join(parts, "_")
}

// typeName makes the name of a type of a title or a caption.
func typeName(text string) string {
	text = parentheses.ReplaceAllString(sectionHead.ReplaceAllString(text, ""), "")
	text = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(text), " format"), " Format")
	name := ""
	for i, w := range words.FindAllString(text, -1) {
		if i == 0 && unicode.IsDigit(rune(w[0])) {
			name = "T"
		}
		name += strings.ToUpper(w[:1]) + w[1:]
		if i == 2*maxWords {
			break
		}
	}
	return name
}

// unique returns a name that is not taken, with a number if need be, and takes it.
func unique(name string, taken map[string]bool) string {
	got := name
	for n := 2; taken[got]; n++ {
		got = fmt.Sprintf("%s%d", name, n)
		if last := name[len(name)-1]; unicode.IsDigit(rune(last)) {
			got = fmt.Sprintf("%s_%d", name, n)
		}
	}
	taken[got] = true
	return got
}

var (
	saysFilled   = pattern.New(`(?i)\b(nul|null|zero|0)[- ]?(padded|filled|terminated)\b|\bpadded with (nul|null|zero|0)`)
	saysSpaces   = pattern.New(`(?i)\b(space|blank)s?[- ]?(padded|filled)\b|\b(padded|filled) with (spaces|blanks)\b`)
	saysASCII    = pattern.New(`(?i)\bascii\b`)
	saysUnused   = pattern.New(`(?i)^\W*(padding|reserved|unused|unknown|filler)\b`)
	saysMagic    = pattern.New(`(?i)^(the |file |always )*(magic|signature|identifier|tag|sync|marker|terminator)\b|^always\b`)
	saysFloat    = pattern.New(`(?i)\b(floats?|ieee|floating)\b`)
	saysText     = pattern.New(`(?i)\b(utf-?8|text|string|name|ascii|characters)\b`)
	saysBytes    = pattern.New(`(?i)^[^.]*\b(string|ascii|characters|letters|signature)\b`)
	saysLetters  = pattern.New(`(?i)\bchars?\b`)
	saysEnded    = pattern.New(`(?i)\b(nul|null|zero|0)[- ](terminated|ended)\b`)
	saysSigned   = pattern.New(`(?i)(\bsigned\b|two'?s.complement|\b(s?int|i)(8|16|24|32|64)(_t)?\b)`)
	saysUnsigned = pattern.New(`(?i)(\bunsigned\b|\b(uint|u)(8|16|24|32|64)(_t)?\b|\b[dq]?word\b|\bbyte\b)`)
	saysLength   = pattern.New(`(?i)\b(length|len|size|count|number of|bytes|amount|elements)\b`)
	saysBig      = pattern.New(`(?i)(big[- ]endian|most significant byte (comes )?first|highest byte (comes )?first|network (byte )?order)`)
	saysLittle   = pattern.New(`(?i)(little[- ]endian|least significant byte (comes )?first|lowest byte (comes )?first)`)
)

// A guess is the type of a row, and what the document leaves open about it.
type guess struct {
	text string
	attr string // of the row, with a blank before it
	sign bool   // the document does not say whether the number has a sign
	mark string // why the type may be wrong
}

var integers = map[int]string{1: "8", 2: "16", 3: "24", 4: "32", 5: "40", 6: "48", 8: "64"}

// fixed guesses the type of a row of a number of bytes.
func fixed(n int, r *audit.Row) guess {
	class := audit.TypeClass(audit.Translated("type", r.Type))
	about := r.Type + " " + r.Description
	if g, ok := named(n, r); ok {
		return g
	}
	if cellText(r.Type) == "" && n > 1 && saysText.MatchString(r.Description) {
		if g, ok := filled(n, r.Description); ok {
			return g
		}
	}
	switch {
	case class == "" && n == 4 && constantText(r) != "" && constantLetters(n, r) != "":
		return guess{text: "code4"}
	case class == "" && saysUnused.MatchString(r.Description) && (n == 3 || n > 4):
	case class == "Byte" && n == 4 && saysLetters.MatchString(r.Type):
		return guess{text: "code4"}
	case class == "Byte" && n > 1:
	case class == "Float" || class == "" && saysFloat.MatchString(about):
		switch {
		case n == 2 || n == 4 || n == 8:
			return guess{text: fmt.Sprintf("f%d", 8*n)}
		case n > 0 && n%4 == 0:
			return guess{text: fmt.Sprintf("f32[%d]", n/4), mark: "floats of 32 bits are taken"}
		}
	case class == "Integer" || class == "Byte" || class == "" && (n == 1 || !saysBytes.MatchString(r.Description)):
		bits, ok := integers[n]
		if !ok {
			break
		}
		g := guess{text: "u" + bits}
		switch {
		case saysUnsigned.MatchString(about):
		case saysSigned.MatchString(about):
			g.text = "i" + bits
		default:
			g.sign = n > 1 || class == "Integer"
		}
		if class == "Integer" && saysFloat.MatchString(r.Description) {
			g.mark = "the page says both integer and float; an integer is taken"
		}
		return g
	}
	g := guess{text: fmt.Sprintf("u8[%d]", n)}
	if class == "Integer" || class == "Float" {
		g.mark = fmt.Sprintf("no number has %d bytes; bytes are taken", n)
	}
	return g
}

// named returns the type of a row of a number of bytes whose type cell names numbers of this size.
func named(n int, r *audit.Row) (guess, bool) {
	t := audit.NamedType(audit.Translated("type", r.Type))
	if t == nil {
		return guess{}, false
	}
	if t.Count < 0 {
		t.Count = n / t.Bytes()
	}
	if t.Bytes() != n {
		return guess{}, false
	}
	name := t.Type.Name
	if t.Chars && (n != 4 || saysSpaces.MatchString(r.Description)) && n > 1 {
		if g, ok := filled(n, r.Description); ok {
			return g, true
		}
	}
	switch {
	case t.Chars && n == 1:
		return guess{}, false
	case t.Chars && n == 4:
		return guess{text: "code4"}, true
	case t.Chars && (n < 4 || 4 < n && n <= 8) && constantText(r) != "" && constantLetters(n, r) != "":
		return guess{text: fmt.Sprintf("u%dle", 8*n)}, true
	}
	if t.Order != "" && t.Type.Scalar.Width() > 1 {
		name += t.Order
	}
	if t.Count > 0 {
		name += fmt.Sprintf("[%d]", t.Count)
	}
	return guess{text: name}, true
}

// filled returns the type of text of n bytes that is filled up, if the description speaks of that.
func filled(n int, about string) (guess, bool) {
	charset, g := "utf8", guess{attr: ` fill "00" any`}
	switch {
	case saysSpaces.MatchString(about):
		charset, g.attr = "ascii", ` fill "20"`
	case !saysFilled.MatchString(about):
		return guess{}, false
	}
	if saysASCII.MatchString(about) {
		charset = "ascii"
	} else {
		g.mark = "text in " + map[string]string{"utf8": "UTF-8", "ascii": "ASCII"}[charset] + " is taken"
	}
	g.text = fmt.Sprintf("%s[%d]", charset, n)
	return g, true
}

var (
	hexNumber = pattern.New(`0[xX][0-9A-Fa-f]+`)
	hexBytes  = pattern.New(`(?:\b0[xX]|\$|\b)[0-9A-Fa-f]{2}(?:,? (?:0[xX]|\$)?[0-9A-Fa-f]{2})+\b`)
	always    = pattern.New(`(?i)^always ([0-9]+)\b`)
	isQuoted  = pattern.New("^[`\"']+[!-~]{2,8}[`\"']+$")
	letters   = pattern.New("[`\"']([!#-&(-_a-~]{2,8})[`\"']")
	texts     = pattern.New("[`\"]([ -~]{9,64})[`\"]")
	zeroBytes = strings.NewReplacer(`\000`, "\x00", `\x00`, "\x00", `\0`, "\x00")
	saysZero  = pattern.New(`(?i)^\W*(padding|reserved|unused|filler)\b.*\b(must be|should be|shall be|set to|always|is|are) (all )?(zeros?|0)\b`)
)

// constantText returns the description of a row if the row always has the same number, else "". The name is before it if
// the name says so.
func constantText(r *audit.Row) string {
	name, about := cellText(r.Name), cellText(r.Description)
	switch {
	case saysMagic.MatchString(name):
		return name + " " + about
	case saysMagic.MatchString(about), isQuoted.MatchString(strings.TrimSpace(r.Description)):
		return about
	}
	return ""
}

// constantLetters returns the code of n letters that the description of a constant has in quotation marks, or "".
func constantLetters(n int, r *audit.Row) string {
	found := letters.FindAllStringSubmatch(r.Description, -1)
	found = slices.DeleteFunc(found, func(m []string) bool { return len(m[1]) != n })
	if len(found) != 1 || strings.ContainsAny(found[0][1], "'\\") {
		return ""
	}
	return "'" + found[0][1] + "'"
}

// constantRow returns the type and the value of a long row that is always the same. The description says so: it has a text of n
// characters in quotation marks, or speaks of zeros. For another row constantRow returns "".
func constantRow(n int, r *audit.Row) (kind, value string) {
	about := strings.NewReplacer("<tt>", "", "</tt>", "").Replace(r.Description)
	if saysZero.MatchString(about) {
		return fmt.Sprintf("u8[%d]", n), "0"
	}
	if constantText(r) == "" {
		return "", ""
	}
	var found []string
	for _, m := range texts.FindAllStringSubmatch(about, -1) {
		if text := zeroBytes.Replace(m[1]); len(text) == n {
			found = append(found, text)
		}
	}
	if len(found) != 1 {
		return "", ""
	}
	return fmt.Sprintf("ascii[%d]", n), strconv.Quote(found[0])
}

// constantBytes returns the type and the number of a row that always has the same n bytes. The description has them in
// hexadecimal digits, one after the other. For another row it returns "".
func constantBytes(n int, r *audit.Row) (kind, value string) {
	bits, found := integers[n], hexBytes.FindAllString(constantText(r), -1)
	if bits == "" || len(found) != 1 {
		return "", ""
	}
	digits := strings.NewReplacer("0x", "", "0X", "", "$", "", ",", "", " ", "").Replace(found[0])
	if len(digits) != 2*n {
		return "", ""
	}
	return "u" + bits + "be", "0x" + strings.ToLower(digits)
}

// constant returns the number that a description says a row of an unsigned number always has, or "".
func constant(kind string, n int, r *audit.Row) string {
	about := constantText(r)
	if about == "" {
		return ""
	}
	if kind == "code4" || strings.HasSuffix(kind, "le") {
		if code := constantLetters(n, r); code != "" || kind == "code4" {
			return code
		}
	}
	if !strings.HasPrefix(kind, "u") || strings.Contains(kind, "[") {
		return ""
	}
	found := hexNumber.FindAllString(about, -1)
	if m := always.FindStringSubmatch(about); m != nil {
		found = append(found, m[1])
	}
	if len(found) != 1 {
		return ""
	}
	if _, err := strconv.ParseUint(found[0], 0, 8*n); err != nil {
		return ""
	}
	return found[0]
}

// A length is what a cell says about the bytes of a row: a number, or factor times a letter.
type length struct {
	bytes  int
	factor int
	letter string
	ok     bool
	others bool // the cell has other lengths behind this one
}

// severalLengths is a length of 4 or 8 bytes.
var severalLengths = pattern.New(`^([0-9]+) *(?:/|or|,) *[0-9]+(?: bytes)?$`)

var product = pattern.New(`^(?:([0-9]+)[*×])?([A-Za-z_][A-Za-z0-9_]*)(?:[*×]([0-9]+))?$`)

func lengthOf(cell string) length {
	if strings.Trim(cell, ".…") == "" && cell != "" {
		return length{factor: 1}
	}
	if m := severalLengths.FindStringSubmatch(cellText(cell)); m != nil {
		l := lengthOf(m[1])
		l.others = true
		return l
	}
	cell = strings.NewReplacer(`\`, "", "`", "", " ", "").Replace(strings.TrimSuffix(strings.TrimSuffix(cell, " bytes"), " byte"))
	if n, err := strconv.ParseUint(cell, 0, 31); err == nil && n < 1<<20 && !(len(cell) > 1 && cell[0] == '0' && cell[1] != 'x') {
		return length{bytes: int(n), ok: true}
	}
	if m := product.FindStringSubmatch(cell); m != nil {
		l := length{letter: m[2], factor: 1, ok: true}
		for _, f := range []string{m[1], m[3]} {
			if n, err := strconv.Atoi(f); err == nil {
				l.factor *= n
			}
		}
		return l
	}
	return length{}
}

// elements returns the type of n elements that take factor bytes each.
func elements(factor int, r *audit.Row, n string) (string, bool) {
	class := audit.TypeClass(audit.Translated("type", r.Type))
	if factor == 1 {
		if saysLetters.MatchString(r.Type) || saysText.MatchString(r.Type+" "+r.Description) && !strings.EqualFold(class, "byte") {
			return "utf8[" + n + "]", true
		}
		return "u8[" + n + "]", false
	}
	kind := "u"
	if class == "Float" || saysFloat.MatchString(r.Description) {
		kind = "f"
	} else if saysSigned.MatchString(r.Type + " " + r.Description) {
		kind = "i"
	}
	if bits := integers[factor]; bits != "" && (kind != "f" || factor == 4 || factor == 8) {
		return kind + bits + "[" + n + "]", false
	}
	return "", false
}
