package config

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// item is one place in a configuration file: a group of keys, a group of names
// that the user chooses, or a key with a value. The tree of items is derived
// from the tags of Config and drives the reading of every layer.
type item struct {
	name     string // in its group
	key      string // whole, such as limits.wait; NAME stands for a name of the user's
	allow    string // the rule for the value, or for the names of an open group
	initial  string // the default as text
	doc      string
	typ      reflect.Type
	children []*item // of a group
	elem     *item   // of an open group: what stands under each name
}

// anyName stands in a key for a name that the user chooses.
const anyName = "NAME"

// schema is the whole tree. It is made when it is first asked for, as many commands read no configuration.
var schema = sync.OnceValue(func() *item { return newItem(reflect.TypeFor[Config](), reflect.StructField{}, "") })

func newItem(typ reflect.Type, field reflect.StructField, parent string) *item {
	tag := field.Tag
	it := &item{name: tag.Get("key"), allow: tag.Get("allow"), initial: tag.Get("default"), doc: tag.Get("doc"), typ: typ}
	it.key = join(parent, it.name)
	if typ.Kind() == reflect.Map {
		it.elem = newItem(typ.Elem(), reflect.StructField{}, join(it.key, anyName))
		it.elem.doc = it.doc
		return it
	}
	if _, leaf := types[typ]; leaf {
		return it
	}
	for f := range typ.Fields() {
		if !f.IsExported() {
			continue
		}
		it.children = append(it.children, newItem(f.Type, f, it.key))
	}
	return it
}

func join(parent, name string) string {
	return strings.Trim(parent+"."+name, ".")
}

func (it *item) isLeaf() bool { return it.elem == nil && it.children == nil }

// child gives what stands under a name, and nil where the name is unknown.
func (it *item) child(name string) *item {
	if it.elem != nil {
		return it.elem
	}
	i := slices.IndexFunc(it.children, func(c *item) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return it.children[i]
}

// eachLeaf calls visit for each key with a value, in the order of the struct.
func (it *item) eachLeaf(visit func(*item)) {
	if it.isLeaf() {
		visit(it)
		return
	}
	if it.elem != nil {
		it.elem.eachLeaf(visit)
	}
	for _, c := range it.children {
		c.eachLeaf(visit)
	}
}

// open tells that the key holds a name of the user's, so that there is no
// default, no variable and no flag for it.
func (it *item) open() bool { return slices.Contains(strings.Split(it.key, "."), anyName) }

// Key describes one key of the configuration, for the documentation.
type Key struct {
	Name    string // whole, such as limits.max_tokens; NAME stands for a name of the user's
	Type    string // "string", "whole number", "duration" …
	Allowed string // the rule, such as "0..10" or "keep|rollback"; "" for any value of the type
	Default string // as written in a file; "" for none
	Env     string // the variable that sets it; "" where only a file or a flag does
	Doc     string
}

// Keys lists every key, in the order of [Config].
func Keys() []Key {
	var keys []Key
	schema().eachLeaf(func(it *item) {
		k := Key{Name: it.key, Type: types[it.typ].name, Default: it.initial, Env: variable(it), Doc: it.doc}
		if rule, named := rules[it.allow]; named {
			k.Allowed = rule.text
		} else {
			k.Allowed = it.allow
		}
		keys = append(keys, k)
	})
	return keys
}
