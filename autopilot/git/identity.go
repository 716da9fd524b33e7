package git

import (
	"context"
	"errors"
	"os"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// settings are the values of the user's git configuration that decide something here.
type settings struct {
	fileMode      bool   // core.fileMode: false where the file system knows no executable bit
	defaultBranch string // init.defaultBranch, "" when unset
	name, email   string // user.name and user.email
	others        bool   // there is an author or a committer beside the user
}

// identity is the name and the e-mail address that git finds for who (GIT_AUTHOR, GIT_COMMITTER), where that is certain,
// which spares a call; else git is to be asked.
func (s settings) identity(who string) (name, email string, certain bool) {
	name, named := os.LookupEnv(who + "_NAME")
	email, addressed := os.LookupEnv(who + "_EMAIL")
	if s.others && !(named && addressed) {
		return "", "", false
	}
	if !named {
		name = s.name
	}
	if !addressed {
		email = s.email
	}
	return name, email, plainWord.MatchString(name) && plainWord.MatchString(email)
}

// plainWord is a text of which git leaves something over.
var plainWord = lazyregexp.New(`^[A-Za-z0-9]`)

func identityError(err error) error {
	if _, ok := errors.AsType[*CommandError](err); !ok {
		return err
	}
	return &NoIdentityError{}
}

func settingsOf(list []setting) settings {
	s := settings{fileMode: true}
	for _, one := range list {
		switch value := one.value; one.key {
		case "core.filemode":
			s.fileMode = value != "false" && value != "no" && value != "off" && value != "0"
		case "init.defaultbranch":
			s.defaultBranch = value
		case "user.name":
			s.name = value
		case "user.email":
			s.email = value
		case "author.name", "author.email", "committer.name", "committer.email":
			s.others = true
		}
	}
	return s
}

// identity are the variables by which git commits under the name and the address that it finds now.
func (r *Config) identity(ctx context.Context, list []setting) ([]string, error) {
	var env []string
	now := settingsOf(list)
	for _, who := range []string{"GIT_AUTHOR", "GIT_COMMITTER"} {
		name, email, certain := now.identity(who)
		if !certain {
			out, err := r.read(ctx, "var", who+"_IDENT") // Ada <ada@example.com> 1700000000 +0000
			if err != nil {
				return nil, identityError(err)
			}
			var rest string
			name, rest, _ = strings.Cut(string(out), " <")
			email, _, _ = strings.Cut(rest, ">")
		}
		env = append(env, who+"_NAME="+name, who+"_EMAIL="+email)
	}
	return env, nil
}
