// Reports as text and as Markdown.

package diff

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// says are the classes in sentences.
var says = map[Class]string{
	OldMisreads: "the old reader misreads silently what the new writer writes",
	NewMisreads: "the new reader misreads silently what the old writer writes",
	OldRefuses:  "the old reader refuses what the new writer writes",
	NewRefuses:  "the new reader refuses what the old writer writes",
	Unwritten:   "bytes that no writer produces are read otherwise",
	Unseen:      "no packet was found that shows it by itself",
	Compatible:  "compatible",
}

// Heading returns a line about the change.
func (c *Change) Heading() string {
	number := func(n *Name) string {
		if n == nil || c.Sort != Arm {
			return ""
		}
		return fmt.Sprint(n.ID)
	}
	text := c.Title()
	if c.Old != nil && c.New != nil && c.Old.Name != c.New.Name {
		text = c.Old.Name + " → " + c.New.Name
	}
	switch c.Sort {
	case Arm:
		kind := "type "
		if n := c.name(); n.Union != "" && n.Union != "Variant" {
			kind = n.Union + " "
		}
		text += ", " + kind + number(c.name())
		if c.Old != nil && c.New != nil && c.Old.ID != c.New.ID {
			text = strings.TrimSuffix(text, number(c.New)) + number(c.Old) + " → " + number(c.New)
		}
	case Header:
		text = "what every " + text + " begins with"
	case Text:
		text = "text encoding " + text
	case Record:
		text = "record " + text
	}
	var kinds []string
	for _, k := range c.Kinds {
		if k != Changed {
			kinds = append(kinds, string(k))
		}
	}
	if kinds != nil {
		text += ": " + strings.Join(kinds, ", ")
	}
	return text
}

func (c *Change) name() *Name {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// Summary counts the changes by class, in words.
func (r *Report) Summary() string {
	if len(r.Changes) == 0 {
		if r.Packets == 0 {
			return "no change: the programs are the same"
		}
		return fmt.Sprintf("no change: %d packets are read and written alike", r.Packets)
	}
	var parts []string
	for _, c := range Classes {
		if n := r.Count(c); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, c))
		}
	}
	word := "changes"
	if len(r.Changes) == 1 {
		word = "change"
	}
	return fmt.Sprintf("%d %s: %s", len(r.Changes), word, strings.Join(parts, ", "))
}

// groups prints bytes four at a time. Of a very long packet it prints the begin.
func groups(b []byte) string {
	const most = 96
	var s strings.Builder
	for i, x := range b[:min(len(b), most)] {
		if i > 0 && i%4 == 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%02x", x)
	}
	if len(b) > most {
		fmt.Fprintf(&s, " … %d bytes in all", len(b))
	}
	if len(b) == 0 {
		return "no bytes"
	}
	return s.String()
}

// text describes the result of a side's reader for a packet.
func (r *Reading) text(packet []byte) string {
	if r.Refused {
		return "refused: " + r.Error
	}
	text := strings.ReplaceAll(r.Value, "\n", " ")
	switch left := len(packet) - r.Used; {
	case left == 1:
		text += "; 1 byte is left over"
	case left > 1:
		text += fmt.Sprintf("; %d bytes are left over", left)
	}
	return text
}

// Heading is an effect in a line.
func (e *Effect) Heading() string {
	text := says[e.Class]
	if e.Class == Compatible && e.Rewritten != nil {
		text = "compatible: the two write it differently, and read both"
	}
	if e.Choice != "" {
		text += ", under " + e.Choice
	}
	if e.Objects {
		text += ", with gates open"
	}
	return text
}

// size says how long the packet is.
func (e *Effect) size() string {
	n := fmt.Sprintf("%d bytes", len(e.Packet))
	if len(e.Packet) == 1 {
		n = "1 byte"
	}
	if e.Shortest {
		return n + ", the fewest that can show it"
	}
	return n
}

