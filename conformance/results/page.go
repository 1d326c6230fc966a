// The pages made of files of results.

package results

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
)

// Names of the pages.
const (
	ReadmeName = "README.md"
	HTMLName   = "index.html"
)

// Pages returns the pages that show the files of a folder: as text, and for a browser. A
// finding that a result no longer shows is an error, as are files about other vectors.
func Pages(dir string) (readme, html []byte, err error) {
	loaded := map[string]*vectors.Suite{}
	var runs []*runner.Run
	links := map[*runner.Run]string{}
	how := map[string]string{}
	var machines []string
	for i := range All {
		impl := &All[i]
		f, err := ReadFile(filepath.Join(dir, impl.Name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		s := loaded[f.Spec]
		if s == nil {
			if s, err = suites.Load(f.Spec); err != nil {
				return nil, nil, err
			}
			loaded[f.Spec] = s
		}
		run, err := f.Run(s)
		if err != nil {
			return nil, nil, err
		}
		told, err := findings(impl, run)
		if err != nil {
			return nil, nil, err
		}
		how[f.About.Name] = strings.TrimSpace(how[f.About.Name] + "\n\n" + impl.How + told)
		links[run] = impl.Name + ".json"
		runs = append(runs, run)
		if !slices.Contains(machines, f.Machine) {
			machines = append(machines, f.Machine)
		}
	}
	if len(runs) == 0 {
		return nil, nil, fmt.Errorf("%s has no files of results", dir)
	}
	about := []string{
		"Results of the [conformance suite](../README.md) against this project's codec, the engines themselves, and packages of" +
			" the npm registry. The command above each list of findings repeats them, with what `.ci/engines` and `.ci/packages` install;" +
			" `go run ./conformance/results/update` writes this folder anew.",
		"The machine: " + strings.Join(machines, "; ") + ".",
		"Engines are driven by scripts, which cannot create or show every value: such cases are counted as unsupported." +
			" [expected](expected) has the reason for each difference between an engine and its schema.",
	}
	var b bytes.Buffer
	if err := report.Page(&b, runs, report.PageOptions{Title: "Results", About: about, Origin: how, Causes: 6, Link: func(r *runner.Run) string {
		if r == nil {
			return HTMLName
		}
		return links[r]
	}}); err != nil {
		return nil, nil, err
	}
	readme = bytes.Clone(b.Bytes())
	b.Reset()
	err = report.HTML(&b, runs, report.HTMLOptions{Title: "Conformance of codecs for Godot's binary format", About: []string{
		"Made of the files beside this page; README.md says how they were obtained.", "The machine: " + strings.Join(machines, "; ") + "."}})
	return readme, b.Bytes(), err
}

// findings is what is found, in Markdown, each with the packet of its case.
func findings(impl *Implementation, run *runner.Run) (string, error) {
	var b strings.Builder
	for _, f := range impl.Findings {
		at := slices.IndexFunc(run.Results, func(r runner.CaseResult) bool { return r.ID == f.Case && r.Op == f.Op })
		if at < 0 {
			return "", fmt.Errorf("a finding of %s is shown by %s %s, which was not run", impl.Name, f.Op, f.Case)
		}
		r := &run.Results[at]
		if r.Verdict == runner.Pass || r.Verdict == runner.Skip {
			return "", fmt.Errorf("a finding of %s is shown by %s %s, but that is: %s", impl.Name, f.Op, f.Case, r.Outcome)
		}
		if b.Len() == 0 {
			b.WriteString("\n\nWhat its authors could act on first:\n\n")
		}
		packet := r.Case.Bytes
		if f.Op == protocol.Encode && r.Answer.Bytes != "" {
			packet = r.Answer.Bytes
		}
		fmt.Fprintf(&b, "- %s `%s` (%s `%s`: %s)\n", f.Text, groups(packet), f.Op, f.Case, r.Outcome)
	}
	return b.String(), nil
}

// groups parts digits into words of four bytes.
func groups(digits string) string {
	const most = 4 * 32
	if len(digits) > most {
		return groups(digits[:most]) + " …"
	}
	var words []string
	for len(digits) > 8 {
		words = append(words, digits[:8])
		digits = digits[8:]
	}
	return strings.Join(append(words, digits), " ")
}
