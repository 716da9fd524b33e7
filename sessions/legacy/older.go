package legacy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

// SpecText is a spec as an import takes it. Path is relative to the repository; Slug is its session's name, which is
// known even where the spec itself cannot be read.
type SpecText struct {
	Path   string
	Slug   string
	Spec   machine.SpecRef
	Phases []machine.PhaseText
}

// Sources are what an import asks beside the file; what is nil is not asked.
type Sources struct {
	Now            func() time.Time
	StartingCommit func() (string, error)
	Spec           func(path string) (SpecText, error)
}

// migrations bring a file of an older program to the present schema, one version after the other. Each fills in what
// is missing on its own, whatever version the file says it has: real files lie.
var migrations = []func(*older){
	(*older).toVersion2, (*older).toVersion3, (*older).toVersion4, (*older).toVersion5, (*older).toVersion6,
}

// older is a file of an older program on its way to the present schema.
type older struct {
	doc     map[string]any // as decoded, with json.Number for numbers
	version int            // 1 where the file names none
	ours    bool           // it has our own latest schema, and lacks only its journal
	slug    string         // of the folder it lies in; "" where that says nothing
	from    Sources
	spec    SpecText
	said    []string
	times   map[string]int
}

// Imported is what became of a file of an older program.
type Imported struct {
	Version int
	Event   machine.Event // the first one of the session's journal
	Unknown *format.Kept  // what the event's State does not know
	Repairs []string      // in plain words
}

// Import reads the state in a file that has no journal. slug is the session's name, "" where only the file tells.
// Its error says why the file is no state.
func Import(file []byte, slug string, from Sources) (Imported, error) {
	doc, err := parseObject(file)
	if err != nil {
		return Imported{}, err
	}
	o := &older{doc: doc, slug: slug, from: from, times: map[string]int{}}
	o.foldKeys(doc, format.FieldsOf(format.StateType), "")
	if phases, _ := doc["phases"].([]any); len(phases) == 0 && text(doc["currentState"]) == "" {
		return Imported{}, errors.New("it holds no session: neither phases nor a state are in it")
	}
	o.version, _ = Version(doc["schemaVersion"])
	_, sealed := doc["stateCrc"].(string)
	o.ours = format.IsOurs(o.version) && sealed
	o.version = max(o.version, 1)
	if sealed && !format.Intact(file) {
		o.say("the file does not match its checksum: another hand changed it")
	}
	if twice := (*jsonedit.DuplicateKeyError)(nil); errors.As(jsonedit.UniqueKeys(file), &twice) {
		o.say("the key %q stands twice in one object, the second time on line %d: the last one counts", twice.Key, twice.Line)
	}
	for _, migrate := range migrations {
		migrate(o)
	}
	o.fitObject(o.doc, format.StateType, "")
	if len(o.phases()) == 0 {
		return Imported{}, errors.New("it holds no phase, and its spec gives none")
	}
	sum := sha256.Sum256(append([]byte(o.slug+"\n"), file...))
	o.doc["sessionId"] = hex.EncodeToString(sum[:8])
	return o.finish()
}

// finish makes the session's first event of the document.
func (o *older) finish() (Imported, error) {
	im := Imported{Version: o.version}
	raw, err := format.Compact(o.doc)
	if err != nil {
		return im, fmt.Errorf("it cannot be written again: %w", err)
	}
	var s machine.State
	if err := json.Unmarshal(raw, &s); err != nil {
		return im, fmt.Errorf("it does not fit the present schema: %w", err)
	}
	im.Unknown = format.UnknownIn(raw, format.StateType)
	im.Event = machine.Event{Rev: 1, Type: machine.Imported, Initial: &s}
	if o.from.Now != nil {
		im.Event.Time = o.from.Now().UTC()
	}
	o.goOn(&s, im.Event.Time)
	im.Repairs = o.repairs()
	s.Decisions = append(s.Decisions, machine.Decision{
		Phase: s.CurrentPhase, State: s.CurrentState, Decision: "migrated", By: "rule", Timestamp: im.Event.Time,
		Reason: fmt.Sprintf("a file of schema version %d without a journal was imported: %s", o.version, strings.Join(im.Repairs, "; ")),
	})
	return im, nil
}

