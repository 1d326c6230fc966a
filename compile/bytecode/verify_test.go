package bytecode_test

import (
	"errors"
	"math"
	"testing"

	"github.com/octable/octable/compile/bytecode"
)

// Each case changes the program in testdata/post.list, whose instructions it
// names by number.
func TestVerifyErrors(t *testing.T) {
	const none = math.MaxUint32
	word := func(op bytecode.ExprOp, arg int64, arg2 uint32) bytecode.Expr {
		return bytecode.Expr{{Op: op, Arg: arg, Arg2: arg2}}
	}
	for _, c := range []struct {
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
		{"root with arguments", func(p *bytecode.Program) { p.Routines[0].Args = 1 }, "unsafe program: the root routine takes arguments"},
		{"gap", func(p *bytecode.Program) { p.Routines[0].Start = 1 }, "unsafe program: routine 0 is instructions 1 to 14; it must begin at 0 and have at least one"},
		{"rest of the code", func(p *bytecode.Program) { p.Routines[0].End-- }, "unsafe program: instruction 13 belongs to no routine"},
		{"long routine", func(p *bytecode.Program) { p.Routines[0].End = none }, "unsafe program: routine 0 is instructions 0 to 4294967295; it must begin at 0 and have at least one"},
		{"registers", func(p *bytecode.Program) { p.Routines[0].Regs = 257 }, "unsafe program: instruction 0: routine Item has 257 registers, 0 of them arguments, and 1 cells; at most 256, 16 and 256 are allowed"},
		{"operation", func(p *bytecode.Program) { p.Code[2].Op = 200 }, "unsafe program: instruction 2: operation 200 does not exist"},
		{"rule", func(p *bytecode.Program) { p.Code[2].Rule = none }, "unsafe program: instruction 2: rule 4294967295 does not exist"},
		{"register", func(p *bytecode.Program) { p.Code[4].B = 2 }, "unsafe program: instruction 4: register 2 does not exist"},
		{"cell", func(p *bytecode.Program) { p.Code[5].C = 1 }, "unsafe program: instruction 5: cell 1 does not exist"},
		{"scalar", func(p *bytecode.Program) { p.Code[4].A = 99 }, "unsafe program: instruction 4: scalar 99 does not exist"},
		{"float word", func(p *bytecode.Program) { p.Code[4].A = uint32(bytecode.F32) }, "unsafe program: instruction 4: a word is an integer"},
		{"empty word", func(p *bytecode.Program) { p.Code[4].C = none }, "unsafe program: instruction 4: a word has nothing to write"},
		{"alignment", func(p *bytecode.Program) { p.Code[6].A = 0 }, "unsafe program: instruction 6: alignment 0; at least 2 and at most 4096 are allowed"},
		{"unused operand", func(p *bytecode.Program) { p.Code[6].D = 1 }, "unsafe program: instruction 6: operand 1 does not exist"},
		{"encoding", func(p *bytecode.Program) { p.Code[5].A = 7 }, "unsafe program: instruction 5: encoding 7 does not exist"},
		{"table", func(p *bytecode.Program) { p.Code[0].D = 1 }, "unsafe program: instruction 0: table 1 does not exist"},
		{"fields", func(p *bytecode.Program) { p.Code[1].A = 0 }, "unsafe program: instruction 1: type letter has 1 fields, not 0"},
		{"done", func(p *bytecode.Program) { p.Code[7].A = 1 }, "unsafe program: instruction 7: the record that ends is not the one that was begun"},
		{"no end", func(p *bytecode.Program) { p.Code[13].Op, p.Code[13].A, p.Code[13].B = bytecode.Nop, 0, 0 }, "unsafe program: instruction 13: the routine does not end"},
		{"unreached", func(p *bytecode.Program) { p.Tables[0].Arms[1].Target = 1 }, "unsafe program: instruction 8: the instruction is never reached"},
		{"back", func(p *bytecode.Program) { p.Tables[0].Arms[0].Target = 0 }, "unsafe program: instruction 0: the target 0 is not further on in the same routine"},
		{"two records", func(p *bytecode.Program) { p.Tables[0].Arms[1].Target = 7 }, "unsafe program: instruction 6: instruction 7 is reached with different records begun"},
		{"order of arms", func(p *bytecode.Program) { p.Tables[0].Arms[1].ID = 1 }, "unsafe program: the arms of table 0 are out of order"},
		{"type of an arm", func(p *bytecode.Program) { p.Tables[0].Arms[1].Type = none }, "unsafe program: arm 1 of table 0 has type 4294967295, which does not exist"},
		{"union in the middle", func(p *bytecode.Program) { p.Code[2] = p.Code[0] }, "unsafe program: instruction 2: a union begins its routine, with an integer"},
		{"open region", func(p *bytecode.Program) { p.Code[6] = bytecode.Instr{Op: bytecode.Enter, A: p.Code[5].B} }, "unsafe program: instruction 7: a region is still open at the end"},
		{"no region", func(p *bytecode.Program) { p.Code[6] = bytecode.Instr{Op: bytecode.Leave} }, "unsafe program: instruction 6: no region is open"},
		{"patch", func(p *bytecode.Program) {
			p.Code[6] = bytecode.Instr{Op: bytecode.Patch, A: uint32(bytecode.U16), B: 1, C: p.Code[5].B, D: 1}
		}, "unsafe program: instruction 6: register 1 does not hold the place of a word on every path"},
		{"call without a byte", func(p *bytecode.Program) {
			p.Code[11] = bytecode.Instr{Op: bytecode.Nop}
			p.Code[12] = bytecode.Instr{Op: bytecode.Call}
			p.Args = [][]uint32{{}}
			p.Code[0] = bytecode.Instr{Op: bytecode.Switch, C: p.Code[0].C, D: p.Code[0].D}
		}, "unsafe program: instruction 0: routine Item can contain itself without using up a byte"},
		{"no end of nesting", func(p *bytecode.Program) {
			p.Code[5] = bytecode.Instr{Op: bytecode.Call}
			p.Code[12] = bytecode.Instr{Op: bytecode.Call}
			p.Args = [][]uint32{{}}
		}, "unsafe program: instruction 0: no value of routine Item ends: it always contains another"},
		{"written twice", func(p *bytecode.Program) { p.Code[11] = p.Code[12] }, "unsafe program: instruction 12: cell 0 is written twice"},
		{"begun twice", func(p *bytecode.Program) { p.Code[11] = p.Code[8] }, "unsafe program: instruction 11: a record is begun inside a record"},
		{"arguments", func(p *bytecode.Program) {
			p.Code[12] = bytecode.Instr{Op: bytecode.Call}
			p.Args = [][]uint32{{0}}
		}, "unsafe program: instruction 12: routine Item takes 0 arguments, not 1"},
		{"elements of no bytes", func(p *bytecode.Program) {
			p.Code[0] = bytecode.Instr{Op: bytecode.Switch, C: p.Code[0].C, D: p.Code[0].D}
			p.Code[4] = bytecode.Instr{Op: bytecode.Nop}
		}, "unsafe program: instruction 12: an element of the list may take no bytes, so a count is not bounded by the input"},
		{"long value", func(p *bytecode.Program) {
			p.Exprs = append(p.Exprs, word(bytecode.ExprNum, math.MaxInt64, 0))
			p.Code[5].B, p.Code[12].A = uint32(len(p.Exprs)-1), uint32(len(p.Exprs)-1)
		}, "unsafe program: instruction 0: a value of routine Item takes at least 9223372036854775811 bytes; at most 1099511627776 are allowed"},
		{"expression", func(p *bytecode.Program) { p.Code[5].B = none }, "unsafe program: instruction 5: expression 4294967295 does not exist"},
		{"operation of an expression", func(p *bytecode.Program) { p.Exprs[0] = word(99, 0, 0) }, "unsafe program: instruction 0: expression 0 has operation 99, which does not exist"},
		{"empty expression", func(p *bytecode.Program) { p.Exprs[0] = nil }, "unsafe program: instruction 0: expression 0 leaves 0 numbers, not 1"},
		{"sum of nothing", func(p *bytecode.Program) { p.Exprs[0] = word(bytecode.ExprAdd, 0, 0) }, "unsafe program: instruction 0: expression 0 takes a number that is not there"},
		{"deep expression", func(p *bytecode.Program) { p.Exprs[0] = make(bytecode.Expr, 17) }, "unsafe program: instruction 0: expression 0 holds more than 16 numbers"},
		{"long expression", func(p *bytecode.Program) { p.Exprs[0] = make(bytecode.Expr, 1025) }, "unsafe program: expression 0 has 1025 operations; at most 1024 are allowed"},
		{"register of an expression", func(p *bytecode.Program) { p.Exprs[0] = word(bytecode.ExprReg, -1, 0) }, "unsafe program: instruction 0: expression 0 refers to something that does not exist"},
		{"cell before the record", func(p *bytecode.Program) { p.Exprs[0] = word(bytecode.ExprCount, 0, 0) }, "unsafe program: instruction 0: expression 0 refers to something that does not exist"},
		{"argument too many", func(p *bytecode.Program) { p.Exprs[0] = word(bytecode.ExprNum, 1, 1) }, "unsafe program: instruction 0: expression 0 has arguments where there are none"},
		{"bits", func(p *bytecode.Program) {
			p.Exprs[0] = append(word(bytecode.ExprNum, 1, 0), word(bytecode.ExprFit, 65, 0)...)
		}, "unsafe program: instruction 0: expression 0 is to fit 65 bits; at least 1 and at most 64 are allowed"},
		{"keys", func(p *bytecode.Program) { p.Equal = []uint32{none} }, "unsafe program: type 4294967295 of the equal keys does not exist"},
		{"sort of encoding", func(p *bytecode.Program) { p.Encodings[0].UTF8 = 9 }, "unsafe program: encoding 0 is of an unknown sort"},
		{"substitute", func(p *bytecode.Program) { p.Types[0].Writes = []bytecode.Write{{When: none, Type: none}} }, "unsafe program: type 0 is written as something that does not exist"},
		{"many ways", func(p *bytecode.Program) { p.Tables[0].Arms = make([]bytecode.TableArm, bytecode.MaxEdges) }, "unsafe program: there are over 131072 ways from an instruction to the next, too many"},
	} {
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
