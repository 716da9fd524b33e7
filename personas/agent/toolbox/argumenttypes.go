package toolbox

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"autopilot/autopilot/jsonedit"
)

// value is an argument of the type that it is to have. Models write numbers in quotes, and lists as text.
func (r *reading) value(name string, raw json.RawMessage, p property) json.RawMessage {
	kind, _ := p.Type.(string)
	if typed := cast(raw, kind); !bytes.Equal(typed, raw) {
		r.note("read %s as %s", Cut(r.mask, name, maxKey), kind)
		raw = typed
	}
	before := len(r.notes)
	var inner any
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case p.Items != nil && json.Unmarshal(raw, &list) == nil:
		for i := range list {
			list[i] = r.value(name, list[i], *p.Items)
		}
		inner = list
	case p.Properties != nil && json.Unmarshal(raw, &object) == nil:
		for key := range object {
			object[key] = r.value(key, object[key], p.Properties[key])
		}
		inner = object
	}
	if len(r.notes) == before {
		return raw
	}
	return jsonedit.Compact(inner)
}

// cast gives a value in a type, and as it is where that would change more than its form.
func cast(raw json.RawMessage, kind string) json.RawMessage {
	if kind == "" || len(raw) == 0 {
		return raw
	}
	text := string(raw)
	if kind != "string" && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		text = strictJSON(strings.TrimSpace(text))
	}
	n, err := strconv.ParseFloat(text, 64)
	switch isNumber := err == nil && json.Valid([]byte(text)); {
	case kind == "integer" && isNumber && n == math.Trunc(n) && math.Abs(n) < 1<<53:
		return strconv.AppendInt(nil, int64(n), 10)
	case kind == "number" && isNumber,
		kind == "boolean" && (text == "true" || text == "false"),
		kind == "array" && strings.HasPrefix(text, "[") && json.Valid([]byte(text)),
		kind == "object" && strings.HasPrefix(text, "{") && json.Valid([]byte(text)):
		return json.RawMessage(text)
	case kind == "string" && (isNumber || text == "true" || text == "false"):
		return jsonedit.Compact(text)
	}
	return raw
}
