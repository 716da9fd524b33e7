package project

import (
	"path"
	"slices"
	"strings"
)

// documents are the names of documents at the root, in lower case and without their ending.
var documents = map[string]string{
	"readme": "readme", "contributing": "contributing", "architecture": "architecture", "design": "architecture",
	"changelog": "changelog", "changes": "changelog", "history": "changelog",
}

// decisions are the folders in which architecture decisions are kept.
var decisions = []string{"adr", "adrs", "decisions"}

func (t *tree) docs() []Doc {
	found := map[string]string{}
	for _, p := range t.paths {
		if name := path.Base(p); name == "AGENTS.md" || name == "CLAUDE.md" {
			found[p] = "agents"
			continue
		}
		parts := strings.Split(p, "/")
		if kind, known := documents[strings.ToLower(strings.TrimSuffix(p, path.Ext(p)))]; known && len(parts) == 1 && prose(p) {
			found[p] = kind
		}
		for i, part := range parts[:len(parts)-1] {
			dir := strings.Join(parts[:i+1], "/") + "/"
			switch {
			case i == 0 && (part == "docs" || part == "doc"):
				found[dir] = "docs"
			case slices.Contains(decisions, strings.ToLower(part)) && prose(p):
				found[dir] = "decisions"
			}
		}
	}
	docs := make([]Doc, 0, len(found))
	for p, kind := range found {
		docs = append(docs, Doc{Path: p, Kind: kind})
	}
	slices.SortFunc(docs, func(a, b Doc) int { return strings.Compare(a.Path, b.Path) })
	return docs
}

func prose(p string) bool {
	return slices.Contains([]string{"", ".md", ".markdown", ".rst", ".adoc", ".txt", ".org"}, strings.ToLower(path.Ext(p)))
}
