package agent

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// asked are the fields of a reply that a schema has, each with those of its entries.
type asked map[string]struct {
	Items struct{ Properties map[string]any }
}

func TestPersonasTogetherAreAskedForEveryFieldOfAReply(t *testing.T) {
	all := asked{}
	take := func(d personas.Dispatch) {
		var schema struct{ Properties asked }
		if err := json.Unmarshal([]byte(toolbox.ReplySchema(d)), &schema); err != nil {
			t.Fatal(err)
		}
		maps.Copy(all, schema.Properties)
	}
	for _, name := range personas.Names() {
		take(as(personas.Dispatch{}, name))
	}
	take(as(personas.Dispatch{Purpose: personas.Blind}, personas.Verifier))
	for field, typ := range fieldsOf(reflect.TypeFor[personas.Reply]()) {
		if _, ok := all[field]; !ok && field != "v" && field != "-" { // v is taken as given
			t.Errorf("nobody is asked for %s", field)
		}
		if typ.Kind() != reflect.Slice || typ.Elem().Kind() != reflect.Struct {
			continue
		}
		for inner := range fieldsOf(typ.Elem()) {
			if _, ok := all[field].Items.Properties[inner]; !ok && inner != "-" {
				t.Errorf("nobody is asked for %s of %s", inner, field)
			}
		}
	}
}

// fieldsOf are the types of a struct's fields by their names in JSON.
func fieldsOf(typ reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields[name] = field.Type
	}
	return fields
}
