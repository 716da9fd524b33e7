package personas

// Tier is what a tool can do to the working tree at worst.
type Tier string

// The tiers of tools.
const (
	TierRead        Tier = "read"        // nothing: it looks, or writes beside the tree
	TierWrite       Tier = "write"       // change files, which git and the program can undo
	TierDestructive Tier = "destructive" // whatever the user could
)
