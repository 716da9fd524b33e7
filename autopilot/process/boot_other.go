//go:build !linux

package process

import "time"

// BootedAt is not known.
func BootedAt() time.Time { return time.Time{} }
