package differential

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/child"
	"github.com/octable/octable/conformance/runner"
)

func TestTry(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	spec, cmd, _ := strings.Cut(os.Getenv("TRY"), " ")
	s, err := runner.Open(context.Background(), runner.Command(child.Config{Command: strings.Fields(cmd), Timeout: time.Second, Memory: 512 << 20}))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := time.ParseDuration(os.Getenv("TRYTIME"))
	r, err := Run(context.Background(), []runner.Session{s}, Options{Spec: spec, Codec: codec.MustLoad(spec), Time: d, Objects: false, Finding: func(f *Finding) {
		fmt.Printf("%6.1fs %-18s %-40s %-12s %3d bytes (of %d, %d asked) repeats %v  %s\n    %s\n    want %s\n    got %s\n", f.After.Seconds(), f.Outcome, f.Row, f.Kind, len(f.Bytes)/2, f.First, f.Asked, f.Repeats, f.Bytes, f.Detail, f.Expected, f.Got)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Targets {
		fmt.Println(x.About.Name, x.Asked, x.PerSecond, x.Inputs, x.Reached, x.Points, x.Restarts, x.Stopped, x.Notes, len(x.Findings))
	}
	s.Close()
}
