// Advice on rows in which another language or a document has something else.

package dsl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/octable/octable/dsl/builtin"
)

// rowAdvice says how a row is written in which something is out of place, or "". Other languages have it at that place.
func rowAdvice(list []lexer.Token, at int) string {
	found, before := list[at], list[at-1]
	switch {
	case found.Value == "-" && before.Value == "end" && columns(list[:at]) == 3:
		return "what ends N bytes before the end has the length end-N: | 8 | end-N | " + list[max(at-4, 0)].Value + "[until end] | … |"
	case found.Value == "-" && before.Value == "end" && at > 2 && list[at-3].Value == "repeat":
		return "a list that leaves bytes for the rows behind it is written: repeat until left() <= 24 as name { … }"
	case found.Value == "until" && before.Type == identToken && columns(list[:at]) == 3:
		return "it is written: " + before.Value + "[until …]"
	case found.Type == identToken && before.Type == identToken && columns(list[:at]) == 3 && at+1 < len(list) && list[at+1].Value == "[":
		return "the name is in the next cell, and a count behind the type: | offset | length | " + before.Value + "[4] | " + found.Value + ` | "description"`
	case found.Type == identToken && slices.Contains([]string{"schema", "extends", "import", "page"}, before.Value):
		return "ids are in quotation marks: " + before.Value + " " + strconv.Quote(found.Value)
	case builtin.AttributeNamed(found.Value) != nil && before.Value != "|" && (columns(list[:at]) == 3 || columns(list[:at]) == 4):
		shape := schemaShapes["|"] + " " + found.Value
		if at+1 < len(list) && list[at+1].Value != "|" {
			shape += " …"
		}
		return "it is behind the description: " + shape
	case (found.Value == "<<" || found.Value == ">>" || found.Value == "&") && columns(list[:at]) == 3:
		return "a bar ends a cell; numbers of different bits are joined with +: a << 8 + b"
	case before.Value == "{" && found.Type == identToken && at+1 < len(list) && list[at+1].Type == identToken && list[at+1].Pos.Line == found.Pos.Line && len(openBrackets(list[:at])) == 1 && list[0].Value != "schema":
		return "it is written: " + schemaShapes["|"]
	case before.Value == "{" && (found.Type == numberToken || found.Value == "rest") && afterIf(list[:at-1]):
		return `bits are before the attributes of their row: | … | "description" { 0 flag } if condition`
	case found.Value == "{" && columns(list[:at]) > 4:
		return `bits are before the attributes of their row: | … | "description" { 0 flag } any`
	}
	return cellAdvice(list, at, columns(list[:at]))
}

// The columns of a row, as the number of bars before them.
const (
	lengthColumn = 2 + iota
	typeColumn
	nameColumn
	behindName
)

const letterAdvice = "an offset or a length that is not a number is a letter, such as N"

