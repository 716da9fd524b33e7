package sessions

import "autopilot/sessions/taskfile"

// Progress appends a line to progress.txt.
func (s *Session) Progress(line taskfile.ProgressLine) error {
	if line.Time.IsZero() {
		line.Time = s.opts.Now()
	}
	if line.Session == 0 {
		line.Session = s.State().Runs
	}
	return s.logs.add(join(s.dir, "progress.txt"), line.String(), line.Key)
}
