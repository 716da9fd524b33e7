package blind

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/personas"
)

// homes are the folders of a home in which tools keep what they have installed and built, and the variables that lead there.
var homes = map[string]string{
	"GOPATH": "go", "XDG_CACHE_HOME": ".cache", "CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv", "NVM_DIR": ".nvm",
	"npm_config_cache": ".npm", "GRADLE_USER_HOME": ".gradle",
}

// Environment is one with a home of its own, and without what is secret. Tools still find what they have installed.
func Environment(env []string, home string, secrets *personas.Mask) []string {
	var old string
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		if name == "HOME" {
			old = value
		}
		return name == "HOME" || secrets.Replace(value) != value
	})
	for name, folder := range homes {
		there := func(e string) bool { return strings.HasPrefix(e, name+"=") }
		if _, err := os.Stat(filepath.Join(old, folder)); err == nil && old != "" && !slices.ContainsFunc(env, there) {
			env = append(env, name+"="+filepath.Join(old, folder))
		}
	}
	slices.Sort(env)
	return append(env, "HOME="+home)
}
