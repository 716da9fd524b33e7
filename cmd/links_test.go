package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fenced   = regexp.MustCompile("(?ms)^(`{3,}).*?^`{3,}[ \t]*$")
	code     = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	notAName = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

func TestEveryLinkOfTheDocsLeadsSomewhere(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		files = append(files, filepath.Join("..", name))
	}
	found := 0
	for _, file := range files {
		links := linksOf(read(t, file))
		found += len(links)
		for _, to := range links {
			if problem := follow(t, file, to); problem != "" {
				t.Errorf("%s: %s: %s", file, to, problem)
			}
		}
	}
	if len(files) < 9 || found < 20 {
		t.Errorf("only %d documents with %d links: the test looks in the wrong place", len(files), found)
	}
}

func TestDeadLinksAreSeen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	text := "# One, `two`: three\n[a](b.md) [b](#one-two-three) [c](#four) [d](https://example.com) `[e](f.md)`\n\n```sh\n# five\n[g](h.md)\n```\n[i](#five)\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var dead []string
	for _, to := range linksOf(text) {
		if follow(t, file, to) != "" {
			dead = append(dead, to)
		}
	}
	if got, want := strings.Join(dead, " "), "b.md #four #five"; got != want {
		t.Errorf("dead are %s, want %s", got, want)
	}
}

// linksOf are the targets of the links that lead into the repository; code holds none.
func linksOf(text string) []string {
	var targets []string
	for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(fenced.ReplaceAllString(text, ""), ""), -1) {
		if !strings.Contains(m[1], "://") {
			targets = append(targets, m[1])
		}
	}
	return targets
}

// follow says why a link leads nowhere; "" where it leads somewhere.
func follow(t *testing.T, from, to string) string {
	t.Helper()
	name, anchor, _ := strings.Cut(to, "#")
	file := from
	if name != "" {
		file = filepath.Join(filepath.Dir(from), filepath.FromSlash(name))
	}
	if _, err := os.Stat(file); err != nil {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, file), ""), -1) {
		if anchorOf(m[1]) == anchor {
			return ""
		}
	}
	return "there is no such heading"
}

// anchorOf is what a web page of the document calls a heading.
func anchorOf(title string) string {
	return strings.ReplaceAll(notAName.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
