package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// beMCPServer makes the test binary an MCP server; the argument behind it says
// of which kind.
const beMCPServer = "be-an-mcp-server"

func serveMCP(kind string) int {
	switch kind {
	case "mute":
		select {}
	case "broken":
		fmt.Fprintln(os.Stderr, "there is no database")
		return 3
	case "blabs":
		fmt.Fprintln(os.Stderr, "bad key "+os.Getenv("MINE_API_KEY")+strings.Repeat(".", 490))
		return 3
	case "odd":
		return beOdd()
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	type text struct {
		Text string `json:"text"`
	}
	tool := func(name string, run func(context.Context, text) (*mcp.CallToolResult, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Does " + name + "."}, func(ctx context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
			result, err := run(ctx, in)
			return result, nil, err
		})
	}
	words := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	tool("echo", func(_ context.Context, in text) (*mcp.CallToolResult, error) { return words("heard: " + in.Text), nil })
	tool("refuse", func(context.Context, text) (*mcp.CallToolResult, error) {
		return nil, errors.New("the text is too blue")
	})
	tool("die", func(context.Context, text) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
		return nil, nil
	})
	tool("hang", func(context.Context, text) (*mcp.CallToolResult, error) { select {} })
	tool("huge", func(context.Context, text) (*mcp.CallToolResult, error) {
		return words("begin " + strings.Repeat("0123456789\n", 100_000) + " end"), nil
	})
	tool("mixed", func(context.Context, text) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ImageContent{Data: []byte("12345"), MIMEType: "image/png"}, &mcp.AudioContent{Data: []byte("123"), MIMEType: "audio/wav"},
			&mcp.ResourceLink{URI: "file:///a", Name: "a"}, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", Text: "in b"}},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///c", Blob: []byte("1234"), MIMEType: "x/y"}},
		}}, nil
	})
	tool("nothing", func(context.Context, text) (*mcp.CallToolResult, error) { return words(""), nil })
	tool("environment", func(context.Context, text) (*mcp.CallToolResult, error) {
		var names []string
		for _, kv := range os.Environ() {
			if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "MINE_") || strings.HasPrefix(name, "AUTOPILOT_") {
				names = append(names, name+" is "+value)
			}
		}
		return words(strings.Join(names, "; ")), nil
	})
	tool("orphan", func(_ context.Context, in text) (*mcp.CallToolResult, error) {
		child := exec.Command("setsid", "sh", "-c", "trap '' TERM HUP; while :; do sleep 1; done", in.Text)
		return words("started"), child.Start()
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// beOdd is a server that keeps to the protocol only just.
func beOdd() int {
	long := map[string]any{}
	for i := range 100 {
		long[fmt.Sprintf("p%d", i)] = map[string]any{"type": "string", "description": strings.Repeat("words ", 30)}
	}
	longer := map[string]any{}
	for i := range 1000 {
		longer[fmt.Sprintf("property%d", i)] = map[string]any{"type": "string"}
	}
	tools := []map[string]any{
		{"name": "plain", "description": strings.Repeat("about ", 200), "inputSchema": map[string]any{"type": "object", "$schema": "x"}},
		{"name": "list", "inputSchema": map[string]any{"type": "array"}},
		{"name": "long", "inputSchema": map[string]any{"type": "object", "properties": long}},
		{"name": "longer", "inputSchema": map[string]any{"type": "object", "properties": longer}},
		{"name": "odd.name", "inputSchema": map[string]any{"type": "object"}},
		{"name": "odd/name", "inputSchema": map[string]any{"type": "object"}},
		{"name": "odd_name", "inputSchema": map[string]any{"type": "object"}},
	}
	for i := range 20 {
		tools = append(tools, map[string]any{"name": fmt.Sprintf("more%d", i), "inputSchema": map[string]any{"type": "object", "properties": long}})
	}
	fmt.Println("Welcome to the odd server")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var m struct {
			ID     any
			Method string
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
		switch m.Method {
		case "initialize":
			answer["result"] = map[string]any{"protocolVersion": "2024-11-05", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "odd", "version": "0"}}
		case "tools/list":
			answer["result"] = map[string]any{"tools": tools}
		default:
			answer["error"] = map[string]any{"code": -32603, "message": "not today"}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return 1
		}
		fmt.Printf("%s\nstill here\n", text)
	}
	return 0
}
