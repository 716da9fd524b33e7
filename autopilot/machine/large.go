package machine

import (
	"fmt"
	"strings"
)

// What a person can say of it: each time the task is looked at again.
const (
	EffectCommit  = "commit"  // as it is
	EffectIgnore  = "ignore"  // once .gitignore keeps it out
	EffectDiscard = "discard" // once it is taken away
)

// Large is what no task of the plan names and is too much to be committed unasked.
type Large struct {
	ID      string   `json:"id"`                // of the list of its files
	Files   []string `json:"files"`             // the first few
	Count   int      `json:"count"`             // of all
	Size    int64    `json:"size"`              // of all, in bytes
	Tracked bool     `json:"tracked,omitempty"` // git tracks one of them, so that .gitignore does not keep it out
	Answer  string   `json:"answer,omitempty"`  // the effect of a person's answer
}

// String names the files in one line: "a.bin, b.bin, c.bin and 498 more (12.5 MB)".
func (l Large) String() string {
	text := strings.Join(l.Files, ", ")
	if more := l.Count - len(l.Files); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if l.Size >= 1<<20 {
		text += fmt.Sprintf(" (%.1f MB)", float64(l.Size)/(1<<20))
	}
	return text
}

// Approved says whether a person wants these files committed; nil is none.
func (l *Large) Approved() bool { return l != nil && l.Answer == EffectCommit }
