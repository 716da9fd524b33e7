package integrity

import (
	"fmt"
	"go/build"
	"testing"
)

func TestTheReleaseOfGoIsTheOneOfTheBuild(t *testing.T) {
	tags := build.Default.ReleaseTags
	if got, want := fmt.Sprintf("go1.%d", goRelease()), tags[len(tags)-1]; got != want {
		t.Errorf("the release is %s, want %s", got, want)
	}
}
