package spec

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOwnWordsOfASpec(t *testing.T) {
	text := "### Phase 1: Store\n\nA file of more than 64 KB (MAX_SIZE) is refused with \"too large\", e.g. `store big.bin`; see docs/limits.md. " +
		"With --force or [--dry-run] it is kept for 10%, at least 1.5 s, whatever HTTP says. MAX_SIZE is read from “the settings”.\n\n" +
		"```sh\nstore --force -x in.csv\n```\n"
	want := []string{"64 KB", "MAX_SIZE", "too large", "store big.bin", "docs/limits.md", "--force", "--dry-run", "10%", "1.5 s", "the settings", "in.csv"}
	if diff := cmp.Diff(want, OwnWords(text)); diff != "" {
		t.Error(diff)
	}
}
