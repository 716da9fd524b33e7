package live

import (
	"fmt"
	"io"

	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// titles are the title of the terminal's window and the progress that it shows for it, written where they change.
type titles struct {
	out      io.Writer
	progress bool // the terminal is one that shows it; others take the sequence for a notice
	kept     bool // the title that was there
	last     string
}

// showsProgress says whether the terminal is known to show progress by OSC 9;4.
func showsProgress(h *console.Host) bool {
	program := h.Getenv("TERM_PROGRAM")
	return h.Getenv("WT_SESSION") != "" || h.Getenv("ConEmuANSI") == "ON" || program == "WezTerm" || program == "ghostty"
}

// show writes the title and the progress of a session.
func (t *titles) show(s view.Session, k Look) {
	text := fmt.Sprintf("\x1b]2;%s\a", k.Text("autopilot · ")+k.Told(title(s)))
	if t.progress {
		state := 1
		if s.Gate != nil {
			state = 2 // red
		}
		text += fmt.Sprintf("\x1b]9;4;%d;%d\a", state, percent(s))
	}
	if text == t.last {
		return
	}
	t.last = text
	if !t.kept {
		t.kept, text = true, "\x1b[22;2t"+text
	}
	_, _ = io.WriteString(t.out, text) // as the region
}

// clear puts back the title that was there before.
func (t *titles) clear() {
	if !t.kept {
		return
	}
	text := "\x1b[23;2t"
	if t.progress {
		text += "\x1b]9;4;0;0\a"
	}
	_, _ = io.WriteString(t.out, text)
	t.kept, t.last = false, ""
}

// title names what runs now.
func title(s view.Session) string {
	what := s.Headline
	if len(s.Works) > 0 {
		if what = s.Works[0].Doing; s.Works[0].N > 0 {
			what = fmt.Sprintf("%d/%d %s", s.Works[0].N, s.Works[0].Of, s.Works[0].Title)
		}
	}
	return what
}

// percent is how much of the session is done: of its phases, and of the tasks of the current one.
func percent(s view.Session) int {
	if len(s.Phases) == 0 {
		return 0
	}
	done := 0.0
	for i, p := range s.Phases {
		switch tasks := tasksNow(s); {
		case p.Outcome != "":
			done++
		case i == s.Phase-1 && len(tasks) > 0:
			passed := 0
			for _, t := range tasks {
				if t.Mark == view.Passed {
					passed++
				}
			}
			done += float64(passed) / float64(len(tasks))
		}
	}
	return min(100, int(100*done/float64(len(s.Phases))))
}
