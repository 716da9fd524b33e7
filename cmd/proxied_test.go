package cmd_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// proxied is `outside`: a proxy on loopback stands for every other machine. What a story sends to http://NAME comes to it: it
// lists a model, refuses each request for an answer with 401, and notes both, with the key that came along, in outside.log.
func proxied(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) > 0, "outside")
	note := filepath.Join(ts.Getenv("WORK"), "outside.log")
	var one sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one.Lock()
		defer one.Unlock()
		f, err := os.OpenFile(note, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = fmt.Fprintln(f, r.Method, r.URL, r.Header.Get("Authorization"))
			err = errors.Join(err, f.Close())
		}
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusTeapot)
		case r.Method == http.MethodGet:
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m"}]}`)
		default:
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusUnauthorized)
		}
	}))
	ts.Defer(s.Close)
	ts.Setenv("http_proxy", s.URL)
}
