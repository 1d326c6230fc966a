// Distance: how much two words differ, for suggestions in errors.

package builtin

// EditDistance counts insertions, deletions, changes and swaps of neighbours
// that make b of a, or returns limit if there are at least as many.
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
