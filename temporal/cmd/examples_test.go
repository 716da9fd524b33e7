package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/spf13/cobra"
	"github.com/yannh/kubeconform/pkg/validator"

	"autopilot/cmd/console"
)

var examples = filepath.Join("..", "..", "examples", "fleet")

func root() *cobra.Command { return newRoot(&console.Host{}) }

// TestComposeFileIsValid loads the file as Docker does, with the env files that its comment has you make.
func TestComposeFileIsValid(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"compose.yaml", "postgres.env.example", "worker.env.example"} {
		copyTo(t, filepath.Join(dir, strings.TrimSuffix(name, ".example")), filepath.Join(examples, name))
	}
	o, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")}, cli.WithWorkingDirectory(dir), cli.WithEnv([]string{"REMOTE=git@example.com:acme/shop.git"}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := project.GetService("worker")
	if err != nil {
		t.Fatal(err)
	}
	runsAsWritten(t, w.Command)
	if password := project.Services["temporal"].Environment["POSTGRES_PWD"]; password == nil {
		t.Error("the server gets no password from postgres.env")
	}
}

// TestKubernetesFileIsValid checks the manifests against the schemas of Kubernetes 1.37. Those in testdata/kubernetes are its own, from
// api/openapi-spec/swagger.json of the module k8s.io/kubernetes (Apache-2.0): without descriptions, and they refuse unknown fields.
func TestKubernetesFileIsValid(t *testing.T) {
	v, err := validator.New([]string{filepath.Join("testdata", "kubernetes", "{{.ResourceKind}}{{.KindSuffix}}.json")}, validator.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(examples, "kubernetes.yaml")
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	results := v.Validate(name, f)
	if len(results) != 3 {
		t.Errorf("there are %d resources, not 3", len(results))
	}
	for _, r := range results {
		if r.Status != validator.Valid {
			t.Errorf("%s: %v %v", r.Resource.Path, r.Err, r.ValidationErrors)
		}
	}
}

func TestKubernetesMistakesAreSeen(t *testing.T) {
	v, err := validator.New([]string{filepath.Join("testdata", "kubernetes", "{{.ResourceKind}}{{.KindSuffix}}.json")}, validator.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(examples, "kubernetes.yaml"))
	for _, change := range [][2]string{
		{"terminationGracePeriodSeconds", "terminationGracePeriod"}, // no such field
		{"replicas: 2", "replicas: two"},
		{"  selector:\n    matchLabels: {app: autopilot-worker}\n  template", "  template"}, // a field is missing
	} {
		wrong := strings.Replace(text, change[0], change[1], 1)
		for _, r := range v.Validate("wrong", readCloser{strings.NewReader(wrong)}) {
			if sig, _ := r.Resource.Signature(); sig.Kind == "Deployment" && r.Status != validator.Invalid {
				t.Errorf("%q for %q isn't seen", change[1], change[0])
			}
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// TestKubernetesWorkerRunsAsWritten checks the command of the deployment.
func TestKubernetesWorkerRunsAsWritten(t *testing.T) {
	_, after, _ := strings.Cut(read(t, filepath.Join(examples, "kubernetes.yaml")), "args:\n")
	block, _, _ := strings.Cut(after, "env:\n")
	var args []string
	for line := range strings.Lines(block) {
		if word, is := strings.CutPrefix(strings.TrimSpace(line), "- "); is {
			word, _, _ = strings.Cut(word, " #")
			args = append(args, word)
		}
	}
	runsAsWritten(t, args)
}

// runsAsWritten checks that a worker's command and flags exist.
func runsAsWritten(t *testing.T, args []string) {
	t.Helper()
	c, rest, err := root().Find(args)
	if err == nil && c.Name() != "worker" {
		t.Fatalf("%q starts no worker", args)
	}
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err != nil || c.Flags().NArg() > 0 {
		t.Errorf("%q: %v, with %q left", args, err, c.Flags().Args())
	}
}

func copyTo(t *testing.T, to, from string) {
	t.Helper()
	if err := os.WriteFile(to, []byte(read(t, from)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