// parseObject decodes a file that must hold one JSON object and nothing else.
func parseObject(file []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(file))
	dec.UseNumber()
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil || doc == nil {
		return nil, format.ErrDamaged
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, format.ErrDamaged
	}
	return doc, nil
}

// Version reads a schema version; false where it is no whole number.
func Version(v any) (int, bool) {
	n, ok := wholeNumber(v)
	return int(n), ok
}

// wholeNumber reads a number, or the text of one.
func wholeNumber(v any) (int64, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	case int64:
		return v, true
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if n := int64(f); err == nil && f > -1e15 && f < 1e15 && float64(n) == f {
		return n, true
	}
	return 0, false
}

// say notes a repair, once however often it was made.
func (o *older) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if o.times[line]++; o.times[line] == 1 {
		o.said = append(o.said, line)
	}
}

// Repairs are the notes, with how often each was made.
func (o *older) repairs() []string {
	lines := []string{}
	for _, line := range o.said {
		if n := o.times[line]; n > 1 {
			line = fmt.Sprintf("%s (%d times)", line, n)
		}
		lines = append(lines, line)
	}
	return lines
}

// asImported is the end of the key under which a value is kept that has no place under its own key.
const asImported = "AsImported"

// aside keeps a value under another key of the same object.
func (o *older) aside(m map[string]any, key, where string) {
	to := key + asImported
	for n := 2; ; n++ {
		if _, taken := m[to]; !taken {
			break
		}
		to = key + asImported + strconv.Itoa(n)
	}
	m[to] = m[key]
	delete(m, key)
	o.say("%s%s does not fit there and is kept as %s", where, key, to)
}

// fill sets a key of the document that is missing.
func (o *older) fill(key string, value any, words string) bool {
	if v, ok := o.doc[key]; ok && v != nil {
		return false
	}
	o.doc[key] = value
	o.say("%s was missing: %s", key, words)
	return true
}

// insist sets a key of the document to what is known better than the file can; what it said is kept.
func (o *older) insist(key, want string) {
	if o.fill(key, want, want) || o.doc[key] == want {
		return
	}
	o.aside(o.doc, key, "")
	o.doc[key] = want
}

// objects makes a list of objects of the key's value: of an item that is none, word makes one. What is no list is kept
// aside.
func (o *older) objects(m map[string]any, key, where string, word string) []map[string]any {
	list, ok := m[key].([]any)
	if m[key] != nil && !ok {
		o.aside(m, key, where)
	}
	all := make([]map[string]any, len(list))
	for i, item := range list {
		if all[i], ok = item.(map[string]any); ok {
			continue
		}
		all[i] = map[string]any{word: item}
		if _, ok := item.(string); !ok {
			raw, _ := format.Compact(item)
			all[i] = map[string]any{word: string(raw), "value" + asImported: item}
		}
		o.say("an entry of %s%s was a plain value, and is now its %s", where, key, word)
	}
	items := make([]any, len(all))
	for i := range all {
		items[i] = all[i]
	}
	m[key] = items
	return all
}

// phases are the document's phases, once toVersion6 made objects of them.
func (o *older) phases() []map[string]any {
	list, _ := o.doc["phases"].([]any)
	all := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if p, ok := item.(map[string]any); ok {
			all = append(all, p)
		}
	}
	return all
}

// rename moves the first of the synonyms that has a text to key, where that has none; the synonym stays as it is.
func rename(m map[string]any, key string, synonyms ...string) {
	if text(m[key]) != "" {
		return
	}
	for _, other := range synonyms {
		if words := text(m[other]); words != "" {
			m[key] = words
			return
		}
	}
}

// text is a value that is a text; "" for any other.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// guessSlug finds the session's name where the place of the file does not tell it.
func (o *older) guessSlug() string {
	for _, slug := range []string{text(o.doc["sessionSlug"]), path.Base(text(o.doc["sessionDir"])), o.spec.Slug} {
		if format.CheckName(slug) == nil {
			return slug
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// jsonNumber is a number as it stands in a decoded document.
func jsonNumber(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
