package format

import (
	"fmt"
	"path/filepath"
	"strings"
)

// CheckName refuses a name that could lead out of its folder, or that means something else on another platform.
func CheckName(name string) error {
	ok := name != "" && name[0] != '.' && !strings.ContainsAny(name, `/\:*?"<>|`) && filepath.IsLocal(name)
	if !ok {
		return fmt.Errorf("%q is no name for a file of a session", name)
	}
	return nil
}
