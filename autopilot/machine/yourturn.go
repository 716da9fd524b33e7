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

// HandsIn says whether the option, at a question that has this turn, is that of a person who has done it. No turn takes none.
func (t *YourTurn) HandsIn(option string) bool { return t != nil && option == HandIn }
