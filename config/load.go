package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The names of the configuration files.
const (
	ProjectFile = "autopilot.yaml" // at the repository root
	UserFile    = "config.yaml"    // in the folder that UserDir gives
)

// Options are the sources of a configuration. A source that is left empty is
// not read.
type Options struct {
	Root    string         // the repository root
	UserDir string         // the folder of the user's file
	File    string         // read instead of the project's file; it must exist
	Environ []string       // as os.Environ gives it
	Flags   map[string]any // by whole key ("limits.max_dispatches"): only those that were given
	Own     []string       // the parts that the user's file and the environment set, such as "backends"; nil: all
}

// Report is what is worth saying besides the configuration itself.
type Report struct {
	Warnings []string // one sentence each
	Values   []Value  // every key that has a value, in the order of Config, those with a name of the user's by name
	Files    []string // the files that were read, in the order in which they apply
}

// Load reads all layers and gives the configuration that results. Where
// anything is wrong it is nil and the error joins one *[Error] for each
// problem; the warnings are given in either case.
func Load(opts Options) (*Config, Report, error) {
	env, warnings := environ(opts.Environ)
	report := Report{Warnings: warnings}
	layers := []layer{defaults()}
	theirs := ""
	for _, f := range opts.files() {
		l := f.load(&report)
		if f.repository {
			theirs = f.name
		} else {
			l.only(opts.Own)
		}
		layers = append(layers, l)
	}
	env.only(opts.Own)
	layers = append(layers, env, flags(opts.Flags))
	var problems []error
	for _, l := range layers {
		problems = append(problems, l.problems...)
	}
	if len(problems) > 0 {
		return nil, report, errors.Join(problems...)
	}
	cfg, won, err := merge(layers)
	if err != nil {
		return nil, report, err
	}
	if problems := validate(cfg, won); len(problems) > 0 {
		return nil, report, errors.Join(problems...)
	}
	cfg.fromRepository = setBy(won, theirs)
	report.Values = list(won)
	report.Warnings = append(report.Warnings, exposed(won)...)
	return cfg, report, nil
}

// source is a configuration file that may be there.
type source struct {
	path string
	name string // how messages call it
	must bool   // that it is missing is an error

	repository bool // it lies in the repository, whose author wrote it
}

func (o Options) files() []source {
	var files []source
	if o.UserDir != "" {
		path := filepath.Join(o.UserDir, UserFile)
		files = append(files, source{path: path, name: path})
	}
	switch {
	case o.File != "":
		files = append(files, source{path: o.File, name: o.File, must: true, repository: isBelow(o.Root, o.File)})
	case o.Root != "":
		files = append(files, source{path: filepath.Join(o.Root, ProjectFile), name: ProjectFile, repository: true})
	}
	return files
}

func (s source) load(report *Report) layer {
	var l layer
	data, found, err := readFile(s.path)
	switch {
	case err != nil:
		l.accuse(err, Origin{Name: s.name}, "")
	case found:
		report.Files = append(report.Files, s.path)
		return parseFile(s.name, data)
	case s.must:
		l.accuse(&Error{Problem: "does not exist", Hint: "name an existing file with --config"}, Origin{Name: s.name}, "")
	default:
		report.Warnings = append(report.Warnings, misnamed(s.path)...)
	}
	return l
}

// misnamed warns of a file whose author surely believes that it is read.
func misnamed(path string) []string {
	other := strings.TrimSuffix(path, ".yaml") + ".yml"
	if _, err := os.Stat(other); err != nil {
		return nil
	}
	return []string{fmt.Sprintf("%s is not read; rename it to %s", filepath.Base(other), filepath.Base(path))}
}
