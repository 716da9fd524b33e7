package flow

import (
	"compress/gzip"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"autopilot/temporal/account"
	"autopilot/temporal/payload"
)

// TestHistoriesOfReleasedVersionsReplay replays runs of sessions and accounts that released versions recorded, testdata/histories/VERSION-*.json.gz: a
// worker that is updated goes on with them. FLEET_HISTORIES=DIR make fleet-kills SCENES=version records more.
func TestHistoriesOfReleasedVersionsReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/histories/*.json.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no history is here: %v", err)
	}
	versions := released(t)
	replayer, err := sdk.NewWorkflowReplayerWithOptions(sdk.WorkflowReplayerOptions{DataConverter: payload.Converter(payload.Keys{})})
	if err != nil {
		t.Fatal(err)
	}
	replayer.RegisterWorkflowWithOptions(Session, workflow.RegisterOptions{Name: Name})
	replayer.RegisterWorkflow(account.Account)
	for _, file := range files {
		packed, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		text, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		history, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		version, _, _ := strings.Cut(filepath.Base(file), "-")
		delete(versions, version)
		if err := replayer.ReplayWorkflowHistory(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), history); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for version := range versions {
		t.Errorf("no history of version %s is here", version)
	}
}

// released are the versions in CHANGELOG.md.
func released(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^## (\d\S*)`).FindAllStringSubmatch(string(text), -1) {
		versions[heading[1]] = true
	}
	if len(versions) == 0 {
		t.Fatal("CHANGELOG.md names no version")
	}
	return versions
}
