package learnings

import (
	"fmt"
	"path/filepath"
	"time"

	"autopilot/sessions/storage"
)

// Failure is one line of .harness/failures.md: `- **YYYY-MM-DD [skill:S] [type:T]:** text`.
type Failure struct {
	Date  time.Time
	Skill string
	Type  string
	Text  string
}

// String is the line without its end and key.
func (f Failure) String() string {
	return fmt.Sprintf("- **%s [skill:%s] [type:%s]:** %s", f.Date.UTC().Format(time.DateOnly), f.Skill, f.Type, storage.Fold(f.Text))
}

// Fail appends to .harness/failures.md. An entry with the same key is written once.
func (l Files) Fail(f Failure, key string) error {
	return l.log(filepath.Join(l.harness, "failures.md"), keyed(f.String(), key), key)
}
