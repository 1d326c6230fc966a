package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/octable/octable/cmd/octable/internal/view"
	"github.com/octable/octable/compile"
)

const viewLong = `View opens a page in the browser that shows packets: the bytes, the tree of
values, the rows of the schema and the document beside each other. A selection in
one is a selection in all. Values and bytes can be edited.

The page is served on the loopback interface until the command is interrupted. Its
address has a random token; other pages and machines cannot reach it. Without
-spec the schema is the one that "octable which" proposes. For encrypted files the
page asks for the password or the key, unless -pass or -key give it.

With -build, view writes the page into a folder instead, with the codec as
WebAssembly, and needs the Go toolchain for it. Any web server can publish the
folder; the packets stay in the browser.`

type viewCommand struct {
	*env
	secret
	listen, build, spec string
	quiet, work         bool
	time                time.Duration
}

func (e *env) viewCommand() *cobra.Command {
	c := &viewCommand{env: e}
	cmd := &cobra.Command{
		Use:   "view [FLAG…] [FILE|DIGITS…]",
		Short: "Show packets in the browser",
		Long:  viewLong,
		Example: `octable view save.dat
octable view -spec dns -no-open query.bin
octable view -build public`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.Flags().StringVar(&c.spec, "spec", "", specHelp)
	_ = cmd.RegisterFlagCompletionFunc("spec", completeSpec)
	cmd.Flags().StringVar(&c.listen, "listen", "127.0.0.1:0", "serve the page at the loopback `ADDRESS`; port 0 is any free one")
	cmd.Flags().StringVar(&c.build, "build", "", "write the page with the codec as WebAssembly into `FOLDER`, and serve nothing")
	c.secret.flags(cmd)
	cmd.Flags().DurationVar(&c.time, "call-time", view.CallTime, "end what the page asks for if it takes longer than `DURATION`")
	cmd.Flags().BoolVar(&c.work, "work", false, "answer the calls of a server from standard input")
	_ = cmd.Flags().MarkHidden("work")
	cmd.Flags().BoolVar(&c.quiet, "no-open", false, "print the address of the page, and open no browser")
	return cmd
}

func (c *viewCommand) run(cmd *cobra.Command, args []string) error {
	if c.work {
		return view.Work(os.Stdin, os.Stdout)
	}
	if c.time < time.Second {
		return fail(exitUsage, "-call-time %v is less than a second", c.time)
	}
	if c.build != "" {
		if len(args) > 0 {
			return fail(exitUsage, "-build goes without files; the page opens them in the browser")
		}
		if err := view.Build(cmd.Context(), c.build); err != nil {
			return fail(exitIO, "%v", err)
		}
		return nil
	}
	start, spec := view.StartParams{}, c.spec
	switch {
	case isProgram(spec):
		return fail(exitUsage, "view shows the rows of a schema, which %s does not have; give the .oct file", spec)
	case compile.IsPath(spec):
		text, err := os.ReadFile(spec)
		if err != nil {
			return err
		}
		start.Text, start.Beside, spec = string(text), besides(spec), ""
	case spec != "":
		if err := known(spec); err != nil {
			return err
		}
	}
	key, err := c.secret.bytes()
	if err != nil {
		return err
	}
	if len(args) > 0 {
		err := (&input{form: "auto"}).each(c.env, args, func(p packet, _ bool) error {
			start.Files = append(start.Files, view.OpenParams{Name: filepath.Base(p.name), Data: p.bytes, Schema: spec, Key: hex.EncodeToString(key)})
			return nil
		})
		if err != nil {
			return err
		}
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	s, err := view.Listen(view.Config{Address: c.listen, Start: start, CallTime: c.time, Command: []string{own, "view", "-work"}})
	if err != nil {
		return fail(exitUsage, "-listen: %v", err)
	}
	fmt.Fprintln(c.stdout, s.Address())
	if err := c.stdout.Flush(); err != nil {
		return err
	}
	if !c.quiet {
		if err := browse(s.Address()); err != nil {
			fmt.Fprintf(c.stderr, "octable: no browser could be opened (%v); open the address above\n", err)
		}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	return s.Serve(ctx)
}

// mostBesides is the most schemas that are read beside one with a mistake.
const mostBesides = 64

// besides returns the schemas beside a file that it extends. If the file has a mistake, these are all in its folder.
func besides(file string) []view.TextFile {
	out := []view.TextFile{}
	if s, err := compile.LoadFile(file); err == nil {
		for _, f := range s.Files()[1:] {
			if id := strings.TrimSuffix(filepath.Base(f.Name), ".oct"); filepath.Dir(f.Name) == filepath.Dir(file) {
				out = append(out, view.TextFile{ID: id, Text: f.Source})
			}
		}
		return out
	}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.oct"))
	for _, name := range names[:min(len(names), mostBesides)] {
		if text, err := os.ReadFile(name); err == nil && filepath.Base(name) != filepath.Base(file) {
			out = append(out, view.TextFile{ID: strings.TrimSuffix(filepath.Base(name), ".oct"), Text: string(text)})
		}
	}
	return out
}

// browse opens an address in the browser of the user.
func browse(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
