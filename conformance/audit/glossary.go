package audit

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed glossary.json
var glossaryJSON []byte

// A phrase is an entry of the glossary.
type phrase struct {
	Text    string `json:"text"`
	Means   string `json:"means"`
	Cell    string `json:"cell"`
	Erratum string `json:"erratum"`
}

// glossary is glossary.json, ready for use.
var glossary = func() (g struct {
	phrases      map[[2]string][]phrase // by cell and text
	words        map[string]string      // key word to the first of its list
	captionWords map[string]string
}) {
	var file struct {
		Phrases      []phrase   `json:"phrases"`
		Words        [][]string `json:"words"`
		CaptionWords [][]string `json:"caption_words"`
	}
	if err := json.Unmarshal(glossaryJSON, &file); err != nil {
		panic(fmt.Sprintf("audit: glossary.json: %v", err))
	}
	g.phrases = make(map[[2]string][]phrase)
	for _, p := range file.Phrases {
		key := [2]string{p.Cell, p.Text}
		g.phrases[key] = append(g.phrases[key], p)
	}
	index := func(lists [][]string) map[string]string {
		m := make(map[string]string)
		for _, list := range lists {
			for _, w := range list {
				m[w] = list[0]
			}
		}
		return m
	}
	g.words = index(file.Words)
	g.captionWords = index(file.CaptionWords)
	return g
}()

// translate returns the readings of a cell's text: the text itself, and what
// the glossary has for it.
func translate(cell, text string) []phrase {
	readings := []phrase{{Text: text, Means: text, Cell: cell}}
	return append(readings, glossary.phrases[[2]string{cell, text}]...)
}

// headerName returns the English name of a column heading in lower case, and the glossary's
// entry if it needed one. Names are "offset", "len", "type", "description" and "value". It
// returns "" if text is not a heading.
func headerName(text string) (string, *phrase) {
	switch strings.ToLower(text) {
	case "offset", "len", "type", "description", "value":
		return strings.ToLower(text), nil
	case "length":
		return "len", nil
	}
	if ps := glossary.phrases[[2]string{"header", text}]; len(ps) > 0 {
		return strings.ToLower(ps[0].Means), &ps[0]
	}
	return "", nil
}

// Translated returns a cell's text with what the glossary has for it. The cell is label,
// offset, length, type or description.
func Translated(cell, text string) string {
	readings := translate(cell, text)
	return readings[len(readings)-1].Means
}
