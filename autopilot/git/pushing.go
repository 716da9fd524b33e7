package git

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// pushes are the keys that decide where a push goes and where a partial clone fetches from, as whom, and which programs run.
var pushes = lazyregexp.New(`^(remote\..*\.(url|pushurl|push|promisor|mirror|receivepack|uploadpack|vcs|proxy|proxyauthmethod|gh-resolved|lfsurl|lfspushurl)|remote\.pushdefault|` +
	`url\..*|http\..*|credential\..*|ssh\..*|core\.(sshcommand|gitproxy|askpass)|push\.(gpgsign|pushoption|recursesubmodules|followtags)|` +
	`lfs\.(url|pushurl|standalonetransferagent|customtransfer\..*))$`)

// RemoteChangedError says that a push would go elsewhere, or by another program, than when the run began.
type RemoteChangedError struct{ Changes []string }

func (e *RemoteChangedError) Error() string {
	return fmt.Sprintf("git's settings for a push changed since this run began:\n  %s\nIf these are your changes, run the same command again. Else put them back with git config first",
		strings.Join(e.Changes, "\n  "))
}

// SameRemote is a *RemoteChangedError where what decides about a push is not as it was recorded.
func (r *Config) SameRemote(ctx context.Context) error {
	return asRemoteChanged(r.changedSince(ctx, pushes, isNewRemote))
}

func asRemoteChanged(changes []string, err error) error {
	if len(changes) > 0 {
		return &RemoteChangedError{changes}
	}
	return err
}

// fetch fetches an object that a partial clone lacks, from the remote of the run's beginning, and says whether it came.
func fetch(ctx context.Context, r *runner, missing *MissingObjectError) bool {
	c := &Config{runner: r}
	list, err := c.listSettings(ctx)
	missing.Remote, missing.Cause = "origin", err
	for _, s := range list {
		if name, is := strings.CutSuffix(s.key, ".promisor"); is && s.value != "false" {
			missing.Remote = strings.TrimPrefix(name, "remote.")
		}
	}
	if r.pinned == nil || err != nil {
		return false
	}
	if missing.Cause = asRemoteChanged(c.changedSince(ctx, pushes, nil)); missing.Cause != nil {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, r.patience)
	defer stop()
	_, _, missing.Cause = r.runOnce(ctx, call{args: missing.fetch(), talks: "https:ssh"})
	return missing.Cause == nil
}

// byKey are the values of those settings that which names.
func byKey(list []setting, which *lazyregexp.Regexp) map[string][]string {
	values := map[string][]string{}
	for _, s := range list {
		if which.MatchString(s.key) {
			values[s.key] = append(values[s.key], s.value)
		}
	}
	return values
}

// withLogin is an address with a name or a password in it.
var withLogin = lazyregexp.New(`://[^/@\s]*@`)

// changeOf says what became of a setting. Values that may be a password are left out.
func changeOf(key string, was, now []string) string {
	if !strings.HasPrefix(key, "remote.") && !strings.HasPrefix(key, "core.") {
		return key
	}
	return fmt.Sprintf("%s: %s (was: %s)", key, shown(now), shown(was))
}

func shown(values []string) string {
	if len(values) == 0 {
		return "not set"
	}
	return strings.Join(values, ", ")
}
