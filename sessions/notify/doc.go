// Package notify tells a person who is away what happens to a session: a question is open, it is done, it stopped, it waits for a
// limit, a budget is nearly spent.
//
// About makes a Notice of a session's state; a Sender sends it over each Channel, in the background, and keeps in a file which
// notices arrived where. A notice has an id that stays the same over a restart, so that one that was on its way when autopilot was
// killed is sent again, and who gets it twice can tell.
//
//	sender := notify.NewSender(channels, filepath.Join(dir, notify.SentName), warn)
//	sender.Send(about.Question(gate))
//	sender.Close(5 * time.Second)
//
// Agents' words are in a notice only where About.Detail says so.
package notify
