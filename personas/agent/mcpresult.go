package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// maxSaid bounds what is kept of a server's result at all, in bytes. What the
// window has no room for is archived, as any tool's result.
const maxSaid = 500_000

// said is a result as text. What is no text is named.
func said(m *personas.Mask, r *mcp.CallToolResult) string {
	var parts []string
	for _, piece := range r.Content {
		switch p := piece.(type) {
		case *mcp.TextContent:
			parts = append(parts, p.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("(an image of %d bytes, %s, which cannot be shown)", len(p.Data), p.MIMEType))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("(a sound of %d bytes, %s, which cannot be played)", len(p.Data), p.MIMEType))
		case *mcp.ResourceLink:
			parts = append(parts, fmt.Sprintf("(a link to %s)", p.URI))
		case *mcp.EmbeddedResource:
			parts = append(parts, resource(p.Resource))
		}
	}
	if len(parts) == 0 && r.StructuredContent != nil {
		if text, err := json.Marshal(r.StructuredContent); err == nil {
			parts = append(parts, string(text))
		}
	}
	return toolbox.Capped(m, toolbox.OrNoOutput(strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")), maxSaid)
}

func resource(c *mcp.ResourceContents) string {
	switch {
	case c == nil:
		return "(an empty resource)"
	case len(c.Blob) > 0:
		return fmt.Sprintf("(%s, %d bytes, %s, which cannot be shown)", c.URI, len(c.Blob), c.MIMEType)
	}
	return c.URI + ":\n" + c.Text
}
