package openai

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// What Windows calls the same; no other system has these numbers.
const (
	errWindowsNoNetwork = syscall.Errno(10051)
	errWindowsRefused   = syscall.Errno(10061)
	errWindowsNoHost    = syscall.Errno(10065)
)

// NobodyListens says whether a connection was refused: the machine is there, and its server is not.
func NobodyListens(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, errWindowsRefused)
}

// Unreached says in plain words why there was no connection to a server; ""
// where it is nothing that a person could tell more shortly.
func Unreached(err error) string {
	var name *net.DNSError
	var op *net.OpError
	where := "the address"
	if errors.As(err, &op) && op.Addr != nil {
		where = op.Addr.String()
	}
	switch {
	case errors.As(err, &name):
		return fmt.Sprintf("the name %s cannot be found", name.Name)
	case NobodyListens(err):
		return "nothing listens at " + where
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, errWindowsNoNetwork), errors.Is(err, errWindowsNoHost):
		return fmt.Sprintf("there is no way to %s from here", where)
	}
	return ""
}
