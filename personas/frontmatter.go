package personas

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// frontMatter is the YAML between the --- lines at the top of a persona file.
type frontMatter struct {
	Name    string   `yaml:"name"`
	Backend string   `yaml:"backend"`
	Model   string   `yaml:"model"`
	Agent   string   `yaml:"agent"`
	May     []string `yaml:"may"`
	Tools   []string `yaml:"tools"`
	Reply   []string `yaml:"reply"`
}

func parse(src []byte, p Persona) (Persona, error) {
	head, body, err := split(src)
	if err != nil {
		return Persona{}, err
	}
	var fm frontMatter
	dec := yaml.NewDecoder(bytes.NewReader(head))
	dec.KnownFields(true)
	if err := dec.Decode(&fm); err != nil && len(bytes.TrimSpace(head)) > 0 {
		return Persona{}, fmt.Errorf("reading the front matter: %w", err)
	}
	if fm.Name != "" && fm.Name != string(p.Name) {
		return Persona{}, fmt.Errorf("it is named %q inside, but its file makes it %q", fm.Name, p.Name)
	}
	p.Backend, p.Model, p.Agent = cmp.Or(fm.Backend, p.Backend), cmp.Or(fm.Model, p.Model), cmp.Or(fm.Agent, p.Agent)
	if fm.May != nil {
		p.May = fm.May
	}
	if fm.Tools != nil {
		p.Tools = fm.Tools
	}
	if fm.Reply != nil {
		p.Owes = fm.Reply
	}
	if p.Body = strings.TrimSpace(string(body)); p.Body == "" {
		return Persona{}, errors.New("it has no text after the front matter")
	}
	return p, checkWords(p)
}

func checkWords(p Persona) error {
	rights := []string{MayRead, MayPlan, MayWrite, MayRun}
	for _, m := range p.May {
		if !slices.Contains(rights, m) {
			return fmt.Errorf("may: %q is none of %s", m, strings.Join(rights, ", "))
		}
	}
	for _, f := range p.Owes {
		if _, ok := owed[f]; !ok {
			return fmt.Errorf("reply: %q is no field of a reply that can be owed (%s)", f, strings.Join(owedNames(), ", "))
		}
	}
	return nil
}

// split parts the front matter from the text. A file without any is all text.
func split(src []byte) (head, body []byte, err error) {
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(src, []byte("---\n"))
	if !ok {
		return nil, src, nil
	}
	if body, ok := bytes.CutPrefix(rest, []byte("---\n")); ok {
		return nil, body, nil
	}
	head, body, ok = bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return nil, nil, errors.New("its front matter is not closed by a line ---")
	}
	return head, body, nil
}
