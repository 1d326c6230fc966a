// Checking answers, with sentences for the author of a wrapper.

package protocol

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Environment variables that the runner sets for the implementation.
const (
	// ConnectVar holds the address to connect to, where the runner talks over TCP.
	ConnectVar = "OCTABLE_CONNECT"
)

// ParseAnswer reads one line that an implementation has written. The error is a
// sentence about the line; it may still be no answer to its request, which
// [Answer.Check] tells.
func ParseAnswer(line []byte) (Answer, error) {
	var a Answer
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		return a, errors.New("an empty line is no answer; write each answer as one JSON object on one line")
	case text[0] != '{':
		return a, fmt.Errorf("this line is no JSON object: %s; what is not an answer belongs to standard error", quote(text))
	}
	var keys struct {
		ID *json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return a, fmt.Errorf("the key %q of an answer holds %s, which it cannot be: %s", kind.Field, article(kind.Value), quote(text))
		}
		return a, fmt.Errorf("this line is not well-formed JSON (%v): %s", err, quote(text))
	}
	_ = json.Unmarshal(text, &keys)
	if keys.ID == nil {
		return a, fmt.Errorf("an answer has the key \"id\" with the number of its request; this one has none: %s", quote(text))
	}
	return a, nil
}

func article(kind string) string {
	if strings.HasPrefix(kind, "number") || kind == "string" || kind == "bool" {
		return "a " + kind
	}
	return "an " + kind
}

// quote shows the beginning of a line.
func quote(line []byte) string {
	const most = 160
	if len(line) <= most {
		return string(line)
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(line[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes)", line[:n], len(line))
}

// Check returns what is wrong with an answer to a request for op, in a sentence,
// or nil.
func (a *Answer) Check(op Op) error {
	said := []string{}
	for name, is := range map[string]bool{"ok": a.OK, "error": a.Error != "", "unsupported": a.Unsupported != "", "hello": a.Hello != nil} {
		if is {
			said = append(said, name)
		}
	}
	slices.Sort(said)
	switch {
	case len(said) == 0:
		return errors.New(`the answer has none of "ok": true, "error" and "unsupported" with a text that is not empty`)
	case len(said) > 1:
		return fmt.Errorf("the answer has %s; it may have one of them", strings.Join(said, " and "))
	case (a.Hello != nil) != (op == Hello) && a.Unsupported == "" && a.Error == "":
		if op == Hello {
			return errors.New(`the answer to hello has no key "hello"`)
		}
		return fmt.Errorf(`the answer to %s has the key "hello"`, op)
	case a.Used < 0:
		return fmt.Errorf(`"used" is %d; it is a number of bytes`, a.Used)
	}
	if !a.OK {
		return nil
	}
	switch op {
	case Decode:
		if a.Value == nil {
			return errors.New(`the answer to decode is "ok" without the key "value"`)
		}
	case Encode, Recode:
		if _, err := a.Packet(); err != nil {
			return err
		}
	}
	return nil
}

// Packet returns the bytes of an answer.
func (a *Answer) Packet() ([]byte, error) {
	b, err := hex.DecodeString(a.Bytes)
	if err != nil {
		return nil, fmt.Errorf(`"bytes" holds pairs of hexadecimal digits without anything between them; this is %s`, quote([]byte(a.Bytes)))
	}
	return b, nil
}

// Check returns what is wrong with what an implementation says of itself, in a
// sentence, or nil.
func (a *About) Check() error {
	switch {
	case a.Protocol != Version:
		return fmt.Errorf(`"protocol" of hello is %d; this is version %d of the protocol`, a.Protocol, Version)
	case strings.TrimSpace(a.Name) == "":
		return errors.New(`hello has no "name"`)
	case len(a.Ops) == 0:
		return errors.New(`hello has no "ops"; they are some of decode, encode and recode`)
	case len(a.Specs) == 0:
		return errors.New(`hello has no "specs"; they are the schemas that the implementation reads and writes, such as godot-4.4`)
	case a.Reals != "" && a.Reals != "decimal" && a.Reals != "bits":
		return fmt.Errorf(`"reals" of hello is %q; it is "decimal" or "bits"`, a.Reals)
	case a.Window < 0:
		return fmt.Errorf(`"window" of hello is %d; it is a number of requests, or 0 for any number`, a.Window)
	}
	for _, op := range a.Ops {
		if op != Decode && op != Encode && op != Recode {
			return fmt.Errorf(`%q among the "ops" of hello is unknown; they are some of decode, encode and recode`, op)
		}
	}
	return nil
}

// Can reports whether the implementation has an operation.
func (a *About) Can(op Op) bool { return slices.Contains(a.Ops, op) }

// Lack reports whether the implementation says that it does not have a type.
func (a *About) Lack(typ string) bool {
	return slices.Contains(a.Lacks, typ) || len(a.Has) > 0 && !slices.Contains(a.Has, typ)
}
