package notify

import (
	"context"
	"html"
	"slices"

	"autopilot/autopilot/process"
)

// Desktop shows a notice on the desktop of the machine, by a program that the system has for it.
type Desktop struct {
	Env  []string
	argv []string
}

// toast shows what two variables hold: as arguments they could end a text in the script.
const toast = `$m = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$x = [Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom.XmlDocument, ContentType = WindowsRuntime]::new()
$e = { param($t) [System.Security.SecurityElement]::Escape($t) }
$x.LoadXml('<toast><visual><binding template="ToastGeneric"><text>' + (& $e $env:AUTOPILOT_TITLE) + '</text><text>' + (& $e $env:AUTOPILOT_TEXT) + '</text></binding></visual></toast>')
$a = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
$m::CreateToastNotifier($a).Show([Windows.UI.Notifications.ToastNotification]::new($x))`

// NewDesktop is the desktop of an environment on a system (runtime.GOOS). Without one, why says what is missing.
func NewDesktop(goos string, env []string, getenv func(string) string) (d Desktop, why string) {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return d, "over SSH there is no desktop here"
	}
	d.Env = env
	switch goos {
	case "darwin":
		d.argv = []string{"osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", "--"}
	case "windows":
		d.argv = []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", toast}
	default:
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return d, "there is no desktop here"
		}
		d.argv = []string{"notify-send", "--app-name=autopilot", "--"}
	}
	if (process.Command{Argv: d.argv, Env: env}).Check() != nil {
		return d, d.argv[0] + " is not installed"
	}
	return d, ""
}

// Name is what the channel is called.
func (Desktop) Name() string { return "desktop" }

// Send shows the title and the text.
func (d Desktop) Send(ctx context.Context, n Notice) error {
	c := process.Command{Argv: slices.Clone(d.argv), Env: append(slices.Clone(d.Env), "AUTOPILOT_TITLE="+n.Title, "AUTOPILOT_TEXT="+n.Text)}
	switch d.argv[0] {
	case "osascript":
		c.Argv = append(c.Argv, n.Title, n.Text)
	case "notify-send": // whose text is markup
		c.Argv = append(c.Argv, n.Title, html.EscapeString(n.Text))
	}
	return run(ctx, c)
}
