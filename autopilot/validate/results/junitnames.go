package results

import (
	"path"
	"path/filepath"
	"strings"
)

// junitName makes the names of a report those that the program's output has: pytest's node ids where folder has the
// file of a class, the suites' names in node's, else class and name.
func junitName(folder string) func(suites []string, class, name string) string {
	modules := map[string]string{}
	return func(suites []string, class, name string) string {
		class, name = strings.TrimSpace(class), strings.TrimSpace(name)
		if folder != "" {
			name = strings.TrimPrefix(name, filepath.ToSlash(folder)+"/")
		}
		if class == "test" { // node's
			return strings.Join(append(suites[min(1, len(suites)):len(suites):len(suites)], name), " > ")
		}
		id, known := modules[class]
		if !known && len(modules) < maxNames {
			id = pytestModule(folder, class)
			modules[class] = id
		}
		if id != "" {
			return id + "::" + name
		}
		switch {
		case class == "", class == name, strings.HasPrefix(name, class+" "):
			return name
		case jsFile.MatchString(class):
			return class + " > " + name // vitest's
		}
		return class + "." + name
	}
}

// pytestModule is the beginning of the node ids of a class, as far as its module is a file under folder.
func pytestModule(folder, class string) string {
	parts := strings.Split(class, ".")
	for n := len(parts); n > 0 && folder != ""; n-- {
		file := path.Join(parts[:n]...) + ".py"
		if Exists(folder, file) {
			return strings.Join(append([]string{file}, parts[n:]...), "::")
		}
	}
	return ""
}
