package integrity

import "testing"

func TestLinksThatLeadOutAreTold(t *testing.T) {
	t.Parallel()
	link := func(status Status, path, to string) Change { return Change{Path: path, Status: status, Link: to} }
	moved := func(from, path, to string) Change {
		return Change{Path: path, OldPath: from, Status: Renamed, Before: []byte(to), Link: to}
	}
	for name, c := range map[string]struct {
		change Change
		want   int
	}{
		"absolute":                      {link(Added, "a", "/etc/passwd"), 1},
		"absolute on Windows":           {link(Added, "a", `C:\x`), 1},
		"upwards":                       {link(Added, "a", "../x"), 1},
		"the folder around":             {link(Added, "a", ".."), 1},
		"upwards from a folder":         {link(Added, "d/e/a", "../../../x"), 1},
		"upwards by the way":            {link(Added, "d/a", "../x/../../y"), 1},
		"another target":                {link(Modified, "a", "/etc/passwd"), 1},
		"moved to where it leads out":   {moved("d/a", "a", "../x"), 1},
		"moved, and led out before":     {moved("d/a", "d/b", "/etc/passwd"), 0},
		"within, upwards":               {link(Added, "d/e/a", "../../x"), 0},
		"within":                        {link(Added, "a", "d/x"), 0},
		"within, with dots in a name":   {link(Added, "a", "..x"), 0},
		"the repository itself":         {link(Added, "d/a", ".."), 0},
		"a file that holds such a path": {added("a", "/etc/passwd"), 0},
	} {
		found := of(Important, Integrity([]Change{c.change}, Allowed{Owns: []string{"**"}}))
		if len(found) != c.want || c.want == 1 && (found[0].File != c.change.Path || found[0].Title != "a link that leads out of the repository") {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
