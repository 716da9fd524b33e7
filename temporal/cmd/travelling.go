package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/config"
	"autopilot/temporal/worker"
)

// stays are the parts of the configuration that no session takes along, besides those that are each worker's own: the first state has
// some, and nobody sits at a worker.
var stays = []string{"rigor", "review_plans", "notify", "ui"}

// travelling are the settings of a session that workers don't have by the repository's file, nor by default.
func travelling(cfg *config.Config, values []config.Value) map[string]any {
	settings := map[string]any{}
	for _, v := range values {
		path := strings.Split(v.Key, ".")
		if _, has := cfg.FromRepository(path...); has || v.Source == config.Default || slices.Contains(slices.Concat(stays, worker.Own), path[0]) {
			continue
		}
		settings[v.Key] = fmt.Sprint(v.Value) // as text: JSON has no integers
		if list, err := json.Marshal(v.Value); err == nil && list[0] == '[' {
			settings[v.Key] = string(list)
		}
	}
	return settings
}
