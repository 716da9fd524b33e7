package doctor

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plainfile"
)

// driverKeys are the keys of git's configuration that make an attribute run something: filter=x runs filter.x.clean.
var driverKeys = map[string][]string{
	"filter": {"clean", "smudge", "process"}, "merge": {"driver"}, "diff": {"command", "textconv"},
}

// ownDrivers need no configuration: git has them itself. Those of diff only say what a function looks like.
var ownDrivers = []string{"merge=text", "merge=binary", "merge=union"}

// gitAttributes tells which files the repository's attributes hand to programs. Attributes come with a clone, and the
// programs by a person's own configuration too.
func gitAttributes(ctx context.Context, p *doctorInput) []diagnosis {
	out, err := p.gitConfig(ctx, "--includes", "--name-only", "-z", "--list")
	if err != nil {
		return nil // git itself says so at every other call
	}
	keys := strings.Split(out, "\x00")
	var programs, gone []string
	for named, file := range p.drivers(ctx) {
		kind, name, _ := strings.Cut(named, "=")
		runs := slices.ContainsFunc(driverKeys[kind], func(key string) bool {
			return slices.Contains(keys, kind+"."+name+"."+key)
		})
		switch words := kind + " " + name + " (" + file + ")"; {
		case runs:
			programs = append(programs, words)
		case kind != "diff" && !slices.Contains(ownDrivers, named):
			gone = append(gone, words)
		}
	}
	slices.Sort(programs)
	slices.Sort(gone)
	var found []diagnosis
	if len(programs) > 0 {
		found = append(found, diagnosis{Name: "git", Status: "note", Detail: "attributes hand files to programs that git's configuration names: " + strings.Join(programs, ", ")})
	}
	if len(gone) > 0 {
		found = append(found, diagnosis{Name: "git", Status: "note", Detail: "attributes name what no configuration has: " + strings.Join(gone, ", ")})
	}
	return found
}

// drivers are what the attributes of the repository set, such as filter=x, each with the first file that does.
func (p *doctorInput) drivers(ctx context.Context) map[string]string {
	set := map[string]string{}
	note := func(file string, text []byte) {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, word := range strings.Fields(line) {
				kind, name, is := strings.Cut(word, "=")
				if _, known := driverKeys[kind]; known && is && name != "" && set[word] == "" {
					set[word] = file
				}
			}
		}
	}
	files, _ := p.repo.Tree.Files(ctx) // git says at every other call what is wrong
	for _, file := range files {
		if path.Base(file) != ".gitattributes" {
			continue
		}
		if text, err := plainfile.ReadIn(p.repo.Root(), file); err == nil {
			note(file, text)
		}
	}
	if text, err := plainfile.Read(filepath.Join(p.repo.CommonDir(), "info", "attributes")); err == nil {
		note(".git/info/attributes", text)
	}
	return set
}
