package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patientTransport reports the end of the input once every call that came before it is answered: whoever pipes calls
// into the program closes its input at once.
type patientTransport struct{ mcp.Transport }

func (t patientTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c, open: map[jsonrpc.ID]bool{}, closed: make(chan struct{}), quiet: make(chan struct{}, 1)}, err
}

type patientConnection struct {
	mcp.Connection
	mu     sync.Mutex
	open   map[jsonrpc.ID]bool // calls that are not answered; of two with the same id one is
	quiet  chan struct{}       // one of them was
	closed chan struct{}
	once   sync.Once
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		c.note(func() { c.open[r.ID] = true })
	}
	for err != nil && c.note(func() {}) > 0 {
		select {
		case <-c.quiet:
			continue
		case <-c.closed:
		case <-ctx.Done():
		}
		break
	}
	return m, err
}

func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.note(func() { delete(c.open, r.ID) })
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *patientConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// note alters what is open, and counts what is left of it.
func (c *patientConnection) note(alter func()) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	alter()
	return len(c.open)
}
