package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/personas/agent/toolbox"
)

// What the tools of MCP servers may take of each request, which all of them go
// out with.
const (
	maxGuestTools  = 100    // of one server
	maxGuestBytes  = 32_000 // of all servers: names, descriptions and schemas
	maxGuestAbout  = 600    // bytes of one description
	maxGuestSchema = 8_000  // bytes of one schema
)

// join adds the tools of the server before the last one, submit_reply. It says
// what could not be taken.
func (g *guest) join(b *toolbox.Box, offered []*mcp.Tool, room *int) (problems []string) {
	for _, name := range g.server.Tools {
		if offered != nil && !slices.ContainsFunc(offered, func(t *mcp.Tool) bool { return t.Name == name }) {
			problems = append(problems, fmt.Sprintf("the MCP server %s has no tool %s, which the configuration names", g.server.Name, toolbox.Cut(b.Mask, name, 100)))
		}
	}
	left := 0
	for _, t := range offered {
		if len(g.server.Tools) > 0 && !slices.Contains(g.server.Tools, t.Name) {
			continue
		}
		added := g.tool(t)
		if len(b.Dispatch.Persona.Tools) > 0 && !slices.Contains(b.Dispatch.Persona.Tools, added.Name) {
			continue
		}
		if slices.ContainsFunc(b.List, func(own toolbox.Tool) bool { return own.Name == added.Name }) {
			problems = append(problems, fmt.Sprintf("the tool %s of the MCP server %s is left out: there is one of that name already", added.Name, g.server.Name))
			continue
		}
		size := len(added.Name) + len(added.About) + len(added.Parameters)
		if size > *room {
			left++
			continue
		}
		*room -= size
		b.List = slices.Insert(b.List, len(b.List)-1, added)
	}
	if left > 0 {
		problems = append(problems, fmt.Sprintf("%d tools of the MCP server %s are left out: all servers' tools together may take %d bytes of a request; name those that are wanted under tools", left, g.server.Name, maxGuestBytes))
	}
	return problems
}

// tool is a tool of the server as the model sees it: SERVER__TOOL.
func (g *guest) tool(t *mcp.Tool) toolbox.Tool {
	name := sendableName(g.server.Name + "__" + t.Name)
	parameters := schemaOf(t.InputSchema)
	return toolbox.Tool{
		Name: name, About: toolbox.Cut(g.mask, fmt.Sprintf("Of the MCP server %s: %s", g.server.Name, t.Description), maxGuestAbout),
		Tier: g.server.Tier, Parameters: parameters,
		Run: func(ctx context.Context, arguments []byte) (string, error) {
			var given map[string]any
			if err := toolbox.Decode(arguments, &given); err != nil {
				return "", fmt.Errorf("the arguments of %s are not right: %w; its schema is %s", name, err, parameters)
			}
			return g.call(ctx, t.Name, given)
		},
	}
}

// anyArguments is the schema of a tool whose own cannot be passed on. Some
// servers of models refuse one without properties.
const anyArguments = `{"type":"object","properties":{}}`

// schemaOf is a tool's schema as models take it: of an object. One that is too
// long goes without what is said for people, or else not at all.
func schemaOf(given any) string {
	schema, isObject := given.(map[string]any)
	if !isObject || schema["type"] != "object" {
		return anyArguments
	}
	plain := func(without ...string) string {
		text, err := json.Marshal(stripped(schema, without))
		if err != nil || len(text) > maxGuestSchema {
			return ""
		}
		return string(text)
	}
	if text := plain("$schema", "$id"); text != "" {
		return text
	}
	if text := plain("$schema", "$id", "description", "title", "examples", "default"); text != "" {
		return text
	}
	return anyArguments
}

// stripped copies a schema without keywords. The names of properties are no
// keywords. An object has properties, if none.
func stripped(schema map[string]any, without []string) map[string]any {
	out := map[string]any{}
	for key, value := range schema {
		switch v := value.(type) {
		case map[string]any:
			if key == "properties" || key == "$defs" || key == "definitions" {
				names := maps.Clone(v)
				for name, property := range v {
					names[name] = strippedValue(property, without)
				}
				value = names
			} else if !slices.Contains([]string{"const", "default", "enum"}, key) {
				value = stripped(v, without)
			}
		case []any:
			if slices.Contains([]string{"anyOf", "oneOf", "allOf", "prefixItems"}, key) { // of schemas
				list := slices.Clone(v)
				for i := range list {
					list[i] = strippedValue(list[i], without)
				}
				value = list
			}
		}
		if !slices.Contains(without, key) {
			out[key] = value
		}
	}
	if out["type"] == "object" && out["properties"] == nil {
		out["properties"] = map[string]any{}
	}
	return out
}

// strippedValue is what is no schema, such as true, as it is.
func strippedValue(value any, without []string) any {
	if schema, ok := value.(map[string]any); ok {
		return stripped(schema, without)
	}
	return value
}
