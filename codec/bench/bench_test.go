package bench

import (
	"runtime"
	"testing"

	"github.com/octable/octable/codec/bench/cases"
)

// Benchmark runs every case. Select with -bench, as in
// -bench '/game/decode-value/'. Compare with -cpu 1 only: with more,
// the collector of garbage and the case share the processors as chance has it.
func Benchmark(b *testing.B) {
	for _, c := range cases.All() {
		b.Run(c.Name(), func(b *testing.B) {
			run := c.Make()
			run(1)
			runtime.GC()
			b.SetBytes(int64(c.Bytes))
			b.ReportAllocs()
			b.ResetTimer()
			run(b.N)
		})
	}
}
