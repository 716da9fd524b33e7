package project

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// extensions of source files, by language. Formats for data and prose are no languages.
var extensions = map[string]string{
	".astro": "Astro", ".bash": "Shell", ".c": "C", ".cc": "C++", ".cjs": "JavaScript", ".clj": "Clojure", ".cljs": "Clojure", ".cpp": "C++",
	".cs": "C#", ".css": "CSS", ".cts": "TypeScript", ".cxx": "C++", ".dart": "Dart", ".elm": "Elm", ".erl": "Erlang", ".ex": "Elixir",
	".exs": "Elixir", ".fs": "F#", ".go": "Go", ".groovy": "Groovy", ".h": "C", ".hh": "C++", ".hpp": "C++", ".hs": "Haskell",
	".html": "HTML", ".java": "Java", ".jl": "Julia", ".js": "JavaScript", ".jsx": "JavaScript", ".kt": "Kotlin", ".kts": "Kotlin",
	".lua": "Lua", ".m": "Objective-C", ".mjs": "JavaScript", ".ml": "OCaml", ".mm": "Objective-C", ".mts": "TypeScript", ".nim": "Nim",
	".php": "PHP", ".pl": "Perl", ".pm": "Perl", ".proto": "Protocol Buffers", ".ps1": "PowerShell", ".py": "Python", ".pyi": "Python",
	".r": "R", ".rb": "Ruby", ".rs": "Rust", ".sass": "Sass", ".scala": "Scala", ".scss": "Sass", ".sh": "Shell", ".sol": "Solidity",
	".sql": "SQL", ".svelte": "Svelte", ".swift": "Swift", ".tf": "Terraform", ".ts": "TypeScript", ".tsx": "TypeScript", ".vue": "Vue",
	".zig": "Zig", ".zsh": "Shell",
}

func (t *tree) languages() []Language {
	files := map[string]int{}
	for _, p := range t.paths {
		name, known := extensions[strings.ToLower(path.Ext(p))]
		if known && !strings.Contains(path.Base(p), ".min.") {
			files[name]++
		}
	}
	found := make([]Language, 0, len(files))
	for name, n := range files {
		found = append(found, Language{Name: name, Files: n})
	}
	slices.SortFunc(found, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Name, b.Name))
	})
	return found
}
