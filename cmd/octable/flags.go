package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// oneDash rewrites a command line in the form that the library reads: flags first, with two
// dashes. Long flags may have one dash or two and be before or after other arguments. An
// argument such as -5 is not a flag.
func oneDash(root *cobra.Command, args []string) ([]string, error) {
	at := 0
	completing := len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	if completing {
		at = 1
	}
	flags, rest, cmd, dashes := args[:at:at], []string(nil), root, false
	var given []string
	for i := at; i < len(args); i++ {
		arg := args[i]
		last := completing && i == len(args)-1
		switch {
		case last:
			rest = append(rest, strings.Replace(arg, "-", "--", btoi(isFlag(arg) && !strings.HasPrefix(arg, "--"))))
		case arg == "--":
			dashes = true
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case !isFlag(arg):
			if c := child(cmd, arg); c != nil && len(rest) == 0 {
				cmd = c
				given = append(given, arg)
				continue
			}
			rest = append(rest, arg)
		default:
			name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if name == "h" {
				name = "help"
			}
			f := lookup(cmd, name)
			if f == nil && name != "help" {
				if completing {
					continue
				}
				if name == "spec" && strings.Contains(cmd.Use, "ID|FILE") {
					return nil, fail(exitUsage, "%s has no flag -spec, as the schema is an argument: octable %s", cmd.CommandPath(), cmd.Use)
				}
				return nil, fail(exitUsage, "%s has no flag -%s%s; see: %s", cmd.CommandPath(), name, meant(name, flagNames(cmd), "-"), helpLine(cmd))
			}
			flag := "--" + name
			if f != nil && !hasValue && f.NoOptDefVal == "" {
				if i+1 >= len(args) || completing && i+1 == len(args)-1 {
					if completing {
						flags = append(flags, flag)
						continue
					}
					return nil, fail(exitUsage, "-%s of %s needs a value: -%s %s", name, cmd.CommandPath(), name, valueName(f))
				}
				i++
				value, hasValue = args[i], true
			}
			if hasValue {
				flag += "=" + value
			}
			flags = append(flags, flag)
		}
	}
	out := append(slices.Clone(args[:at]), given...)
	if completing {
		// The word to complete stays last, after the flag whose value it may be.
		return append(append(out, flags[at:]...), rest...), nil
	}
	out = append(out, flags...)
	if len(rest) > 0 {
		if cmd == root || cmd.HasSubCommands() && !dashes || cmd.Name() == "help" {
			return append(out, rest...), nil
		}
		out = append(append(out, "--"), rest...)
	}
	return out, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isFlag reports whether an argument is a flag: not "-", and not a number.
func isFlag(arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	c := strings.TrimPrefix(arg, "-")[0]
	return (c < '0' || c > '9') && c != '.'
}

func child(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

func lookup(cmd *cobra.Command, name string) *pflag.Flag {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f
	}
	if f := cmd.PersistentFlags().Lookup(name); f != nil {
		return f
	}
	return cmd.InheritedFlags().Lookup(name)
}

func flagNames(cmd *cobra.Command) []string {
	names := []string{"help"}
	visit := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.LocalFlags().VisitAll(visit)
	cmd.InheritedFlags().VisitAll(visit)
	return names
}

func helpLine(cmd *cobra.Command) string {
	return strings.TrimSpace("octable help " + strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "octable"), " "))
}

// valueName is the name of a flag's value in help, such as FILE.
func valueName(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// flagError puts the library's errors into the words of this command.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f := value.GetFlag()
		what := "it takes " + valueName(f)
		switch f.Value.Type() {
		case "int":
			what = "it takes a whole number"
		case "bool":
			what = "it takes true or false, or nothing"
		case "duration":
			what = "it takes a time such as 500ms or 2s"
		}
		var choice *choiceError
		if errors.As(err, &choice) {
			what = choice.Error()
		}
		return fail(exitUsage, "%q is no value for -%s; %s", value.GetValue(), f.Name, what)
	}
	return fail(exitUsage, "%s; see: %s", strings.ReplaceAll(err.Error(), "--", "-"), helpLine(cmd))
}

// choice is a flag that is one of some words.
type choice struct {
	word  *string
	words []string
}

type choiceError struct{ words []string }

