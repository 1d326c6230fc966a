// Steps of regions, marks, checksums and texts without a count.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
)

// wide makes the step of an instruction that only the wide form of a record has.
func (b *stepCompiler) wide(out *[]recordStep, x *bytecode.Step) bool {
	s := recordStep{array: none, off: none}
	switch x.Op {
	case bytecode.Pass:
		b.passed = nil
		for r := range x.B {
			b.passed = append(b.passed, registerExpr(int(x.A+r)))
		}
		return true
	case bytecode.Enter:
		if b.write {
			return true
		}
		s.code, s.expr = recordEnter, b.looking(x.A)
		*out = append(*out, s)
		return s.expr != nil
	case bytecode.Leave:
		if b.write {
			return true
		}
		s.code = recordLeave
	case bytecode.Mark:
		if s.code, s.reg = recordMark, int(x.A); x.Run != none {
			s.off = x.Off
		}
	case bytecode.Size:
		s.code, s.reg, s.from = recordSize, int(x.A), int(x.B)
	case bytecode.Sum:
		if x.D&bytecode.SumWrite != 0 && !b.write || x.D&bytecode.SumRead != 0 && b.write {
			return true
		}
		s.code, s.reg, s.sum = recordSum, int(x.A), b.c.m.Checksum(x.PC)
		if _, _, holes := b.p.Holes(x.PC); holes {
			s.code, s.places, s.pc = recordTotal, x.Instr, x.PC
		}
	case bytecode.Compare:
		if b.write {
			return true
		}
		s.code, s.reg, s.expr = recordCompare, int(x.A), b.looking(x.B)
		*out = append(*out, s)
		return s.expr != nil
	case bytecode.Stop:
		if s.code, s.expr = recordStop, b.looking(x.A); x.Const {
			s.expr = new(numberExpr(x.N))
		}
		*out = append(*out, s)
		return s.expr != nil
	case bytecode.Patch:
		s.code, s.from, s.reg, s.expr, s.coding = recordPatch, int(x.B), none, b.expr(x.C), x.Coding()
		if x.D != bytecode.None {
			s.reg = int(x.D)
		}
		s.words = []word{{scalar: x.Scalar(), big: b.order(x.Instr)}}
		*out = append(*out, s)
		return s.expr != nil
	case bytecode.Chosen:
		b.choice = x.Instr
		return true
	case bytecode.Holes:
		return true
	case bytecode.Total:
		if !b.write && b.p.Code[x.PC+1].C&bytecode.SettleAny != 0 { // of the settle, which comes next
			return true
		}
		s.code, s.reg, s.places = recordTotal, int(x.A), x.Instr
	case bytecode.Note, bytecode.Settle, bytecode.Choose, bytecode.Base, bytecode.Close, bytecode.Seek, bytecode.Back:
		return b.place(out, x)
	case bytecode.Gaps:
		s.code, s.places, s.encoding = recordGaps, x.Instr, none
		s.field, s.offset, s.typ = b.target(x.A)
		if t := s.typ; t == nil && b.write || t != nil && (b.hooked(t) || t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Uint8) {
			return false
		}
	default:
		return false
	}
	*out = append(*out, s)
	return true
}

// place makes the step of an instruction about rows at places.
func (b *stepCompiler) place(out *[]recordStep, x *bytecode.Step) bool {
	s := recordStep{code: recordPlaces, places: x.Instr, array: none, off: none}
	switch x.Op {
	case bytecode.Note:
		b.places = true
		if s.count.expr = new(registerExpr(int(x.C))); x.Run != none {
			s.placed, s.off = true, x.Off
		}
	case bytecode.Settle:
		if !b.write && x.C&bytecode.SettleAny != 0 {
			return true
		}
		s.count.expr = b.early(x.B)
		b.push(out, s)
		return s.count.expr != nil
	case bytecode.Choose, bytecode.Base, bytecode.Close, bytecode.Seek, bytecode.Back:
		b.places = true
		switch s.pc = x.PC; x.Op {
		case bytecode.Choose:
			if s.reg, s.from = int(x.A), int(x.B); !b.write {
				return true
			}
		case bytecode.Seek:
			s.count.expr, s.choice, b.choice = b.early(x.B), b.choice, nil
			b.push(out, s)
			return s.count.expr != nil
		}
	}
	*out = append(*out, s)
	return true
}
