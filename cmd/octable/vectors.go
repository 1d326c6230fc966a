package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/generate"
	"github.com/octable/octable/conformance/vectors/suites"
)

const vectorsLong = `Vectors makes conformance vectors from schemas: packets and values, with the
result that an implementation of the format must give for each. They are plain
JSON, described in the README that "octable vectors copy" puts beside them.

A case is included if it reaches a point of the schema that no smaller case
reaches, if it detects a common mistake, or if it is the smallest case of its
type or row. Two measures are printed for each schema: the number of points of
its program that the cases reach, in both directions, and the number of mutants
that they detect. With -v each undetected mutant is listed, with the reason why
no case can detect it.

Without -spec vectors are made for all schemas of octable, and of packets that
versions of the format read differently. With -o they are written to a folder,
with a manifest; without it only the measures are printed.`

type vectorsCommand struct {
	*env
	target
	out     string
	json    bool
	verbose bool
	check   bool
}

func (e *env) vectorsCommand() *cobra.Command {
	c := &vectorsCommand{env: e}
	cmd := &cobra.Command{
		Use:   "vectors [FLAG…] [-o DIR]",
		Short: "Make conformance vectors from schemas, and measure them",
		Long:  vectorsLong,
		Example: `octable vectors copy testdata/octable
octable vectors -spec my-format.oct -o vectors
octable vectors -spec godot-4.4 -v`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fail(exitUsage, "%s takes no argument such as %q, but copy; a folder is given by -o, a schema by -spec", cmd.CommandPath(), args[0])
			}
			return c.run(cmd.Flags().Changed("spec") || cmd.Flags().Changed("precision"))
		},
	}
	c.target.flags(cmd)
	cmd.Flags().Lookup("spec").DefValue = "" // all of them
	cmd.Flags().StringVar(&c.out, "o", "", "write the files into the folder `DIR`")
	cmd.Flags().BoolVar(&c.json, "json", false, "print the measures as JSON")
	cmd.Flags().BoolVar(&c.verbose, "v", false, "list what is not reached and not noticed, and why")
	cmd.Flags().BoolVar(&c.check, "check", false, "write nothing; the exit status is 1 if a file in the folder of -o would change")
	cmd.AddCommand(e.vectorsCopyCommand())
	return cmd
}

func (e *env) vectorsCopyCommand() *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "copy [FLAG…] DIR",
		Short: "Put the vectors that octable has into a folder",
		Long: `Copy writes the vectors that octable was built with into a folder, for projects
that want to have them beside their own tests: a file for each schema, one of
packets that versions read differently, a manifest with hashes, the JSON schema
of the files, and a README that says how to use them.

A folder that holds other files of these names is left alone, and an error, but
for an older set of vectors; with -force they are overwritten.`,
		Example: "octable vectors copy testdata/octable",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fail(exitUsage, "%s takes one folder", cmd.CommandPath())
			}
			files, err := suites.Files()
			if err != nil {
				return err
			}
			if !force {
				if err := foreign(args[0], slices.Collect(maps.Keys(files))); err != nil {
					return err
				}
			}
			if err := writeFiles(args[0], files); err != nil {
				return err
			}
			fmt.Fprintf(e.stdout, "%d files in %s; start with %s\n", len(files), args[0], filepath.Join(args[0], "README.md"))
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite files that are something else")
	return cmd
}

// foreign returns an error if a file is in the way that does not belong to a set of vectors.
func foreign(dir string, names []string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fail(exitUsage, "%s is a file; give a folder", dir)
	}
	if text, err := os.ReadFile(filepath.Join(dir, vectors.ManifestName)); err == nil {
		if m, err := vectors.ParseManifest(text); err == nil && m.Format > 0 {
			return nil // an older set, which is replaced
		}
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return fail(exitUsage, "%s is there and is no file of a set of vectors; give another folder", filepath.Join(dir, name))
		}
	}
	return nil
}

// writeFiles writes files into a folder, which is created if it does not exist.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// measured is what is printed of one suite.
type measured struct {
	Spec      string     `json:"spec"`
	Cases     int        `json:"cases"`
	Points    int        `json:"points"`  // that can be reached
	Reached   int        `json:"reached"` // of those
	Never     int        `json:"neverReached"`
	Missing   []string   `json:"missing,omitempty"`
	Mutants   int        `json:"mutants"` // that can be told, as far as is known
	Told      int        `json:"told"`
	Survivors []survivor `json:"survivors"`
}

type survivor struct {
	ID     string `json:"id"`
	Class  string `json:"class"`
	About  string `json:"about"`
	Reason string `json:"reason,omitempty"` // why it is equivalent; none where that is not proven
}

