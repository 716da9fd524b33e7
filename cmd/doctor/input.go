package doctor

import (
	"context"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// diagnosis is one thing that was looked at.
type diagnosis struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, note, wrong
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// doctorInput is what the checks look at; what could not be had is nil.
type doctorInput struct {
	*doctorOptions
	repo *git.Repo
	cfg  *config.Config

	known           *app.Backends
	waiting         []app.TrustEntry       // what the user did not agree to
	away            string                 // an empty folder, in which programs are started; "": not made yet
	personaBackends []placed               // the backends that a run would use
	endpoints       map[string][]diagnosis // what was found of the servers of backends
	answers         map[diagnosis]*probed  // what there is besides to tell of a probe
}

// check looks at one thing.
type check struct {
	needs need
	look  func(context.Context, *doctorInput) []diagnosis
}

// need is what a check cannot do without. What is not there was told of by the check that looked for it.
type need int

const (
	nothing need = iota
	aRepo
	itsConfig // and the repository
)

func (p *doctorInput) has(n need) bool {
	return n == nothing || p.repo != nil && (n == aRepo || p.cfg != nil)
}

type doctorOptions struct {
	host *console.Host

	json           bool
	probe          bool
	trust          bool   // what the repository's files name is tried
	backend, model string // "": the configuration decides
}
