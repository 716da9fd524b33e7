package roadmap

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// roadmapWords are the words that roadmaps use, by what they mean. The first of each is what the program writes where
// the file has no word of its own.
var roadmapWords = map[RoadmapStatus][]string{
	Planned: {
		"planned", "backlog", "todo", "to do", "open", "not started", "pending", "proposed", "draft", "ready", "next", "idea",
		"queued", "accepted", "approved", "scheduled", "new", "spec ready", "specified", "scoped",
	},
	InProgress: {"in progress", "inprogress", "started", "active", "wip", "doing", "ongoing", "current", "in development", "underway", "under way", "partial"},
	Blocked:    {"blocked", "on hold", "paused", "waiting", "needs human"},
	Finished:   {"done", "complete", "completed", "finished", "shipped", "released", "delivered", "merged", "closed", "implemented", "live"},
	Dropped:    {"cancelled", "canceled", "dropped", "rejected", "superseded", "deferred", "abandoned", "obsolete", "archived", "wontfix", "won't fix"},
}

// statusText is a status taken apart: `**✅ Done** (v1.2)` is the lead `**✅ `, the word `Done`, the tail `**`, and the
// note ` (v1.2)`.
type statusText struct {
	rank                   RoadmapStatus
	lead, word, tail, note string
}

// readStatus understands a status that begins with one of the known words, behind marks and before a note. None at all
// and a dash mean planned.
func readStatus(text string) (statusText, bool) {
	if strings.Trim(text, "-–—*_` ") == "" || strings.EqualFold(text, "tbd") {
		return statusText{rank: Planned, word: text}, true
	}
	start := strings.IndexFunc(text, unicode.IsLetter)
	if start < 0 || strings.ContainsAny(text[:start], "[<(0123456789") {
		return statusText{}, false
	}
	s := statusText{lead: text[:start]}
	rest := text[start:]
	for rank, words := range roadmapWords {
		for _, word := range words {
			if n := wordAt(rest, word); n > len(s.word) {
				s.rank, s.word = rank, rest[:n]
			}
		}
	}
	rest = rest[len(s.word):]
	s.note = strings.TrimLeft(rest, "*_`~")
	s.tail = rest[:len(rest)-len(s.note)]
	return s, s.word != ""
}

// wordAt is the length of the word at the beginning of a text, in any case and with any of blank, dash and underscore
// between its parts; 0 where something else, or more of a sentence, stands there.
func wordAt(text, word string) int {
	n := 0
	for _, r := range word {
		if n >= len(text) {
			return 0
		}
		got, size := utf8.DecodeRuneInString(text[n:])
		if unicode.ToLower(got) != r && (r != ' ' || got != '-' && got != '_') {
			return 0
		}
		n += size
	}
	rest := strings.TrimLeft(text[n:], "*_`~")
	if rest == "" || strings.ContainsRune(",;:.(<[|", rune(rest[0])) {
		return n
	}
	rest, spaced := strings.CutPrefix(rest, " ")
	for _, mark := range []string{"(", "[", "<", "—", "–", "- ", "/", "|", "·", "✅", "✓", "✔"} {
		if spaced && strings.HasPrefix(rest, mark) {
			return n
		}
	}
	return 0
}

// worded is the status that a row gets, in the words and the dress that the file has for it. What a person noted behind
// the old status stays.
func (r *Roadmap) worded(row RoadmapRow, to RoadmapStatus) string {
	if like, ok := r.example(to, row.table); ok {
		return like.lead + like.word + like.tail + row.status.note
	}
	lead, tail := row.status.lead, row.status.tail
	if strings.Trim(lead, "*_`~") != "" { // a picture of the old status
		lead = lead[:len(lead)-len(strings.TrimLeft(lead, "*_`~"))]
	}
	return lead + r.styled(roadmapWords[to][0], row.status.word) + tail + row.status.note
}

// example is what most of the file's rows write for a status; rows of the same form first.
func (r *Roadmap) example(of RoadmapStatus, table bool) (statusText, bool) {
	counts := map[statusText]int{}
	var best statusText
	most := 0
	for _, row := range r.rows {
		s := row.status
		if row.problem != "" || s.rank != of || s.word == "" {
			continue
		}
		s.note = ""
		counts[s]++
		if row.table == table {
			counts[s] += len(r.rows)
		}
		if counts[s] > most {
			best, most = s, counts[s]
		}
	}
	return best, most > 0
}

// styled writes a word as the file writes its statuses: like the old word, with the separator and the capitals that a
// status of several words has, if there is one.
func (r *Roadmap) styled(word, old string) string {
	separator, capitals := "", false
	for _, row := range r.rows {
		if i := strings.IndexAny(row.status.word, " -_"); i > 0 && i+1 < len(row.status.word) && separator == "" {
			separator, capitals = row.status.word[i:i+1], unicode.IsUpper(rune(row.status.word[i+1]))
		}
	}
	first, _ := utf8.DecodeRuneInString(old)
	switch {
	case !unicode.IsUpper(first):
		return strings.ReplaceAll(word, " ", cmp.Or(separator, "-"))
	case len(old) > 1 && strings.ToUpper(old) == old:
		return strings.ToUpper(strings.ReplaceAll(word, " ", cmp.Or(separator, " ")))
	}
	parts := strings.Split(word, " ")
	for i, part := range parts {
		if i == 0 || capitals || separator == "" {
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, cmp.Or(separator, " "))
}

// stamp is the time of a sync in the form that the front matter has; a form that is not known is left alone.
func (r *Roadmap) stamp(now time.Time) (string, bool) {
	if r.synced.from < 0 {
		return "", false
	}
	old := string(r.text[r.synced.from:r.synced.to])
	quote := ""
	if len(old) > 1 && (old[0] == '"' || old[0] == '\'') && old[len(old)-1] == old[0] {
		quote = old[:1]
	}
	for _, form := range []string{time.DateOnly, "2006-01-02T15:04:05.000Z", "2006-01-02T15:04:05Z", time.DateTime} {
		if _, err := time.Parse(form, strings.Trim(old, quote)); err == nil {
			return quote + now.UTC().Format(form) + quote, true
		}
	}
	return "", false
}
