package machine

// YourTurn is a dispatch that waits for a person, who plays the persona.
type YourTurn struct {
	Dir     string `json:"dir"`               // the working tree
	Prompt  string `json:"prompt"`            // the file with the instructions
	Words   int    `json:"words"`             // of the instructions
	Reply   string `json:"reply"`             // the file that the reply goes into
	Problem string `json:"problem,omitempty"` // why the reply that is there cannot be taken
}

// HandIn is the option of a person who has done what it was their turn to do.
const HandIn = "done"

// YourTurnOptions are the options of a dispatch that waits for a person, by the state it stands in.
func YourTurnOptions(state Name) []Option {
	done := option(HandIn, EffectRetry, "the work is done: hand in a summary of it, or the reply file")
	return append([]Option{done}, BlockedOptions(state)...)
}

// HandsIn says whether the answer is that of a person who has done what it was their turn to do.
func (g *Gate) HandsIn(a Answer) bool { return g.YourTurn != nil && a.Option == HandIn }

// Called is the question's name where people read it: its kind, or that it is their turn.
func (g *Gate) Called() string {
	if g.YourTurn != nil {
		return "your_turn"
	}
	return string(g.Kind)
}
