// Folding: parts of a file that an editor can hide.

package lsp

import "github.com/octable/octable/dsl"

// foldingRanges returns the lines between brackets, and comments of several lines.
func (s *server) foldingRanges(_ call, params documentParams) (any, error) {
	p := s.place(positionParams{TextDocument: params.TextDocument})
	return p.folds(), nil
}

// folds returns the folding ranges of a document.
func (p *place) folds() []foldingRange {
	out := []foldingRange{}
	var open []int // the lines of brackets that are not closed
	comment := foldingRange{StartLine: -1}
	end := func() {
		if comment.StartLine >= 0 && comment.EndLine > comment.StartLine {
			out = append(out, comment)
		}
		comment.StartLine = -1
	}
	last := -1 // the line of the token before
	for _, t := range dsl.Tokens(p.name, p.text.s) {
		line := t.Pos.Line - 1
		if t.Kind == dsl.CommentKind || t.Kind == dsl.DocKind {
			switch {
			case line == last: // behind a row
			case comment.StartLine >= 0 && line == comment.EndLine+1:
				comment.EndLine = line
			default:
				end()
				comment = foldingRange{line, line, "comment"}
			}
			continue
		}
		end()
		last = line
		switch {
		case t.Kind != dsl.OperatorKind:
		case t.Text == "{" || t.Text == "(" || t.Text == "[":
			open = append(open, line)
		case (t.Text == "}" || t.Text == ")" || t.Text == "]") && len(open) > 0:
			begin := open[len(open)-1]
			open = open[:len(open)-1]
			if line-1 > begin { // the line of the closing bracket stays visible
				out = append(out, foldingRange{StartLine: begin, EndLine: line - 1})
			}
		}
	}
	end()
	return out
}
