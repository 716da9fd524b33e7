package cmd

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collectFrom is how much memory is taken before garbage is collected however often that takes, in bytes. The program
// itself, and what Go does not count, take 20 MB besides: together it is what docs/performance.md promises.
const collectFrom = 40 << 20

// beside is what is taken beside the objects in use and the garbage, in bytes: stacks, and gaps between objects.
const beside = 20 << 20

// spareCollections has the memory in use grow to four times what is needed, and not to twice, before garbage is collected,
// as long as that is little memory; short commands end before the first time. Who sets GOGC or GOMEMLIMIT knows better.
func spareCollections() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(collectFrom)
		afterCollection(0)
	}
}

// afterCollection has makeRoom called once the next collection is done: it frees an object that nobody has.
func afterCollection(limit int64) {
	runtime.AddCleanup(new([2]*int), makeRoom, limit)
}

// makeRoom moves the limit where so much is in use that a fixed one would have garbage collected all the time: half as much
// again as is in use then fits.
func makeRoom(limit int64) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if to := max(collectFrom, int64(live[0].Value.Uint64())*3/2+beside); to != limit {
		debug.SetMemoryLimit(to)
		limit = to
	}
	afterCollection(limit)
}
