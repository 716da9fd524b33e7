package cmd

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/chaos"
	"autopilot/sessions/storage"
	"autopilot/spec"
)

const (
	// longestRun ends a simulated run that does not end by itself.
	longestRun = 5 * time.Minute
	// simulatedWindow keeps a prompt from being too long for a model that is none.
	simulatedWindow = 4_000_000
)

// simulation is a spec against scripted personas.
type simulation struct {
	host   *console.Host
	ground *ground
	cfg    *config.Config
	spec   *spec.Spec
	plans  []scriptedPlan
	log    func(name string) (io.WriteCloser, error) // of what a run says
}

// simulated is how one run went.
type simulated struct {
	profile   chaos.Profile
	seed      uint64
	code      int
	text      string // the error that ended it
	state     machine.State
	sightings []sighting
	cuts      []string // where it was stopped or killed, to be resumed
	breaches  []string
}

// run plays the spec once, from the beginning to wherever it ends. A mix is cut off on the way, and resumed.
func (s *simulation) run(ctx context.Context, profile chaos.Profile, seed uint64, name string) (*simulated, error) {
	dir, err := s.ground.scene(ctx, name)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	said, err := s.log(name)
	if err != nil {
		return nil, err
	}
	defer said.Close()
	limited, stop := context.WithTimeout(ctx, longestRun)
	defer stop()
	host := s.hostOf(dir, said)
	st := &stage{spec: s.spec, rel: s.ground.rel, dir: dir, plans: s.plans}
	seen := &witness{cast: s.cast(host, st, profile, seed), cutter: cutter{cuts: cutsOf(profile, seed)}}
	chance := rand.New(rand.NewPCG(seed, 1))
	person := &actor{stage: st, careful: profile.Alone || chance.IntN(3) == 0, chance: chance}
	recast := func(e *autopilot.Engine) {
		seen.Store = e.Store
		e.Store, e.Human, e.Backends = seen, person, ensemble{seen.cast}
		st.state = seen.State
	}
	r := &simulated{profile: profile, seed: seed}
	for again := true; again; again = seen.cutOff || seen.stillHeld(limited, r.code) {
		s.once(limited, host, recast, r, seen)
		if ctx.Err() != nil {
			return nil, stoppedSimulation(ctx)
		}
	}
	r.sightings, r.cuts = seen.all(), seen.made
	if seen.Store != nil {
		r.state = seen.State()
	}
	broken, err := s.judge(ctx, dir, r, seen)
	r.breaches = append(r.breaches, broken...)
	return r, err
}

// once begins the run, or resumes it after it was cut off.
func (s *simulation) once(ctx context.Context, host *console.Host, recast func(*autopilot.Engine), r *simulated, seen *witness) {
	ctx, end := seen.next(ctx)
	defer end()
	o := &runOptions{host: host, recast: recast}
	o.flags(&cobra.Command{})
	o.yes = true
	ended := console.InterruptedBy(ctx, runRun(ctx, o, []string{s.ground.rel}))
	r.code, r.text = console.ExitCode(ctx, ended), ""
	if ended != nil {
		r.text = ended.Error()
	}
	if bad := seen.badlyCut(r.code, r.text); bad != "" {
		r.breaches = append(r.breaches, bad)
	}
}

// stoppedSimulation is the end by a signal. Unlike a run, nothing goes on later.
func stoppedSimulation(ctx context.Context) error {
	return &console.CodedError{Code: console.ExitCode(ctx, &autopilot.InterruptedError{}), Err: errors.New("stopped; the simulation is thrown away, and the same command begins anew")}
}

// hostOf is a machine for one run: its own folder, clock and disk, and nobody at a terminal.
func (s *simulation) hostOf(dir string, said io.Writer) *console.Host {
	host := *s.host
	c := &clock{now: s.host.Now}
	host.Dir, host.Environ, host.NoUserConfig = dir, s.ground.environ, true
	host.Terminal, host.OutTerminal, host.Width, host.Final = false, false, func() int { return 0 }, nil
	host.Out, host.Err, host.Now, host.Sleep, host.Disk = said, said, c.Now, c.Sleep, storage.PassingDisk{}
	return &host
}

func (s *simulation) cast(host *console.Host, st *stage, profile chaos.Profile, seed uint64) *chaos.Cast {
	cast := &chaos.Cast{Seed: seed, Profile: profile, Stage: st, Now: host.Now, Environ: host.Environ}
	cast.Agent = agent.New(nil, agent.Options{
		ModelFor: func(d personas.Dispatch) (agent.Model, error) { return cast.Model(d), nil },
		Window:   simulatedWindow, Environ: host.Environ, Now: host.Now,
	})
	return cast
}

// ensemble plays every persona by the cast, which nobody stands in for.
type ensemble struct{ cast *chaos.Cast }

func (e ensemble) For(personas.Persona) (personas.Backend, string, error) {
	return e.cast, "simulation", nil
}

func (e ensemble) Limited(_ personas.Persona, name string, until time.Time) (string, time.Time, bool) {
	return name, until, false
}

// logsIn keeps what the runs say in a folder; without one it goes nowhere.
func logsIn(dir string) func(name string) (io.WriteCloser, error) {
	return func(name string) (io.WriteCloser, error) {
		if dir == "" {
			return struct {
				io.Writer
				io.Closer
			}{io.Discard, io.NopCloser(nil)}, nil
		}
		return os.Create(filepath.Join(dir, name+".log"))
	}
}
