package toolbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/personas"
)

// schema is the JSON schema of a tool's arguments: names of those that are
// required, with blanks between, and name:type of each.
func schema(required string, properties ...string) string {
	parts := make([]string, len(properties))
	for i, p := range properties {
		name, kind, _ := strings.Cut(p, ":")
		parts[i] = fmt.Sprintf(`%q:{"type":%q}`, name, kind)
	}
	return object(required, parts...)
}

func object(required string, properties ...string) string {
	out := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if required != "" {
		out += `,"required":["` + strings.Join(strings.Fields(required), `","`) + `"]`
	}
	return out + `,"additionalProperties":false}`
}

// property is what a schema says of a value.
type property struct {
	Type       any // a name, or what this does not judge by
	Properties map[string]property
	Items      *property
	Required   []string
}

func propertyOf(schema string) (p property) {
	if json.Unmarshal([]byte(schema), &p) != nil {
		return property{}
	}
	return p
}

func list(items string) string { return `{"type":"array","items":` + items + `}` }

func oneOf(words ...string) string { return `{"enum":["` + strings.Join(words, `","`) + `"]}` }

// ReplySchema is the schema of a dispatch's reply as far as its persona fills it in. What
// else it hands in is taken too, such as v.
func ReplySchema(d personas.Dispatch) string {
	p := d.Persona
	const text = `{"type":"string"}`
	owes := func(field string, names ...personas.Name) bool {
		return slices.Contains(p.Owes, field) || slices.Contains(names, p.Name)
	}
	properties := []string{
		`"status":` + oneOf("done", "blocked", "failed"), `"summary":` + text, `"blocker":` + text,
	}
	if p.Name != personas.Reviewer {
		properties = append(properties, `"evidence":`+list(schema("command exitCode", "command:string", "exitCode:integer", "note:string")))
	}
	if p.Name != personas.Reviewer && p.Name != personas.Verifier {
		properties = append(properties, `"concerns":`+list(text), `"learnings":`+list(schema("outcome text", "outcome:string", "text:string")))
	}
	if owes("planPath", personas.Planner) {
		properties = append(properties, `"planPath":`+text, `"assumptions":`+list(text))
	}
	if d.Purpose == personas.Blind {
		return object("status summary checks", append(properties, `"checks":`+list(object("quote command", `"quote":`+text, `"command":`+text,
			`"files":`+list(schema("path text", "path:string", "text:string")))))...)
	}
	if owes("findings", personas.Reviewer, personas.Verifier) {
		properties = append(properties, `"findings":`+list(object("severity title", `"severity":`+oneOf("critical", "important", "suggestion"),
			`"file":`+text, `"line":{"type":"integer"}`, `"title":`+text, `"rationale":`+text)))
	}
	if owes("criteria", personas.Reviewer, personas.Verifier) {
		properties = append(properties, `"criteria":`+list(object("text satisfied confidence", `"text":`+text, `"satisfied":{"type":"boolean"}`,
			`"confidence":`+oneOf("high", "medium", "low"), `"evidence":`+text)))
	}
	if owes("judged", personas.Reviewer, personas.Verifier) {
		verdicts := []string{"still", "fixed", "wrong"}
		if p.Name == personas.Verifier {
			verdicts = append(verdicts, "code", "check", "spec")
		}
		properties = append(properties, `"judged":`+list(object("id verdict", `"id":`+text, `"verdict":`+oneOf(verdicts...), `"why":`+text)))
	}
	return object("status summary", properties...)
}
