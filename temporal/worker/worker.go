package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/client"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

// Worker does the steps of sessions. Every field is needed unless it says otherwise.
type Worker struct {
	Client       client.Client
	Host         *console.Host     // of the engine; its errors are the worker's log
	Dir          string            // absolute: where the clones lie
	Repositories map[string]string // the hubs that it works for, by flow.Job.Repository
	Backend      Backend           // may be empty
	Account      Account           // may be empty
	SaveEvery    time.Duration     // how often work that is not done yet is given to the hub
	Stopping     context.Context   //nolint:containedctx // ends when agents at work are to be stopped

	places places
}

// Backend says who plays the personas on this machine, where that is not for the configuration to say.
type Backend struct{ Name, Model, Replay string }

// Account is the account of a provider that all agents of this machine use. Over all machines that name it, as many agents are at work
// as it has slots.
type Account struct {
	Name  string // "": no limit over machines
	Slots int
}

// flags are those that a run with such a backend would have.
func (b Backend) flags(h *console.Host) *app.RunFlags {
	return &app.RunFlags{Host: h, Backend: b.Name, Model: b.Model, Replay: b.Replay, NonInteractive: true}
}

// Environ is an environment without what only the client of Temporal needs: agents must not reach the server.
func Environ(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, "TEMPORAL_") })
}

// places are clones, each for one step at a time.
type places struct {
	mu   sync.Mutex
	busy map[string]bool   // by folder
	last map[string]string // the session that was there last, by folder
}

// take gives a free folder below a folder: if possible that where a session was last.
func (p *places) take(dir, slug string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy == nil {
		p.busy, p.last = map[string]bool{}, map[string]string{}
	}
	place := ""
	for _, known := range slices.Sorted(maps.Keys(p.last)) {
		if filepath.Dir(known) == dir && !p.busy[known] && (place == "" || p.last[known] == slug) {
			place = known
		}
	}
	for i := 1; place == ""; i++ {
		if d := filepath.Join(dir, fmt.Sprint(i)); !p.busy[d] {
			place = d
		}
	}
	p.busy[place], p.last[place] = true, slug
	return place
}

func (p *places) give(place string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.busy, place)
}

// clone takes a free clone of a job's repository, until give is called: whole says that no step was cut off in it. One in which a step
// was cut off is made anew, since an agent may have left anything there.
func (w *Worker) clone(ctx context.Context, job flow.Job, slug string) (c *hub.Clone, give func(whole bool), err error) {
	url, ours := w.Repositories[job.Repository]
	if !ours {
		return nil, nil, fmt.Errorf("this worker has no --repository for %s: start it again with one", job.Repository)
	}
	place := w.places.take(filepath.Join(w.Dir, filepath.FromSlash(job.Repository)), slug)
	busy := place + ".busy"
	give = func(whole bool) {
		if whole {
			_ = os.Remove(busy) // else it is made anew without need
		}
		w.places.give(place)
	}
	if _, cutOff := os.Stat(busy); cutOff == nil {
		err = os.RemoveAll(place)
	}
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(busy, nil, 0o600))
	}
	if err == nil {
		c, err = hub.Open(ctx, place, url, w.Host.Environ)
	}
	if err != nil {
		give(false)
	}
	return c, give, err
}
