package cmd

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// TestTheServerIsAskedSafely: with the key that it wants, the certificate that it wants, and not when it is another one.
func TestTheServerIsAskedSafely(t *testing.T) {
	const tlsFile = "[profile.default.tls]\nserver_ca_cert_path = \"cert.pem\"\nclient_cert_path = \"cert.pem\"\nclient_key_path = \"key.pem\"\n"
	for name, c := range map[string]struct {
		file, vars string
		auth, want string
		code       int
	}{
		"a key and paths in the file":    {file: "api_key = \"one\"\n" + tlsFile, auth: "Bearer one"},
		"a key by variable":              {file: tlsFile, vars: "TEMPORAL_API_KEY=two", auth: "Bearer two"},
		"it goes before the file's":      {file: "api_key = \"one\"\n" + tlsFile, vars: "TEMPORAL_API_KEY=two", auth: "Bearer two"},
		"paths by variables":             {vars: "TEMPORAL_TLS_SERVER_CA_CERT_PATH=cert.pem TEMPORAL_TLS_CLIENT_CERT_PATH=cert.pem TEMPORAL_TLS_CLIENT_KEY_PATH=key.pem"},
		"without its authority":          {vars: "TEMPORAL_API_KEY=two", want: "can't reach the Temporal server at 127.0.0.1:", code: 4},
		"without a certificate":          {vars: "TEMPORAL_TLS_SERVER_CA_CERT_PATH=cert.pem", want: "can't reach the Temporal server at 127.0.0.1:", code: 4},
		"under another name":             {file: tlsFile, vars: "TEMPORAL_TLS_SERVER_NAME=temporal.invalid", want: "can't reach the Temporal server at 127.0.0.1:", code: 4},
		"with TLS switched off":          {file: tlsFile, vars: "TEMPORAL_TLS=false", want: "can't reach the Temporal server at 127.0.0.1:", code: 4},
		"a certificate that isn't there": {vars: "TEMPORAL_TLS_CLIENT_CERT_PATH=none TEMPORAL_TLS_CLIENT_KEY_PATH=key.pem", want: "can't read Temporal's configuration: ", code: 2},
		"a profile that isn't there":     {vars: "TEMPORAL_PROFILE=none", want: "can't read Temporal's configuration: unable to find profile none", code: 2},
		"no TOML":                        {file: "[[", want: "can't read Temporal's configuration: ", code: 2},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			var cert, key string
			m.server, cert, key = guarded(t)
			named := strings.NewReplacer("cert.pem", cert, "key.pem", key)
			m.profiles("[profile.default]\naddress = \"" + m.server.address + "\"\n" + named.Replace(c.file))
			setAll(t, named.Replace(c.vars))
			said, code := m.types("list")
			if auth := strings.Join(m.server.headers.Get("authorization"), ","); auth != c.auth {
				t.Errorf("the server got %q, not %q", auth, c.auth)
			}
			if code != c.code || !strings.Contains(said, c.want) {
				t.Errorf("it ends with %d, not %d, and says\n%snot %s", code, c.code, said, c.want)
			}
			if strings.Contains(said, "two") {
				t.Errorf("the key is printed: %s", said)
			}
		})
	}
}

// guarded is a server that wants a certificate, and the files of one that is good for both sides.
func guarded(t *testing.T) (f *frontend, cert, key string) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	s.Close()
	pair := s.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	put(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	put(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	wants := &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAnyClientCert}
	return serve(t, grpc.Creds(credentials.NewTLS(wants))), cert, key
}
