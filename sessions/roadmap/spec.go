package roadmap

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// specRef is how a feature names one spec: the paths, relative to the repository, that it may mean.
type specRef []string

func (s specRef) names(spec string) bool { return slices.Contains(s, path.Clean(spec)) }

var (
	linkTarget = lazyregexp.New(`\[[^\]]*\]\(\s*(?:<([^>]*)>|([^)\s]+))[^)]*\)`)
	pathToken  = lazyregexp.New("[^\\s()\\[\\]<>`\"',;|]+\\.(?:md|markdown)\\b")
	blobURL    = lazyregexp.New(`^https?://[^/]+/.+?/blob/[^/]+/(.+)$`)
)

// specRefs are the specs that a value names: the targets of its links, else the Markdown files in its text.
func specRefs(value string) []specRef {
	var refs []specRef
	for _, m := range linkTarget.FindAllStringSubmatch(value, -1) {
		if ref := refOf(m[1] + m[2]); ref != nil {
			refs = append(refs, ref)
		}
	}
	value = linkTarget.ReplaceAllString(value, " ")
	value = strings.NewReplacer(`\_`, "_", `\|`, "|", "**", "").Replace(value)
	for _, token := range pathToken.FindAllString(value, -1) {
		ref := refOf(token)
		if whole := strings.Trim(value, " \t`\"'"); strings.HasSuffix(whole, token) && !strings.ContainsAny(whole, ",;`") {
			ref = append(ref, refOf(whole)...) // a path with blanks
		}
		refs = append(refs, ref)
	}
	return refs
}

// refOf takes a path as seen from the repository's root, and as seen from the folder of the roadmap.
func refOf(target string) specRef {
	if m := blobURL.FindStringSubmatch(target); m != nil {
		target = "/" + m[1]
	}
	target, _, _ = strings.Cut(target, "#")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if strings.Contains(target, "://") || path.Ext(target) == "" {
		return nil
	}
	if rooted, ok := strings.CutPrefix(target, "/"); ok {
		return specRef{path.Clean(rooted)}
	}
	return specRef{path.Clean(target), path.Join(path.Dir(RoadmapPath), target)}
}

var issue = lazyregexp.New(`(?:https?://github\.com/([\w.-]+/[\w.-]+)/issues/|(?:^|[\s(\[,:])([\w.-]+/[\w.-]+)?#)(\d+)\b`)

// issueIn is the one issue that the values name: "owner/repo#12", or "#12" where no repository stands beside it. It is
// "" where there are several: closing the wrong one is worse than closing none.
func issueIn(values ...cell) string {
	found := map[string]string{} // by number
	for _, v := range values {
		for _, m := range issue.FindAllStringSubmatch(v.text, -1) {
			owner, short := m[1]+m[2], "#"+m[3]
			switch was := found[short]; {
			case was == "" || was == short:
				found[short] = owner + short
			case owner != "" && was != owner+short:
				return ""
			}
		}
	}
	if len(found) == 1 {
		for _, one := range found {
			return one
		}
	}
	return ""
}
