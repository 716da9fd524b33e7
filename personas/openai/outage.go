package openai

import (
	"errors"
	"io"
	"net"
)

// lost says whether a request came to no answer because of the network, or of a server that is gone. A certificate that is
// not trusted or an address that is wrong does not pass by waiting.
func lost(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || Unreached(err) != ""
}
