package cmd_test

import (
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// amidMishaps has things happen at random times until the function returns: the server and each worker are killed once, then any of them.
func (f *fleet) amidMishaps(do func()) {
	ends := make(chan struct{})
	left := append([]*program{f.server}, f.workers...)
	f.luck.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	for len(left) < f.mishaps {
		left = append(left, left[f.luck.IntN(len(left))])
	}
	var all sync.WaitGroup
	all.Go(func() {
		for ; len(left) > 0; left = left[1:] {
			select {
			case <-ends:
				return
			case <-time.After(f.between(500*time.Millisecond, 6*time.Second)):
			}
			f.Logf("%s kill -9 %s", time.Now().Format(time.TimeOnly), left[0].name)
			left[0].end(syscall.SIGKILL)
			time.Sleep(f.between(0, 3*time.Second))
			left[0].start() // a worker without a server waits for it
		}
	})
	do()
	close(ends)
	if all.Wait(); len(left) > f.mishaps-len(f.workers)-1 {
		f.Errorf("the session ended before everybody was killed: %d are left", len(left))
	}
}

func (f *fleet) between(least, most time.Duration) time.Duration {
	return least + time.Duration(f.luck.Int64N(int64(most-least)))
}

// longer is a time after which a worker that nobody hears of counts as lost.
const longer = 10 * time.Second

// hubAway has nobody reach the hub for a while.
func (f *fleet) hubAway() {
	hub := filepath.Join(f.dir, "hub.git")
	f.outage(func() error { return os.Rename(hub, hub+".away") }, func() error { return os.Rename(hub+".away", hub) })
}

// hubRefuses has the hub take nothing for a while.
func (f *fleet) hubRefuses() {
	f.write("hub.git/hooks/pre-receive", "#!/bin/sh\nexit 1\n")
	f.outage(func() error { return nil }, func() error { return os.Remove(filepath.Join(f.dir, "hub.git/hooks/pre-receive")) })
}

// wireCut has no worker reach the server for a while.
func (f *fleet) wireCut() {
	f.outage(func() error { f.wire.cut.Lock(); return nil }, func() error { f.wire.cut.Unlock(); return nil })
}

// outage does something, and undoes it after a while.
func (f *fleet) outage(do, undo func() error) {
	f.Helper()
	if err := do(); err != nil {
		f.Fatal(err)
	}
	time.AfterFunc(longer, func() {
		if err := undo(); err != nil {
			f.Error(err)
		}
	})
}

// hubSilent has nothing come through to the hub for a while, and nothing back. It is one that is served.
func (f *fleet) hubSilent() {
	f.outage(func() error { f.road.cut.Lock(); return nil }, func() error { f.road.cut.Unlock(); return nil })
}

// wire forwards connections. While it is cut nothing comes through, and nobody learns that.
type wire struct {
	net.Listener
	to  string   // an address
	env []string // with which a program reaches it
	cut sync.RWMutex
}

// newWire is a wire to the server, with TLS on both sides' certificates.
func (f *fleet) newWire() *wire {
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{f.certificate()}, ClientAuth: tls.RequireAnyClientCert, NextProtos: []string{"h2"}})
	if err != nil {
		f.Fatal(err)
	}
	cert, key := filepath.Join(f.dir, certFile), filepath.Join(f.dir, keyFile)
	w := &wire{Listener: l, to: f.address(), env: []string{
		"TEMPORAL_ADDRESS=" + l.Addr().String(), "TEMPORAL_TLS_SERVER_CA_CERT_PATH=" + cert, "TEMPORAL_TLS_CLIENT_CERT_PATH=" + cert, "TEMPORAL_TLS_CLIENT_KEY_PATH=" + key,
	}}
	f.Cleanup(func() { _ = l.Close() })
	go w.serve()
	return w
}

func (w *wire) serve() {
	for {
		near, err := w.Accept()
		if err != nil {
			return
		}
		go w.forward(near)
	}
}

func (w *wire) forward(near net.Conn) {
	defer near.Close()
	w.whole()
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer far.Close()
	go w.copy(near, far)
	w.copy(far, near)
}

// whole waits while the wire is cut.
func (w *wire) whole() {
	w.cut.RLock()
	defer w.cut.RUnlock()
}

func (w *wire) copy(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		w.whole()
		if err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
