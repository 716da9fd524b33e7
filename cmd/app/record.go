package app

import (
	"path/filepath"
	"strings"

	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/replay"
)

// recordName is the replay file in the folder of --record.
const recordName = "replay.yaml"

// recording has what a model says written to the folder of --record; nil where there is none.
func (b *Backends) recording(model agent.Model, secrets []string) (func(personas.Dispatch) (agent.Model, error), error) {
	if b.Record == "" {
		return nil, nil
	}
	if b.recorder == nil {
		if b.inTree(b.Host.Path(b.Record)) {
			return nil, console.UsageError("--record %s lies in the working tree, where it would be committed as work of the agents. Name a folder outside of it, or one in .harness: --record .harness/recorded", b.Record)
		}
		recorder, err := replay.NewRecorder(filepath.Join(b.Host.Path(b.Record), recordName), personas.NewMask(b.Host.Environ, secrets...))
		if err != nil {
			return nil, console.UsageError("%v", err)
		}
		b.recorder = recorder
	}
	return func(d personas.Dispatch) (agent.Model, error) { return b.recorder.Model(d.Key, model), nil }, nil
}

// inTree says whether a path is among the files that agents work on: in the repository, and not in .harness.
func (b *Backends) inTree(path string) bool {
	rel, err := filepath.Rel(b.Root, path)
	return err == nil && filepath.IsLocal(rel) && strings.Split(filepath.ToSlash(rel), "/")[0] != ".harness"
}
