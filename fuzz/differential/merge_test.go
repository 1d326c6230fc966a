package differential

import (
	"slices"
	"testing"
	"time"
)

// TestMerge: counts are added, points are missing if both runs missed them, and the smallest finding of an ID stays.
func TestMerge(t *testing.T) {
	run := func(missing []string, findings ...*Finding) *Report {
		return &Report{Took: time.Second, Targets: []TargetReport{{Asked: 10, Inputs: 5, Points: 10, Reached: 10 - len(missing), Missing: missing, Findings: findings,
			Known: []*Finding{{Known: "a reason", Seen: 2}}}}}
	}
	a := run([]string{"x", "y"}, &Finding{ID: "1", Bytes: "0102", Seen: 1, After: 4}, &Finding{ID: "2", Bytes: "01", Seen: 1})
	b := run([]string{"y", "z"}, &Finding{ID: "1", Bytes: "03", Seen: 2, After: 9}, &Finding{ID: "3", Bytes: "01", Seen: 1})
	m := Merge([]*Report{a, b}).Targets[0]
	if m.Asked != 20 || m.Inputs != 10 || m.Reached != 9 || !slices.Equal(m.Missing, []string{"y"}) || len(m.Known) != 1 || m.Known[0].Seen != 4 {
		t.Errorf("%+v", m)
	}
	if len(m.Findings) != 3 {
		t.Fatalf("%d findings", len(m.Findings))
	}
	for _, f := range m.Findings {
		if f.ID == "1" && (f.Bytes != "03" || f.Seen != 3 || f.After != 4) {
			t.Errorf("%+v", f)
		}
	}
	if a.Targets[0].Asked != 10 || a.Targets[0].Findings[0].Bytes != "0102" {
		t.Error("a report was changed")
	}
}
