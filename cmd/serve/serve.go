package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/serve/door"
	"autopilot/cmd/serve/sites"
)

// Report makes the report of a session, as one HTML file.
type Report func(context.Context, *app.Workspace) ([]byte, error)

type options struct {
	host *console.Host

	addr, publicURL, cert, key string
	roots                      []string
	insecure, open, readOnly   bool
}

// Run runs a command line, as autopilot does.
type Run func(ctx context.Context, h *console.Host, args []string) error

// New is the command serve; report makes the page of a whole session, run answers a question.
func New(h *console.Host, report Report, run Run) *cobra.Command {
	o := &options{host: h}
	c := &cobra.Command{
		Use: "serve", Short: "Show the sessions in a browser",
		Long: "Shows the repository's sessions in a browser, live: what needs you, what runs, what was built. It prints an address that\n" +
			"works in one browser only. You can answer open questions there. Runs continue after you stop it.",
		Example: "  autopilot serve --open\n  autopilot serve --root ../api --root ../web\n  autopilot serve --addr 127.0.0.1:8080",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return o.run(c.Context(), &server{host: h, report: report, run: run, readOnly: o.readOnly})
		},
	}
	f := c.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "listen on `HOST:PORT`; port 0 picks a free port")
	f.BoolVar(&o.open, "open", false, "open the address in your browser")
	f.BoolVar(&o.readOnly, "read-only", false, "don't accept answers; show the commands instead")
	f.StringArrayVar(&o.roots, "root", nil, "show the repository in `FOLDER` instead of this one; may be repeated")
	f.StringVar(&o.publicURL, "public-url", "", "the `URL` of the proxy in front of it")
	f.StringVar(&o.cert, "tls-cert", "", "serve https with the certificate in `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the private key of the certificate, in `FILE`")
	f.BoolVar(&o.insecure, "insecure-http", false, "serve http to other machines too: anyone on the network can read it")
	return c
}

func (o *options) run(ctx context.Context, s *server) error {
	all, err := sites.New(ctx, o.host, o.roots)
	if err != nil {
		return err
	}
	listener, err := o.listen(ctx)
	if err != nil {
		return err
	}
	entrance, err := door.New(o.host.Now, listener.Addr().String(), o.publicURL, o.secure(), pages{})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s.sites, s.door, s.formKey = all, entrance, entrance.FormKey
	address := entrance.Invite(door.FirstUse)
	if err := o.host.Say("Open this address; it works once, within %d minutes:\n  %s\nCtrl-C ends autopilot serve. Runs go on without it.", int(door.FirstUse.Minutes()), address); err != nil {
		return errors.Join(err, listener.Close())
	}
	if o.open {
		if err := console.Browse(ctx, address); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	return serve(ctx, listener, door.NewLimits(o.host.Now).Guard(entrance, entrance.Guard(routes(s))))
}

func (o *options) secure() bool { return o.cert != "" }

// listen refuses to show sessions to other machines in the clear.
func (o *options) listen(ctx context.Context) (net.Listener, error) {
	if (o.cert == "") != (o.key == "") {
		return nil, console.UsageError("--tls-cert and --tls-key belong together")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return nil, console.UsageError("can't listen on %s: %v\nTry another address: autopilot serve --addr 127.0.0.1:0", o.addr, err)
	}
	if tcp, is := listener.Addr().(*net.TCPAddr); is && !tcp.IP.IsLoopback() && !o.secure() && !o.insecure {
		return nil, errors.Join(console.UsageError("%s can be reached from other machines, and http isn't encrypted\nAdd --tls-cert and --tls-key, or listen on 127.0.0.1 and use a tunnel: ssh -L 8080:127.0.0.1:8080 HOST", o.addr), listener.Close())
	}
	listener = door.Bound(listener, door.MostConnections)
	if !o.secure() {
		return listener, nil
	}
	pair, err := tls.LoadX509KeyPair(o.host.Path(o.cert), o.host.Path(o.key))
	if err != nil {
		return nil, errors.Join(console.UsageError("can't use the certificate: %v", err), listener.Close())
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}

// serve answers until the context ends.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	s := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
