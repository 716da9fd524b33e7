package autopilot

import (
	"strings"
	"testing"
)

func TestAFolderIsIgnoredAsAWholeWhereNothingElseLiesInIt(t *testing.T) {
	for _, c := range []struct{ files, others, want string }{
		{"a.bin", "b.txt", "/a.bin"},
		{"x/a.bin x/y/b.bin", "z/b.txt", "/x/"},
		{"x/a.bin x/y/b.bin x/y/c.bin", "x/main.go", "/x/a.bin /x/y/"},
		{"x/y/b.bin", "x/./y/z/main.go", "/x/y/b.bin"},
		{"a*[1].bin #b x/!c", "x/d", `/#b /a\*\[1].bin /x/!c`},
	} {
		if got := strings.Join(ignoring(strings.Fields(c.files), strings.Fields(c.others)), " "); got != c.want {
			t.Errorf("%s beside %s: %s, not %s", c.files, c.others, got, c.want)
		}
	}
}
