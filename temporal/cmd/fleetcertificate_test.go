package cmd_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
)

const (
	certFile = "cert.pem"
	keyFile  = "key.pem"
)

// certificate is one that is good for both sides of a connection, and its own authority.
func (f *fleet) certificate() tls.Certificate {
	f.Helper()
	s := httptest.NewTLSServer(nil)
	s.Close()
	pair := s.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		f.Fatal(err)
	}
	f.write(certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	f.write(keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return pair
}
