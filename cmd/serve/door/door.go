package door

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/cmd/console"
)

// Pages are what a door shows.
type Pages interface {
	Refused(w http.ResponseWriter, r *http.Request, code int, message string) // to who gets nothing
	Entered(w http.ResponseWriter)                                            // to who was let in, and is to go on by a link of ours
}

// FirstUse is how long an invitation lets a browser in.
const FirstUse = 10 * time.Minute

// MostSent are the bytes that a request may have.
const MostSent = 64 << 10

// Door lets in the browsers that were invited, and nobody else.
type Door struct {
	now     func() time.Time
	base    string   // of the addresses that it prints
	hosts   []string // that a request may name: another one is a foreign page that had its name lead here
	cookie  http.Cookie
	FormKey string // what a page's own forms send besides: no other page knows it
	others  *http.CrossOriginProtection
	pages   Pages

	mu      sync.Mutex
	invited map[string]time.Time // tokens that nobody used yet, with when they lapse
}

// New is the door of a listener's address; publicURL is that of a proxy before it, "" where there is none.
func New(now func() time.Time, listens, publicURL string, secure bool, pages Pages) (*Door, error) {
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return nil, err
	}
	scheme := "http"
	if secure {
		scheme = "https"
	}
	d := &Door{
		now: now, base: scheme + "://" + listens, hosts: []string{listens}, invited: map[string]time.Time{}, pages: pages,
		FormKey: rand.Text(), others: http.NewCrossOriginProtection(),
		cookie: http.Cookie{Name: "autopilot-" + port, Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure},
	}
	if ip := net.ParseIP(host); ip.IsLoopback() {
		d.hosts = append(d.hosts, net.JoinHostPort("localhost", port))
	} else if ip.IsUnspecified() {
		d.hosts = nil // it has as many names as the machine; a cookie is not sent to others
		d.base = scheme + "://" + net.JoinHostPort("localhost", port)
	}
	if publicURL == "" {
		return d, nil
	}
	public, err := url.Parse(publicURL)
	if err != nil || public.Host == "" || !slices.Contains([]string{"http", "https"}, public.Scheme) {
		return nil, console.UsageError("--public-url wants a whole address, such as https://autopilot.example.org")
	}
	d.base, d.cookie.Secure = public.Scheme+"://"+public.Host, public.Scheme == "https"
	d.hosts = append(d.hosts, public.Host)
	return d, d.others.AddTrustedOrigin(d.base) // a proxy may name another host to us than it has
}

// Invite is an address that lets one browser in.
func (d *Door) Invite(within time.Duration) string { return d.base + d.Ticket(within) }

// Ticket is the part of such an address that follows the host.
func (d *Door) Ticket(within time.Duration) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	maps.DeleteFunc(d.invited, func(_ string, until time.Time) bool { return !now.Before(until) })
	token := rand.Text() // 128 bits
	d.invited[token] = now.Add(within)
	return "/enter?token=" + token
}

// BaseFor is how another device reaches what a request reached: the machine may have many names, and this one works.
func (d *Door) BaseFor(r *http.Request) string {
	if d.hosts != nil {
		return d.base
	}
	scheme, _, _ := strings.Cut(d.base, "://")
	return scheme + "://" + r.Host
}

// takes says whether a token lets somebody in; no token does so twice.
func (d *Door) takes(token string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, ok := d.invited[token]
	delete(d.invited, token)
	return ok && d.now().Before(until)
}

// isKnown says whether a request comes from a browser that was let in, or from a script that has its key.
func (d *Door) isKnown(r *http.Request) bool {
	key, isScript := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isScript { // a proxy before us may send on the password of its own login
		key = ""
	}
	if c, err := r.Cookie(d.cookie.Name); err == nil {
		key = cmp.Or(key, c.Value)
	}
	return subtle.ConstantTimeCompare([]byte(key), []byte(d.cookie.Value)) == 1
}

// mayWrite says whether a request that changes something was made by a page of ours, or by a script that has the key.
func (d *Door) mayWrite(w http.ResponseWriter, r *http.Request) bool {
	if d.others.Check(r) != nil {
		return false
	}
	if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		return true
	}
	r.Body = http.MaxBytesReader(w, r.Body, MostSent)
	return subtle.ConstantTimeCompare([]byte(r.PostFormValue("form")), []byte(d.FormKey)) == 1
}

// policy lets a browser load nothing from elsewhere, and show the pages in no other page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// harden tells a browser what the pages may do.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would keep events until it has many
}

// Guard answers who may not look.
func (d *Door) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case d.hosts != nil && !slices.Contains(d.hosts, strings.ToLower(r.Host)):
			d.pages.Refused(w, r, http.StatusMisdirectedRequest, "autopilot serve has another address. Behind a proxy: autopilot serve --public-url URL")
		case r.URL.Path == "/enter":
			d.enter(w, r)
		case !d.isKnown(r) && r.URL.Path != "/style.css": // it has nothing to hide
			d.pages.Refused(w, r, http.StatusUnauthorized, "Open the address that autopilot serve printed. It works once. For a new one, press Add a phone in a browser that is in, or start autopilot serve again.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !d.mayWrite(w, r):
			d.pages.Refused(w, r, http.StatusForbidden, "This request doesn't come from a page of autopilot serve. Load the page again.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// enter takes an invitation, and gives the browser the cookie that it is known by.
func (d *Door) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		d.pages.Refused(w, r, http.StatusMethodNotAllowed, "Open this address in a browser.")
		return
	}
	if !d.isKnown(r) && !d.takes(r.URL.Query().Get("token")) {
		d.pages.Refused(w, r, http.StatusUnauthorized, "This address was used already, or is too old. For a new one, press Add a phone in a browser that is in, or start autopilot serve again.")
		return
	}
	http.SetCookie(w, &d.cookie)
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" { // a terminal in a browser: the cookie isn't sent where its link leads, only from our own page
		d.pages.Entered(w)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// IsNear says whether an address leads back to the device that opens it.
func IsNear(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip.IsLoopback() || ip.IsUnspecified()
}
