// Package lazyregexp has regular expressions that are compiled when they are first needed. To compile all of them took
// longer than the rest of the program's start, and it starts anew for each command that it supervises.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression with the methods of regexp.Regexp that are in use here.
type Regexp struct {
	text  string
	once  sync.Once
	ready *regexp.Regexp
}

// New is regexp.MustCompile, put off: an expression that cannot be compiled panics at its first use. It is so short that
// the compiler lays out a variable made by it, and nothing is left to be done at the start.
func New(text string) *Regexp { return &Regexp{text: text} }

func (p *Regexp) re() *regexp.Regexp {
	p.once.Do(func() { p.ready = regexp.MustCompile(p.text) })
	return p.ready
}

func (p *Regexp) MatchString(s string) bool              { return p.re().MatchString(s) }
func (p *Regexp) Match(b []byte) bool                    { return p.re().Match(b) }
func (p *Regexp) FindString(s string) string             { return p.re().FindString(s) }
func (p *Regexp) FindStringSubmatch(s string) []string   { return p.re().FindStringSubmatch(s) }
func (p *Regexp) FindAllString(s string, n int) []string { return p.re().FindAllString(s, n) }
func (p *Regexp) FindStringSubmatchIndex(s string) []int { return p.re().FindStringSubmatchIndex(s) }

func (p *Regexp) FindAllStringIndex(s string, n int) [][]int { return p.re().FindAllStringIndex(s, n) }

func (p *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return p.re().FindAllStringSubmatch(s, n)
}

func (p *Regexp) ReplaceAllStringFunc(src string, by func(string) string) string {
	return p.re().ReplaceAllStringFunc(src, by)
}

func (p *Regexp) ReplaceAllString(src, by string) string     { return p.re().ReplaceAllString(src, by) }
func (p *Regexp) Find(b []byte) []byte                       { return p.re().Find(b) }
func (p *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return p.re().FindAllSubmatch(b, n) }
func (p *Regexp) FindSubmatch(b []byte) [][]byte             { return p.re().FindSubmatch(b) }
