package schematest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

var (
	number   = regexp.MustCompile(`\b(0x[0-9a-fA-F_]+|[0-9][0-9_]*)\b`)
	operator = regexp.MustCompile(`==|!=|<=|>=|<<|>>|&&|\|\||[-+*/%&^<>]`)
	name     = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*`)
)

var operators = strings.Fields("== != < <= > >= + - ^ * / % & << >> && ||")

// edges are numbers at the ends of types and of what languages count with.
var edges = strings.Fields("0 1 2 7 31 32 52 53 63 64 127 128 255 256 0x7fff 0x8000 0xffff 0x7fffffff 0x80000000 0xffffffff 0x100000000 " +
	"0x1fffffffffffff 0x20000000000000 0x20000000000001 0x7fffffffffffffff 0x8000000000000000 0xffffffffffffffff")

// alike are types that may take the place of each other: most have the same width.
var alike = [][]string{
	strings.Fields("u8 i8 bool8"), strings.Fields("u16 i16 u16be i16le f16 bool16"), strings.Fields("u24 i24 u24be"),
	strings.Fields("u32 i32 f32 code4 u32be bool32 i32le"), strings.Fields("u40 i40"), strings.Fields("u48 i48"), strings.Fields("u56 i56"),
	strings.Fields("u64 i64 f64 u64be i64le"), strings.Fields("leb128 sleb128 zigzag vlq ber quic compactsize ebml"),
	strings.Fields("utf8 latin1 ascii macroman windows1252 cp437"),
}

// rows are the length and the type of rows that are added.
var rows = []string{
	"1 | u8", "1 | i8", "8 | u64", "8 | i64", "4 | u32", "4 | f32", "7 | u56", "3 | i24", "2 | bool16",
	"6 | octal[6]", "ZA | leb128", "ZB | zigzag", `ZC | utf8[until "00"]`,
}

// Vary changes one row of a schema, or its order of bytes, as for a similar format. It changes a type, a number or an
// operator, or adds a check, a condition, a computed value, bits or a row. Many results resolve.
func Vary(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	var at []int
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "|") && strings.Count(line, "|") > 4 {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return text
	}
	i := at[r.IntN(len(at))]
	v := variation{Rand: r}
	for _, k := range at { // names of the rows before, most of them of the same record
		if found := name.FindString(strings.Split(lines[k], "|")[4]); found != "" && k <= i && i-k < 12 {
			v.names = append(v.names, found)
		}
	}
	switch r.IntN(10) {
	case 0:
		return swapOrder(text)
	case 1:
		return Mutate(r, text)
	}
	lines[i] = v.row(lines[i])
	return strings.Join(lines, "\n")
}

// swapOrder exchanges the order of bytes of a schema.
func swapOrder(text string) string {
	for _, by := range [][2]string{{"order little", "order big"}, {"order big", "order little"}} {
		if strings.Contains(text, by[0]) {
			return strings.Replace(text, by[0], by[1], 1)
		}
	}
	return strings.Replace(text, "{\n", "{\n    order big\n", 1)
}

// variation changes a row. It knows names that the row may use.
type variation struct {
	*rand.Rand
	names []string
}

// one returns one of a few words.
func (v variation) one(of []string) string { return of[v.IntN(len(of))] }

// row returns another row in place of one.
func (v variation) row(row string) string {
	cells := strings.Split(row, "|")
	open := strings.HasSuffix(row, "{")
	switch v.IntN(9) {
	case 0, 1:
		return v.retyped(row)
	case 2:
		return v.replaced(row, number, v.one(edges))
	case 3:
		return v.replaced(row, operator, v.one(operators))
	case 4:
		if !strings.Contains(cells[4], "=") {
			cells[4] += "= " + v.expr(v.IntN(3))
			return strings.Join(cells, "|") + v.perhaps(" any")
		}
	case 5:
		if !open {
			return row + v.one([]string{" any", " if " + v.expr(1+v.IntN(2))})
		}
	case 6:
		if !open {
			return row + v.added()
		}
	case 7:
		if !open {
			return row + v.bits()
		}
	default:
		if !open {
			return row + " check " + v.expr(1+v.IntN(3))
		}
	}
	return row
}

// perhaps returns a text or none.
func (v variation) perhaps(s string) string {
	if v.IntN(2) == 0 {
		return ""
	}
	return s
}

// retyped gives the row other types.
func (v variation) retyped(row string) string {
	return name.ReplaceAllStringFunc(row, func(word string) string {
		for _, set := range alike {
			if slices.Contains(set, word) {
				return v.one(set)
			}
		}
		return word
	})
}

// replaced puts other in place of one of the parts that match.
func (v variation) replaced(row string, part *regexp.Regexp, other string) string {
	all := part.FindAllStringIndex(row, -1)
	if len(all) == 0 {
		return row
	}
	at := all[v.IntN(len(all))]
	return row[:at[0]] + other + row[at[1]:]
}

// added returns one row more, which may be computed.
func (v variation) added() string {
	row := fmt.Sprintf("\n    | Z%d | %s | added%d", v.IntN(1000), v.one(rows), v.IntN(1000))
	if v.IntN(2) == 0 {
		return row + " |"
	}
	return row + " = " + v.expr(1+v.IntN(2)) + " |" + v.perhaps(" any")
}

// bits returns fields of bits of the row.
func (v variation) bits() string {
	own := variation{v.Rand, []string{"low", "high"}}
	value := ""
	if v.IntN(3) == 0 {
		value = " = " + v.expr(v.IntN(3))
	}
	return fmt.Sprintf(" {\n 0 low%s\n 2..%d high check %s\n rest any\n }", value, 3+v.IntN(60), own.expr(1+v.IntN(2)))
}

// expr returns an expression of names and numbers.
func (v variation) expr(depth int) string {
	if depth == 0 || v.IntN(4) == 0 {
		if v.IntN(3) == 0 || len(v.names) == 0 {
			return v.one(edges)
		}
		return v.one(v.names)
	}
	a, b := v.expr(depth-1), v.expr(depth-1)
	switch v.IntN(10) {
	case 0:
		return "(-(" + a + "))"
	case 1:
		return "(!(" + a + "))"
	case 2:
		return v.one([]string{"min", "max"}) + "(" + a + ", " + b + ")"
	}
	return "(" + a + " " + v.one(operators) + " " + b + ")"
}
