package project

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// services finds what listens: in compose files, in a Procfile, and as start scripts. One name in one folder is one
// service; the first that tells of it wins, and the others fill in what it leaves open.
func (t *tree) services(managers []Manager) []Service {
	found := []Service{}
	for _, some := range [][]Service{t.composed(), t.procfile(), t.started(managers), t.environment()} {
		for _, s := range some {
			i := slices.IndexFunc(found, func(o Service) bool { return o.Name == s.Name && o.Dir == s.Dir })
			if i < 0 {
				found = append(found, s)
				continue
			}
			found[i].Command = cmp.Or(found[i].Command, s.Command)
			if len(found[i].Ports) == 0 {
				found[i].Ports = s.Ports
			}
		}
	}
	for i := range found {
		slices.Sort(found[i].Ports)
		found[i].Ports = append([]int{}, slices.Compact(found[i].Ports)...)
	}
	slices.SortStableFunc(found, func(a, b Service) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name))
	})
	return found
}

var procLine = lazyregexp.New(`(?m)^([A-Za-z0-9_-]+):[ \t]*(\S.*)$`)

// listens are the kinds of process of a Procfile that serve, when they name no port: the platform gives them PORT.
var listens = []string{"web"}

func (t *tree) procfile() []Service {
	var found []Service
	for _, p := range t.files("Procfile") {
		dir := folder(p)
		if aside(dir) {
			continue
		}
		for _, m := range procLine.FindAllStringSubmatch(t.read(dir, "Procfile"), -1) {
			s := Service{Name: m[1], Dir: dir, Command: strings.TrimSpace(m[2]), Source: "Procfile", Ports: portsIn(m[2])}
			if len(s.Ports) == 0 && slices.Contains(listens, s.Name) {
				s.Ports, _ = t.envPort(dir)
			}
			found = append(found, s)
		}
	}
	return found
}

// started are the packages that have a script to start them.
func (t *tree) started(managers []Manager) []Service {
	var found []Service
	for _, file := range t.files("package.json") {
		dir := folder(file)
		p := t.packageJSON(dir)
		one := t.manager(Node, dir)
		if i := slices.IndexFunc(managers, func(m Manager) bool { return covers(m, one) }); i >= 0 {
			one.Name = managers[i].Name // that of the workspace
		}
		script := p.start()
		if script == "" || aside(dir) {
			continue
		}
		s := Service{Name: appName(p, dir), Dir: dir, Command: Known(one.Name).Run + script, Source: "package.json", Ports: portsIn(p.Script(script))}
		if len(s.Ports) == 0 {
			s.Ports, _ = t.envPort(dir)
		}
		found = append(found, s)
	}
	return found
}

// environment is the one service of a project that says no more of it than its port. It is passed over where another
// service of the folder has been found to take that port.
func (t *tree) environment() []Service {
	ports, source := t.envPort("")
	if len(ports) == 0 || t.has("", "Procfile") || t.packageJSON("").start() != "" {
		return nil
	}
	return []Service{{Name: "app", Ports: ports, Source: source}}
}

// start is the name of the script that starts a package, "" where it has none.
func (p Package) start() string {
	for _, name := range []string{"start", "dev", "serve"} {
		if p.Script(name) != "" {
			return name
		}
	}
	return ""
}

// appName is a package's name without its scope, else that of its folder.
func appName(p Package, dir string) string {
	name, _ := p.Name.(string)
	name = name[strings.LastIndex(name, "/")+1:]
	if name == "" && dir != "" {
		name = path.Base(dir)
	}
	return cmp.Or(name, "app")
}

var envLine = lazyregexp.New(`(?m)^\s*(?:export\s+)?PORT\s*=\s*["']?(\d+)`)

// envPort is the PORT of a folder's example environment, and the file that has it.
func (t *tree) envPort(dir string) ([]int, string) {
	for _, name := range []string{".env.example", ".env.sample", ".env.template", ".env.dist", "env.example"} {
		if m := envLine.FindStringSubmatch(t.read(dir, name)); m != nil {
			return toPorts(m[1]), name
		}
	}
	return nil, ""
}

var portFlag = lazyregexp.New(`(?:\bPORT=|(?:^|\s)(?:--port|--listen|-p|-b|--bind|-l)[= ])["']?(?:[^\s"':]*:)?(\d{2,5})\b`)

// portsIn are the ports that a command line names.
func portsIn(text string) []int {
	var ports []int
	for _, m := range portFlag.FindAllStringSubmatch(text, -1) {
		ports = append(ports, toPorts(m[1])...)
	}
	return ports
}

func toPorts(text string) []int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n < 65536 {
		return []int{n}
	}
	return nil
}
