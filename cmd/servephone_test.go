package cmd_test

import (
	"bytes"
	"encoding/base64"
	"html"
	"image/png"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rsc.io/qr"
)

// phoneForm is the form of a page's top that adds a phone.
var phoneForm = regexp.MustCompile(`action="/phone"><input type="hidden" name="form" value="([A-Z0-9]+)"`)

// formKey is the key of a page's forms.
func (b *browser) formKey(t *testing.T, path string) url.Values {
	t.Helper()
	_, text, _ := b.get(t, path)
	key := phoneForm.FindStringSubmatch(text)
	if key == nil {
		t.Fatalf("%s offers no phone:\n%s", path, text)
	}
	return url.Values{"form": {key[1]}}
}

// shownAddress is the address on the page that adds a phone, once its picture was seen to say the same.
func shownAddress(t *testing.T, page string) string {
	t.Helper()
	address := regexp.MustCompile(`<code>(http[^<]+/enter\?token=[^<]+)</code>`).FindStringSubmatch(page)
	picture := regexp.MustCompile(`src="data:image/png;base64,([^"]+)"`).FindStringSubmatch(page)
	if address == nil || picture == nil {
		t.Fatalf("the page has no address, or no picture:\n%s", page)
	}
	data, err := base64.StdEncoding.DecodeString(html.UnescapeString(picture[1]))
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(address[1])
	want, err := qr.Encode(text, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	const margin = 4 // what a reader needs around a code
	if drawn.Bounds().Dx() != (want.Size+2*margin)*want.Scale {
		t.Fatalf("the picture is %v wide, of a code of %d", drawn.Bounds(), want.Size)
	}
	for y := -margin; y < want.Size+margin; y++ {
		for x := -margin; x < want.Size+margin; x++ {
			r, g, b, a := drawn.At((x+margin)*want.Scale+1, (y+margin)*want.Scale+1).RGBA()
			if black := r+g+b == 0; a != 0xffff || black != want.Black(x, y) || !black && r+g+b != 3*0xffff {
				t.Fatalf("the picture differs from the address at %d, %d", x, y)
			}
		}
	}
	return text
}

// TestServeAddsAPhone: who is in gets an address that lets in one more device, once. Nobody else does, and no other page.
func TestServeAddsAPhone(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.begin(t)
	p.stopBeforeThePlan(t)
	b := p.serve(t, "--read-only")
	if code, text := b.post(t, "/phone", nil); code != http.StatusUnauthorized || strings.Contains(text, "token=") {
		t.Errorf("not invited: %d\n%s", code, text)
	}
	b.get(t, b.invitation)
	form := b.formKey(t, "/")
	for _, path := range []string{"/s/" + b.only(t), "/s/" + b.only(t) + "/diff"} {
		if b.formKey(t, path).Get("form") != form.Get("form") {
			t.Errorf("%s has another key", path)
		}
	}
	for name, c := range map[string]struct {
		form url.Values
		with func(*http.Request)
	}{
		"no key":           {nil, func(*http.Request) {}},
		"another key":      {url.Values{"form": {strings.Repeat("A", 26)}}, func(*http.Request) {}},
		"a foreign page":   {form, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"a page of a host": {form, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
		"another origin":   {form, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }},
	} {
		if code, text := b.post(t, "/phone", c.form, c.with); code != http.StatusForbidden || strings.Contains(text, "token=") {
			t.Errorf("%s: %d\n%s", name, code, text)
		}
	}
	if _, text, _ := b.get(t, "/phone"); strings.Contains(text, "token=") || !strings.Contains(text, "<h1>Sessions</h1>") {
		t.Errorf("the address without its form:\n%s", text)
	}
	code, text, header := b.ask(t, http.MethodPost, "/phone", form)
	if code != http.StatusOK || header.Get("Cache-Control") != "no-store" || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;") {
		t.Errorf("the page: %d, %v", code, header)
	}
	if !strings.Contains(text, "can't reach this address") || !strings.Contains(text, "--public-url") || strings.Contains(text, "answer their questions") {
		t.Errorf("the page doesn't say that the address is of this machine alone, or that it may only look:\n%s", text)
	}
	path := strings.TrimPrefix(shownAddress(t, text), b.base)
	phone := &browser{base: b.base}
	phone.Jar, _ = cookiejar.New(nil)
	if code, text, _ := phone.get(t, path); code != http.StatusOK || !strings.Contains(text, "<h1>Sessions</h1>") {
		t.Fatalf("the phone: %d\n%s", code, text)
	}
	phone.Jar, _ = cookiejar.New(nil)
	if code, text, _ := phone.get(t, path); code != http.StatusUnauthorized || !strings.Contains(text, "Add a phone") {
		t.Errorf("another phone with the same address: %d\n%s", code, text)
	}
}

// TestServeWorksBehindAProxyWithALogin: the proxy's address is what it prints and shows, its forms are taken, and events come at once,
// whether or not the proxy keeps the host that was asked for.
func TestServeWorksBehindAProxyWithALogin(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.begin(t)
	p.stopBeforeThePlan(t)
	listens := freeAddress(t)
	for name, keepsHost := range map[string]bool{"keeps the host": true, "names its own": false} {
		pass := &httputil.ReverseProxy{
			Transport: &http.Transport{}, // the usual one has connections to the server before, and each test server that ends closes some
			Rewrite: func(r *httputil.ProxyRequest) {
				if r.SetURL(&url.URL{Scheme: "http", Host: listens}); keepsHost {
					r.Out.Host = r.In.Host
				}
			},
		}
		proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "ann" || password != "pw" {
				w.WriteHeader(http.StatusProxyAuthRequired)
				return
			}
			pass.ServeHTTP(w, r)
		}))
		t.Cleanup(proxy.Close)
		t.Run(name, func(t *testing.T) {
			b := p.serve(t, "--addr", listens, "--public-url", proxy.URL)
			if b.base != proxy.URL {
				t.Fatalf("it printed the address %s, not that of the proxy, %s", b.base, proxy.URL)
			}
			trusts := proxy.Client().Transport
			b.Transport = trusts
			if code, _, _ := b.get(t, b.invitation); code != http.StatusProxyAuthRequired {
				t.Errorf("without the proxy's login: %d", code)
			}
			b.Transport = loggedIn{trusts}
			if code, text, _ := b.get(t, b.invitation); code != http.StatusOK || !strings.Contains(text, "<h1>Sessions</h1>") {
				t.Fatalf("the invitation: %d\n%s", code, text)
			}
			b.listen(t, b.only(t), "").until(t, "session")
			code, text := b.post(t, "/phone", b.formKey(t, "/"), func(r *http.Request) { r.Header.Set("Origin", proxy.URL) })
			if code != http.StatusOK {
				t.Fatalf("a form: %d\n%s", code, text)
			}
			_, near, found := strings.Cut(shownAddress(t, text), proxy.URL)
			if !found || near == "" {
				t.Errorf("the phone's address isn't the proxy's:\n%s", text)
			}
		})
	}
}

// loggedIn is a browser's way to a proxy that it gave a password.
type loggedIn struct{ http.RoundTripper }

func (l loggedIn) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.SetBasicAuth("ann", "pw")
	return l.RoundTripper.RoundTrip(r)
}

// freeAddress is one of this machine that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
