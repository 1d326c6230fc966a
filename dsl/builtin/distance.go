// Distance: how much two words differ, for suggestions in errors.

package builtin

import "strings"

// EditDistance counts insertions, deletions, changes and swaps of neighbours
// that turn a into b. It returns limit if there are at least as many.
func EditDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || max(len(a), len(b)) > 64 {
		return limit
	}
	var older, prev, cur [66]int
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
		older, prev = prev, cur
	}
	return min(prev[len(b)], limit)
}

// Nearest returns the candidate with the fewest differences from s, or else the only one that begins with
// s. Of several equally near candidates it returns the first. It returns "" if no candidate is close.
func Nearest(s string, candidates []string) string {
	best, bestDist := "", 1+min(3, (len(s)+1)/3)
	for _, c := range candidates {
		if d := EditDistance(strings.ToLower(s), strings.ToLower(c), bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	if best != "" || s == "" {
		return best
	}
	for _, c := range candidates {
		switch {
		case !strings.HasPrefix(c, s):
		case best != "":
			return ""
		default:
			best = c
		}
	}
	return best
}
