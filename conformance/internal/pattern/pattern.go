// Package pattern has regular expressions that are compiled when they are first used. A program with many of them starts
// faster if it uses few.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of [regexp.Regexp].
type Pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// New returns a Pattern, whose methods panic if its text is not a regular expression.
func New(text string) *Pattern { return &Pattern{text: text} }

func (p *Pattern) regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

func (p *Pattern) Match(b []byte) bool { return p.regexp().Match(b) }

func (p *Pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

func (p *Pattern) FindString(s string) string { return p.regexp().FindString(s) }

func (p *Pattern) FindStringIndex(s string) []int { return p.regexp().FindStringIndex(s) }

func (p *Pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }

func (p *Pattern) FindAllString(s string, n int) []string { return p.regexp().FindAllString(s, n) }

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.regexp().FindAllStringIndex(s, n)
}

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.regexp().FindAllStringSubmatch(s, n)
}

func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.regexp().ReplaceAllString(s, with)
}
