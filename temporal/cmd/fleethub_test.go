package cmd_test

import (
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"path/filepath"
)

// serveHub has a web server stand before the hub, and ask for a password. Git knows that from its own store.
func (f *fleet) serveHub() {
	f.Helper()
	const user, password = "someone", "secret"
	backend := &cgi.Handler{
		Path: filepath.Join(f.git(".", "--exec-path"), "git-http-backend"), Dir: f.dir,
		Env: []string{"GIT_PROJECT_ROOT=" + f.dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + user},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, is := r.BasicAuth(); !is || u != user || p != password {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = l.Close(); server.Close() })
	f.road = &wire{Listener: l, to: server.Listener.Addr().String()}
	go f.road.serve()
	address := l.Addr().String()
	f.hub = "http://" + address + "/hub.git"
	f.write(".git-credentials", "http://"+user+":"+password+"@"+address+"\n")
	f.git(".", "config", "--global", "credential.helper", "store")
	for _, clone := range []string{"mine", "planner"} {
		f.git(clone, "remote", "set-url", "origin", f.hub)
	}
}
