package project

import (
	"fmt"
	"strings"
)

// maxNamed is how many of a kind a summary names.
const maxNamed = 4

// About is the profile in one line, for whoever begins to work on the project; "" where it holds nothing.
func (p Profile) About() string {
	var languages, docs []string
	for _, l := range p.Languages {
		languages = append(languages, fmt.Sprintf("%s (%d)", l.Name, l.Files))
	}
	for _, d := range p.Docs {
		docs = append(docs, d.Path)
	}
	var parts []string
	for _, part := range []struct {
		title string
		list  []string
	}{{"Languages (files)", languages}, {"Tests", commandLines(p.TestCommands)}, {"Lint", commandLines(p.LintCommands)}, {"Documents", docs}} {
		if n := len(part.list); n > maxNamed {
			part.list = append(part.list[:maxNamed:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
		}
		if len(part.list) > 0 {
			parts = append(parts, part.title+": "+strings.Join(part.list, ", ")+".")
		}
	}
	return strings.Join(parts, " ")
}

func commandLines(list []Command) []string {
	var lines []string
	for _, c := range list {
		line := c.Command
		if c.Dir != "" {
			line += " (in " + c.Dir + ")"
		}
		lines = append(lines, line)
	}
	return lines
}
