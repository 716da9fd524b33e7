package readiness

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
)

// healthTime is how long one health check may take.
const healthTime = 5 * time.Second

// health is the record of one service's health check.
type health struct {
	Service     string  `json:"service"`
	HealthCheck string  `json:"health_check"`
	Outcome     string  `json:"outcome"` // as that of a check
	Seconds     float64 `json:"seconds"`
	Detail      string  `json:"detail,omitempty"`
}

// Health runs the health checks that the project's profile has for its services. They say nothing for the work:
// a service that is well verifies nothing, and one that is not is a warning, as that of a script in validate.d, or critical
// where the configuration says so. They run after Changes.BeforeCheck and before the commands, which count what they leave behind as
// by-products.
func (in Readiness) Health(ctx context.Context) ([]machine.Finding, error) {
	p, err := project.ReadFrom(in.Harness)
	if err != nil {
		return []machine.Finding{in.unhealthy("health checks could not be read", err.Error(), "")}, nil
	}
	var all []health
	var findings []machine.Finding
	for _, s := range p.Services {
		if strings.TrimSpace(s.HealthCheck) == "" {
			continue
		}
		h := in.healthOf(ctx, s)
		if ctx.Err() != nil {
			return nil, &halt.InterruptedError{Cause: ctx.Err()}
		}
		all = append(all, h)
		in.Checks.Journal.Report.Report(journal.Note{
			Event: "check", Text: fmt.Sprintf("health check of %s: %s (%.1f s)", s.Name, strings.ReplaceAll(h.Outcome, "_", " "), h.Seconds),
			Fields: map[string]any{"health": h},
		})
		if h.Outcome != machine.CheckPassed {
			command := s.HealthCheck
			if isURL(command) || s.Dir != "" {
				command = "" // a fix validates by a command at the root
			}
			findings = append(findings, in.unhealthy("health check failed: "+s.Name, strings.TrimSpace(s.HealthCheck+": "+h.Detail), command))
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return findings, in.Checks.Records.WriteJSON(fmt.Sprintf("phase-%d-health.json", in.Checks.Journal.State().CurrentPhase+1), all)
}

func (in Readiness) unhealthy(title, rationale, command string) machine.Finding {
	f := machine.Finding{Severity: machine.Important, Warning: true, Title: title, Rationale: rationale, Source: "check"}
	if in.HealthFatal {
		f.Severity, f.Warning, f.Command = machine.Critical, false, command
	}
	return f
}

// healthOf runs one health check.
func (in Readiness) healthOf(ctx context.Context, s project.Service) health {
	h := health{Service: s.Name, HealthCheck: s.HealthCheck}
	switch {
	case isURL(s.HealthCheck):
		start := in.Now()
		h.Outcome = machine.CheckPassed
		if err := get(ctx, s.HealthCheck, healthTime); err != nil {
			h.Outcome, h.Detail = machine.CheckFailed, err.Error()
		}
		h.Seconds = in.Now().Sub(start).Seconds()
	case s.Dir != "" && !filepath.IsLocal(filepath.FromSlash(s.Dir)):
		h.Outcome, h.Detail = machine.CheckCouldNot, "its dir "+s.Dir+" lies outside the repository"
	default:
		ev := in.Checks.Runner.Run(ctx, in.Checks.Repo.Root(), validate.Validation{Command: s.HealthCheck, Dir: s.Dir, Source: project.Name, Timeout: healthTime, ByCode: true})
		h.Outcome, h.Seconds = checks.Outcomes[ev.Outcome], ev.Duration.Seconds()
		if h.Outcome != machine.CheckPassed {
			h.Detail = strings.TrimSpace(cmp.Or(ev.Reason, fmt.Sprintf("exit code %d", ev.ExitCode)) + "\n" + in.Checks.Mask.Shorten(ev.Output, checks.MaxDetail))
		}
	}
	return h
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// get asks an address and is content with any answer from 200 to 399; a redirection is an answer, and not followed.
func get(ctx context.Context, url string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Close = true
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 399 {
		return fmt.Errorf("it answered %s", response.Status)
	}
	return nil
}
