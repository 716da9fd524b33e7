package shell

import (
	"slices"
	"strings"
)

// everywhere are programs that work on the whole machine, or on what others use.
// The words are the subcommands that do so; none stands for any use, and those
// that begin with ! are the only ones that do not.
var everywhere = map[string][]string{
	"sudo": {}, "doas": {}, "su": {}, "pkexec": {}, "runuser": {}, "chroot": {}, "nsenter": {},
	"shutdown": {}, "reboot": {}, "halt": {}, "poweroff": {}, "init": {"0", "6"}, "telinit": {},
	"fdisk": {}, "sfdisk": {}, "parted": {}, "wipefs": {}, "mkswap": {}, "swapoff": {}, "blkdiscard": {}, "cryptsetup": {}, "diskutil": {},
	"mount": {}, "umount": {}, "insmod": {}, "rmmod": {}, "modprobe": {}, "sysctl": {"-w"}, "iptables": {}, "nft": {}, "ufw": {},
	"useradd": {}, "userdel": {}, "usermod": {}, "groupdel": {}, "passwd": {}, "chpasswd": {}, "visudo": {},
	"crontab": {"!-l"}, "at": {}, "batch": {}, "launchctl": {}, "systemctl": {"!status", "!list-units", "!is-active", "!show", "!cat"},
	"killall": {}, "docker": {"system prune", "volume rm", "volume prune", "image prune"}, "podman": {"system prune", "volume rm", "volume prune", "image prune"},
	"kubectl": {"delete", "drain"}, "helm": {"uninstall", "delete"}, "terraform": {"destroy"}, "gh": {"repo delete", "release delete", "secret"},
	"npm": {"publish", "unpublish"}, "yarn": {"publish"}, "pnpm": {"publish"}, "cargo": {"publish", "yank"}, "twine": {"upload"}, "gem": {"push", "yank"},
	"pkill": {"!-P"}, "kill": {"1", "-1"}, "service": {"!status", "!--status-all"}, "hostname": {}, "hostnamectl": {"set-hostname", "hostname"},
	"aws":    {"s3 rm", "s3 rb", "s3api delete-bucket", "s3api delete-object", "ec2 terminate-instances", "rds delete-db-instance", "cloudformation delete-stack", "dynamodb delete-table"},
	"gsutil": {"rm", "rb"}, "pulumi": {"destroy"}, "heroku": {"apps:destroy", "pg:reset"}, "dropdb": {}, "dropuser": {},
}

// forbids looks a program up in the table.
func forbids(program string, arguments []string) bool {
	if strings.HasPrefix(program, "mkfs") {
		return true
	}
	uses, listed := everywhere[program]
	switch {
	case !listed:
		return false
	case program == "kill":
		return killsAll(arguments)
	case program == "hostname": // alone it only says it
		return len(operands(arguments)) > 0
	case len(uses) == 0:
		return true
	case slices.ContainsFunc(arguments, func(w string) bool { return w == "--dry-run" || strings.HasPrefix(w, "--dry-run=") }):
		return false
	}
	given := " " + strings.Join(operandsAnd(arguments, uses), " ") + " "
	except := false
	for _, use := range uses {
		if rest, not := strings.CutPrefix(use, "!"); not {
			except = true
			if strings.Contains(given, " "+rest+" ") {
				return false
			}
		} else if strings.HasPrefix(given, " "+use+" ") || strings.HasPrefix(use, "-") && strings.Contains(given, " "+use+" ") {
			return true
		}
	}
	return except
}

// operandsAnd are the operands, and those options that the table names.
func operandsAnd(arguments, uses []string) []string {
	return slices.DeleteFunc(slices.Clone(arguments), func(w string) bool {
		return strings.HasPrefix(w, "-") && !slices.Contains(uses, w) && !slices.Contains(uses, "!"+w)
	})
}

// killsAll says whether kill means every process, or the first one. Signal 0 only asks.
func killsAll(arguments []string) bool {
	return (last(arguments) == "-1" || slices.Contains(operands(arguments), "1")) && arguments[0] != "-0" && arguments[0] != "-l"
}

// writers give of a program's arguments the paths that it removes or overwrites.
var writers = map[string]func(arguments []string) []string{
	"rm": operands, "rmdir": operands, "unlink": operands, "shred": operands, "srm": operands, "trash": operands, "mv": moved,
	"truncate": after("-s", "--size"), "tee": operands, "cp": target, "ln": target, "install": target, "rsync": lastOperand, "scp": lastOperand,
	"chmod": withoutFirst, "chown": withoutFirst, "chgrp": withoutFirst, "dd": ofOperand, "sed": editedInPlace,
	"perl": editedByCode, "ruby": editedByCode, "tar": archived, "bsdtar": archived, "gtar": archived, "unzip": given("d"), "7z": sevenZipped, "7za": sevenZipped, "7zz": sevenZipped,
	"curl": given("o", "--output", "--output-dir"), "wget": given("OP", "--output-document", "--directory-prefix"), "sort": given("o", "--output"), "patch": given("do", "--directory", "--output"),
}

// removing are programs that take away what their paths hold.
var removing = []string{"rm", "rmdir", "unlink", "shred", "srm", "trash"}

// operands are the arguments that are no options.
func operands(arguments []string) []string {
	var out []string
	for i, a := range arguments {
		if a == "--" {
			return append(out, arguments[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			out = append(out, a)
		}
	}
	return out
}

// after gives the operands but for the values of some options.
func after(options ...string) func([]string) []string {
	return func(arguments []string) []string {
		var rest []string
		for i, w := range arguments {
			if i == 0 || !slices.Contains(options, arguments[i-1]) {
				rest = append(rest, w)
			}
		}
		return operands(rest)
	}
}

func target(arguments []string) []string {
	list := operands(arguments)
	if folders := valuesOf(arguments, "t", "--target-directory"); len(folders) > 0 {
		return folders
	}
	if len(list) < 2 {
		return nil
	}
	return list[len(list)-1:]
}

func withoutFirst(arguments []string) []string {
	list := operands(arguments)
	return list[min(1, len(list)):]
}

func ofOperand(arguments []string) []string {
	for _, w := range arguments {
		if to, is := strings.CutPrefix(w, "of="); is {
			return []string{to}
		}
	}
	return nil
}

func editedInPlace(arguments []string) []string {
	inPlace := slices.ContainsFunc(arguments, func(w string) bool { return strings.HasPrefix(w, "-i") || w == "--in-place" })
	if !inPlace {
		return nil
	}
	return withoutFirst(arguments)
}
