package project

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// composeFiles, in the order in which docker compose prefers them.
var composeFiles = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"}

// composeService is the part of a service that matters here.
type composeService struct {
	Ports       []yaml.Node `yaml:"ports"`
	Healthcheck struct {
		Test    yaml.Node `yaml:"test"`
		Disable bool      `yaml:"disable"`
	} `yaml:"healthcheck"`
}

// composed are the services of compose files; in each folder the one that docker compose would take counts.
func (t *tree) composed() []Service {
	var found []Service
	for _, p := range t.paths {
		if dir := folder(p); p == t.first(dir, composeFiles...) && !aside(dir) {
			found = append(found, t.composeFile(p)...)
		}
	}
	return found
}

func (t *tree) composeFile(file string) []Service {
	var content struct {
		Services map[string]composeService `yaml:"services"`
	}
	dir := folder(file)
	if !t.decode(dir, path.Base(file), yaml.Unmarshal, &content) {
		return nil
	}
	var found []Service
	for _, name := range slices.Sorted(maps.Keys(content.Services)) {
		c := content.Services[name]
		s := Service{Name: name, Dir: dir, Command: "docker compose up -d " + shell.QuoteWord(name), Source: path.Base(file)}
		for _, p := range c.Ports {
			s.Ports = append(s.Ports, published(p)...)
		}
		if test := healthTest(c.Healthcheck.Test); test != "" && !c.Healthcheck.Disable {
			s.HealthCheck = composeExec + shell.QuoteWord(name) + " " + test
		}
		found = append(found, s)
	}
	return found
}

// composeExec is how each health check begins that a scan wrote; like every other it runs in its service's folder.
const composeExec = "docker compose exec -T "

var (
	defaulted = lazyregexp.New(`\$\{\w+:?-([^}]*)\}`)
	shortPort = lazyregexp.New(`^(?:.*:)?(\d+)(?:-(\d+))?:\d+(?:-\d+)?(?:/\w+)?$`)
)

// published are the ports on this machine that an entry of a compose file opens. One that names the container's port
// only gets any that is free.
func published(n yaml.Node) []int {
	var long struct {
		Published string `yaml:"published"`
	}
	if n.Kind == yaml.MappingNode && n.Decode(&long) == nil {
		n.Value = long.Published + ":0"
	}
	m := shortPort.FindStringSubmatch(defaulted.ReplaceAllString(n.Value, "$1"))
	if m == nil {
		return nil
	}
	from, _ := strconv.Atoi(m[1])
	to, err := strconv.Atoi(m[2])
	if err != nil {
		to = from
	}
	var ports []int
	for p := from; p <= to && len(ports) < maxRange; p++ {
		ports = append(ports, toPorts(strconv.Itoa(p))...)
	}
	return ports
}

// maxRange is how many ports of a range are listed.
const maxRange = 100

// healthTest is the test of a health check as a command line for sh; "" where there is none.
func healthTest(n yaml.Node) string {
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		return "sh -c " + shell.QuoteWord(unescape(n.Value))
	}
	var words []string
	if n.Kind != yaml.SequenceNode || n.Decode(&words) != nil || len(words) < 2 {
		return ""
	}
	switch words[0] {
	case "CMD-SHELL":
		return "sh -c " + shell.QuoteWord(unescape(words[1]))
	case "CMD":
		for i, w := range words {
			words[i] = shell.QuoteWord(unescape(w))
		}
		return strings.Join(words[1:], " ")
	}
	return "" // NONE
}

// unescape: a compose file writes $$ for $, which the container's shell is to see.
func unescape(text string) string { return strings.ReplaceAll(text, "$$", "$") }
