package cmd_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// scene is a session of a fleet, and what happens to the fleet meanwhile.
type scene struct {
	name    string
	work    work         // what the session is about
	mishaps int          // how many processes are killed at random times; such a scene is another one with each seed
	does    func(*fleet) // from the submit to the end
}

var scenes = []scene{
	{name: "a new version takes over while a collector listens", work: tally, does: (*fleet).isObserved},
	{name: "workers and server are killed", work: tally, mishaps: 6, does: (*fleet).runs},
	{name: "workers and server are killed while lanes are at work", work: words(6, "--parallel", "3"), mishaps: 6, does: (*fleet).runs},
	{name: "the network is cut, the hub is away, and refuses", work: words(3), does: (*fleet).meetsOutages},
	{name: "each answer meets an outage", work: words(1), does: (*fleet).answersInOutages},
	{name: "a worker drains", work: words(2), does: (*fleet).drains},
	{name: "a worker hangs, and comes back", work: words(2), does: (*fleet).comesBack},
	{name: "the server forgot the session", work: words(1), does: (*fleet).isForgotten},
	{name: "a session moves here and there", work: words(6), does: (*fleet).moves},
	{name: "the server is set back", work: words(3), does: (*fleet).isSetBack},
	{name: "a budget is used up", work: words(6, "--parallel", "3", "--max-dispatches", "4"), does: (*fleet).isRaised},
}

// TestAFleetComesToTheEndOfOneMachine plays scenes with real processes and a real Temporal server: whatever happens to workers,
// server, network and hub, a session ends as if nothing had. TEMPORAL_CLI names Temporal's command line program, FLEET_SEEDS how many
// seeds the random scenes are played with, and FLEET_SEED the first one.
func TestAFleetComesToTheEndOfOneMachine(t *testing.T) {
	if os.Getenv("TEMPORAL_CLI") == "" {
		t.Skip("TEMPORAL_CLI doesn't name Temporal's command line program")
	}
	build(t)
	for _, sc := range scenes {
		seeds := 1
		if sc.mishaps > 0 {
			seeds = number("FLEET_SEEDS", 1)
		}
		for i := range seeds {
			seed := number("FLEET_SEED", 1) + i
			t.Run(fmt.Sprintf("%s, seed %d", sc.name, seed), func(t *testing.T) {
				t.Parallel()
				sc.does(newFleet(t, sc, seed))
			})
		}
	}
}

// number is that of an environment variable.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// runs is a session from its submit to its end.
func (f *fleet) runs() {
	f.startWorkers(3)
	f.submit()
	f.amidMishaps(f.untilDone)
	f.stopWorkers()
	f.record()
	f.fetch()
	f.check(false)
}
