package console

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhileNothingIsPrintedTheTimeIsShown(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		pause    time.Duration
		want     string
	}{
		{false, 100 * time.Second, "Running a\nStill at work, for 1:00\na: passed\nStill at work, for 1:20\nb"},
		{true, 1600 * time.Millisecond, "Running a\n\r\x1b[K  0:01\r\x1b[Ka: passed\n\r\x1b[K  0:01\r\x1b[Kb"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			h := &Host{Out: &out, Err: &out, Terminal: c.terminal, Now: time.Now}
			end := h.Tick(t.Context())
			fmt.Fprintln(h.Err, "Running a")
			time.Sleep(c.pause)
			fmt.Fprintln(h.Out, "a: passed")
			time.Sleep(c.pause)
			end()
			fmt.Fprint(h.Out, "b")
			if out.String() != c.want {
				t.Errorf("printed\n%q\nwant\n%q", out.String(), c.want)
			}
		})
	}
}
