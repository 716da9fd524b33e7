package tasks

import (
	"autopilot/autopilot/git"
)

// atWork is what workers share of what their agents must leave as it is, as it stood when the first of those at work
// began: what an agent did to it meanwhile must not be taken for what was there.
type atWork struct {
	Workers  []string             `json:"workers"`
	Control  map[string][]byte    `json:"control"`
	Steering map[string]*git.Held `json:"steering"`
}
