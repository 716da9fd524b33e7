package cmd

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/cmd/console"
	"autopilot/temporal/payload"
)

func newCodec(f *fleet) *cobra.Command {
	var address string
	var origins []string
	c := &cobra.Command{
		Use: "codec", Short: "Decode what Temporal's CLI and UI show, with your keys",
		Long:    "Serves Temporal's codec protocol: its CLI and web UI then show payloads that are compressed and encrypted. Beyond this machine it needs a\ntoken, in $TEMPORAL_AUTOPILOT_CODEC_TOKEN.",
		Example: "  autopilot-temporal codec --keys fleet.keys --origin http://localhost:8233", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serveCodec(c.Context(), f, address, origins) },
	}
	c.Flags().StringVar(&address, "listen", "127.0.0.1:8234", "listen at `ADDRESS`")
	c.Flags().StringArrayVar(&origins, "origin", nil, "let the web UI at this `URL` ask; repeat for more")
	return c
}

func serveCodec(ctx context.Context, f *fleet, address string, origins []string) error {
	keys, err := f.keys()
	if err != nil {
		return err
	}
	token := f.Getenv("TEMPORAL_AUTOPILOT_CODEC_TOKEN")
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return console.UsageError("--listen %s: %v", address, err)
	}
	if ip := net.ParseIP(host); token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return console.UsageError("anyone who reaches %s could read every payload\n  set a token: export TEMPORAL_AUTOPILOT_CODEC_TOKEN=$(openssl rand -hex 32)\n  or listen on this machine only: --listen 127.0.0.1:8234", address)
	}
	if err := f.Say("Decoding at http://%s for %s. Stop with Ctrl-C.", address, cmp.Or(strings.Join(origins, ", "), "Temporal's CLI")); err != nil {
		return err
	}
	server := &http.Server{Addr: address, Handler: payload.Handler(keys, origins, token), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