// cellAdvice says how a cell is written in which another language or a document has something else, or "".
func cellAdvice(list []lexer.Token, at, column int) string {
	const (
		order = "the order of bytes is the end of the name of a type: "
		toEnd = "bytes up to the end have a letter as their length, and the type u8[until end]"
	)
	found, before := list[at], list[at-1]
	word := found.Type == identToken
	switch {
	case column <= lengthColumn && column > 0 && (found.Value == ".." || found.Value == "=") && before.Value == "|", column-1 <= lengthColumn && column > 1 && found.Value == "|" && before.Value == "-":
		return letterAdvice
	case column == lengthColumn-1 && found.Value == "..":
		return "the offset is that of the first byte, and the length is in the next cell"
	case column == typeColumn && found.Value == ".." && before.Value == "[":
		return toEnd
	case column == typeColumn && found.Value == "*" && before.Type == identToken:
		return "the count of a list is in brackets: " + before.Value + "[n]"
	case column == typeColumn && word && byteOrders[strings.ToLower(found.Value)] != "" && builtin.TypeNamed(before.Value) != nil:
		return order + before.Value + byteOrders[strings.ToLower(found.Value)]
	case column == typeColumn && word && byteOrders[strings.ToLower(before.Value)] != "" && builtin.TypeNamed(found.Value) != nil:
		return order + found.Value + byteOrders[strings.ToLower(before.Value)]
	case column >= nameColumn && compares(found.Value) && comparedBefore(list[:at]):
		return "comparisons are joined with &&: 0 < n && n < 5"
	case column >= nameColumn && word && before.Value == "not":
		return "write !" + found.Value
	case column >= nameColumn && found.Value == "[" && before.Type == identToken:
		return "an expression names no element of a list; sum(array) and last(array) are numbers of an array"
	case column == lengthColumn && word && before.Type == numberToken && before.Pos.Offset+len(before.Value) < found.Pos.Offset:
		return "a length is a number of bytes, without a unit"
	case column == typeColumn && found.Value == "]" && before.Value == "[" && list[at-2].Value != "u8":
		return "a list up to the end has a letter as its length, and the type " + list[at-2].Value + "[until end]"
	case column == lengthColumn && found.Value == "*" && before.Value == "|", column == typeColumn && found.Value == "]" && before.Value == "[":
		return toEnd
	case (column == typeColumn || column == nameColumn) && found.Value == ":":
		return `bits are in braces behind the description of the whole number: | 0 | 1 | u8 | word | "description" { 0..3 low 4..7 high }`
	case column == nameColumn && found.Value == "{" && before.Type == identToken:
		return "bits are behind the description: | … | " + before.Value + ` | "description" { 0 flag }`
	case column == nameColumn && found.Value == "==":
		return "a number that is always the same is written with one =: " + before.Value + " = 1"
	case column == nameColumn && found.Value == "[" && before.Value == "=":
		return "the value of a row is one number, which all numbers of an array have; another array is stored, and a check is about its sum or its last number"
	case column == nameColumn && word && before.Type == identToken && list[max(at-2, 0)].Value == "|":
		return "a name is one word: " + before.Value + "_" + found.Value
	case column == nameColumn && found.Type == numberToken && before.Value == "|":
		return "a name begins with a letter or _"
	case column == behindName && found.Value == "=" && (before.Type == stringToken || before.Value == "|"):
		return `the value is behind the name: | … | name = 1 | "description"`
	case column >= behindName && found.Value == "in":
		return "compare with each of the numbers: n == 1 || n == 2"
	case column >= behindName && found.Value == "optional":
		return "a row that may be missing has a condition: if flag == 1, or if more() for rows at the end"
	case column > behindName && before.Pos.Line < found.Pos.Line && afterCheck(list[:at]):
		return "`|` separates columns and is no operation; || joins conditions, and + numbers of different bits"
	}
	return ""
}

// byteOrders are the ends of the names of types by words of other languages.
var byteOrders = map[string]string{"le": "le", "be": "be", "little": "le", "big": "be", "lsb": "le", "msb": "be"}

// compares reports whether a sign is an operator that is not chained.
func compares(sign string) bool {
	op, ok := builtin.OperatorNamed(sign)
	return ok && builtin.Operations[op].Compares()
}

// comparedBefore reports whether tokens end with a comparison and its second operand of one token.
func comparedBefore(list []lexer.Token) bool {
	return len(list) > 2 && compares(list[len(list)-2].Value)
}

// comparedText returns the name and the operator of a comparison with a text at the end of tokens, or "".
func comparedText(list []lexer.Token) string {
	n := len(list)
	if n < 3 || list[n-1].Type != stringToken || list[n-2].Value != "==" && list[n-2].Value != "!=" || list[n-3].Type != identToken {
		return ""
	}
	return list[n-3].Value + " " + list[n-2].Value
}

// afterCheck reports whether the last line of the tokens has a bar behind a condition.
func afterCheck(list []lexer.Token) bool {
	bar := false
	for i := len(list) - 1; i >= 0 && list[i].Pos.Line == list[len(list)-1].Pos.Line; i-- {
		switch list[i].Value {
		case "|":
			bar = true
		case "check", "if":
			return bar
		}
	}
	return false
}

// afterIf reports whether tokens end with a condition behind a row in the same line.
func afterIf(list []lexer.Token) bool {
	for i := len(list) - 1; i > 0 && list[i].Pos.Line == list[len(list)-1].Pos.Line; i-- {
		if list[i].Value == "if" {
			return columns(list[:i]) > 3
		}
	}
	return false
}
