package cmd_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"time"
)

const (
	certFile = "cert.pem"
	keyFile  = "key.pem"
)

// certificate makes one that is good for both sides of a connection, and its own authority.
func (f *fleet) certificate() (pair tls.Certificate, known *x509.CertPool) {
	f.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	text, failed := x509.MarshalPKCS8PrivateKey(key)
	if err := errors.Join(err, failed); err != nil {
		f.Fatal(err)
	}
	cert, private := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})
	f.write(certFile, string(cert))
	f.write(keyFile, string(private))
	if pair, err = tls.X509KeyPair(cert, private); err != nil {
		f.Fatal(err)
	}
	known = x509.NewCertPool()
	known.AppendCertsFromPEM(cert)
	return pair, known
}
