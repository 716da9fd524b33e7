package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeysDescribeTheStruct(t *testing.T) {
	seen := map[string]Key{}
	for _, k := range Keys() {
		if k.Doc == "" || k.Type == "" || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s is not described: %+v", k.Name, k)
		}
		if _, again := seen[k.Name]; again {
			t.Errorf("%s stands twice", k.Name)
		}
		seen[k.Name] = k
	}
	want := Key{Name: "limits.max_duration", Type: "duration", Allowed: ">0", Default: "24h", Env: "AUTOPILOT_LIMITS_MAX_DURATION", Doc: "Running time of a session, in all its runs."}
	if diff := cmp.Diff(want, seen["limits.max_duration"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"backends.NAME.type", "backends.NAME.env.NAME", "personas.NAME.model"} {
		if k, ok := seen[name]; !ok || k.Env != "" {
			t.Errorf("%s: %+v", name, k)
		}
	}
	if n := countFields(reflect.TypeFor[Config]()); len(seen) != n {
		t.Errorf("%d keys for %d fields", len(seen), n)
	}
}

func countFields(typ reflect.Type) int {
	if typ.Kind() == reflect.Map {
		return countFields(typ.Elem())
	}
	if _, leaf := types[typ]; leaf {
		return 1
	}
	n := 0
	for field := range typ.Fields() {
		if field.IsExported() {
			n += countFields(field.Type)
		}
	}
	return n
}

func TestRulesOfTheTagsAreWellFormed(t *testing.T) {
	if l := defaults(); len(l.problems) > 0 {
		t.Fatal(l.problems)
	}
	bound := strings.NewReplacer(">", "", "..", "", "-1", "", "0", "", "1", "", "3", "")
	schema().eachLeaf(func(it *item) {
		_, named := rules[it.allow]
		isRange := it.allow != "" && bound.Replace(it.allow) == ""
		switch types[it.typ].name {
		case "whole number", "number", "duration":
			if !isRange {
				t.Errorf("%s has no range: %q", it.key, it.allow)
			}
		default:
			if isRange || it.allow != "" && !named && !strings.Contains(it.allow, "|") {
				t.Errorf("%s has the rule %q, which is none", it.key, it.allow)
			}
		}
	})
}
