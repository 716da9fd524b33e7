package budget

import (
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

func TestLimitHoldsForTheBackendThatReportedIt(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	until := now.Add(time.Hour)
	for name, c := range map[string]struct {
		whose  string
		usedUp bool
		now    time.Time
		want   string
	}{
		"its own":                 {"one", false, now, "backend one reported a limit (until 2026-01-02T04:04:05Z)"},
		"its own quota":           {"one", true, now, "the quota of backend one is used up (until 2026-01-02T04:04:05Z)"},
		"another's":               {"two", false, now, ""},
		"one of an older state":   {"", false, now, "the backend reported a limit (until 2026-01-02T04:04:05Z)"},
		"a quota of an older one": {"", true, now, "the backend's quota is used up (until 2026-01-02T04:04:05Z)"},
		"its own, which is over":  {"one", false, until, ""},
	} {
		s := machine.State{LimitedUntil: &until, LimitedBackend: c.whose, QuotaUsedUp: c.usedUp}
		got := ""
		if limit := KnownLimit(s, "one", c.now); limit != nil {
			got = limit.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
