package personas

import (
	"cmp"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// secretWords mark the names of variables whose values must reach no record.
var secretWords = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"}

// secretParts mark them where they stand alone between underscores: PASS is one of DB_PASS, and none of BYPASS.
var secretParts = []string{"PASS", "PWD", "PW", "PAT", "AUTH", "COOKIE", "COOKIES", "DSN"}

// noSecrets hold ways and places, whatever they are called.
var noSecrets = []string{"PWD", "SSH_AUTH_SOCK", "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY"}

// withPassword is an address with a password in it.
var withPassword = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@]*:([^\s/@]+)@`)

// How long a value is to be masked. A short one is masked only where it stands alone, and only where it is a secret for
// certain: masking "1", or "test" within "testing", would make records unreadable.
const (
	minSecret = 8
	minAlone  = 4
	minNumber = 6 // of digits alone: 4096 is rarely a password
)

// switches are what variables with telling names are also set to.
var switches = []string{"true", "false", "none", "null", "auto", "always", "never", "default", "enabled", "file", "prompt"}

// IsSecret says whether a variable holds a secret, by its name or because its value is an address with a password or has
// the form of a key. A proxy's address is none: who may not know it reaches nothing.
func IsSecret(name, value string) bool {
	name = strings.ToUpper(name)
	switch {
	case slices.Contains(noSecrets, name):
		return false
	case slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) }),
		slices.ContainsFunc(strings.Split(name, "_"), func(part string) bool { return slices.Contains(secretParts, part) }):
		return true
	}
	return withPassword.MatchString(value) || mayHoldKey(value) && keyLike.FindString(value) == value
}

// Secrets gives the values to mask in whatever form: those of the secret variables of an environment, and further ones.
func Secrets(environ []string, further ...string) []string {
	values := slices.Clone(further)
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !IsSecret(name, value) {
			continue
		}
		values = append(values, value)
		if m := withPassword.FindStringSubmatch(value); m != nil {
			values = append(values, m[1])
		}
	}
	return longOnes(values)
}

// longOnes are the values that are masked wherever they stand.
func longOnes(values []string) []string {
	return longestFirst(slices.DeleteFunc(values, func(v string) bool { return len(v) < minSecret }))
}

// longestFirst sorts values so that one which begins another leaves no rest of it.
func longestFirst(values []string) []string {
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(values)
}

// inEveryForm gives the forms of values. One of several lines, such as a private key, is known line by line too, as tools
// show files.
func inEveryForm(values []string) (forms []string) {
	for _, v := range values {
		forms = append(forms, base64Forms(v)...)
		forms = append(forms, secretForms(v)...)
		if strings.Contains(v, "\n") {
			for line := range strings.Lines(v) {
				forms = append(forms, secretForms(strings.TrimSpace(line))...)
			}
		}
	}
	return longOnes(forms)
}

// shortSecrets gives the values that are masked where they stand alone.
func shortSecrets(environ []string, further ...string) []string {
	values := slices.Clone(further)
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if saysSecret(name) {
			values = append(values, value)
		}
		if m := withPassword.FindStringSubmatch(value); m != nil && IsSecret(name, value) {
			values = append(values, m[1])
		}
	}
	values = slices.DeleteFunc(values, func(v string) bool {
		number := strings.Trim(v, "0123456789.") == ""
		return len(v) < minAlone || len(v) >= minSecret || number && len(v) < minNumber || slices.Contains(switches, strings.ToLower(v))
	})
	slices.Sort(values)
	return slices.Compact(values)
}

// saysSecret says whether a part of a name is a word for secrets, or ends with one: DB_PASSWORD and PGPASSWORD, and not
// KEYBOARD or MONKEY.
func saysSecret(name string) bool {
	name = strings.ToUpper(name)
	return !slices.Contains(noSecrets, name) && slices.ContainsFunc(strings.Split(name, "_"), func(part string) bool {
		return slices.Contains(secretParts, part) || slices.ContainsFunc(secretWords, func(w string) bool {
			return part == w || w != "KEY" && strings.HasSuffix(part, w)
		})
	})
}

// Masked stands in a record for a secret.
const Masked = "[secret]"
