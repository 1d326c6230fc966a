package bytecode_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// verifyErrors are changes of a program, and the errors of the verifier.
var verifyErrors = []struct {
	name   string
	change func(p *bytecode.Program)
	want   string
}{
	{"no code", func(p *bytecode.Program) { p.Code = nil }, "unsafe program: 0 instructions; at least 1 and at most 65536 are allowed"},
	{"no routines", func(p *bytecode.Program) { p.Routines = nil }, "unsafe program: 0 routines; at least 1 and at most 512 are allowed"},
	{"no types", func(p *bytecode.Program) { p.Types = nil }, "unsafe program: 0 types; at least 1 and at most 4096 are allowed"},
	{"no rules", func(p *bytecode.Program) { p.Rules = nil }, "unsafe program: there are no rules"},
	{"root", func(p *bytecode.Program) { p.Root = none }, "unsafe program: the root routine 4294967295 does not exist"},
	{"depth", func(p *bytecode.Program) { p.Depth = 0 }, "unsafe program: depth 0; at least 1 and at most 16384 are allowed"},
	{"gates", func(p *bytecode.Program) { p.Gates = make([]string, 9) }, "unsafe program: 9 gates; at most 8 are allowed"},
	{"fields", func(p *bytecode.Program) { p.Types[0].Fields = make([]bytecode.Field, 257) }, "unsafe program: type 0 has 257 fields; at most 256 are allowed"},
	{"arm of no routine", func(p *bytecode.Program) {
		p.Exprs = append(p.Exprs, leaf(bytecode.ExprArm, 0, 99))
		p.Code[5].C = uint32(len(p.Exprs) - 1)
	}, "unsafe program: instruction 5: expression 9 refers to something that does not exist"},
	{"part of a checksum", func(p *bytecode.Program) {
		p.Args = [][]uint32{{none, none, none}}
		insert(p, 6, bytecode.Instr{Op: bytecode.Sum, A: 1})
	}, "unsafe program: instruction 6: expression 4294967295 does not exist"},
	{"root with arguments", func(p *bytecode.Program) { p.Routines[0].Args = 1 }, "unsafe program: the root routine takes arguments"},
	{"gap", func(p *bytecode.Program) { p.Routines[0].Start = 1 }, "unsafe program: routine 0 is instructions 1 to 17; it must begin at 0 and have at least one"},
	{"rest of the code", func(p *bytecode.Program) { p.Routines[0].End-- }, "unsafe program: instruction 16 belongs to no routine"},
	{"empty routine", func(p *bytecode.Program) {
		n := uint32(len(p.Code))
		p.Routines = append(p.Routines, bytecode.Routine{Name: "Other", Start: n, End: n})
	}, "unsafe program: routine 1 is instructions 17 to 17; it must begin at 17 and have at least one"},
	{"long routine", func(p *bytecode.Program) { p.Routines[0].End = none }, "unsafe program: routine 0 is instructions 0 to 4294967295; it must begin at 0 and have at least one"},
	{"registers", func(p *bytecode.Program) { p.Routines[0].Regs = 257 }, "unsafe program: instruction 0: routine Item has 257 registers, 0 of them arguments, and 1 cells; at most 256, 16 and 256 are allowed"},
	{"too many arguments", func(p *bytecode.Program) { routine(p, 17, 17) }, "unsafe program: instruction 17: routine Other has 17 registers, 17 of them arguments, and 0 cells; at most 256, 16 and 256 are allowed"},
	{"arguments without registers", func(p *bytecode.Program) { routine(p, 1, 2) }, "unsafe program: instruction 17: routine Other has 1 registers, 2 of them arguments, and 0 cells; at most 256, 16 and 256 are allowed"},
	{"operation", func(p *bytecode.Program) { p.Code[3].Op = 200 }, "unsafe program: instruction 3: operation 200 does not exist"},
	{"rule", func(p *bytecode.Program) { p.Code[3].Rule = none }, "unsafe program: instruction 3: rule 4294967295 does not exist"},
	{"register", func(p *bytecode.Program) { p.Code[5].B = 2 }, "unsafe program: instruction 5: register 2 does not exist"},
	{"cell", func(p *bytecode.Program) { p.Code[6].C = 1 }, "unsafe program: instruction 6: cell 1 does not exist"},
	{"scalar", func(p *bytecode.Program) { p.Code[5].A = 99 }, "unsafe program: instruction 5: scalar 99 does not exist"},
	{"flags of a scalar", func(p *bytecode.Program) { p.Code[5].A |= 1 << 15 }, "unsafe program: instruction 5: scalar 32771 does not exist"},
	{"coding", func(p *bytecode.Program) { p.Code[5].A |= 15 << 11 }, "unsafe program: instruction 5: scalar 30723 does not exist"},
	{"longer form of a scalar", func(p *bytecode.Program) { p.Code[5].A |= bytecode.FlagLonger }, "unsafe program: instruction 5: u16 has one width, so a reader cannot accept another"},
	{"scalar of a coding", func(p *bytecode.Program) {
		p.Code[5].A = bytecode.Coded(bytecode.VLQ, false)&^0xff | uint32(bytecode.I64)
	}, "unsafe program: instruction 5: i64 is not a number of vlq"},
	{"order of a coding", func(p *bytecode.Program) { p.Code[5].A = bytecode.Coded(bytecode.LEB128, true) | bytecode.FlagSwapped }, "unsafe program: instruction 5: u64 is not a number of leb128"},
	{"coding of a union", func(p *bytecode.Program) { p.Code[0].A = bytecode.Coded(bytecode.LEB128, false) }, "unsafe program: instruction 0: union takes numbers without a coding, not leb128"},
	{"chosen order of a word", func(p *bytecode.Program) { p.Code[5].A |= bytecode.FlagOrdered }, "unsafe program: instruction 5: scalar 259 does not exist"},
	{"chosen order without an argument", func(p *bytecode.Program) { p.Code[0].A |= bytecode.FlagOrdered }, "unsafe program: instruction 0: the register before r0 is not an argument, which would have the order of the word"},
	{"two orders of a union", func(p *bytecode.Program) { p.Code[0].A |= bytecode.FlagOrdered | bytecode.FlagSwapped }, "unsafe program: instruction 0: the order of the word of a union is fixed and chosen"},
	{"place of a member", func(p *bytecode.Program) {
		p.Exprs[p.Code[5].C] = &bytecode.Expr{Op: bytecode.ExprMember, Arg2: 256}
	}, "unsafe program: instruction 5: expression 3 refers to something that does not exist"},
	{"width of digits", func(p *bytecode.Program) { p.Code[5].A = bytecode.Coded(bytecode.Octal, false) }, "unsafe program: instruction 5: scalar 10241 does not exist"},
	{"terminator of a coding", func(p *bytecode.Program) {
		c, _ := builtin.Ended(bytecode.Decimal, ":")
		p.Code[5].A = bytecode.Coded(c^bytecode.Decimal|bytecode.LEB128, false)
	}, "unsafe program: instruction 5: scalar 2552039431 does not exist"},
	{"scalar of digits", func(p *bytecode.Program) {
		c, _ := builtin.InDigits(bytecode.Octal, 8, "\x00")
		p.Code[5].A = bytecode.Coded(c, false)&^0xff | uint32(bytecode.U64)
	}, "unsafe program: instruction 5: u64 is not a number of octal[8]"},
	{"digits of a union", func(p *bytecode.Program) {
		c, _ := builtin.InDigits(bytecode.Decimal, 4, "")
		p.Code[0].A = bytecode.Coded(c, false)
	}, "unsafe program: instruction 0: union takes numbers without a coding, not decimal[4]"},
	{"patch of another width of digits", func(p *bytecode.Program) {
		c, _ := builtin.InDigits(bytecode.Decimal, 4, "")
		other, _ := builtin.InDigits(bytecode.Decimal, 4, " ")
		p.Code[5].A, p.Code[5].D = bytecode.Coded(c, false), 0
		insert(p, 7, bytecode.Instr{Op: bytecode.Patch, A: bytecode.Coded(other, false), B: 0, C: p.Code[5].C, D: 1})
	}, "unsafe program: instruction 7: the word at instruction 5 is not of decimal[4]"},
	{"patch of another coding", func(p *bytecode.Program) {
		p.Code[5].A, p.Code[5].D = bytecode.Coded(bytecode.VLQ, false), 0
		insert(p, 7, bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 0, C: p.Code[5].C, D: 1})
	}, "unsafe program: instruction 7: the word at instruction 5 is not of fixed"},
	{"patch of a mark before no word", func(p *bytecode.Program) {
		insert(p, 7, bytecode.Instr{Op: bytecode.Mark, A: 0}, bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 0, C: p.Code[5].C, D: 1})
	}, "unsafe program: instruction 8: register 0 does not hold the place of a word on every path"},
	{"patch of varying width", func(p *bytecode.Program) {
		c := p.Code[5].C
		p.Code[5].A = bytecode.Coded(bytecode.VLQ, false)
		insert(p, 5, bytecode.Instr{Op: bytecode.Mark, A: 0})
		insert(p, 8, bytecode.Instr{Op: bytecode.Patch, A: bytecode.Coded(bytecode.VLQ, false), B: 0, C: c, D: 1})
	}, "unsafe program: instruction 8: register 0 does not hold the place of a word on every path"},
	{"float word", func(p *bytecode.Program) { p.Code[5].A = uint32(bytecode.F32) }, "unsafe program: instruction 5: word takes an integer, not f32"},
	{"float union", func(p *bytecode.Program) { p.Code[0].A = uint32(bytecode.F64) }, "unsafe program: instruction 0: union takes an integer, not f64"},
	{"empty word", func(p *bytecode.Program) { p.Code[5].C = none }, "unsafe program: instruction 5: a word has nothing to write"},
	{"alignment", func(p *bytecode.Program) { p.Code[7].A = 0 }, "unsafe program: instruction 7: alignment 0; at least 2 and at most 4096 are allowed"},
	{"bytes back", func(p *bytecode.Program) { p.Code[4].C = 9 }, "unsafe program: instruction 4: the row of an error begins 9 bytes before the cursor; at most 8 are allowed"},
	{"unused operand", func(p *bytecode.Program) { p.Code[7].D = 1 }, "unsafe program: instruction 7: operand 1 does not exist"},
	{"encoding", func(p *bytecode.Program) { p.Code[6].A = 7 }, "unsafe program: instruction 6: encoding 7 does not exist"},
	{"table", func(p *bytecode.Program) { p.Code[0].D = 1 }, "unsafe program: instruction 0: table 1 does not exist"},
	{"table of no union", func(p *bytecode.Program) { p.Tables = append(p.Tables, bytecode.Table{}) }, "unsafe program: table 1 belongs to no union or switch"},
	{"table of two unions", func(p *bytecode.Program) {
		n := uint32(len(p.Code))
		p.Code = append(p.Code, p.Code...)
		r := p.Routines[0]
		r.Start, r.End = n, 2*n
		p.Routines = append(p.Routines, r)
	}, "unsafe program: instruction 17: table 0 belongs to another union or switch"},
	{"fields", func(p *bytecode.Program) { p.Code[2].A = 0 }, "unsafe program: instruction 2: type letter has 1 fields, not 0"},
	{"kind of a field", func(p *bytecode.Program) { p.Types[0].Fields[0].Kind = builtin.NumKinds }, "unsafe program: field 0 of type 0 has kind 12; at most 11 is allowed"},
	{"done", func(p *bytecode.Program) { p.Code[8].A = 1 }, "unsafe program: instruction 8: the record that ends is not the one that was begun"},
	{"no end", func(p *bytecode.Program) { p.Code, p.Routines[0].End = p.Code[:16], 16 }, "unsafe program: instruction 9: arm does not end in routine Item"},
	{"no done", func(p *bytecode.Program) { p.Code, p.Routines[0].End = slices.Delete(p.Code, 15, 16), 16 }, "unsafe program: instruction 15: end is inside fields of instruction 10, where it must not be"},
	{"after the end", func(p *bytecode.Program) { insert(p, 17, p.Code[3]) }, "unsafe program: instruction 17: header follows the end of routine Item"},
	{"no record", func(p *bytecode.Program) { p.Code[0] = p.Code[3] }, "unsafe program: instruction 0: routine Item begins with header; it must begin with fields, union or switch"},
	{"empty arm", func(p *bytecode.Program) { p.Code, p.Routines[0].End = slices.Delete(p.Code, 10, 16), 11 }, "unsafe program: instruction 10: end is inside arm of instruction 9, where it must not be"},
	{"two records in an arm", func(p *bytecode.Program) { insert(p, 9, p.Code[2:9]...) }, "unsafe program: instruction 9: fields is inside arm of instruction 1, where it must not be"},
	{"instruction in an arm", func(p *bytecode.Program) { insert(p, 2, p.Code[3]) }, "unsafe program: instruction 2: header is inside arm of instruction 1, where it must not be"},
	{"record in a union", func(p *bytecode.Program) { p.Code, p.Routines[0].End = slices.Delete(p.Code, 1, 2), 16 }, "unsafe program: instruction 1: fields is inside union of instruction 0, where it must not be"},
	{"arms twice", func(p *bytecode.Program) { p.Code[9].A = 0 }, "unsafe program: instruction 9: arm 0 is not the next one of table 0, which has 2"},
	{"arms out of order", func(p *bytecode.Program) { p.Code[1].A, p.Code[9].A = 1, 0 }, "unsafe program: instruction 1: arm 1 is not the next one of table 0, which has 2"},
	{"arm missing", func(p *bytecode.Program) { p.Code, p.Routines[0].End = slices.Delete(p.Code, 9, 16), 10 }, "unsafe program: instruction 9: union ends after 1 arms; table 0 has 2"},
	{"arm too many", func(p *bytecode.Program) {
		again := slices.Clone(p.Code[9:16])
		again[0].A = 2
		insert(p, 16, again...)
	}, "unsafe program: instruction 16: arm 2 is not the next one of table 0, which has 2"},
	{"numbers of two arms", func(p *bytecode.Program) { p.Tables[0].Arms[0].IDs = builtin.Ranges{{Lo: 1, Hi: 5}} }, "unsafe program: the numbers of the arms of table 0 are out of order"},
	{"first of the numbers", func(p *bytecode.Program) { p.Tables[0].Arms[0].IDs = builtin.Ranges{{Lo: 7, Hi: 9}} }, "unsafe program: the numbers of the arms of table 0 are out of order"},
	{"numbers without a gap", func(p *bytecode.Program) { p.Tables[0].Arms[1].IDs = builtin.Ranges{{Lo: 2, Hi: 4}, {Lo: 5, Hi: 9}} }, "unsafe program: the numbers of the arms of table 0 are out of order"},
	{"one number as a range", func(p *bytecode.Program) { p.Tables[0].Arms[1].IDs = builtin.Ranges{{Lo: 2, Hi: 2}} }, "unsafe program: the numbers of the arms of table 0 are out of order"},
	{"order of arms", func(p *bytecode.Program) { p.Tables[0].Arms[1].ID = 1 }, "unsafe program: the arms of table 0 are out of order"},
	{"type of an arm", func(p *bytecode.Program) { p.Tables[0].Arms[1].Type = none }, "unsafe program: arm 1 of table 0 has type 4294967295, which does not exist"},
	{"union in the middle", func(p *bytecode.Program) { p.Code[3] = p.Code[0] }, "unsafe program: instruction 3: union is inside fields of instruction 2, where it must not be"},
	{"else of nothing", func(p *bytecode.Program) { p.Code[7] = bytecode.Instr{Op: bytecode.Else} }, "unsafe program: instruction 7: else is inside fields of instruction 2, where it must not be"},
	{"two elses", func(p *bytecode.Program) {
		insert(p, 7, bytecode.Instr{Op: bytecode.If, A: p.Code[6].B}, bytecode.Instr{Op: bytecode.Else}, bytecode.Instr{Op: bytecode.Else}, bytecode.Instr{Op: bytecode.End})
	}, "unsafe program: instruction 9: else is inside else of instruction 8, where it must not be"},
	{"many blocks", func(p *bytecode.Program) {
		insert(p, 7, slices.Repeat([]bytecode.Instr{{Op: bytecode.If, A: p.Code[6].B}}, bytecode.MaxBlocks)...)
	}, "unsafe program: instruction 260: more than 256 blocks are nested"},
	{"open region", func(p *bytecode.Program) { p.Code[7] = bytecode.Instr{Op: bytecode.Enter, A: p.Code[6].B} }, "unsafe program: instruction 8: done is inside enter of instruction 7, where it must not be"},
	{"no region", func(p *bytecode.Program) { p.Code[7] = bytecode.Instr{Op: bytecode.Leave} }, "unsafe program: instruction 7: leave is inside fields of instruction 2, where it must not be"},
	{"many regions", func(p *bytecode.Program) {
		enter, leave := bytecode.Instr{Op: bytecode.Enter, A: p.Code[6].B}, bytecode.Instr{Op: bytecode.Leave}
		insert(p, 7, slices.Repeat([]bytecode.Instr{enter}, bytecode.MaxRegions+1)...)
		insert(p, 7+bytecode.MaxRegions+1, slices.Repeat([]bytecode.Instr{leave}, bytecode.MaxRegions+1)...)
	}, "unsafe program: instruction 15: more than 8 regions are open"},
	{"patch", func(p *bytecode.Program) {
		p.Code[7] = bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 1, C: p.Code[6].B, D: 1}
	}, "unsafe program: instruction 7: register 1 does not hold the place of a word on every path"},
	{"patch after one branch", func(p *bytecode.Program) {
		p.Routines[0].Regs = 3
		insert(p, 6, bytecode.Instr{Op: bytecode.If, A: p.Code[6].B},
			bytecode.Instr{Op: bytecode.Word, A: uint32(bytecode.U16), C: none, D: 2},
			bytecode.Instr{Op: bytecode.End},
			bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 2, C: p.Code[6].B})
	}, "unsafe program: instruction 9: register 2 does not hold the place of a word on every path"},
	{"terminator", func(p *bytecode.Program) {
		p.Code[6] = bytecode.Instr{Op: bytecode.Until, A: none, B: 99, C: p.Code[6].C}
	}, "unsafe program: instruction 6: text 99 does not exist"},
	{"fill", func(p *bytecode.Program) {
		p.Code[6] = bytecode.Instr{Op: bytecode.Filled, A: none, B: p.Code[6].B, C: p.Code[6].C, D: 2 * bytecode.FillAny}
	}, "unsafe program: instruction 6: fill 512 does not exist"},
	{"counted zero byte before a terminator", func(p *bytecode.Program) {
		p.Strings, p.Encodings = []string{"\x00"}, append(p.Encodings, bytecode.Encoding{NUL: bytecode.NULCounted})
		p.Code[6] = bytecode.Instr{Op: bytecode.Until, A: uint32(len(p.Encodings) - 1), C: p.Code[6].C}
	}, "unsafe program: instruction 6: text that ends before other bytes has no zero byte that is counted"},
	{"checksum", func(p *bytecode.Program) {
		p.Args = [][]uint32{{0, 0, 0}}
		insert(p, 6, bytecode.Instr{Op: bytecode.Sum, B: 99})
	},
		"unsafe program: instruction 6: checksum 99 does not exist"},
	{"parts of a checksum", func(p *bytecode.Program) { p.Args = [][]uint32{{0}}; insert(p, 6, bytecode.Instr{Op: bytecode.Sum}) },
		"unsafe program: instruction 6: the parts of a checksum are 3 expressions each, not 1 in all"},
	{"place of a checksum", func(p *bytecode.Program) { sum(p, bytecode.Num(1), bytecode.Reg(1), -1) },
		"unsafe program: instruction 6: the place of a checksum is in a register"},
	{"byte of a checksum", func(p *bytecode.Program) { sum(p, bytecode.Reg(1), bytecode.Reg(1), 256) },
		"unsafe program: instruction 6: a byte of a checksum counts as itself or as a number up to 255"},
	{"checksum without a place", func(p *bytecode.Program) { sum(p, bytecode.Reg(1), bytecode.Reg(1), 0) },
		"unsafe program: instruction 6: registers 1 and 1 do not hold the begin and the end of a part on every path"},
	{"checksum that ends first", func(p *bytecode.Program) {
		p.Routines[0].Regs = 4
		sum(p, bytecode.Reg(3), bytecode.Reg(2), 0)
		insert(p, 6, bytecode.Instr{Op: bytecode.Mark, A: 2}, bytecode.Instr{Op: bytecode.Mark, A: 3})
	}, "unsafe program: instruction 8: registers 3 and 2 do not hold the begin and the end of a part on every path"},
	{"checksum after one branch", func(p *bytecode.Program) {
		p.Routines[0].Regs = 4
		sum(p, bytecode.Reg(2), bytecode.Reg(2), 0)
		insert(p, 6, bytecode.Instr{Op: bytecode.If}, bytecode.Instr{Op: bytecode.Mark, A: 2}, bytecode.Instr{Op: bytecode.End})
	}, "unsafe program: instruction 9: registers 2 and 2 do not hold the begin and the end of a part on every path"},
	{"compare without a place", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Compare, C: 1}) },
		"unsafe program: instruction 6: register 1 does not hold a place on every path"},
	{"compare at a number", func(p *bytecode.Program) {
		insert(p, 6, bytecode.Instr{Op: bytecode.Compare, C: 1, D: bytecode.CompareValue})
	}, "unsafe program: instruction 6: register 1 does not hold a place on every path"},
	{"compare at the word", func(p *bytecode.Program) {
		insert(p, 6, bytecode.Instr{Op: bytecode.Compare, A: 1, C: 0, D: bytecode.CompareValue})
	}, "unsafe program: instruction 6: register 0 does not hold a place on every path"},
	{"compare at a number in place of a mark before a part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		p.Routines[0].Regs = 3
		insert(p, 6, bytecode.Instr{Op: bytecode.Mark, A: 2}, bytecode.Instr{Op: bytecode.Seek}, bytecode.Instr{Op: bytecode.Let, A: 2, B: p.Code[6].B},
			bytecode.Instr{Op: bytecode.Compare, C: 2}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 9: register 2 does not hold a place on every path"},
	{"part outside of its base", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 6, bytecode.Instr{Op: bytecode.Seek}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: a part that counts from \"Item\" is not always inside of it"},
	{"part that leads back", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 15, bytecode.Instr{Op: bytecode.Back})
		insert(p, 14, bytecode.Instr{Op: bytecode.Seek})
		insert(p, 11, bytecode.Instr{Op: bytecode.Base})
		insert(p, 18, bytecode.Instr{Op: bytecode.Close})
	}, "unsafe program: instruction 15: the part leads to routine Item, which has it"},
	{"chosen place before no part", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Chosen, B: 1}) },
		"unsafe program: instruction 6: chosen is before text; it must be before seek"},
	{"gaps before no close", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Gaps}) },
		"unsafe program: instruction 6: gaps is before text; it must be before close"},
	{"note before no word", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Note, A: uint32(builtin.U8)}) },
		"unsafe program: instruction 6: note is not behind the word of one width that it is about"},
	{"note outside of its base", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 6, bytecode.Instr{Op: bytecode.Word, A: uint32(builtin.U8), C: p.Code[6].B, D: none}, bytecode.Instr{Op: bytecode.Note, A: uint32(builtin.U8)})
	}, "unsafe program: a part that counts from \"Item\" is not always inside of it"},
	{"holes before no checksum", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 6, bytecode.Instr{Op: bytecode.Holes})
	}, "unsafe program: instruction 6: holes is before text; it must be before sum"},
	{"total behind no base", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Total}) },
		"unsafe program: instruction 6: total is between word and text; it must be between close and settle"},
	{"settle behind no total", func(p *bytecode.Program) {
		insert(p, 6, bytecode.Instr{Op: bytecode.Settle, A: uint32(builtin.U8), B: p.Code[6].B})
	}, "unsafe program: instruction 6: settle is behind word; it must be behind total"},
	{"settle of a float", func(p *bytecode.Program) {
		insert(p, 6, bytecode.Instr{Op: bytecode.Settle, A: uint32(builtin.F32), B: p.Code[6].B})
	}, "unsafe program: instruction 6: settle takes an integer of one width"},
	{"chosen place of a view", func(p *bytecode.Program) {
		insert(p, 6, bytecode.Instr{Op: bytecode.Chosen, B: 1}, bytecode.Instr{Op: bytecode.Seek, D: bytecode.SeekView}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 6: a writer chooses no place of a view"},
	{"alignment of a part", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Chosen}) },
		"unsafe program: instruction 6: alignment 0; at least 1 and at most 4096 are allowed"},
	{"open part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 6, bytecode.Instr{Op: bytecode.Seek})
	}, "unsafe program: instruction 9: done is inside seek of instruction 6, where it must not be"},
	{"base in a condition", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		insert(p, 6, bytecode.Instr{Op: bytecode.If, A: p.Code[6].B}, bytecode.Instr{Op: bytecode.Base}, bytecode.Instr{Op: bytecode.Close}, bytecode.Instr{Op: bytecode.End})
	}, "unsafe program: instruction 7: base is inside if of instruction 6, where it must not be"},
	{"checksum across a part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		p.Routines[0].Regs = 4
		sum(p, bytecode.Reg(2), bytecode.Reg(3), 0)
		insert(p, 6, bytecode.Instr{Op: bytecode.Mark, A: 2}, bytecode.Instr{Op: bytecode.Seek}, bytecode.Instr{Op: bytecode.Mark, A: 3}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 10: registers 2 and 3 do not hold the begin and the end of a part on every path"},
	{"word of varying width before a part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		p.Routines[0].Regs = 4
		coded := bytecode.Coded(builtin.LEB128, false)
		insert(p, 6, bytecode.Instr{Op: bytecode.Word, A: coded, B: 2, C: none, D: 3}, bytecode.Instr{Op: bytecode.Seek},
			bytecode.Instr{Op: bytecode.Patch, A: coded, B: 3, C: p.Code[6].B, D: 2}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 8: the word of register 3 is outside of the part, which a number of varying width would move"},
	{"mark of a word of varying width before a part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		p.Routines[0].Regs = 4
		coded, number := bytecode.Coded(builtin.LEB128, false), p.Code[5].C
		insert(p, 6, bytecode.Instr{Op: bytecode.Mark, A: 3}, bytecode.Instr{Op: bytecode.Word, A: coded, B: 2, C: number, D: none}, bytecode.Instr{Op: bytecode.Seek},
			bytecode.Instr{Op: bytecode.Patch, A: coded, B: 3, C: number, D: 2}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 9: register 3 does not hold the place of a word on every path"},
	{"mark before no word and a part", func(p *bytecode.Program) {
		p.Strings = []string{"Item"}
		p.Routines[0].Regs = 4
		insert(p, 6, bytecode.Instr{Op: bytecode.Mark, A: 3}, bytecode.Instr{Op: bytecode.Seek},
			bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 3, C: p.Code[5].C, D: 2}, bytecode.Instr{Op: bytecode.Back})
	}, "unsafe program: instruction 8: register 3 does not hold the place of a word on every path"},
	{"call without a byte", func(p *bytecode.Program) {
		p.Code[13] = bytecode.Instr{Op: bytecode.Call}
		p.Code[14] = p.Code[11]
		p.Args = [][]uint32{{}}
		p.Code[0] = bytecode.Instr{Op: bytecode.Switch, C: p.Code[0].C, D: p.Code[0].D}
	}, "unsafe program: instruction 0: routine Item can contain itself without using up a byte"},
	{"no end of nesting", func(p *bytecode.Program) {
		p.Code[6] = bytecode.Instr{Op: bytecode.Call}
		p.Code[14] = bytecode.Instr{Op: bytecode.Call}
		p.Args = [][]uint32{{}}
	}, "unsafe program: instruction 0: no value of routine Item ends: it always contains another"},
	{"written twice", func(p *bytecode.Program) { p.Code[13] = p.Code[14] }, "unsafe program: instruction 14: cell 0 is written twice"},
	{"written again after a branch", func(p *bytecode.Program) {
		insert(p, 14, bytecode.Instr{Op: bytecode.If, A: p.Code[14].A}, p.Code[14], bytecode.Instr{Op: bytecode.End})
	}, "unsafe program: instruction 17: cell 0 is written twice"},
	{"begun twice", func(p *bytecode.Program) { p.Code[13] = p.Code[10] }, "unsafe program: instruction 13: fields is inside fields of instruction 10, where it must not be"},
	{"arguments", func(p *bytecode.Program) {
		p.Code[14] = bytecode.Instr{Op: bytecode.Call}
		p.Args = [][]uint32{{0}}
	}, "unsafe program: instruction 14: routine Item takes 0 arguments, not 1"},
	{"arguments of elements", func(p *bytecode.Program) { insert(p, 14, bytecode.Instr{Op: bytecode.Pass, B: 1}) },
		"unsafe program: instruction 15: the elements take 0 arguments, not 1"},
	{"registers of elements", func(p *bytecode.Program) { insert(p, 14, bytecode.Instr{Op: bytecode.Pass, B: 99}) },
		"unsafe program: instruction 14: register 98 does not exist"},
	{"no registers of elements", func(p *bytecode.Program) { insert(p, 14, bytecode.Instr{Op: bytecode.Pass}) },
		"unsafe program: instruction 14: pass gives no registers"},
	{"pass without a list", func(p *bytecode.Program) { insert(p, 6, bytecode.Instr{Op: bytecode.Pass, B: 1}) },
		"unsafe program: instruction 6: pass is before text; it must be before a list"},
	{"element that ends no list", func(p *bytecode.Program) {
		p.Code[14] = bytecode.Instr{Op: bytecode.Through, A: p.Code[14].B, B: p.Code[14].C}
	}, "unsafe program: instruction 14: some values of routine Item end no list"},
	{"no bytes left at the end of a list", func(p *bytecode.Program) {
		p.Code[14] = bytecode.Instr{Op: bytecode.Spare, A: p.Code[14].B, B: p.Code[14].C}
	}, "unsafe program: instruction 14: 0 bytes are left at the end of a list; at least 1 and at most 65535 are allowed"},
	{"bytes left at the end of a list", func(p *bytecode.Program) {
		p.Code[14] = bytecode.Instr{Op: bytecode.Spare, A: p.Code[14].B, B: p.Code[14].C, C: builtin.MaxSpare + 1}
	}, "unsafe program: instruction 14: 65536 bytes are left at the end of a list; at least 1 and at most 65535 are allowed"},
	{"register of a list that ends early", func(p *bytecode.Program) {
		p.Code[14] = bytecode.Instr{Op: bytecode.Spare, A: p.Code[14].B, B: p.Code[14].C, C: builtin.MaxSpare, D: 2}
	}, "unsafe program: instruction 14: register 2 does not exist"},
	{"elements of no bytes", func(p *bytecode.Program) {
		p.Code[0] = bytecode.Instr{Op: bytecode.Switch, C: p.Code[0].C, D: p.Code[0].D}
		p.Code[5] = p.Code[3]
	}, "unsafe program: instruction 14: an element of the list may take no bytes, so a count is not bounded by the input"},
	{"long value", func(p *bytecode.Program) {
		p.Exprs = append(p.Exprs, bytecode.Num(math.MaxInt64))
		p.Code[6].B, p.Code[14].A = uint32(len(p.Exprs)-1), uint32(len(p.Exprs)-1)
	}, "unsafe program: instruction 0: a value of routine Item takes at least 9223372036854775811 bytes; at most 1099511627776 are allowed"},
	{"expression", func(p *bytecode.Program) { p.Code[6].B = none }, "unsafe program: instruction 6: expression 4294967295 does not exist"},
	{"operation of an expression", func(p *bytecode.Program) { p.Exprs[0] = leaf(99, 0, 0) }, "unsafe program: expression 0 has operation 99, which does not exist"},
	{"empty expression", func(p *bytecode.Program) { p.Exprs[0] = nil }, "unsafe program: expression 0 lacks an operation"},
	{"empty operand", func(p *bytecode.Program) { p.Exprs[0] = bytecode.Apply(bytecode.ExprNot, nil) }, "unsafe program: expression 0 lacks an operation"},
	{"sum of nothing", func(p *bytecode.Program) { p.Exprs[0] = bytecode.Apply(bytecode.ExprAdd) }, "unsafe program: expression 0 has 0 operands for +; it takes 2"},
	{"deep expression", func(p *bytecode.Program) {
		for range bytecode.MaxExprDepth {
			p.Exprs[0] = bytecode.Apply(bytecode.ExprNot, p.Exprs[0])
		}
	}, "unsafe program: expression 0 is nested more than 128 deep"},
	{"long expression", func(p *bytecode.Program) {
		e := bytecode.Num(1)
		for range 10 {
			e = bytecode.Apply(bytecode.ExprAdd, e, e)
		}
		p.Exprs[0] = e
	}, "unsafe program: expression 0 has more than 1024 operations"},
	{"register of an expression", func(p *bytecode.Program) { p.Exprs[0] = bytecode.Reg(-1) }, "unsafe program: instruction 0: expression 0 refers to something that does not exist"},
	{"cell before the record", func(p *bytecode.Program) { p.Exprs[0] = leaf(bytecode.ExprCount, 0, 0) }, "unsafe program: instruction 0: expression 0 refers to something that does not exist"},
	{"argument too many", func(p *bytecode.Program) { p.Exprs[0] = leaf(bytecode.ExprNum, 1, 1) }, "unsafe program: expression 0 has an argument for number, which has none"},
	{"bits", func(p *bytecode.Program) {
		p.Exprs[0] = &bytecode.Expr{Op: bytecode.ExprFit, Arg: 65, Args: []*bytecode.Expr{bytecode.Num(1)}}
	}, "unsafe program: expression 0 is to fit 65 bits; at least 1 and at most 64 are allowed"},
	{"keys", func(p *bytecode.Program) { p.Keys[builtin.KeyEqual] = []uint32{none} }, "unsafe program: type 4294967295 of the rule equal for keys does not exist"},
	{"sort of encoding", func(p *bytecode.Program) { p.Encodings[0].Charset = 99 }, "unsafe program: encoding 0 is of an unknown sort"},
	{"mark of a character set", func(p *bytecode.Program) { p.Encodings[0].Charset, p.Encodings[0].DropBOM = builtin.Latin1, true }, "unsafe program: encoding 0 is of an unknown sort"},
	{"zero byte of UTF-16", func(p *bytecode.Program) {
		p.Encodings[0].Charset, p.Encodings[0].NUL = builtin.UTF16Big, bytecode.NULStop
	}, "unsafe program: encoding 0 is of an unknown sort"},
	{"condition of a substitute", func(p *bytecode.Program) {
		p.Exprs = append(p.Exprs, bytecode.Reg(0))
		p.Types[0].Writes = []bytecode.Write{{When: uint32(len(p.Exprs) - 1), Absent: true}}
	}, "unsafe program: expression 9 refers to something that does not exist"},
	{"substitute", func(p *bytecode.Program) { p.Types[0].Writes = []bytecode.Write{{When: none, Type: none}} }, "unsafe program: type 0 is written as something that does not exist"},
}

// Each case changes the program in testdata/post.list, whose instructions it
// names by number.
func TestVerifyErrors(t *testing.T) {
	for _, c := range verifyErrors {
		t.Run(c.name, func(t *testing.T) {
			p, _ := post(t)
			c.change(p)
			err := bytecode.Verify(p)
			if err == nil {
				t.Fatal("passes")
			}
			if err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if e := (*bytecode.VerifyError)(nil); !errors.As(err, &e) {
				t.Errorf("it is a %T", err)
			}
		})
	}
}

const none = math.MaxUint32

func leaf(op bytecode.ExprOp, arg int64, arg2 uint32) *bytecode.Expr {
	return &bytecode.Expr{Op: op, Arg: arg, Arg2: arg2}
}

func insert(p *bytecode.Program, pc int, in ...bytecode.Instr) {
	p.Code = slices.Insert(p.Code, pc, in...)
	p.Routines[0].End += uint32(len(in))
}

func routine(p *bytecode.Program, regs, args uint32) {
	n := uint32(len(p.Code))
	p.Code = append(p.Code, bytecode.Instr{Op: bytecode.Done})
	p.Routines = append(p.Routines, bytecode.Routine{Name: "Other", Start: n, End: n + 1, Regs: regs, Args: args})
}

func sum(p *bytecode.Program, from, to *bytecode.Expr, with int64) {
	n := uint32(len(p.Exprs))
	p.Exprs = append(p.Exprs, from, to, bytecode.Num(with))
	p.Args = [][]uint32{{n, n + 1, n + 2}}
	insert(p, 6, bytecode.Instr{Op: bytecode.Sum, A: 1})
}

// A program that has passed is not written to again, as goroutines may share it.
func TestVerifyShared(t *testing.T) {
	p, _ := post(t)
	done := make(chan error)
	for range 4 {
		go func() { done <- bytecode.Verify(p) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// The blocks of every program are one tree that has each instruction once.
func TestBlocks(t *testing.T) {
	for name := range programFiles(t) {
		p := load(t, name)
		seen := make([]int, len(p.Code))
		for i := range p.Routines {
			last := -1
			p.Walk(p.Body(uint32(i)), func(pc int, in *bytecode.Instr, level int) bool {
				if got := p.RoutineAt(pc); got != uint32(i) {
					t.Errorf("instruction %d is in routine %d, not in %d", pc, got, i)
				}
				if pc <= last {
					t.Fatalf("%s: instruction %d follows %d", name, pc, last)
				}
				last = pc
				seen[pc]++
				if in.Op == bytecode.Union || in.Op == bytecode.Switch {
					for k, arm := range p.Inner(pc) {
						if arm.First-1 != p.ArmAt(in.D, k) {
							t.Errorf("%s: arm %d begins at %d, not %d", name, k, arm.First-1, p.ArmAt(in.D, k))
						}
					}
				}
				return true
			})
		}
		for pc := range p.Code {
			want := 1
			switch p.Code[pc].Op {
			case bytecode.Arm, bytecode.Else, bytecode.End, bytecode.Leave, bytecode.Done:
				want = 0
			}
			if seen[pc] != want {
				t.Errorf("%s: instruction %d, %s, is visited %d times", name, pc, p.Code[pc].Op, seen[pc])
			}
		}
	}
}

// TestPathsOfRoutines: the proof that routines use up bytes looks at each routine once, though the paths through them double.
func TestPathsOfRoutines(t *testing.T) {
	var text strings.Builder
	text.WriteString("schema \"paths\" { root T }\ntype T {\n| 0 | 1 | u8 | n |\n| 1 | N | D0(n) | d |\n}\n")
	for i := range 40 {
		fmt.Fprintf(&text, "type D%d(n) {\n| 0 | A | D%d(n) | a |\n| P | B | D%d(n) | b |\n}\n", i, i+1, i+1)
	}
	text.WriteString("type D40(n) {\n| 0 | 1 | u8 | x | if n > 0\n| P | 1 | u8 | y | if n > 1\n}\n")
	if _, err := compile.Text("paths.oct", []byte(text.String()), ""); err != nil {
		t.Error(err)
	}
}
