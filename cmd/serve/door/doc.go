// Package door decides who gets in to autopilot serve: browsers that were invited, scripts that have the key, and not too much of
// either at once.
package door
