package tasks

// parts are the values that a Loop is made of, each with what it needs.
type parts struct {
	notes    notes
	line     sharedLine
	own      ownCommits
	claims   claims
	list     listGuard
	commands commands
	rollback rollback
	spending spending
	attempts attempts
	recovery recovery
}

func (l *Loop) progress() progress { return progress{l.File, l.Report, l.session} }

func (l *Loop) parts() parts {
	progress, alone := l.progress(), l.Line == nil
	var p parts
	p.notes = notes{progress, l.Repo, alone, l.byHand, &l.last, l.Now, &l.known}
	p.line = sharedLine{progress, l.Line, l.Repo, l.Worker, l.Dir, l.Root}
	p.own = ownCommits{p.notes, l.Repo, p.line}
	p.claims = claims{progress, l.Worker, l.Settings.Lease, alone, l.Now, l.After}
	p.list = listGuard{p.claims, l.Repo, l.Root, &l.seen}
	p.commands = commands{progress, p.notes, p.list, l.Repo, l.Checks, l.Live, l.NewID, l.Root, l.Settings}
	p.rollback = rollback{progress, p.notes, p.own, p.commands, l.Repo, l.Dir, l.Worker, l.Now}
	p.spending = spending{progress, l.Settings.Limits, l.Now, &l.spent}
	p.attempts = attempts{
		progress, p.notes, p.own, p.line, p.claims, p.list, p.commands, l.oldTests(), p.rollback, p.spending, &l.takenOut,
		l.Repo, l.Persona, l.Backends, l.Mask, l.NewID, l.LockFile, l.Dir, l.Root, l.Settings,
	}
	p.recovery = recovery{progress, p.notes, p.own, p.line, p.claims, p.rollback, p.attempts, l.Repo, l.KilledAt, l.Own, &l.run}
	return p
}
