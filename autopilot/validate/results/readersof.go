package results

// ReadersOf are the readers of a command's output, by the test programs that it names, also in scripts of package.json.
// nil means that it runs something else, too, or more than can be told: then any reader may find its program's lines.
func ReadersOf(folder, command string) []string { return readersIn(folder, command, maxScripts) }

func readersIn(folder, command string, depth int) []string {
	chain, ok := readShell(command)
	if !ok || depth == 0 {
		return nil
	}
	var all []string
	for _, s := range chain {
		folder = s.leads(folder)
		names := s.readers(folder, depth)
		if names == nil && !s.prepares() && !s.lints() {
			return nil
		}
		all = append(all, names...)
	}
	return all
}

func (s segment) readers(folder string, depth int) []string {
	if text, is := ScriptOf(folder, s); is {
		return readersIn(folder, text, depth-1)
	}
	for _, t := range Tools {
		if t.in(s) >= 0 {
			return append([]string{t.Name}, t.also...)
		}
	}
	return nil
}
