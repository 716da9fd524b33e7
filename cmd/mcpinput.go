package cmd

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
	return &patientConnection{Connection: c, closed: make(chan struct{}), quiet: make(chan struct{}, 1)}, err
}

type patientConnection struct {
	mcp.Connection
	mu     sync.Mutex
	open   int           // calls that are not answered
	quiet  chan struct{} // one of them was
	closed chan struct{}
	once   sync.Once
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		c.count(1)
	}
	for err != nil && c.count(0) > 0 {
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
	if _, ok := m.(*jsonrpc.Response); ok {
		c.count(-1)
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

func (c *patientConnection) count(more int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += more
	return c.open
}
