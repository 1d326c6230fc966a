// Go types of the shapes in record_shapes_test.go.

package codec_test

import "strings"

type (
	shapeFlags struct {
		A bool  `octable:"a"`
		B bool  `octable:"b"`
		C bool  `octable:"c"`
		D bool  `octable:"d"`
		E bool  `octable:"e"`
		F bool  `octable:"f"`
		G bool  `octable:"g"`
		H bool  `octable:"h"`
		I uint8 `octable:"i"`
	}
	shapeLength struct {
		List []struct {
			A    uint8  `octable:"a"`
			B    uint8  `octable:"b"`
			C    uint8  `octable:"c"`
			D    uint8  `octable:"d"`
			E    uint32 `octable:"e"`
			Text string `octable:"text"`
		} `octable:"list"`
	}
	shapeOptional struct {
		Kind  uint8   `octable:"kind"`
		Wide  uint8   `octable:"wide"`
		Text  string  `octable:"text,omitempty"`
		Bytes []byte  `octable:"bytes,omitempty"`
		Num   *uint16 `octable:"num"`
		Truth bool    `octable:"truth,omitempty"`
		Small int32   `octable:"small,omitempty"`
	}
	shapeOptionals struct {
		List []shapeOptional `octable:"list"`
	}
	shapeBytes struct {
		N     uint8  `octable:"n"`
		Bytes []byte `octable:"bytes"`
	}
	shapeBounds struct {
		Kind  uint8 `octable:"kind"`
		Least uint8 `octable:"least,omitempty"`
		Less  uint8 `octable:"less,omitempty"`
		More  uint8 `octable:"more,omitempty"`
		Most  uint8 `octable:"most,omitempty"`
		End   uint8 `octable:"end"`
	}
	shapeText struct {
		Text string `octable:"text"`
	}
	shapeItem struct {
		A uint8 `octable:"a"`
		B uint8 `octable:"b,omitempty"`
	}
	shapePassed struct {
		Kind uint16    `octable:"kind"`
		Item shapeItem `octable:"item"`
		Last uint8     `octable:"last"`
	}
	shapeUntil struct {
		List []struct {
			Kind uint16 `octable:"kind"`
			X    uint8  `octable:"x"`
		} `octable:"list"`
		Last uint8 `octable:"last"`
	}
	shapeProduct struct {
		List []struct {
			X uint16 `octable:"x"`
			Y uint16 `octable:"y"`
		} `octable:"list"`
	}
	shapeBase struct {
		A uint8 `octable:"a"`
	}
	shapeEmbeds struct {
		*shapeBase
		B uint8 `octable:"b"`
	}
	shapeRequired struct {
		A uint8  `octable:"a"`
		B *uint8 `octable:"b,required"`
	}
	shapeOther struct {
		A uint8  `octable:"a"`
		Z *uint8 `octable:"z,required"`
	}
	shapePair struct {
		X int16 `octable:"x"`
		Y int16 `octable:"y"`
	}
	shapePairs[P any] struct {
		List []P `octable:"list"`
	}
	shapePairEmpty struct {
		X int16 `octable:"x,omitempty"`
		Y int16 `octable:"y"`
	}
	shapePairMore struct {
		X int16 `octable:"x"`
		Y int16 `octable:"y"`
		Z int16 `octable:"z,required"`
	}
	shapePairText struct {
		X string `octable:"x"`
		Y int16  `octable:"y"`
	}
	shapeVariants struct {
		Kind uint8       `octable:"kind"`
		List []shapeItem `octable:"list"`
	}
	shapeLine struct {
		Text string `octable:"text"`
		More string `octable:"more"`
	}
	shapeTruth struct {
		A bool  `octable:"a"`
		B uint8 `octable:"b"`
	}
	shapeHooked struct {
		Kind uint8       `octable:"kind"`
		Text shapeParsed `octable:"text"`
	}
	shapeSizes struct {
		A    shapeItem `octable:"a"`
		B    shapeItem `octable:"b"`
		Last uint8     `octable:"last"`
	}
	shapeNested struct {
		A struct {
			K uint8     `octable:"k"`
			I shapeItem `octable:"i"`
		} `octable:"a"`
		B struct {
			K uint8     `octable:"k"`
			I shapeItem `octable:"i"`
		} `octable:"b"`
	}
	shapeBits struct {
		N    uint8  `octable:"n"`
		Text string `octable:"text"`
		M    uint8  `octable:"m"`
		Low  uint8  `octable:"low"`
	}
	shapeMiddle struct {
		Kind uint8  `octable:"kind"`
		X    uint8  `octable:"x,omitempty"`
		Y    uint16 `octable:"y"`
		Text string `octable:"text"`
	}
	shapeOrder struct {
		Big uint8  `octable:"big"`
		X   uint16 `octable:"x"`
	}
	shapeAmounts struct {
		A    uint8  `octable:"a"`
		B    uint8  `octable:"b"`
		Data []byte `octable:"data"`
	}
	shapeArms struct {
		One   *shapeItem `octable:"one"`
		Two   shapePair  `octable:"two"`
		Extra int        `octable:"extra"`
	}
	shapeArm struct {
		Two *shapePair `octable:"two"`
	}
	shapeArmsEmpty struct {
		One *shapeItem `octable:"one,omitempty"`
		Two *shapePair `octable:"two"`
	}
	shapeRestPairs struct {
		List []shapePair `octable:"list"`
		More []struct {
			X     int16 `octable:"x"`
			Y     int16 `octable:"y"`
			Extra int   `octable:"-"`
		} `octable:"more"`
	}
	shapeArmsRest struct {
		One  *shapeItem     `octable:"one"`
		Rest map[string]any `octable:",rest"`
	}
	shapeArmsEmbed struct {
		*shapeBase
		One *shapeItem `octable:"one"`
		Two *shapePair `octable:"two"`
	}
	shapeWord struct {
		X *struct {
			Kind uint8  `octable:"kind"`
			Mode uint8  `octable:"mode"`
			A    uint8  `octable:"a,omitempty"`
			Text string `octable:"text"`
		} `octable:"x"`
		Y *struct {
			Kind uint8 `octable:"kind"`
			A    uint8 `octable:"a,omitempty"`
		} `octable:"y"`
		Z *struct {
			A int8 `octable:"a"`
		} `octable:"z"`
	}
	shapeOneArm struct {
		One *struct {
			A uint8 `octable:"a"`
			B uint8 `octable:"b,omitempty"`
		} `octable:"one"`
		Two *struct {
			X int16 `octable:"x"`
			Y int16 `octable:"y"`
			B uint8 `octable:"b,omitempty"`
		} `octable:"two"`
	}
	shapeOutside struct {
		K uint8 `octable:"k"`
		U struct {
			A *struct {
				M uint8 `octable:"m"`
				X uint8 `octable:"x,omitempty"`
			} `octable:"a"`
		} `octable:"u"`
	}
	shapeHigh struct {
		A bool   `octable:"a"`
		B uint64 `octable:"b"`
	}
	shapePower struct {
		K uint8 `octable:"k"`
	}
	shapeMore struct {
		Kind uint8 `octable:"kind"`
		List []struct {
			A     uint8 `octable:"a"`
			B     uint8 `octable:"b,omitempty"`
			Extra int   `octable:"extra"`
		} `octable:"list"`
	}
	shapeTree struct {
		A     uint8       `octable:"a"`
		Extra int         `octable:"extra"`
		List  []shapeTree `octable:"list"`
	}
	shapeTwice struct {
		A    uint8  `octable:"a"`
		B    uint8  `octable:"b"`
		X    []byte `octable:"x"`
		Y    []byte `octable:"y"`
		Last uint8  `octable:"last"`
	}
	shapeSized struct {
		I    shapeItem `octable:"i"`
		Last uint8     `octable:"last"`
	}
	shapeWider struct { // numbers of one byte, which one store moves
		A uint16 `octable:"a"`
		B uint16 `octable:"b"`
		C uint16 `octable:"c"`
		D uint16 `octable:"d"`
	}
	shapeConst struct {
		List []struct {
			X uint8 `octable:"x"`
		} `octable:"list"`
	}
	shapeColumns struct {
		List []struct {
			A uint8  `octable:"a"`
			B uint8  `octable:"b"`
			E uint16 `octable:"e"`
			Y uint64 `octable:"y"`
			X uint32 `octable:"x"`
		} `octable:"list"`
	}
	shapeSingle struct {
		X float32 `octable:"x"`
	}
	shapeDouble struct {
		X *float64 `octable:"x"`
	}
	shapeTwiceIf struct {
		Kind  uint8 `octable:"kind"`
		Inner struct {
			One *struct {
				K    uint8  `octable:"k"`
				Text string `octable:"text,omitempty"`
				X    uint8  `octable:"x"`
			} `octable:"one"`
			Two *struct {
				A uint8 `octable:"a"`
				B uint8 `octable:"b"`
			} `octable:"two"`
		} `octable:"inner"`
	}
	shapeBroken struct {
		A *struct {
			K uint8        `octable:"k"`
			R shapeBrokenR `octable:"r"`
		} `octable:"a"`
		B *struct {
			S shapeBrokenS `octable:"s"`
		} `octable:"b"`
	}
	shapeBrokenR struct {
		List []shapeBrokenS `octable:"list"`
		Half shapeParsed    `octable:"half"`
	}
	shapeBrokenS struct {
		K    uint8          `octable:"k"`
		R    *shapeBrokenR  `octable:"r"`
		List []shapeBrokenR `octable:"list,omitempty"`
	}
	shapeBrokenMaps struct {
		A *struct {
			R shapeBrokenMapR `octable:"r"`
		} `octable:"a"`
		B *struct {
			S shapeBrokenMapS `octable:"s"`
		} `octable:"b"`
	}
	shapeBrokenMapR struct {
		List []shapeBrokenMapS `octable:"list"`
		Half shapeParsed       `octable:"half"`
	}
	shapeBrokenMapS struct {
		Map []struct {
			Key   uint8
			Value shapeBrokenMapR
		} `octable:"map"`
	}
	shapeLittle struct {
		List []struct {
			A uint16 `octable:"a"`
			C uint8  `octable:"c,omitempty"`
			B struct {
				X uint16 `octable:"x"`
				Y uint8  `octable:"y"`
			} `octable:"b"`
			Low  uint8 `octable:"low"`
			High uint8 `octable:"high"`
		} `octable:"list"`
	}
	shapeChecked struct {
		Kind uint8 `octable:"kind"`
		Item struct {
			A uint8 `octable:"a"`
			B uint8 `octable:"b"`
		} `octable:"item"`
		Last uint8 `octable:"last"`
	}
	shapeGiven struct {
		K    uint8 `octable:"k"`
		Node struct {
			N uint8          `octable:"n"`
			U shapeGivenArms `octable:"u"`
		} `octable:"node"`
	}
	shapeGivenArms struct {
		Leaf *struct {
			X uint16 `octable:"x"`
		} `octable:"leaf"`
		List *struct {
			Items []shapeGivenArms `octable:"items"`
		} `octable:"list"`
	}
	shapeHalves struct {
		List []struct {
			A uint8 `octable:"a"`
			B uint8 `octable:"b"`
		} `octable:"list"`
	}
	shapeTexts struct {
		List []struct {
			E    uint32 `octable:"e"`
			Y    uint16 `octable:"y"`
			Text string `octable:"text"`
		} `octable:"list"`
	}
	shapeTruths struct {
		One   *shapeItem `octable:"one"`
		Ping  bool       `octable:"ping"`
		Pong  *bool      `octable:"pong"`
		Truth *bool      `octable:"truth"`
	}
	shapeWide struct {
		List []struct {
			X uint8  `octable:"x"`
			Y uint16 `octable:"y"`
			Z uint16 `octable:"z"`
			K uint8  `octable:"k"`
			E uint32 `octable:"e"`
		} `octable:"list"`
	}
	shapeOddBit struct {
		A    bool   `octable:"a"`
		B    uint8  `octable:"b"`
		Text string `octable:"text"`
	}
	shapeAbsents struct {
		Kind uint8          `octable:"kind"`
		List []shapeOfThree `octable:"list"`
		More []shapeOfThree `octable:"more"`
	}
	shapeOfThree struct {
		A uint8 `octable:"a"`
		B uint8 `octable:"b,omitempty"`
		C uint8 `octable:"c"`
	}
	shapeAbsent struct {
		Kind uint8 `octable:"kind"`
		List []struct {
			A uint8 `octable:"a"`
			B uint8 `octable:"b,omitempty"`
			C uint8 `octable:"c"`
		} `octable:"list"`
	}
	shapeSignedItem struct {
		X int16  `octable:"x"`
		Y int16  `octable:"y"`
		Z int16  `octable:"z"`
		E uint16 `octable:"e"`
		F uint16 `octable:"f"`
	}
	shapeSigned struct {
		List []shapeSignedItem `octable:"list"`
	}
	shapeSignedText struct {
		Text string `octable:"text"`
		X    int16  `octable:"x"`
		Y    *int32 `octable:"y"`
		Z    int16  `octable:"z"`
	}
	shapeSignedTexts struct {
		List []shapeSignedText `octable:"list"`
	}
)

// shapeParsed is a text that reads itself.
type shapeParsed string

func (x *shapeParsed) UnmarshalText(b []byte) error {
	*x = shapeParsed("<" + string(b) + ">")
	return nil
}

func (x shapeParsed) MarshalText() ([]byte, error) { return []byte(strings.Trim(string(x), "<>")), nil }

// shapeApart is for lengths whose texts are behind other rows.
type shapeApart struct {
	Bytes []byte `octable:"bytes"`
	A     uint8  `octable:"a"`
	Text  string `octable:"text"`
}

// shapeOdd is for numbers of three, five and six bytes.
type shapeOdd struct {
	A    int32  `octable:"a"`
	B    uint64 `octable:"b"`
	Body struct {
		Bytes []byte `octable:"bytes"`
		Text  string `octable:"text"`
	} `octable:"body"`
}
