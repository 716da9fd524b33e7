package command

import "autopilot/personas"

// Form is another form of a known program: one that a Speaker speaks with. Its
// credentials and settings are those of the program.
type Form struct {
	Program     string // looked up in PATH
	Version     string // that it was tried with
	Confined    bool   // as Preset.Confined
	Arguments   func(Call) []string
	Environment func(Call) map[string]string // besides the program's own, which it wins over; nil: nothing
}

// Call is what the arguments and the environment of a Form depend on.
type Call struct {
	Model, BaseURL string // "": the program's own
	KeyEnv         string // the variable that holds the key; "": the program's own log-in
	Persona        personas.Persona
}

// In gives a preset in another form of its program.
func (p Preset) In(f Form) Preset {
	environment, settings := p.environment, p.settings
	p.Program, p.Version, p.Confined, p.dialect = f.Program, f.Version, f.Confined, dialect{}
	p.Agents = false // none of the forms can be told
	p.arguments = func(c call) []string { return append(f.Arguments(c.seen()), c.more...) }
	p.environment = func(c call) map[string]string {
		c.servers = nil // the Speaker hands them over
		if f.Environment == nil {
			return environment(c)
		}
		return with(with(map[string]string{}, environment(c)), f.Environment(c.seen()))
	}
	if settings != nil {
		p.settings = func(c call) string {
			c.servers = nil
			return settings(c)
		}
	}
	return p
}

func (c call) seen() Call {
	return Call{Model: c.model, BaseURL: c.baseURL, KeyEnv: c.keyEnv, Persona: c.persona}
}
