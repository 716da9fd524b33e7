package cmd

import "runtime/debug"

// release is the version of this source, as in CHANGELOG.md.
const release = "0.1.0"

// version is the release, with the commit it was built from where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return release + " (" + s.Value[:min(len(s.Value), 12)] + ", " + info.GoVersion + ")"
		}
	}
	return release + " (" + info.GoVersion + ")"
}