func (e *choiceError) Error() string { return "it is one of " + strings.Join(e.words, ", ") }

func (c *choice) String() string {
	if c.word == nil {
		return ""
	}
	return *c.word
}

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return &choiceError{c.words}
	}
	*c.word = s
	return nil
}

func (c *choice) Type() string { return "word" }

// choose declares a flag that is one of the words of all. Its default is value,
// which may be "".
func choose(cmd *cobra.Command, word *string, name, usage, value string, all ...string) *pflag.Flag {
	*word = value
	f := cmd.Flags().VarPF(&choice{word, all}, name, "", usage)
	_ = cmd.RegisterFlagCompletionFunc(name, words(all...))
	return f
}

// formByName sets the flag -format to the form of files whose names end like that of the output. A flag that was given
// is not changed.
func formByName(cmd *cobra.Command, form *string, out string, ends map[string]string) {
	if f, ok := ends[strings.ToLower(filepath.Ext(out))]; ok && !cmd.Flags().Changed("format") {
		*form = f
	}
}

// words completes an argument with one of some words.
func words(all ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return beginning(all, word), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags completes a flag with flags that have as many dashes as were typed.
// Shells compare the completions with the typed text.
func (e *env) completeFlags(root *cobra.Command, dash string) error {
	var b bytes.Buffer
	root.SetOut(&b)
	err := root.Execute()
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "-h\t") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "--"); ok {
			line = dash + strings.ReplaceAll(rest, "`", "")
		}
		if _, err := e.stdout.WriteString(line); err != nil {
			return err
		}
	}
	return err
}

// writeHelp prints help about a command, in lines of at most 79 columns.
func writeHelp(w io.Writer, cmd *cobra.Command) {
	var b strings.Builder
	use := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Use, " ") {
		use = cmd.CommandPath() + " COMMAND [FLAG…] [ARGUMENT…]"
	}
	fmt.Fprintf(&b, "Usage: %s\n\n", use)
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	b.WriteString(wrap(text, 79, "") + "\n")
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				b.WriteString(entry(c.Name(), c.Short, 14))
			}
		}
	}
	flags := func(title string, fs *pflag.FlagSet) {
		begun := false
		fs.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			if !begun {
				fmt.Fprintf(&b, "\n%s:\n", title)
				begun = true
			}
			name, usage := pflag.UnquoteUsage(f)
			head := "-" + f.Name
			if f.Value.Type() != "bool" {
				if f.NoOptDefVal != "" {
					head += "[=" + name + "]"
				} else {
					head += " " + name
				}
			}
			if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "-1" && d != "[]" {
				usage += " (default " + d + ")"
			}
			b.WriteString(entry(head, strings.ReplaceAll(usage, "\n", " "), 21))
		})
	}
	flags("Flags", cmd.LocalFlags())
	flags("Flags of all commands", cmd.InheritedFlags())
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(strings.TrimSpace(cmd.Example)) {
			b.WriteString("  " + strings.TrimSpace(line) + "\n")
		}
	}
	if !cmd.HasParent() {
		b.WriteString("\n" + wrap(rootEnd, 79, "") + "\n")
	}
	_, _ = io.WriteString(w, b.String())
}

// entry prints a name and what it means, from a column on.
func entry(name, text string, column int) string {
	indent := strings.Repeat(" ", column)
	body := wrap(text, 79, indent)
	if len([]rune(name))+3 > column {
		return "  " + name + "\n" + body + "\n"
	}
	return "  " + name + strings.Repeat(" ", column-2-len([]rune(name))) + strings.TrimPrefix(body, indent) + "\n"
}

// wrap breaks paragraphs into lines of at most width columns. Lines that begin
// with a space are left as they are.
func wrap(text string, width int, indent string) string {
	var out []string
	line := ""
	flush := func() {
		if line != "" {
			out = append(out, indent+line)
			line = ""
		}
	}
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if l == "" || l[0] == ' ' {
			flush()
			out = append(out, strings.TrimRight(indent+l, " "))
			continue
		}
		for _, word := range strings.Fields(l) {
			if line != "" && len([]rune(indent+line))+1+len([]rune(word)) > width {
				flush()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
	}
	flush()
	return strings.Join(out, "\n")
}