func (c *vectorsCommand) run(one bool) error {
	if c.check && c.out == "" {
		return fail(exitUsage, "-check compares files; give their folder with -o")
	}
	if c.out != "" && !c.check {
		names := []string{vectors.ManifestName, vectors.CrossName}
		for _, name := range codec.Schemas() {
			names = append(names, name+".json")
		}
		if err := foreign(c.out, names); err != nil {
			return err
		}
	}
	var suites []*vectors.Suite
	var cross *vectors.CrossFile
	var all []measured
	note := func(s *vectors.Suite, by *codec.Codec) error {
		suites = append(suites, s)
		if c.check {
			return nil
		}
		m, err := c.measure(s, by)
		if err != nil {
			return err
		}
		all = append(all, m)
		if !c.json {
			c.print(&m)
		}
		return nil
	}
	if one {
		if err := c.load(); err != nil {
			return err
		}
		c.explain()
		s, err := c.suite()
		if err != nil {
			return err
		}
		if err := note(s, c.codec); err != nil {
			return err
		}
	} else {
		byName := map[string]*vectors.Suite{}
		for _, name := range codec.Schemas() {
			s, by, err := generate.ForSpec(name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			byName[name] = s
			if err := note(s, by); err != nil {
				return err
			}
		}
		var err error
		if cross, err = generate.CrossFile(byName); err != nil {
			return err
		}
		if !c.json && !c.check {
			fmt.Fprintf(c.stdout, "%-22s %5d packets that versions read differently\n", vectors.CrossName, len(cross.Cases))
		}
	}
	if c.json {
		if err := c.writeJSON(all); err != nil {
			return err
		}
	}
	if c.out == "" {
		return nil
	}
	files := generate.Set(suites, cross)
	if one {
		if err := c.withOld(files); err != nil {
			return err
		}
	}
	if c.check {
		return c.compare(files)
	}
	if cross != nil {
		if err := c.removeOld(files); err != nil {
			return err
		}
	}
	return writeFiles(c.out, files)
}

// suite makes the vectors of the schema that is chosen.
func (c *vectorsCommand) suite() (*vectors.Suite, error) {
	choice := c.program.Choice
	var errata generate.Errata
	if c.schema != nil {
		about, err := loadPage(c.schema, c.name)
		if err != nil {
			return nil, err
		}
		errata = generate.ErrataOf(about)
		if choice == c.schema.Choices()[0] {
			choice = ""
		}
	}
	s, err := generate.Suite(choice, c.codec, errata, c.examples())
	if err != nil {
		return nil, fail(exitRefused, "there can be no vectors of %s: %v", c.name, err)
	}
	if s.FileName() != filepath.Base(s.FileName()) {
		return nil, fail(exitUsage, "the id %q of the schema is no name for a file; give it one of letters, digits, - and .", s.Schema)
	}
	return s, nil
}

// old returns the files of an older set, or none if there is no such set.
func (c *vectorsCommand) old() []vectors.File {
	text, err := os.ReadFile(filepath.Join(c.out, vectors.ManifestName))
	if err != nil {
		return nil
	}
	m, err := vectors.ParseManifest(text)
	if err != nil {
		return nil
	}
	return m.Files
}

// withOld keeps the files of an older set in the manifest, where vectors of one schema
// are put beside others.
func (c *vectorsCommand) withOld(files map[string][]byte) error {
	old := c.old()
	if len(old) == 0 {
		return nil
	}
	m, err := vectors.ParseManifest(files[vectors.ManifestName])
	if err != nil {
		return err
	}
	for _, f := range old {
		text, err := os.ReadFile(filepath.Join(c.out, filepath.Base(f.Name)))
		if files[f.Name] == nil && err == nil && vectors.Digest(text) == f.SHA256 {
			m.Files = append(m.Files, f)
		}
	}
	slices.SortFunc(m.Files, func(a, b vectors.File) int { return cmp.Compare(a.Name, b.Name) })
	files[vectors.ManifestName] = m.Marshal()
	return nil
}

// removeOld removes files of an older set that are in no set any more.
func (c *vectorsCommand) removeOld(files map[string][]byte) error {
	for _, f := range c.old() {
		if files[f.Name] == nil && f.Name == filepath.Base(f.Name) {
			if err := os.Remove(filepath.Join(c.out, f.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

func (c *vectorsCommand) compare(files map[string][]byte) error {
	var stale []string
	for name, text := range files {
		if old, err := os.ReadFile(filepath.Join(c.out, name)); err != nil || !bytes.Equal(old, text) {
			stale = append(stale, filepath.Join(c.out, name))
		}
	}
	if stale == nil {
		return nil
	}
	slices.Sort(stale)
	for _, name := range stale {
		fmt.Fprintf(c.stdout, "%s is stale\n", name)
	}
	return refused()
}

func (c *vectorsCommand) measure(s *vectors.Suite, by *codec.Codec) (measured, error) {
	m, err := generate.MeasureOf(s, by)
	if err != nil {
		return measured{}, err
	}
	out := measured{Spec: s.Spec(), Cases: len(s.Cases), Points: len(m.Cover.Reached) + len(m.Cover.Missing), Reached: len(m.Cover.Reached),
		Never: len(m.Cover.Excluded), Mutants: m.Told + len(m.Open()), Told: m.Told, Survivors: []survivor{}}
	for _, p := range m.Cover.Missing {
		out.Missing = append(out.Missing, p.ID)
	}
	for _, x := range m.Survivors {
		out.Survivors = append(out.Survivors, survivor{x.ID, x.Class, x.About, x.Reason})
	}
	return out, nil
}

func (c *vectorsCommand) print(m *measured) {
	fmt.Fprintf(c.stdout, "%-22s %5d cases  %4d of %4d points reached  %4d of %4d mutants noticed, %d equivalent\n",
		m.Spec, m.Cases, m.Reached, m.Points, m.Told, m.Mutants, len(m.Survivors)-(m.Mutants-m.Told))
	if !c.verbose {
		return
	}
	for _, id := range m.Missing {
		fmt.Fprintf(c.stdout, "  not reached  %s\n", id)
	}
	for _, s := range m.Survivors {
		reason := s.Reason
		if reason == "" {
			reason = "not proven to be equivalent"
		}
		fmt.Fprintf(c.stdout, "  not noticed  %s: %s\n               %s\n", s.ID, s.About, reason)
	}
}
