package command

import (
	"context"
	"fmt"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
)

// versionTime is how long a program may take to say its version. Those that are
// slowest take two seconds.
const versionTime = 20 * time.Second

var versionWords = lazyregexp.New(`\d+\.\d+\.\d+[-+.\w]*`)

// Version asks the program for its version, such as 2.1.330. No model is asked.
func (b *Backend) Version(ctx context.Context, dir string) (string, error) {
	said := &tail.Writer{Limit: maxNoise}
	result, err := process.Run(ctx, process.Command{
		Argv: []string{b.program(), "--version"}, Dir: dir, Env: b.environ(call{}, nil), Output: said, Timeout: versionTime,
	})
	if err != nil {
		return "", err
	}
	version := versionWords.FindString(said.String())
	if version == "" || result.ExitCode != 0 {
		return "", fmt.Errorf("%s --version does not say its version, but: %s", b.program(), brief(said.String()))
	}
	return version, nil
}
