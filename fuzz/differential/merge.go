// Merging the reports of runs side by side.

package differential

import "slices"

// Merge returns one report for several runs against the same targets. Counts are added, a point is missing if all runs
// missed it, and the smallest of the findings with one ID is kept.
func Merge(reports []*Report) *Report {
	out := *reports[0]
	out.Targets = slices.Clone(out.Targets)
	for _, r := range reports[1:] {
		out.Took = max(out.Took, r.Took)
		if out.Stopped == "" {
			out.Stopped = r.Stopped
		}
		for i := range out.Targets {
			out.Targets[i].merge(&r.Targets[i])
		}
	}
	return &out
}

func (t *TargetReport) merge(other *TargetReport) {
	t.Asked += other.Asked
	t.PerSecond += other.PerSecond
	t.Inputs += other.Inputs
	t.Restarts += other.Restarts
	t.Late += other.Late
	if t.Full == 0 || other.Full > 0 && other.Full < t.Full {
		t.Full = other.Full
	}
	t.Missing = slices.DeleteFunc(slices.Clone(t.Missing), func(id string) bool { return !slices.Contains(other.Missing, id) })
	t.Reached = t.Points - len(t.Missing)
	if t.Stopped == "" {
		t.Stopped = other.Stopped
	}
	for _, n := range other.Notes {
		if !slices.Contains(t.Notes, n) {
			t.Notes = append(t.Notes, n)
		}
	}
	t.Findings = merged(t.Findings, other.Findings, func(f *Finding) string { return f.ID })
	t.Known = merged(t.Known, other.Known, func(f *Finding) string { return f.Known })
}

// merged returns the findings of two runs, the smallest of each name, which says how often both saw it.
func merged(a, b []*Finding, name func(*Finding) string) []*Finding {
	out := slices.Clone(a)
	for _, f := range b {
		i := slices.IndexFunc(out, func(g *Finding) bool { return name(g) == name(f) })
		if i < 0 {
			out = append(out, f)
			continue
		}
		least := *out[i]
		if f.size() < least.size() {
			least = *f
		}
		least.Seen = out[i].Seen + f.Seen
		least.After = min(out[i].After, f.After)
		out[i] = &least
	}
	sortFindings(out)
	return out
}
