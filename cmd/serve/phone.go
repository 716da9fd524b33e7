package serve

import (
	"encoding/base64"
	"html/template"
	"net/http"

	"rsc.io/qr"

	"autopilot/cmd/serve/door"
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
func (s *server) addPhone(w http.ResponseWriter, r *http.Request) error {
	p, err := s.page(r, "Add a phone", "")
	if err != nil {
		return err
	}
	address := s.door.BaseFor(r) + s.door.Ticket(door.FirstUse)
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return err
	}
	picture := template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(code.PNG()))
	return s.show(w, "phone", phone{p, address, picture, int(door.FirstUse.Minutes()), door.IsNear(address), s.readOnly}, http.StatusOK)
}
