package serve

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestTheDescriptionHasEachRoute: openapi.yaml describes the routes below /api/v1, and no others.
func TestTheDescriptionHasEachRoute(t *testing.T) {
	var described struct {
		Paths map[string]map[string]any
	}
	if err := yaml.Unmarshal(openAPI, &described); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for path, about := range described.Paths {
		for method := range about {
			if method != "parameters" {
				want = append(want, strings.ToUpper(method)+" /api/v1"+path)
			}
		}
	}
	s := &server{}
	for _, r := range append(s.reads(), s.writes()...) {
		if strings.HasPrefix(r.path, "/api/") {
			got = append(got, r.method+" "+r.path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("routes:\n%s\ndescribed:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
