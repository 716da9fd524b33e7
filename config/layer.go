package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// setting is one value of one layer.
type setting struct {
	path   []string // its key, name by name; the user's names may hold dots
	item   *item
	value  any
	origin Origin
}

// key is the whole key as people see it. id tells any two apart, also where
// names hold dots.
func (s setting) key() string { return strings.Join(s.path, ".") }
func (s setting) id() string  { return id(s.path...) }

func id(path ...string) string { return strings.Join(path, delimiter) }

// layer is what one source gives: settings, and what is wrong with it.
type layer struct {
	settings []setting
	problems []error
}

// accuse records a problem and completes it with its place.
func (l *layer) accuse(err error, origin Origin, key string) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Problem: err.Error()}
	}
	e.Key, e.Origin.Name = key, origin.Name
	e.Origin.Line = cmp.Or(e.Origin.Line, origin.Line)
	l.problems = append(l.problems, e)
}

// add takes what was read for a key that stands in no group of the user's names.
func (l *layer) add(it *item, v any, err error, origin Origin) {
	if err != nil {
		l.accuse(err, origin, it.key)
		return
	}
	l.settings = append(l.settings, setting{path: strings.Split(it.key, "."), item: it, value: v, origin: origin})
}

// only leaves out what is of other parts than some; nil are all.
func (l *layer) only(parts []string) {
	l.settings = slices.DeleteFunc(l.settings, func(s setting) bool { return parts != nil && !slices.Contains(parts, s.path[0]) })
}

// Default is the source of a value that nobody set.
const Default = "default"

// defaults is the lowest layer: what the tags of Config say. Keys without a
// default take part with the zero value of their type, so that every key has
// a value and an origin.
func defaults() layer {
	var l layer
	origin := Origin{Name: Default}
	schema().eachLeaf(func(it *item) {
		switch {
		case it.open():
		case it.initial == "":
			l.add(it, reflect.Zero(it.typ).Interface(), nil, origin)
		default:
			v, err := it.readString(it.initial)
			l.add(it, v, err, origin)
		}
	})
	return l
}

// flags reads what the command line sets: values by whole key, typed or as
// text. A key that does not exist is a mistake of the program, not the user's,
// and is reported all the same.
func flags(values map[string]any) layer {
	var l layer
	origin := Origin{Name: "command line"}
	for _, key := range sortedNames(values) {
		it := find(key)
		if it == nil {
			l.accuse(errors.New("is not a key that a flag can set"), origin, key)
			continue
		}
		v, err := it.readAny(values[key])
		l.add(it, v, err, origin)
	}
	return l
}

// readAny takes a value as a flag library hands it over.
func (it *item) readAny(v any) (any, error) {
	if list, isList := v.([]string); isList && it.typ == reflect.TypeFor[[]string]() {
		return list, asError(it.check(v))
	}
	return it.readString(fmt.Sprint(v))
}

func asError(problem string) error {
	if problem == "" {
		return nil
	}
	return &Error{Problem: problem}
}

// find gives the item of a whole key, where a variable or a flag can set it.
func find(key string) *item {
	it := schema()
	for name := range strings.SplitSeq(key, ".") {
		if it = it.child(name); it == nil || it.elem != nil {
			return nil
		}
	}
	if !it.isLeaf() {
		return nil
	}
	return it
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
