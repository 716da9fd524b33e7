//go:build unix

package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAStrangersAnswerInAFolderForAllIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	s, _, inbox := waiting(t)
	file := filepath.Join(inbox, "g2.json")
	if err := os.MkdirAll(inbox, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, `{"option":"yes"}`, inbox, "g2.json")
	for _, c := range []struct {
		session, inbox os.FileMode
		inboxOf, of    int
		taken          bool
	}{
		{0o755, 0o755, 0, 0, true},
		{0o755, 0o777, 0, 0, true},
		{0o777, 0o777, 0, 0, true},
		{0o755, 0o755, 0, 65534, true},
		{0o755, 0o777, 0, 65534, false},
		{0o777, 0o755, 0, 65534, false},
		{0o755, 0o755, 65534, 65534, false},
	} {
		if err := errors.Join(os.Chmod(s.Dir(), c.session), os.Chmod(inbox, c.inbox), os.Chown(inbox, c.inboxOf, -1), os.Chown(file, c.of, -1)); err != nil {
			t.Fatal(err)
		}
		files := theInbox(t, s)
		if taken := len(files) == 1 && files[0].Problem == ""; taken != c.taken || !taken && !strings.Contains(files[0].Problem, "another user") {
			t.Errorf("%+v: %+v", c, files)
		}
	}
}
