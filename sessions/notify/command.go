package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
	"autopilot/autopilot/words"
)

// Command runs a program of the user's with the notice on its standard input.
type Command struct {
	Argv []string
	Dir  string // where it runs
	Env  []string
}

// Name is what the channel is called.
func (Command) Name() string { return "command" }

// Send runs the program; an exit code other than 0 is an error.
func (c Command) Send(ctx context.Context, n Notice) error {
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	env := append(slices.Clone(c.Env), "AUTOPILOT_EVENT="+string(n.Event), "AUTOPILOT_URL="+n.URL)
	return run(ctx, process.Command{Argv: c.Argv, Dir: c.Dir, Env: env, Stdin: bytes.NewReader(append(data, '\n'))})
}

// run runs a program to its end, and says how it failed.
func run(ctx context.Context, c process.Command) error {
	said := &tail.Writer{Limit: 1 << 10}
	c.Output, c.Grace = said, time.Second
	res, err := process.Run(ctx, c)
	last := words.OneLine(said.String())
	switch {
	case err != nil:
		return err
	case res.Interrupted:
		return errors.New("it didn't end in time")
	case res.ExitCode != 0 && last != "":
		return fmt.Errorf("exit code %d: %s", res.ExitCode, strings.TrimSpace(last))
	case res.ExitCode != 0:
		return fmt.Errorf("exit code %d", res.ExitCode)
	}
	return nil
}
