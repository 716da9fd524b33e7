package supervise

import (
	"bytes"
	"reflect"
	"syscall"
	"testing"
	"time"
)

func TestMessagesArriveAsTheyWereSent(t *testing.T) {
	q := Request{
		Secret: "s", Path: "/bin/sh", Argv: []string{"sh", "", "caf\xe9"}, Dir: "/a b", Env: []string{"A=1\n2", "B="},
		Grace: 5 * time.Second, Ended: "/lock.ended", Group: "g",
	}
	r := Report{Pid: 7, Failure: "no", Errno: 2, Done: true, Code: -1, Signal: syscall.SIGKILL, Stopped: true, Left: []int{-8, 1 << 30}}
	var wire bytes.Buffer
	for _, err := range []error{q.Write(&wire), r.Write(&wire), Request{}.Write(&wire), WriteStop(&wire)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ReadRequest(&wire); err != nil || !reflect.DeepEqual(got, q) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := ReadReport(&wire); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := ReadRequest(&wire); err != nil || got.Path != "" || len(got.Argv) > 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := ReadStop(&wire); err != nil || ReadStop(&wire) == nil {
		t.Errorf("the order: %v, or its second reading found one", err)
	}
}

func TestNoCutMessageIsTaken(t *testing.T) {
	var whole bytes.Buffer
	if err := (Request{Secret: "s", Path: "p", Argv: []string{"a"}, Env: []string{"E=1"}}).Write(&whole); err != nil {
		t.Fatal(err)
	}
	for n := range whole.Len() {
		if _, err := ReadRequest(bytes.NewReader(whole.Bytes()[:n])); err == nil {
			t.Errorf("%d bytes were taken for the whole", n)
		}
	}
	for _, b := range []byte{0x7f, 0x80, 0xff} {
		wrong := bytes.Clone(whole.Bytes())
		wrong[15] = b // of the first text's length
		if _, err := ReadRequest(bytes.NewReader(wrong)); err == nil {
			t.Errorf("a length of %x was believed", b)
		}
	}
}
