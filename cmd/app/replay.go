package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/replay"
	"autopilot/sessions/storage"
)

// replayed makes the built-in agent with a model whose turns are recorded.
func (b *Backends) replayed(name string, described config.Backend) (personas.Backend, error) {
	options, err := b.builtInAgent(name, described)
	if err != nil {
		return nil, err
	}
	file := described.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(b.Root, file)
	}
	played, err := replay.Load(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, plainfile.ErrNotPlain) || errors.Is(err, plainfile.ErrTooLarge) {
		return nil, console.UsageError("%v; name an existing file with --replay, or under backends.%s.file", err, name)
	}
	if err != nil {
		return nil, console.UsageError("%v", err)
	}
	b.played, played.Now = played, b.Host.Now
	options.ModelFor = func(d personas.Dispatch) (agent.Model, error) { return played.Model(d.Key) }
	return agent.New(nil, options), nil
}

// LeftOver says, once a session is done, which dispatches of a replay file none of its runs used, nor the draft of a spec.
func (b *Backends) LeftOver(session string) error {
	if b.played == nil {
		return nil
	}
	files, err := storage.Below(storage.OSDisk{}, session, "attempts", "*", "*", "*", "dispatch.json")
	if err != nil {
		return err
	}
	drafted, err := storage.Below(storage.OSDisk{}, b.Root, ".harness", "drafts", "*", "*", "dispatch.json")
	if err != nil {
		return err
	}
	files = append(files, drafted...)
	var used []personas.Key
	for _, file := range files {
		var key personas.Key
		if err := plainfile.ReadJSON(file, &key); err != nil {
			return err
		}
		used = append(used, key)
	}
	if unused := b.played.Unused(used); len(unused) > 0 {
		return fmt.Errorf("the replay file has dispatches that no run used: %v. Take them out, or look why the run went another way", unused)
	}
	return nil
}
