// The types of octable's generated code, for a Mapper.

package png

import (
	"github.com/octable/octable/codec"
	gen "github.com/octable/octable/codec/bench/run-go-generate/png"
)

// interfaces has the types of arms.
var interfaces = []codec.Interface{
	codec.InterfaceOf("", map[string]gen.Data{
		"gAMA":  gen.GAMA(0),
		"sRGB":  gen.SRGB(0),
		"bKGD":  gen.BKGD{},
		"IEND":  gen.IEND{},
		"tIME":  gen.TIME{},
		"PLTE":  gen.PLTE(nil),
		"cLLI":  gen.CLLI{},
		"pCAL":  gen.PCAL{},
		"sCAL":  gen.SCAL{},
		"acTL":  gen.AcTL{},
		"fcTL":  gen.FcTL{},
		"cHRM":  gen.CHRM{},
		"iCCP":  gen.ICCP{},
		"cICP":  gen.CICP{},
		"sTER":  gen.STER(0),
		"tRNS":  gen.TRNS{},
		"IDAT":  gen.IDAT(nil),
		"fdAT":  gen.FdAT{},
		"sBIT":  gen.SBIT{},
		"sPLT":  gen.SPLT{},
		"hIST":  gen.HIST(nil),
		"mDCV":  gen.MDCV{},
		"eXIf":  gen.EXIf(nil),
		"gIFg":  gen.GIFg{},
		"oFFs":  gen.OFFs{},
		"pHYs":  gen.PHYs{},
		"gIFt":  gen.GIFt{},
		"tEXt":  gen.TEXt{},
		"iTXt":  gen.ITXt{},
		"zTXt":  gen.ZTXt{},
		"gIFx":  gen.GIFx{},
		"other": gen.Other(nil),
	}),
}
