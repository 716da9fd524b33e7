package notify

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/notify"
)

// way is a channel of the configuration, or why it is none.
type way struct {
	name string
	notify.Channel

	off string // why nothing is sent: it is switched off, or not here
	err error  // what is wrong with its configuration
}

// ways are the channels of a configuration on this machine; root is where a command runs.
func ways(h *console.Host, cfg *config.Config, root string) []way {
	set := cfg.Notify
	all := []way{terminal(h, set.Terminal), desktop(h, set.Desktop)}
	if len(set.Command) > 0 {
		all = append(all, way{name: "command", Channel: notify.Command{Argv: set.Command, Dir: root, Env: h.Environ}})
	}
	for i, w := range set.Webhooks {
		all = append(all, webhook(h, i+1, w))
	}
	return all
}

func terminal(h *console.Host, set string) way {
	form := notify.FormOf(h.Getenv)
	switch {
	case set == "off":
		return way{name: "terminal", off: "switched off (notify.terminal)"}
	case !h.Terminal:
		return way{name: "terminal", off: "this is no terminal"}
	case set == "bell":
		form = notify.Bell
	}
	return way{name: "terminal", Channel: notify.Terminal{Out: console.Unguarded(h.Err), Form: form}}
}

func desktop(h *console.Host, set string) way {
	if set == "off" {
		return way{name: "desktop", off: "switched off (notify.desktop)"}
	}
	d, why := notify.NewDesktop(runtime.GOOS, h.Environ, h.Getenv)
	return way{name: "desktop", Channel: d, off: why}
}

// webhook is the nth webhook of the configuration. Its name has no part of an address that may be a secret.
func webhook(h *console.Host, n int, w config.Webhook) way {
	hook := notify.Webhook{URL: w.URL, Format: w.Format, Now: h.Now}
	place := w.Place()
	if w.URLEnv != "" {
		hook.URL = h.Getenv(w.URLEnv)
	}
	if u, err := url.Parse(w.URL); err == nil && w.URL != "" {
		place = u.Host
	}
	hook.Label = fmt.Sprintf("%d (%s)", n, place)
	found := way{name: hook.Name(), Channel: hook}
	u, err := url.Parse(hook.URL)
	switch {
	case hook.URL == "":
		found.err = errors.New(w.Place() + " is not set")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		found.err = errors.New(w.Place() + " holds no http or https address")
	case w.SecretEnv != "":
		if hook.Secret = h.Getenv(w.SecretEnv); hook.Secret == "" {
			found.err = errors.New("$" + w.SecretEnv + " is not set")
		}
		found.Channel = hook
	}
	return found
}
