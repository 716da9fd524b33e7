package closing

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"autopilot/autopilot/plainfile"
)

func TestRoadmapIsGivenUpOnlyForWhatIsThere(t *testing.T) {
	for err, stays := range map[error]bool{
		fs.ErrNotExist: true, plainfile.ErrNotPlain: true, plainfile.ErrTooLarge: true, plainfile.ErrLeadsOut: true,
		syscall.EIO: false, syscall.EACCES: false, syscall.EMFILE: false,
	} {
		var not *untouched
		got := unread(&fs.PathError{Op: "openat", Path: RoadmapPath, Err: err})
		if errors.As(got, &not) != stays || !stays && !errors.Is(got, err) {
			t.Errorf("%v: the run ends with %v, left as it is %v, want %v", err, got, errors.As(got, &not), stays)
		}
	}
}
