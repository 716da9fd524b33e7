package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"autopilot/config"
	"autopilot/personas/openai"
)

// EndpointTime is how long a server may take to list its models.
const EndpointTime = 5 * time.Second

// Unreachable says in plain words why a server cannot be reached, and what to do.
func (s Server) Unreachable(err error) (message, remedy string) {
	address := s.At()
	remedy = "Start the server, or correct base_url."
	if s.Preset.Start != "" && s.IsOwn() {
		remedy = "Start it: " + s.Preset.Start + ". Or name its address with base_url."
	}
	const network = "Check whether this machine has a network and needs a proxy (HTTPS_PROXY), or correct base_url."
	var certificate *tls.CertificateVerificationError
	reason := openai.Unreached(err)
	switch {
	case openai.NobodyListens(err):
		return address + " does not answer: " + reason, remedy
	case reason != "":
		return address + " does not answer: " + reason, network
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s does not answer within %s", address, EndpointTime), network
	case errors.As(err, &certificate):
		return fmt.Sprintf("%s has a certificate that is not trusted here: %v", address, certificate.Err), "Have the machine trust it (SSL_CERT_FILE), or correct base_url."
	case errors.Is(err, http.ErrSchemeMismatch):
		return address + " speaks plain HTTP", "Write base_url with http:// instead of https://."
	}
	return fmt.Sprintf("%s does not answer as it should: %v", address, err), remedy
}

// reachTime is how long a server may take to accept a connection before a session begins.
const reachTime = 3 * time.Second

// unreached says that nothing is where a backend's server should be. It is told only where that is certain, so that
// whoever is asked through a proxy, or only slow, is left to the run.
func (b *Backends) unreached(ctx context.Context, name string, described config.Backend) error {
	s := Server{address: described.BaseURL}
	if described.Type == "openai" {
		s = b.Server(described)
	}
	if s.At() == "" {
		return nil
	}
	err := connects(ctx, s.At())
	if openai.Unreached(err) == "" {
		return nil
	}
	message, remedy := s.Unreachable(err)
	return unusable("backend %s: %s. %s", name, message, strings.TrimSuffix(remedy, "."))
}

// connects opens a connection to an address that no proxy stands before, and closes it again.
func connects(ctx context.Context, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	if proxy, err := http.ProxyFromEnvironment(r); proxy != nil || err != nil {
		return err
	}
	port := cmp.Or(r.URL.Port(), map[string]string{"http": "80", "https": "443"}[r.URL.Scheme])
	dialer := net.Dialer{Timeout: reachTime}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(r.URL.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}
