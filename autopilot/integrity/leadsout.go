package integrity

import (
	"fmt"
	"path"
	"strings"
)

// linkFindings: of a link the commit has the path that it names and nothing of
// what lies there, so that one that leads out of the repository is empty, or
// another file, wherever else the repository is cloned. A link that only moved
// and led out before is nothing new.
func linkFindings(c Change) []Finding {
	moved := c.Status == Renamed && string(c.Before) == c.Link && leadsOut(c.before(), c.Link)
	if c.Link == "" || !leadsOut(c.Path, c.Link) || moved {
		return nil
	}
	return []Finding{{
		Important, c.Path, 0, "a link that leads out of the repository",
		fmt.Sprintf("It leads to %s, and the commit has nothing of what lies there. Put the file itself here, or link to one within the repository.", c.Link),
	}}
}

// leadsOut takes an absolute path for one that leads out, even where the
// repository lies there now: a clone lies elsewhere.
func leadsOut(from, target string) bool {
	target = strings.ReplaceAll(target, `\`, "/")
	if path.IsAbs(target) || drive.MatchString(target) {
		return true
	}
	to := path.Join(path.Dir(from), target)
	return to == ".." || strings.HasPrefix(to, "../")
}

var drive = lazily(`^[A-Za-z]:/`)