// Lines are what there is to show of an effect: a label and a text each.
func (e *Effect) Lines() [][2]string {
	if e.Rewritten != nil {
		old := "old writes"
		lines := [][2]string{{old, groups(e.Rewritten)}, {"new writes", groups(e.Packet)}}
		if a, b := e.Old.text(e.Packet), e.New.text(e.Packet); a == b {
			return append(lines, [2]string{"for", b})
		}
		return append(lines, [2]string{"old", e.Old.text(e.Rewritten)}, [2]string{"new", e.New.text(e.Packet)})
	}
	return [][2]string{{"packet", groups(e.Packet)}, {"old", e.Old.text(e.Packet)}, {"new", e.New.text(e.Packet)}}
}

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s → %s\n%s\n", r.Old.Name, r.New.Name, r.Summary())
	for i := range r.Changes {
		c := &r.Changes[i]
		fmt.Fprintf(&b, "\n%s\n", c.Heading())
		for _, a := range c.About {
			fmt.Fprintf(&b, "    %s\n", a)
		}
		for _, l := range c.Removed {
			fmt.Fprintf(&b, "    - %s\n", l)
		}
		for _, l := range c.Added {
			fmt.Fprintf(&b, "    + %s\n", l)
		}
		if len(c.Effects) == 0 {
			fmt.Fprintf(&b, "  %s\n", c.without())
		}
		for _, e := range c.Effects {
			fmt.Fprintf(&b, "  %s (%s)\n", e.Heading(), e.size())
			for _, l := range e.Lines() {
				fmt.Fprintf(&b, "    %-10s  %s\n", l[0], l[1])
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// without says why a change has no effects.
func (c *Change) without() string {
	if c.Class == Compatible {
		return "compatible: names are not on the wire"
	}
	return says[Unseen] + ": it has no effect, or that of other changes hides it"
}

// WriteMarkdown writes the report as a changelog.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	title := func(s *SideInfo) string {
		if s.Title == "" {
			return code(s.Name)
		}
		return fmt.Sprintf("%s (%s)", code(s.Name), s.Title)
	}
	fmt.Fprintf(&b, "# Changes from %s to %s\n\nFrom %s to %s: %s.\n", r.Old.Name, r.New.Name, title(&r.Old), title(&r.New), r.Summary())
	if len(r.Changes) > 0 {
		b.WriteString("\n| What | Effect |\n| --- | --- |\n")
		for i := range r.Changes {
			c := &r.Changes[i]
			fmt.Fprintf(&b, "| %s | %s |\n", escape(c.Heading()), escape(c.effects()))
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		fmt.Fprintf(&b, "\n## %s\n", escape(c.Heading()))
		for _, a := range c.About {
			fmt.Fprintf(&b, "\n%s.\n", escape(capital(a)))
		}
		if len(c.Removed)+len(c.Added) > 0 {
			b.WriteString("\n```diff\n")
			for _, l := range c.Removed {
				b.WriteString("- " + l + "\n")
			}
			for _, l := range c.Added {
				b.WriteString("+ " + l + "\n")
			}
			b.WriteString("```\n")
		}
		if len(c.Effects) == 0 {
			fmt.Fprintf(&b, "\n%s.\n", capital(c.without()))
		}
		for _, e := range c.Effects {
			fmt.Fprintf(&b, "\n%s (%s):\n\n", capital(e.Heading()), e.size())
			for _, l := range e.Lines() {
				fmt.Fprintf(&b, "- %s: %s\n", l[0], code(l[1]))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary says how something changed and what that means, in words.
func (c *Change) Summary() string {
	if len(c.Effects) == 0 {
		return c.kinds() + "; " + c.without()
	}
	return c.kinds() + "; " + c.effects()
}

// kinds lists how something changed.
func (c *Change) kinds() string {
	var kinds []string
	for _, k := range c.Kinds {
		kinds = append(kinds, string(k))
	}
	return strings.Join(kinds, ", ")
}

// effects lists the classes of a change.
func (c *Change) effects() string {
	var parts []string
	for _, e := range c.Effects {
		text := string(e.Class)
		if e.Choice != "" {
			text += " (" + e.Choice + ")"
		}
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if parts == nil {
		return string(c.Class)
	}
	return strings.Join(parts, "; ")
}

// code returns text as a code span of Markdown.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// escape returns text as text of Markdown.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "|", "\\|").Replace(text)
}

// capital begins a sentence.
func capital(text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return text
	}
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
