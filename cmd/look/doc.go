// Package look has the commands that only read: autopilot alone, list, status, why and log. Each draws the view of a session
// and reads no state by itself.
//
//	root.AddCommand(look.NewStatus(h), look.NewWhy(h), look.NewLog(h), look.NewList(h))
//	err := look.Overview(ctx, h) // autopilot alone
package look
