package serve

import (
	"encoding/base64"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strings"

	"rsc.io/qr"
)

// phone is the page that lets another device in.
type phone struct {
	page
	Address string
	Picture template.URL // the address as a QR code, black on white with its margin, so that dark mode doesn't change it
	Minutes int
	Near    bool // no other device reaches the address
	MayOnly bool // look
}

// addPhone makes an invitation and shows it. A form of our own pages asks for it, so another page can't make one.
func (s *server) addPhone(w http.ResponseWriter, r *http.Request) {
	p, err := s.page(r, "Add a phone", "")
	if err != nil {
		s.broken(w, r, err)
		return
	}
	address := s.door.baseFor(r) + s.door.ticket(firstUse)
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	picture := template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(code.PNG()))
	s.show(w, r, "phone", phone{p, address, picture, int(firstUse.Minutes()), isNear(address), s.readOnly}, http.StatusOK)
}

// isNear says whether an address leads back to the device that opens it.
func isNear(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip.IsLoopback() || ip.IsUnspecified()
}
