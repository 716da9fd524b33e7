package door

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// plain are the pages of a door without any looks.
type plain struct{}

func (plain) Refused(w http.ResponseWriter, _ *http.Request, code int, message string) {
	http.Error(w, message, code)
}
func (plain) Entered(w http.ResponseWriter) { _, _ = io.WriteString(w, "entered") }

// TestAnInvitationLapses: an address lets one browser in within its time, and none afterwards; those that lapsed are forgotten.
func TestAnInvitationLapses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	d, err := New(func() time.Time { return now }, "127.0.0.1:8080", "", false, plain{})
	if err != nil {
		t.Fatal(err)
	}
	enter := func(ticket string) int {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080"+ticket, nil)
		d.Guard(http.NotFoundHandler()).ServeHTTP(w, r)
		return w.Code
	}
	early, late := d.Ticket(FirstUse), d.Ticket(FirstUse)
	now = now.Add(FirstUse - time.Second)
	if code := enter(early); code != http.StatusSeeOther {
		t.Errorf("just before it lapses: %d", code)
	}
	if code := enter(early); code != http.StatusUnauthorized {
		t.Errorf("a second time: %d", code)
	}
	now = now.Add(time.Second)
	if code := enter(late); code != http.StatusUnauthorized {
		t.Errorf("after %v: %d", FirstUse, code)
	}
	d.Ticket(FirstUse)
	now = now.Add(FirstUse)
	if d.Ticket(FirstUse); len(d.invited) != 1 {
		t.Errorf("%d invitations are kept, of which one can be used", len(d.invited))
	}
}

// TestAnotherDeviceIsToldWhatItCanReach: the address that it gets is that of the proxy, or the one that the machine was reached under;
// the page knows which lead back to the device itself.
func TestAnotherDeviceIsToldWhatItCanReach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		listens, public, host, base string
		near                        bool
	}{
		"loopback":                 {"127.0.0.1:8080", "", "localhost:8080", "http://127.0.0.1:8080", true},
		"loopback, IPv6":           {"[::1]:8080", "", "[::1]:8080", "http://[::1]:8080", true},
		"loopback behind a proxy":  {"127.0.0.1:8080", "https://ap.example.org/", "ap.example.org", "https://ap.example.org", false},
		"a proxy on this machine":  {"127.0.0.1:8080", "http://localhost:9000", "localhost:9000", "http://localhost:9000", true},
		"one address":              {"192.168.1.5:8080", "", "192.168.1.5:8080", "http://192.168.1.5:8080", false},
		"all, reached by its name": {"0.0.0.0:8080", "", "desk.lan:8080", "http://desk.lan:8080", false},
		"all, reached from itself": {"[::]:8080", "", "localhost:8080", "http://localhost:8080", true},
		"all, behind a proxy":      {"[::]:8080", "https://ap.example.org", "ap.example.org", "https://ap.example.org", false},
	} {
		d, err := New(time.Now, c.listens, c.public, false, plain{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := httptest.NewRequest(http.MethodPost, "/phone", nil)
		r.Host = c.host
		if base := d.BaseFor(r); base != c.base || IsNear(base) != c.near {
			t.Errorf("%s: %s, near: %v", name, base, IsNear(base))
		}
	}
}

// TestAProxysLoginIsNoKey: a proxy may send on the name and password that it asked for. The cookie beside it counts, and only that.
func TestAProxysLoginIsNoKey(t *testing.T) {
	t.Parallel()
	d, err := New(time.Now, "127.0.0.1:8080", "https://ap.example.org", false, plain{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		authorization, cookie string
		known                 bool
	}{
		"a login and the cookie":       {"Basic YW5uOnB3", d.cookie.Value, true},
		"a login alone":                {"Basic YW5uOnB3", "", false},
		"a login that is the cookie":   {"Basic " + d.cookie.Value, "", false},
		"the value without its scheme": {d.cookie.Value, "", false},
		"a script":                     {"Bearer " + d.cookie.Value, "", true},
		"nothing":                      {"", "", false},
		"another key":                  {"Bearer " + strings.Repeat("A", len(d.cookie.Value)), "", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", c.authorization)
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: d.cookie.Name, Value: c.cookie})
		}
		if d.isKnown(r) != c.known {
			t.Errorf("%s: known %v", name, !c.known)
		}
	}
}

// TestALinkOnAnotherPageLetsIn: a browser sends a strict cookie neither along with such a link nor with the redirect that follows, so
// a page of ours leads on.
func TestALinkOnAnotherPageLetsIn(t *testing.T) {
	t.Parallel()
	d, err := New(time.Now, "127.0.0.1:8080", "", false, plain{})
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string]int{"cross-site": http.StatusOK, "none": http.StatusSeeOther, "": http.StatusSeeOther} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, d.Invite(FirstUse), nil)
		r.Header.Set("Sec-Fetch-Site", site)
		d.Guard(http.NotFoundHandler()).ServeHTTP(w, r)
		if leads := w.Body.String() == "entered"; w.Code != want || leads != (want == http.StatusOK) || len(w.Result().Cookies()) != 1 {
			t.Errorf("%q: %d, %v\n%s", site, w.Code, w.Header(), w.Body)
		}
	}
}
