package doctor

import (
	"errors"
	"strings"
	"testing"
)

func TestSandboxIsToldOf(t *testing.T) {
	none := errors.New("bubblewrap is not installed; install it")
	for name, c := range map[string]struct {
		open, confined []string
		err            error
		want           []string
	}{
		"wished and there":     {nil, []string{"a"}, nil, []string{"ok bubblewrap works here, and confines the commands of a | "}},
		"wished and not there": {nil, []string{"a"}, none, []string{"note the commands of a are not confined | bubblewrap is not installed"}},
		"there, not wished":    {[]string{"a", "b"}, nil, nil, []string{"note the commands of a, b run with all of your rights | bubblewrap works here: sandbox: auto"}},
		"neither":              {[]string{"a"}, nil, none, []string{"note the commands of a run with all of your rights | Run it in a container"}},
		"of each kind":         {[]string{"a"}, []string{"b"}, nil, []string{"ok ", "note "}},
		"no built-in agent":    {nil, nil, none, nil},
	} {
		got := sandboxed(c.open, c.confined, c.err)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, d := range got {
			if all := d.Status + " " + d.Detail + " | " + d.Remedy; !strings.HasPrefix(all, c.want[i]) || d.Name != "sandbox" {
				t.Errorf("%s: %s", name, all)
			}
		}
	}
}
