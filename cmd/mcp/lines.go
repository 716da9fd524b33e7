package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"autopilot/cmd/console"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The codes of JSON-RPC for what is no message.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// mcpLines is what a client writes, a message a line. A line that is none is refused by an answer of its own: for the
// library it would be the end.
type mcpLines struct {
	in   *bufio.Reader
	out  io.Writer
	left []byte // of a message that is being read
}

func (l *mcpLines) Close() error { return nil }

func (l *mcpLines) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		line, err := l.line()
		if code, why := wrongIn(line); why != "" {
			err = errors.Join(err, l.refuse(code, why))
		} else {
			l.left = line
		}
		if err != nil && len(l.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// line is the next one, with its end. Of one that is too long only the beginning is kept, which is no message.
func (l *mcpLines) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line) <= mcp.DefaultMaxLineLength {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if len(bytes.TrimSpace(line)) == 0 {
				line = nil
			}
			return line, err
		}
	}
}

// wrongIn says why a line is no message; "" where it is one, or blank.
func wrongIn(line []byte) (code int, why string) {
	switch {
	case len(line) == 0:
		return 0, ""
	case !json.Valid(line):
		return parseError, "this line is no JSON; write one message a line"
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		return invalidRequest, "batches are not taken; write one message a line"
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return invalidRequest, "this is no message of JSON-RPC 2.0: " + err.Error()
	}
	return 0, ""
}

// refuse answers a line that has no id to be answered by.
func (l *mcpLines) refuse(code int, why string) error {
	return json.NewEncoder(l.out).Encode(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": console.Clean(why)},
	})
}

// leftOpen is standard output, which the protocol does not close; several write to it, a message at a time.
type leftOpen struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *leftOpen) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *leftOpen) Close() error { return nil }
