package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// The exit statuses.
const (
	exitOK      = 0
	exitRefused = 1 // bytes or text refused, a check that does not hold
	exitUsage   = 2 // the command line
	exitSchema  = 3 // errors in a schema
	exitIO      = 4 // a file that cannot be read or written
	exitBug     = 5 // a mistake of the command itself
)

// failure is an error with an exit status. The text may be empty when everything has
// been said.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fail returns an error for an exit status.
func fail(code int, format string, args ...any) error {
	return &failure{code, fmt.Errorf(format, args...)}
}

// errSaid ends a command whose output has said what is wrong.
var errSaid = errors.New("")

// refused ends a command with exitRefused without another word.
func refused() error { return &failure{exitRefused, errSaid} }

// env is what a command has of the world.
type env struct {
	stdin  io.Reader
	stdout *bufio.Writer // run flushes it
	stderr io.Writer
	file   *os.File // the output, if it is a file
	color  string   // the flag -color
}

// run runs the command and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	out := bufio.NewWriterSize(stdout, 64<<10)
	e := &env{stdin: stdin, stdout: out, stderr: stderr}
	e.file, _ = stdout.(*os.File)
	defer func() {
		if r := recover(); r != nil {
			_ = out.Flush()
			fmt.Fprintf(stderr, "octable: internal error; please report it together with the command line: %v\n", r)
			if os.Getenv("OCTABLE_STACK") != "" {
				_, _ = stderr.Write(debug.Stack())
			}
			code = exitBug
		}
	}()
	root := e.root()
	err := e.execute(root, args)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return e.report(err)
}

func (e *env) execute(root *cobra.Command, args []string) error {
	typed := ""
	if len(args) > 0 {
		typed = args[len(args)-1]
	}
	args, err := oneDash(root, args)
	if err != nil {
		return err
	}
	root.SetArgs(args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	if len(args) > 0 && strings.HasPrefix(args[0], "__complete") {
		// Notes for those who write completions are of no use to others.
		root.SetErr(io.Discard)
		switch {
		case strings.HasPrefix(typed, "--"):
			return e.completeFlags(root, "--")
		case strings.HasPrefix(typed, "-"):
			return e.completeFlags(root, "-")
		}
	}
	return root.Execute()
}

// report prints an error and returns the exit status that it means.
func (e *env) report(err error) int {
	code := exitCode(err)
	switch {
	case err == nil || errors.Is(err, errSaid):
	case errors.Is(err, syscall.EPIPE): // whoever read the output has enough
	case code == exitSchema:
		fmt.Fprintln(e.stderr, err)
	default:
		fmt.Fprintf(e.stderr, "octable: %s\n", sentence(err))
	}
	return code
}

func exitCode(err error) int {
	var (
		f     *failure
		diags dsl.Diagnostics
		input *interp.Error
		text  *codec.TextError
		path  *fs.PathError
		bad   *bytecode.VerifyError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.code
	case errors.As(err, &diags), errors.As(err, &bad):
		return exitSchema
	case errors.As(err, &input), errors.As(err, &text):
		return exitRefused
	case errors.As(err, &path), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrShortWrite):
		return exitIO
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return exitIO
	}
	return exitUsage
}

// sentence puts errors of the system into words.
func sentence(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && err.Error() == path.Error() {
		verb := map[string]string{"open": "open", "read": "read", "write": "write"}[path.Op]
		if verb == "" {
			verb = path.Op
		}
		return fmt.Sprintf("cannot %s %s: %v", verb, path.Path, path.Err)
	}
	return message(err)
}

// message returns the text of an error without the name of its package, which is for programmers.
func message(err error) string { return strings.Replace(err.Error(), "codec: ", "", 1) }

// further are the commands that a build tag adds; see man.go.
var further []func(*env) *cobra.Command

// root returns the command with all its subcommands.
func (e *env) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "octable",
		Short:         "Binary packets by their schemas: read, write, show and check them.",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fail(exitUsage, "there is no command %q%s; see: octable help", args[0], meant(args[0], commandNames(cmd), ""))
			}
			return cmd.Help()
		},
	}
	root.PersistentFlags().StringVar(&e.color, "color", "auto", "use colour `WHEN`: always, never, or auto for a terminal, unless NO_COLOR is set")
	_ = root.RegisterFlagCompletionFunc("color", words("auto", "always", "never"))
	root.AddCommand(
		e.decodeCommand(), e.encodeCommand(), e.editCommand(), e.printed(e.inspectCommand()), e.viewCommand(), e.pictureCommand(), e.printed(e.specsCommand(), "json"),
		e.talkCommand(), e.debugCommand(),
		e.checkCommand(), e.fmtCommand(), e.grammarCommand(), e.lspCommand(), e.printed(e.programCommand()), e.compileCommand(),
		e.printed(e.errataCommand(), "json"), e.printed(e.auditCommand(), "json"), e.draftCommand(), e.fuzzCommand(), e.vectorsCommand(), e.conformCommand(), e.serveCommand(), e.genCommand(), e.exportCommand(), e.printed(e.diffCommand(), "json", "markdown"), e.printed(e.whichCommand(), "json"), e.docsCommand(),
		e.asmCommand(), e.disasmCommand(), e.stepCommand(),
	)
	for _, command := range further {
		root.AddCommand(command(e))
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	root.SetUsageFunc(func(cmd *cobra.Command) error { writeHelp(cmd.ErrOrStderr(), cmd); return nil })
	setVersion(root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Short = "Print a script by which a shell completes command lines"
			c.Long = completionLong
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, args []string) error {
				if len(args) > 0 {
					return fail(exitUsage, "there is no completion for %q, but for bash, fish, powershell and zsh", args[0])
				}
				return c.Help()
			}
			for _, shell := range c.Commands() {
				shell.Long = completionLong
				shell.Short = "Print the script for " + shell.Name()
			}
		case "help":
			c.Short = "Print help about a command"
			c.Long = "Help prints the description of a command, its flags and examples."
			c.RunE = func(_ *cobra.Command, args []string) error { return help(root, args) }
			c.Run = nil
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	return root
}

func help(root *cobra.Command, args []string) error {
	cmd, _, err := root.Find(args)
	if err != nil || cmd == root && len(args) > 0 {
		return fail(exitUsage, "there is no command %q%s; see: octable help", args[0], meant(args[0], commandNames(root), ""))
	}
	return cmd.Help()
}

// meant returns "; did you mean …?" where a word is close to one of others.
func meant(word string, others []string, dash string) string {
	if near := builtin.Nearest(word, others); near != "" {
		return fmt.Sprintf("; did you mean %s%s?", dash, near)
	}
	return ""
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Root().Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
