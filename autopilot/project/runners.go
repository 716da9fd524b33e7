package project

import (
	"path"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// targets are the names by which people call what a command is for, in every runner of tasks.
var targets = []struct {
	goal goal
	name string
}{{test, "test"}, {lint, "lint"}, {build, "build"}}

// Makefiles are the names of a makefile, in the order in which make looks for them.
var Makefiles = []string{"GNUmakefile", "makefile", "Makefile"}

// runners are the commands of the programs that run named tasks, at the root: make, just, task, tox, nox, pre-commit.
func (t *tree) runners() []command {
	var found []command
	for _, r := range []struct {
		call  string
		files []string
		has   func(text, target string) bool
	}{
		{"make", Makefiles, MakeTarget},
		{"just", []string{"justfile", "Justfile", ".justfile"}, justRecipe},
		{"task", []string{"Taskfile.yml", "Taskfile.yaml"}, taskName},
	} {
		file := t.first("", r.files...)
		if file == "" {
			continue
		}
		for _, target := range targets {
			if r.has(t.read("", file), target.name) {
				found = append(found, command{target.goal, r.call + " " + target.name, path.Base(file)})
			}
		}
	}
	return append(found, t.configured("", "")...)
}

// MakeTarget says whether a makefile has a rule for a target.
func MakeTarget(text, target string) bool {
	return regexp.MustCompile(`(?m)^` + target + `[ \t]*::?([^=:]|$)`).MatchString(text)
}

func justRecipe(text, target string) bool {
	return regexp.MustCompile(`(?m)^@?` + target + `(\s[^:=]*)?:([^=]|$)`).MatchString(text)
}

func taskName(text, target string) bool {
	var file struct {
		Tasks map[string]yaml.Node `yaml:"tasks"`
	}
	_ = yaml.Unmarshal([]byte(text), &file) // what is no Taskfile has no tasks
	_, known := file.Tasks[target]
	return known
}
