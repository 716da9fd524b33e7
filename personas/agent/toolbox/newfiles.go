package toolbox

import (
	"fmt"
	"strings"
)

// additions are files that git does not know yet, as a diff has those that it knows: as many whole ones as there is room for,
// and the names of the others.
func (b *Box) additions(names []string, room int, stat bool) string {
	var out strings.Builder
	var left []string
	for _, name := range names {
		text := b.addition(name, stat)
		if text == "" || out.Len()+len(text) > room {
			left = append(left, name)
			continue
		}
		out.WriteString(text)
	}
	if over := len(left) - maxListed; over > 0 {
		left = append(left[:maxListed], fmt.Sprintf("… %d more", over))
	}
	if len(left) > 0 {
		fmt.Fprintf(&out, "\nNew files, not in this diff (read_file shows them):\n%s\n", strings.Join(left, "\n"))
	}
	return out.String()
}

// addition is one of them; nothing where it is no text, or too large.
func (b *Box) addition(name string, stat bool) string {
	info, err := b.tree.root.Lstat(name)
	content, tooLarge := b.textOf(name)
	if err != nil || !info.Mode().IsRegular() || content == nil || tooLarge {
		return ""
	}
	body, ended := strings.CutSuffix(string(content), "\n")
	lines := strings.Count(body, "\n") + min(len(content), 1)
	if stat {
		return fmt.Sprintf(" %s | %d + (new)\n", name, lines)
	}
	mode := "100644"
	if info.Mode()&0o100 != 0 {
		mode = "100755"
	}
	head := fmt.Sprintf("diff --git a/%s b/%s\nnew file mode %s\n", name, name, mode)
	if lines == 0 {
		return head
	}
	body = "+" + strings.ReplaceAll(body, "\n", "\n+") + "\n"
	if !ended {
		body += "\\ No newline at end of file\n"
	}
	return fmt.Sprintf("%s--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n%s", head, name, lines, body)
}
