package shell

import (
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// valuesOf gives what some options are given: -d DIR, -dDIR, -od DIR, --dir DIR and --dir=DIR.
func valuesOf(arguments []string, short string, long ...string) []string {
	var values []string
	for i, w := range arguments {
		next := arguments[min(i+1, len(arguments)):min(i+2, len(arguments))]
		name, value, whole := strings.Cut(w, "=")
		at := strings.IndexAny(w, short)
		switch {
		case w == "--":
			return values
		case slices.Contains(long, name) && whole:
			values = append(values, value)
		case slices.Contains(long, name):
			values = append(values, next...)
		case !strings.HasPrefix(w, "-"), strings.HasPrefix(w, "--"), at < 0:
		case at+1 < len(w):
			values = append(values, w[at+1:])
		default:
			values = append(values, next...)
		}
	}
	return values
}

// given is a writer whose paths are the values of options.
func given(short string, long ...string) func([]string) []string {
	return func(arguments []string) []string { return valuesOf(arguments, short, long...) }
}

// lastOperand is where rsync and the like copy to, unless that is another machine.
func lastOperand(arguments []string) []string {
	list := operands(arguments)
	if len(list) < 2 || strings.Contains(list[len(list)-1], ":") {
		return nil
	}
	return list[len(list)-1:]
}

// moved are the files that mv takes away, and where they go.
func moved(arguments []string) []string {
	return append(operands(arguments), valuesOf(arguments, "t", "--target-directory")...)
}

// archived are the folders that tar unpacks into, or the archive that it writes.
func archived(arguments []string) []string {
	arguments = slices.Clone(arguments)
	if len(arguments) > 0 && !strings.HasPrefix(arguments[0], "-") { // as in tar xzf FILE
		arguments[0] = "-" + arguments[0]
	}
	does := func(letters string, long ...string) bool {
		return slices.ContainsFunc(arguments, func(a string) bool {
			given, _, _ := strings.Cut(a, "C")
			given, _, _ = strings.Cut(given, "f")
			return slices.Contains(long, a) || isBundle(a) && strings.ContainsAny(given, letters)
		})
	}
	switch folders := valuesOf(arguments, "C", "--directory", "--cd"); {
	case does("x", "--extract", "--get") && len(folders) == 0:
		return []string{"."}
	case does("x", "--extract", "--get"):
		return folders
	case does("cru", "--create", "--append"):
		return slices.DeleteFunc(valuesOf(arguments, "f", "--file"), func(file string) bool { return file == "-" })
	}
	return nil
}

// sevenZipped is the folder that 7z unpacks into.
func sevenZipped(arguments []string) []string {
	var folders []string
	for _, w := range arguments {
		if to, is := strings.CutPrefix(w, "-o"); is {
			folders = append(folders, to)
		}
	}
	return folders
}

// inPlaceOf finds the option of perl and ruby by which they write to the files that they read.
var inPlaceOf = lazyregexp.New(`^-[pnalwsW0]*i`)

// editedByCode are the files that a line of perl or ruby changes.
func editedByCode(arguments []string) []string {
	if !slices.ContainsFunc(arguments, inPlaceOf.MatchString) {
		return nil
	}
	var rest []string
	code := false
	for i, w := range arguments {
		if i > 0 && strings.HasPrefix(arguments[i-1], "-") && strings.HasSuffix(arguments[i-1], "e") {
			code = true
			continue
		}
		rest = append(rest, w)
	}
	list := operands(rest)
	if !code {
		return list[min(1, len(list)):]
	}
	return list
}
