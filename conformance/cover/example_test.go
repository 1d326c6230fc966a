package cover_test

import (
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/interp"
)

// Coverage of the schema of frames by one frame.
func Example() {
	m := raw.Machine(codec.MustLoad("framing"))
	points := cover.New(m, cover.Setup{})
	reached := m.NewCoverage()
	v, _, err := m.DecodeObserved([]byte("\x04\x00\x00\x00\x00\x00\x00\x00"), interp.Options{}, reached)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := m.AppendObserved(nil, v, interp.Options{}, reached); err != nil {
		fmt.Println(err)
		return
	}
	report := points.Report(reached)
	fmt.Println(report)
	for _, q := range report.Missing[:2] {
		fmt.Printf("%s: %s\n", q.ID, q.Text)
	}
	// Output:
	// 12 of 18 points (66.7 %); 9 more do not count
	// Frame.length/word/short/read: word u32, r0, count(c0), none: refused: the input ends too early
	// Frame.packet/packed/short/read: packed u8, ×1, r0, c0: refused: the input ends too early
}
