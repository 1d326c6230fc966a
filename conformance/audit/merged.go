package audit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A mergedCell is a cell over several rows and columns of a table.
type mergedCell struct {
	cell
	rows, cols int
	head       bool
}

// maxColumns is the number of columns over which a cell is spread.
const maxColumns = 64

// unmerge returns a table with a cell for each row and column, below one row of heads. The text
// of a cell over several rows is in each of them. That of a cell over several columns is in the
// first one if it is a place or a number of bytes, otherwise in the last one.
func unmerge(table [][]mergedCell) [][]cell {
	var rows [][]cell
	heads := 0
	var above []mergedCell // the cells that go on in the next row, by column; rows is 0 for none
	for _, r := range table {
		var out []cell
		next := slices.Clone(above)
		carried := func() {
			for len(out) < len(next) && next[len(out)].rows > 0 {
				next[len(out)].rows--
				out = append(out, next[len(out)].cell)
			}
		}
		head := len(r) > 0
		for _, c := range r {
			carried()
			head = head && c.head
			from := len(out)
			for range min(max(c.cols, 1), maxColumns) {
				text := c.cell
				text.text = ""
				out = append(out, text)
			}
			for len(next) < len(out) {
				next = append(next, mergedCell{})
			}
			at := len(out) - 1
			if _, _, _, ok := spanOf(c.text); ok || head {
				at = from
			}
			out[at].text = c.text
			for i := from; i < len(out); i++ {
				if head {
					out[i].text = c.text
				}
				next[i] = mergedCell{cell: out[i], rows: c.rows - 1}
			}
		}
		carried()
		if head && heads == len(rows) {
			heads++
		}
		if len(out) > 0 {
			rows = append(rows, out)
		}
		above = next
	}
	if heads < 2 || heads == len(rows) {
		return rows
	}
	return append([][]cell{joinHeads(rows[:heads])}, rows[heads:]...)
}

// joinHeads makes one row of several rows of heads.
func joinHeads(heads [][]cell) []cell {
	joined := slices.Clone(heads[0])
	for _, r := range heads[1:] {
		for i, c := range r {
			if i == len(joined) {
				joined = append(joined, c)
			} else if c.text != heads[0][min(i, len(heads[0])-1)].text {
				joined[i].text = strings.TrimSpace(joined[i].text + " " + c.text)
			}
		}
	}
	return joined
}

// gridLines are the lines of a grid table, which have the same number of characters.
type gridLines [][]rune

// gridOf returns a grid table with merged cells. It is nil for one without, and for lines of
// different lengths.
func gridOf(pieces []string) gridLines {
	var g gridLines
	merged := false
	for i, s := range pieces {
		g = append(g, []rune(s))
		if len(g[i]) != len(g[0]) || strings.ContainsRune(s, utf8.RuneError) {
			return nil
		}
		merged = merged || i > 0 && !isBorder(s) && !g.barred(0, i)
	}
	if !merged || len(g) < 3 || !isBorder(pieces[0]) || !isBorder(pieces[len(pieces)-1]) {
		return nil
	}
	return g
}

// barred reports whether a line has a bar below each corner of a border.
func (g gridLines) barred(border, y int) bool {
	for x, c := range g[border] {
		if c == '+' && g[y][x] != '|' {
			return false
		}
	}
	return true
}

// ruled reports whether a line has a border above or below a cell, from one bar to another.
func (g gridLines) ruled(y, from, to int) bool {
	for x := from + 1; x < to; x++ {
		if c := g[y][x]; c != '-' && c != '=' && c != '+' {
			return false
		}
	}
	return to > from+1
}

// cells returns the cells of a grid table, and the line of the border below the heads.
func (g gridLines) cells(nums []int) [][]mergedCell {
	var xs, ys []int // of bars and borders
	head := 0
	for y, line := range g {
		border := false
		for x, c := range line {
			if c != '+' || !g.border(x, y) {
				continue
			}
			border = true
			if !slices.Contains(xs, x) {
				xs = append(xs, x)
			}
		}
		if border {
			ys = append(ys, y)
		}
		if head == 0 && y > 0 && slices.Contains(line, '=') && isBorder(string(line)) {
			head = y
		}
	}
	slices.Sort(xs)
	taken := map[[2]int]bool{}
	var table [][]mergedCell
	for j := range ys[1:] {
		var r []mergedCell
		for i := range xs[1:] {
			if taken[[2]int{i, j}] {
				continue
			}
			c := g.merged(xs, ys, i, j)
			c.line, c.head = nums[min(ys[j]+1, len(nums)-1)], ys[j] < head
			for dy := range c.rows {
				for dx := range c.cols {
					taken[[2]int{i + dx, j + dy}] = true
				}
			}
			r = append(r, c)
		}
		table = append(table, r)
	}
	return table
}

// border reports whether a corner is one of a border: dashes are beside it.
func (g gridLines) border(x, y int) bool {
	dash := func(x int) bool { return x >= 0 && x < len(g[y]) && (g[y][x] == '-' || g[y][x] == '=') }
	return dash(x-1) || dash(x+1)
}

// merged returns the cell that begins at a column and a row.
func (g gridLines) merged(xs, ys []int, i, j int) mergedCell {
	right, below := i+1, j+1
	for ; right < len(xs)-1; right++ {
		bar := true
		for y := ys[j] + 1; y < ys[j+1]; y++ {
			bar = bar && (g[y][xs[right]] == '|' || g[y][xs[right]] == '+')
		}
		if bar {
			break
		}
	}
	for below < len(ys)-1 && !g.ruled(ys[below], xs[i], xs[right]) {
		below++
	}
	var lines []string
	for y := ys[j] + 1; y < ys[below]; y++ {
		lines = append(lines, strings.TrimSpace(string(g[y][xs[i]+1:xs[right]])))
	}
	text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	return mergedCell{cell: cell{text: strings.ReplaceAll(text, `\|`, "|")}, rows: below - j, cols: right - i}
}
