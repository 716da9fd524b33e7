package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

// askPerson asks the person who plays a persona for the work. Older programs recorded no turn: the dispatch counts as blocked there.
func (m dispatching) askPerson(d *machine.Dispatch) {
	turn := m.e.Ended.YourTurn
	if turn == nil {
		m.askBlocked(d, m.e.Ended.Detail)
		return
	}
	about := []string{fmt.Sprintf("Instructions: %s (%s)", turn.Prompt, machine.Plural(turn.Words, "word", "words"))}
	if m.lane != nil {
		about = append(about, "Work in "+turn.Dir+", where no other task is at work")
	}
	if turn.Problem != "" {
		about = append(about, "The reply that is there can't be used: "+turn.Problem)
	}
	about = append(about, "When it is done, answer done with a summary. Or write the reply to "+turn.Reply+" and run the same command again.")
	if d.Persona == "verifier" || d.Persona == "reviewer" {
		about = append(about, "A summary alone means that you found nothing wrong. Findings go into the reply.")
	}
	g := m.ask(machine.GateBlocked, "Your turn: "+m.wanted(d), about...)
	g.YourTurn, g.Options = turn, machine.YourTurnOptions(m.s.CurrentState)
}

// wanted is what a dispatch is to bring, as a person is asked for it.
func (m dispatching) wanted(d *machine.Dispatch) string {
	if t := machine.FindTask(m.s.Tasks, d.Task); t != nil {
		return fmt.Sprintf("do %s (%s)", t.ID, t.Title)
	}
	if m.s.CurrentState == machine.FinalReview {
		return "do the final review"
	}
	verb := map[string]string{"planner": "write the plan of", "verifier": "verify", "reviewer": "review"}[d.Persona]
	if d.Purpose == "skeleton" {
		verb = "outline the plan of"
	}
	return fmt.Sprintf("%s phase %s (%s)", verb, phase(m.s).Number, phase(m.s).Name)
}
