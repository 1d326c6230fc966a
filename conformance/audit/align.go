package audit

// A pair joins element a of one sequence with element b of another. The number
// -1 means that the element has no partner.
type pair struct{ a, b int }

// maxAlign limits the number of pairs that align compares.
const maxAlign = 1 << 18

// align pairs the elements of two sequences of n and m elements in order. The
// sum of the costs is least. cost gives the cost of a pair, gapA and gapB that
// of leaving an element without a partner.
func align(n, m int, cost func(i, j int) int, gapA, gapB func(int) int) ([]pair, int) {
	if n == 0 || m == 0 || n > maxAlign/m {
		return alignInOrder(n, m, cost, gapA, gapB)
	}
	w := m + 1
	best := make([]int, (n+1)*w)
	step := make([]byte, (n+1)*w)
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			if i == 0 && j == 0 {
				continue
			}
			least, from := -1, byte(0)
			try := func(c int, s byte) {
				if least < 0 || c < least {
					least, from = c, s
				}
			}
			if i > 0 && j > 0 {
				try(best[(i-1)*w+j-1]+cost(i-1, j-1), 'p')
			}
			if i > 0 {
				try(best[(i-1)*w+j]+gapA(i-1), 'a')
			}
			if j > 0 {
				try(best[i*w+j-1]+gapB(j-1), 'b')
			}
			best[i*w+j], step[i*w+j] = least, from
		}
	}
	var pairs []pair
	for i, j := n, m; i > 0 || j > 0; {
		switch step[i*w+j] {
		case 'p':
			i, j = i-1, j-1
			pairs = append(pairs, pair{i, j})
		case 'a':
			i--
			pairs = append(pairs, pair{i, -1})
		default:
			j--
			pairs = append(pairs, pair{-1, j})
		}
	}
	for i, j := 0, len(pairs)-1; i < j; i, j = i+1, j-1 {
		pairs[i], pairs[j] = pairs[j], pairs[i]
	}
	return pairs, best[n*w+m]
}

// alignInOrder pairs elements with the same index.
func alignInOrder(n, m int, cost func(i, j int) int, gapA, gapB func(int) int) ([]pair, int) {
	var pairs []pair
	sum := 0
	for i := 0; i < n || i < m; i++ {
		switch {
		case i >= m:
			pairs, sum = append(pairs, pair{i, -1}), sum+gapA(i)
		case i >= n:
			pairs, sum = append(pairs, pair{-1, i}), sum+gapB(i)
		default:
			pairs, sum = append(pairs, pair{i, i}), sum+cost(i, i)
		}
	}
	return pairs, sum
}

// constant returns a function for align that is c everywhere.
func constant(c int) func(int) int { return func(int) int { return c } }
