package schemas

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

var durationFlag = flag.Duration("mixduration", 0, "")
var mixseed = flag.Uint64("mixseed", 1, "")
var mixbad = flag.Int("mixbad", 1, "")

func TestMix(t *testing.T) {
	r := rand.New(rand.NewPCG(*mixseed, 1))
	refused := 0
	began := time.Now()
	n, bad := 0, 0
	for ; time.Since(began) < *durationFlag; n++ {
		c := RandomChoices(r)
		d := Draw(c)
		if d.Err != nil {
			refused++
			if n > 100 && refused > n/20 {
				t.Fatalf("%d schemas: %d refused\n%v\n%s", n, refused, d.Err, d)
			}
			continue
		}
		if err := Agree(d, c, nil); err != nil {
			t.Errorf("%d schemas: %v\n%s", n, err, d)
			if bad++; bad >= *mixbad {
				break
			}
		}
	}
	t.Logf("%d schemas, %d refused", n, refused)
}
