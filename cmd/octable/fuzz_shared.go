package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/corpus"
	"github.com/octable/octable/fuzz/differential"
)

// sharing is the folder of packets of a run, and the workers that share it.
type sharing struct {
	c   *fuzzCommand
	dir string // "" if nothing is shared

	mu      sync.Mutex
	folders []*corpus.Folder
	err     error // the first of writing a report
}

// share returns the sharing of a run. Workers without a folder of the user share a temporary one, which done removes.
func (c *fuzzCommand) share() (s *sharing, done func(), err error) {
	s = &sharing{c: c, dir: c.corpus}
	if s.dir != "" || c.workers == 1 {
		return s, func() {}, nil
	}
	if s.dir, err = os.MkdirTemp("", "octable-fuzz-"); err != nil {
		return nil, nil, err
	}
	return s, func() { _ = os.RemoveAll(s.dir) }, nil
}

// exchange returns one end of the exchange of packets, or nil if nothing is shared.
func (s *sharing) exchange() (inputs.Exchange, error) {
	if s.dir == "" {
		return nil, nil
	}
	f, err := corpus.Open(s.dir, s.c.spec(), raw.Machine(s.c.codec))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, f)
	return f, nil
}

// report notes the error of writing a report, if the user wants reports to be kept.
func (s *sharing) report(write func(dir string) error) {
	if s.c.corpus == "" {
		return
	}
	err := write(s.c.corpus)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// broken keeps the input that shows that a law does not hold.
func (s *sharing) broken(v *fuzz.Counterexample) {
	s.report(func(dir string) error {
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		input, err := hex.DecodeString(v.Packet)
		if err != nil || len(input) == 0 {
			input = []byte(v.Value)
		}
		id := v.Law
		if v.Objects {
			id += " with objects"
		}
		return corpus.Keep(s.brokenDir(dir), id, len(input), input, append(text, '\n'))
	})
}

func (s *sharing) brokenDir(dir string) string { return filepath.Join(dir, s.c.spec(), "broken") }

// seeds returns the packets of the findings and of the broken laws in the user's folder.
func (s *sharing) seeds() ([][]byte, error) {
	if s.c.corpus == "" {
		return nil, nil
	}
	all, err := differential.Packets(s.c.corpus, s.c.spec())
	if err != nil {
		return nil, err
	}
	laws, err := s.laws(s.c.corpus)
	for _, v := range laws {
		if b, err := hex.DecodeString(v.Packet); err == nil && len(b) > 0 {
			all = append(all, b)
		}
	}
	return all, err
}

// laws returns the reports of broken laws in a folder.
func (s *sharing) laws(dir string) (all []*fuzz.Counterexample, err error) {
	err = corpus.Reports(s.brokenDir(dir), func(path string, text []byte) error {
		v := new(fuzz.Counterexample)
		if err := json.Unmarshal(text, v); err != nil || v.Law == "" {
			return fail(exitRefused, "%s is not a report of a broken law; remove it", path)
		}
		all = append(all, v)
		return nil
	})
	return all, err
}

// close writes what waits to be written, and removes packets from the user's folder that add nothing.
func (s *sharing) close() error {
	err := s.err
	for _, f := range s.folders {
		err = errors.Join(err, f.Close())
	}
	if err != nil || s.c.corpus == "" || len(s.folders) == 0 {
		return err
	}
	_, _, err = s.folders[0].Minimise()
	return err
}

// crowd calls f for each worker, side by side, and returns the results and the first error.
func crowd[T any](workers int, f func(worker int) (T, error)) ([]T, error) {
	all, errs := make([]T, workers), make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() { all[i], errs[i] = f(i) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// each returns the part of a limit on inputs that one worker has; 0 is no limit.
func (c *fuzzCommand) each() int { return (c.inputs + c.workers - 1) / c.workers }

const fuzzMergeLong = `Merge puts the packets and findings of other folders into a folder that
"octable fuzz -corpus" shares, and removes from it the packets of the schema
that add nothing. The other folders are of "octable fuzz", of libFuzzer or of
AFL++: each file that is not hidden and not named *.json is a packet.

Workers may use the folder meanwhile, and others may merge: a packet is removed
only if shorter ones in the folder reach all that it reaches.`

func (e *env) fuzzMergeCommand() *cobra.Command {
	c := &fuzzCommand{env: e}
	cmd := &cobra.Command{
		Use:   "merge [FLAG…] DIR [FROM…]",
		Short: "Merge folders of packets, and remove those that add nothing",
		Long:  fuzzMergeLong,
		Example: `octable fuzz merge -spec godot-4.4 shared
octable fuzz merge -spec godot-4.4 shared other-machine libfuzzer-corpus`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fail(exitUsage, "%s needs the folder to merge into; folders to merge from may follow", cmd.CommandPath())
			}
			return c.merge(args[0], args[1:])
		},
	}
	c.target.flags(cmd)
	return cmd
}

func (c *fuzzCommand) merge(dir string, from []string) error {
	if err := c.load(); err != nil {
		return err
	}
	c.corpus = dir
	s := &sharing{c: c}
	f, err := corpus.Open(dir, c.spec(), raw.Machine(c.codec))
	if err != nil {
		return err
	}
	f.Take() // so that only packets that add something are given
	for _, other := range from {
		n, err := f.Import(other)
		if err != nil {
			return err
		}
		findings, err := differential.Load(other)
		if err != nil {
			return err
		}
		for _, finding := range findings {
			s.report(func(dir string) error { return differential.Save(dir, finding) })
		}
		laws, err := s.laws(other)
		if err != nil {
			return err
		}
		for _, v := range laws {
			s.broken(v)
		}
		fmt.Fprintf(c.stdout, "%s: %s, %s\n", other, count(n, "file", "files"), count(len(findings)+len(laws), "finding", "findings"))
	}
	stay, removed, err := f.Minimise()
	if err = errors.Join(err, f.Close(), s.err); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %s, %d removed\n", f.Dir(), count(len(stay), "packet", "packets"), removed)
	return nil
}
