package supervise

import "testing"

func TestNameWithParenthesesIsReadRight(t *testing.T) {
	for _, tc := range []struct {
		stat   string
		parent int
		alive  bool
	}{
		{"12 (sh) S 7 1 1", 7, true},
		{"12 (a) b) (c) R 8 1 1", 8, true},
		{"12 (gone) Z 7 1 1", 7, false},
		{"", 0, false},
	} {
		if parent, alive := readStat([]byte(tc.stat)); parent != tc.parent || alive != tc.alive {
			t.Errorf("%q: got %d, %v", tc.stat, parent, alive)
		}
	}
}
