package toolbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// bare is a name without the prefix that servers put before it, such as functions., and in one spelling.
func bare(name string) string {
	name, _, _ = strings.Cut(name, "<|")
	name = name[strings.LastIndexAny(name, "./:")+1:]
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// synonyms are the names that other tools have for arguments, bare, with ours; one of ours may be another in another tool.
var synonyms = map[string]string{
	"filepath": "path", "file": "path", "filename": "path", "absolutepath": "path", "targetfile": "path", "dir": "path", "directory": "path", "folder": "path",
	"offset": "from", "start": "from", "startline": "from", "linestart": "from", "end": "to", "endline": "to", "lineend": "to",
	"oldstring": "old", "oldstr": "old", "oldtext": "old", "newstring": "new", "newstr": "new", "newtext": "new", "replaceall": "all",
	"text": "content", "contents": "content", "filetext": "content", "cmd": "command", "timeout": "timeout_seconds",
	"path": "name", "pattern": "glob", "query": "pattern", "regex": "pattern", "include": "glob", "contextlines": "context", "c": "context",
	"input": "patch", "diff": "patch", "commit": "rev", "revision": "rev", "ref": "rev",
}

// counts are the names of a number of lines, which other tools have in place of the last line.
var counts = []string{"limit", "lines", "numlines", "maxlines", "linecount"}

// decisive are arguments that are not left out of a command: it would do its work in another place, or do it at all.
var decisive = []string{"cwd", "workdir", "workingdirectory", "workingdir", "dir", "directory", "folder", "path", "dryrun"}

// named gives the arguments under the names that a tool has for them, without those that it does not have.
func (r *reading) named(t Tool, object map[string]json.RawMessage, wanted property) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	var others []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if _, known := wanted.Properties[key]; string(object[key]) == "null" {
			r.note("left out what is null")
		} else if known {
			out[key] = object[key]
		} else {
			others = append(others, key)
		}
	}
	var count json.RawMessage
	for _, key := range others {
		name := wanted.called(key)
		_, given := out[name]
		switch {
		case name != "" && !given:
			out[name] = object[key]
			r.as(key, name)
		case slices.Contains(counts, bare(key)) && wanted.Properties["to"].Type != nil && out["to"] == nil:
			count = object[key]
			r.note("read %q as a number of lines, and to as the last of them", key)
		case t.Name == "run_command" && slices.Contains(decisive, bare(key)):
			out[key] = object[key] // to be refused
		default:
			r.note("left out %q, which %s does not take", Cut(r.mask, key, maxKey), t.Name)
		}
	}
	if len(count) > 0 {
		out["to"] = until(out["from"], count)
	}
	return out
}

// called is the property that a key means.
func (p property) called(key string) string {
	for name := range p.Properties {
		if bare(name) == bare(key) {
			return name
		}
	}
	for name := synonyms[bare(key)]; name != ""; name = synonyms[name] {
		if _, known := p.Properties[name]; known {
			return name
		}
	}
	return ""
}

// until is the last line where a number of lines is given.
func until(from, count json.RawMessage) json.RawMessage {
	first, _ := strconv.Atoi(string(cast(from, "integer"))) // 0: all from the first on
	n, _ := strconv.Atoi(string(cast(count, "integer")))
	return strconv.AppendInt(nil, int64(max(first, 1)+max(n, 1)-1), 10)
}
