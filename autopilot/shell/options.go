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
	folders, files := valuesOf(arguments, "C", "--directory", "--cd"), valuesOf(arguments, "f", "--file")
	mode := ""
	for i, w := range arguments {
		if i == 0 && !strings.HasPrefix(w, "-") { // as in tar xzfC FILE DIR
			mode = w
			files, folders = append(files, bundled(arguments, 'f')...), append(folders, bundled(arguments, 'C')...)
		} else if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") {
			letters, _, _ := strings.Cut(w, "C")
			letters, _, _ = strings.Cut(letters, "f")
			mode += letters
		}
	}
	switch {
	case strings.Contains(mode, "x") || slices.Contains(arguments, "--extract") || slices.Contains(arguments, "--get"):
		if len(folders) == 0 {
			return []string{"."}
		}
		return folders
	case strings.ContainsAny(mode, "cru") || slices.Contains(arguments, "--create") || slices.Contains(arguments, "--append"):
		return slices.DeleteFunc(files, func(w string) bool { return w == "-" })
	}
	return nil
}

// bundled is the value of a letter of tar's first word, where it has no dash.
func bundled(arguments []string, wanted rune) []string {
	next := 1
	for _, letter := range arguments[0] {
		switch {
		case !strings.ContainsRune("fCbTX", letter):
		case letter == wanted && next < len(arguments):
			return arguments[next : next+1]
		default:
			next++
		}
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
