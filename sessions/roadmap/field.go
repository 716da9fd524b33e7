package roadmap

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// fieldLine is a line like `**Status:** planned`.
var fieldLine = lazyregexp.New(`^(\*\*|__)?([A-Za-z][A-Za-z _-]*?)[ \t]*(\*\*:|__:|:\*\*|:__|:)(?:[ \t]+(.*))?$`)

// read takes the value of a line that is a field. Only one that begins an item needs no bold name.
func (g group) read(l cell, item bool) bool {
	m := fieldLine.FindStringSubmatchIndex(l.text)
	if m == nil {
		return false
	}
	kind, bold, boldEnd := kindOf(l.text[m[4]:m[5]]), m[2] >= 0, m[7]-m[6] == 3
	if kind == "" || bold != boldEnd || !bold && !item {
		return false
	}
	at := len(l.text)
	if m[8] >= 0 {
		at = m[8]
	}
	g[kind] = append(g[kind], cell{text: l.text[at:], from: l.from + at})
	return true
}

// kinds are the names of fields and columns that are understood.
var kinds = map[string]string{
	"status": "status", "state": "status",
	"spec": "spec", "specs": "spec", "spec path": "spec", "spec file": "spec", "specification": "spec", "proposal": "spec",
	"external id": "issue", "issue": "issue", "issues": "issue", "github": "issue", "github issue": "issue",
	"ticket": "issue", "tracker": "issue",
	"feature": "name", "title": "name", "name": "name", "item": "name",
}

func kindOf(name string) string {
	name = strings.ToLower(asRead(name))
	return kinds[strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")]
}

var markup = strings.NewReplacer("**", "", "__", "", "`", "", `\|`, "|", `\_`, "_", `\*`, "*")

var linkText = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)

// asRead is a heading or a cell as people read it.
func asRead(text string) string {
	return strings.TrimSpace(markup.Replace(linkText.ReplaceAllString(text, "$1")))
}
