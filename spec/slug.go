package spec

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// maxSlug is the longest slug in bytes: it becomes part of a file name, and file
// systems allow 255 for the whole.
const maxSlug = 100

// PhaseSlug makes the part of a plan's file name that tells its phase: the name
// in lower case, each run of other characters than letters and digits one "-".
// It is empty for a name without any; a long one is cut between words.
func PhaseSlug(name string) string {
	slug := longSlug(name)
	if len(slug) <= maxSlug {
		return slug
	}
	if cut := strings.LastIndexByte(slug[:maxSlug+1], '-'); cut > 0 {
		return slug[:cut]
	}
	return strings.ToValidUTF8(slug[:maxSlug], "")
}

// longSlug is a slug of any length.
func longSlug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

// SessionSlug makes the name of a session's folder of the spec's path, relative
// to the repository and with "/": "docs/changes/csv/proposal.md" becomes
// "changes--csv--proposal".
//
// A path that leads out of the repository is refused, and so is one that holds
// "--", a character that not every system takes, or one that acts on a terminal. Different specs can still share a slug ("a.b.md",
// "a/b.md", "docs/a/b.md"): who opens a session compares the path it was made for.
func SessionSlug(relPath string) (string, error) {
	if relPath == "" || strings.ContainsFunc(relPath, acts) {
		return "", fmt.Errorf("%q can't be the path of a spec: rename the file", relPath)
	}
	if path.IsAbs(relPath) {
		return "", fmt.Errorf("the spec %q must be inside the repository: name it by a path relative to the repository", relPath)
	}
	if at := strings.IndexAny(relPath, `\:`); at >= 0 {
		return "", fmt.Errorf("the spec's path %q contains '%c', which not every system allows in file names: rename the file", relPath, relPath[at])
	}
	clean := path.Clean(relPath)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("the spec %q is outside the repository: move it inside", relPath)
	}
	if strings.Contains(clean, "--") {
		return "", fmt.Errorf("the spec's path %q contains '--', which means '/' in session names: rename the file", relPath)
	}
	slug := strings.ToLower(strings.TrimPrefix(clean, "docs/"))
	slug = strings.NewReplacer("/", "--", ".", "--").Replace(strings.TrimSuffix(slug, ".md"))
	if strings.Trim(slug, "-") == "" {
		return "", fmt.Errorf("the spec's path %q gives no name for its session: rename the file", relPath)
	}
	if len(slug) > 2*maxSlug {
		return "", fmt.Errorf("the spec's path %q is too long: give the file or its folders shorter names", relPath)
	}
	return slug, nil
}

// acts says whether a terminal does something at a character, as turning the direction of writing round.
func acts(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
