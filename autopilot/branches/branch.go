// Package branches decides on which branch a session works, what that stands on, and whether the session's work is still on
// it.
//
// A call goes: FindGround says where new work begins, and Branch.Choose makes the branch of a session there. Later Branch.Is
// refuses to commit elsewhere, and Branch.Rewritten to go on where commits of the session are gone. Stack.Footing and LostBase
// say what became of the branches below. A branch is made by Choose alone, and none is ever moved or deleted here.
package branches

import (
	"strings"
	"unicode"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
)

// Branch is that of one session.
type Branch struct {
	Repo    *git.Repo
	Journal *journal.Journal
	Others  func() ([]Claim, error) // of all other sessions of the repository
	Stay    bool                    // --no-branch
}

// RefName is a session's name as it can stand in a branch, a ref, or a path: other characters become dashes.
func RefName(slug string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-", r) || r > 127 && unicode.IsLetter(r) {
			return r
		}
		return '-'
	}, slug)
	if name = strings.Trim(name, "-"); name == "" {
		return "session"
	}
	return name
}
