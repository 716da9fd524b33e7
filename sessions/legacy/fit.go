package legacy

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"autopilot/sessions/format"
)

var timeType = reflect.TypeFor[time.Time]()

// foldKeys writes known keys in their own case, since encoding/json would take them in any.
func (o *older) foldKeys(m map[string]any, fields map[string]format.KnownField, where string) {
	for _, name := range sortedKeys(fields) {
		f := fields[name]
		for _, key := range sortedKeys(m) {
			if key == f.Name || !strings.EqualFold(key, f.Name) {
				continue
			}
			if _, taken := m[f.Name]; taken {
				o.aside(m, key, where)
				continue
			}
			m[f.Name] = m[key]
			delete(m, key)
			o.say("%s%s was read as %s", where, key, f.Name)
		}
	}
}

// fitObject makes an object one that decodes into t; a value that cannot is kept under another key.
func (o *older) fitObject(m map[string]any, t reflect.Type, where string) {
	fields := format.FieldsOf(t)
	o.foldKeys(m, fields, where)
	for _, name := range sortedKeys(fields) {
		f := fields[name]
		v, there := m[f.Name]
		if !there || v == nil {
			continue
		}
		if fitted, ok := o.fit(v, f.Of, where+f.Name+"."); ok {
			m[f.Name] = fitted
		} else {
			o.aside(m, f.Name, where)
		}
	}
}

// fit gives the value in the form that t decodes, and false where there is none.
func (o *older) fit(v any, t reflect.Type, where string) (any, bool) {
	switch {
	case t == timeType:
		return fitTime(v)
	case t.Kind() == reflect.Pointer:
		return o.fit(v, t.Elem(), where)
	case t.Kind() == reflect.Struct:
		m, ok := v.(map[string]any)
		if ok {
			o.fitObject(m, t, where)
		}
		return m, ok
	case t.Kind() == reflect.Slice:
		return o.fitList(v, t.Elem(), where)
	case t.Kind() == reflect.Map:
		m, ok := v.(map[string]any)
		for key, item := range m {
			if m[key], ok = o.fit(item, t.Elem(), where); !ok {
				return v, false
			}
		}
		return m, ok
	}
	return fitPlain(v, t.Kind())
}

func (o *older) fitList(v any, item reflect.Type, where string) (any, bool) {
	list, ok := v.([]any)
	if words, one := v.(string); one && item.Kind() == reflect.String {
		list, ok = []any{words}, true
	}
	fitted := make([]any, len(list))
	for i := range list {
		if fitted[i], ok = o.fit(list[i], item, where); !ok {
			return v, false
		}
	}
	return fitted, ok
}

// fitPlain fits a text, a number or a truth; numbers and truths may be written as texts.
func fitPlain(v any, kind reflect.Kind) (any, bool) {
	switch kind {
	case reflect.String:
		s, ok := v.(string)
		return s, ok
	case reflect.Bool:
		if words, ok := v.(string); ok && (words == "true" || words == "false") {
			return words == "true", true
		}
		b, ok := v.(bool)
		return b, ok
	case reflect.Int, reflect.Int64:
		if n, ok := v.(int); ok {
			return n, true
		}
		if n, ok := v.(int64); ok {
			return n, true
		}
		return wholeNumber(v)
	case reflect.Float64:
		n, ok := v.(json.Number)
		if !ok {
			return v, false
		}
		f, err := strconv.ParseFloat(n.String(), 64)
		return f, err == nil
	}
	return v, false
}

// timeForms are the forms in which files write a time; a day alone begins at midnight, and a time without a zone is UTC.
var timeForms = []string{time.RFC3339Nano, "2006-01-02", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04Z07:00"}

func fitTime(v any) (any, bool) {
	words := strings.TrimSpace(text(v))
	for _, form := range timeForms {
		t, err := time.Parse(form, words)
		if err != nil || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
			continue
		}
		if form == time.RFC3339Nano && t.UnmarshalJSON([]byte(`"`+words+`"`)) == nil {
			return words, true
		}
		return t.Format(time.RFC3339Nano), true
	}
	return v, false
}
