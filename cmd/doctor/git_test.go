package doctor

import "testing"

func TestOldGitIsTold(t *testing.T) {
	for said, old := range map[string]bool{
		"git version 2.39.5": false, "git version 2.34.0.windows.1": false, "git version 2.33.9 (Apple Git-1)": true, "git version 1.99.0": true,
		"git version 3.0": false, "git of my own": false,
	} {
		if isOldGit(said) != old {
			t.Errorf("%s: old is %v", said, !old)
		}
	}
}
