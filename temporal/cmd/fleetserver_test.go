package cmd_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startServer starts Temporal's development server, or the one that TEMPORAL_SERVER names: that is what a cluster runs, here in one process.
func (f *fleet) startServer() {
	database := filepath.Join(f.dir, "server.db")
	argv := []string{f.cli, "server", "start-dev", "--headless", "--port", port(f.address()), "--db-filename", database, "--log-level", "error"}
	if name := os.Getenv("TEMPORAL_SERVER"); name != "" {
		f.write("server.yaml", f.configuration(database))
		argv = []string{name, "--config-file", "server.yaml", "start"}
	}
	f.server = f.program("server", nil, argv...)
	f.server.start()
	f.Cleanup(f.tidy)
	f.eventually("the server has its namespace", 2*time.Minute, func() bool {
		_, _, code := f.try(f.dir, f.cli, "workflow", "list", "--address", f.address())
		if code != 0 {
			f.try(f.dir, f.cli, "operator", "namespace", "create", "--address", f.address(), "--retention", "72h", "default")
		}
		return code == 0
	})
}

// configuration is that of a server with its database in a file.
func (f *fleet) configuration(database string) string {
	text, err := os.ReadFile("testdata/server.yaml")
	if err != nil {
		f.Fatal(err)
	}
	return os.Expand(string(text), func(name string) string {
		switch name {
		case "DATABASE":
			return database
		case "FRONTEND":
			return port(f.address())
		case "FREE":
			return port(freeAddress(f.T))
		}
		return "$" + name
	})
}

// isSetBack has the server lose what happened since a backup of its database: the hub has more.
func (f *fleet) isSetBack() {
	f.startWorkers(2)
	f.submit()
	f.until(committed(1))
	f.moved(".", "backup")
	f.until(committed(2))
	f.moved("backup", ".")
	f.untilDone()
	f.stopWorkers()
	f.fetch()
	f.check(false)
}

// moved copies the server's database from a folder to another, while the server is down.
func (f *fleet) moved(from, to string) {
	f.Helper()
	f.server.end(syscall.SIGKILL)
	old, _ := filepath.Glob(filepath.Join(f.dir, to, "server.db*"))
	for _, name := range old {
		_ = os.Remove(name)
	}
	files, err := filepath.Glob(filepath.Join(f.dir, from, "server.db*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("the server has no database: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.write(filepath.Join(to, filepath.Base(name)), string(text))
	}
	f.server.start()
}

// endsWith is the version that a session ends with which began with the first one. From Temporal 1.31 on, its next run takes the current
// one; the server of the CLI that builds here, 1.29, leaves it with its own.
func (f *fleet) endsWith() string {
	out, _ := f.person("doctor")
	var minor int
	if _, err := fmt.Sscanf(out, "Server: 1.%d.", &minor); err != nil {
		f.Errorf("doctor says no version of the server: %v\n%s", err, out)
	}
	if minor < 31 {
		return "autopilot.1"
	}
	return "autopilot.2"
}

// changesVersions has workers of a new version start while a question is open, and become the current ones.
func (f *fleet) changesVersions() {
	flags := append(f.work.worker, "--deployment", "autopilot", "--build")
	version := func(build string, workers int) {
		f.work.worker = append(slices.Clip(flags), build)
		f.startWorkers(workers)
		f.current(build)
	}
	version("1", 3)
	f.asked = func(*fleet) { version("2", 1); f.asked = nil }
	f.submit()
	f.untilDone()
	f.says(0, "new sessions use build 2 of deployment autopilot", "doctor")
	last := f.endsWith()
	f.stopWorkers()
	described := f.must(f.dir, f.cli, "workflow", "describe", "--address", f.address(), "--workflow-id", f.workflow(), "--output", "json")
	f.record()
	if !strings.Contains(described, `"version": "`+last+`"`) {
		f.Errorf("the last run isn't one of version %s: %s", last, described)
	}
	f.fetch()
	f.check(false)
}

// record writes the histories of all runs to FLEET_HISTORIES, for flow/testdata/histories: those of a version that is released.
func (f *fleet) record() {
	to := os.Getenv("FLEET_HISTORIES")
	if to == "" {
		return
	}
	cli := func(args ...string) string {
		return f.must(f.dir, f.cli, append([]string{"workflow", "--address", f.address(), "--output", "json"}, args...)...)
	}
	var runs []struct {
		Execution struct{ WorkflowID, RunID string }
	}
	if err := json.Unmarshal([]byte(cli("list")), &runs); err != nil {
		f.Fatal(err)
	}
	for i, run := range runs {
		id := run.Execution.WorkflowID
		name := filepath.Join(to, fmt.Sprintf("%s-%d.json.gz", path.Base(id), len(runs)-i))
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := io.WriteString(z, cli("show", "--workflow-id", id, "--run-id", run.Execution.RunID)); err != nil || z.Close() != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(name, packed.Bytes(), 0o600); err != nil {
			f.Fatal(err)
		}
	}
}

// current makes a version the one that new runs take.
func (f *fleet) current(build string) {
	f.Helper()
	f.eventually("the server knows version "+build, time.Minute, func() bool {
		_, _, code := f.try(f.dir, f.cli, "worker", "deployment", "set-current-version", "--address", f.address(), "--deployment-name", "autopilot", "--build-id", build, "--yes")
		return code == 0
	})
}

// isObserved has the workers tell a collector what they do, as OpenTelemetry does.
func (f *fleet) isObserved() {
	var mu sync.Mutex
	got := map[string][]byte{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if got[r.URL.Path] = append(got[r.URL.Path], body...); err != nil {
			f.Error(err)
		}
	}))
	defer collector.Close()
	f.env = append([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"}, f.env...)
	f.changesVersions()
	mu.Lock()
	defer mu.Unlock()
	for path, names := range map[string][]string{"/v1/traces": {"RunActivity:Play", "HandleUpdate:record", "autopilot/"}, "/v1/metrics": {"temporal_activity_execution_latency", "temporal_workflow_completed"}} {
		for _, name := range names {
			if !bytes.Contains(got[path], []byte(name)) {
				f.Errorf("the collector got nothing of %s at %s, in %d bytes", name, path, len(got[path]))
			}
		}
	}
}
