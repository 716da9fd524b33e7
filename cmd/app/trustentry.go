package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"autopilot/cmd/console"
)

// TrustEntry is something that a file of the repository has autopilot run or reach.
type TrustEntry struct {
	Kind string `json:"kind"`
	What string `json:"what"`
	File string `json:"file"` // the place that says so, such as autopilot.yaml:4; "": the user says so, or nobody has to
	When string `json:"when,omitempty"`
	Blob string `json:"blob,omitempty"` // the hash of a script's content

	of         string // the backend whose it is
	secret, to string // of a key or an address
}

// The kinds of entries.
const (
	TrustKey        = "key"        // a secret, and where it goes
	TrustAddress    = "address"    // a server that gets no secret
	TrustProgram    = "program"    // an agent program
	TrustMCP        = "mcp"        // a server of tools
	TrustSetup      = "setup"      // what makes a working tree ready
	TrustValidation = "validation" // what says whether the project is well
	TrustHook       = "hook"       // a git hook
	TrustNotice     = "notice"     // who is told what happens
)

// trustGroups are the kinds in the order in which they are shown, each with its heading.
var trustGroups = [][2]string{
	{TrustKey, "Keys sent"},
	{TrustAddress, "Servers reached"},
	{TrustProgram, "Agent programs"},
	{TrustMCP, "MCP servers"},
	{TrustSetup, "Setup scripts"},
	{TrustValidation, "Validation commands"},
	{TrustHook, "Git hooks"},
	{TrustNotice, "Notices sent"},
}

// id is what a yes is bound to. Where the file names it and when it runs may change.
func (e TrustEntry) id() string { return strings.Join([]string{e.Kind, e.What, e.Blob}, "\x00") }

// Hash is by what another machine knows an entry that somebody agreed to.
func (e TrustEntry) Hash() string {
	sum := sha256.Sum256([]byte(e.id()))
	return hex.EncodeToString(sum[:])
}

// Concerns says whether an entry is about a backend.
func (e TrustEntry) Concerns(backend string) bool { return e.of == backend }

// longestWhat is the widest first column of a list; what is longer has the others on the next line.
const longestWhat = 44

// TrustLines shows entries: in groups, in columns.
func TrustLines(entries []TrustEntry) string {
	what := func(e TrustEntry) string { return console.OneLine(console.Clean(e.What)) }
	wide, wideFile := 0, 0
	for _, e := range entries {
		if n := len([]rune(what(e))); n <= longestWhat {
			wide = max(wide, n)
		}
		wideFile = max(wideFile, len([]rune(console.Clean(e.File))))
	}
	var b strings.Builder
	for _, group := range trustGroups {
		heading := group[1]
		for _, e := range entries {
			if e.Kind != group[0] {
				continue
			}
			if heading != "" {
				fmt.Fprintf(&b, "  %s\n", heading)
				heading = ""
			}
			text := what(e)
			if len([]rune(text)) > wide {
				fmt.Fprintf(&b, "    %s\n", text)
				text = ""
			}
			fmt.Fprintf(&b, "    %-*s  %-*s  %s\n", wide, text, wideFile, console.Clean(e.File), e.When)
		}
	}
	return b.String()
}

// TrustInShort names the first of some entries.
func TrustInShort(entries []TrustEntry) string {
	var named []string
	for _, e := range entries {
		named = append(named, e.What+" ("+e.File+")")
	}
	const most = 3
	if more := len(named) - most; more > 0 {
		named = append(named[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(named, "; ")
}
