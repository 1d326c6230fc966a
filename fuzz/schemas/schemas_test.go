package schemas_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/schemas"
	"github.com/octable/octable/interp"
)

var (
	schemasFlag  = flag.Int("schemas", long.Number(8, 250), "number of schemas to draw")
	seedFlag     = flag.Uint64("seed", uint64(long.Number(6, 1)), "seed of the first schema; 0 draws one")
	durationFlag = flag.Duration("duration", 0, "time to draw schemas, in place of a number of them")
	vectorsFlag  = flag.Int("vectors", long.Number(0, 4), "number of drawn schemas to make vectors of, some seconds each; 0 is one short schema")
	onlyFlag     = flag.String("only", "", "regular expression of the names of laws to check")
	lawsFlag     = flag.Int("laws", 5, "number of laws that fail after which the test ends")
	writeFlag    = flag.String("write", "", "folder for the shrunk cases of failures")
)

// firstSeed returns the seed of the first schema.
func firstSeed() uint64 {
	if *seedFlag != 0 {
		return *seedFlag
	}
	return rand.Uint64()
}

// drawings returns the seeds to draw schemas from: as many as the flags say, and the first.
func drawings(t testing.TB) (first uint64, more func(i int) bool) {
	first = firstSeed()
	t.Logf("go test ./fuzz/schemas -run '^%s$' -v -schemas %d -seed %d -only '%s'", t.Name(), *schemasFlag, first, *onlyFlag)
	end := time.Now().Add(*durationFlag)
	return first, func(i int) bool {
		if *durationFlag > 0 {
			return time.Now().Before(end)
		}
		return i < *schemasFlag
	}
}

// TestDrawn draws schemas, and checks that they agree in every way to run them. It prints
// how many there are per second, and the share of constructs and pairs that they have.
func TestDrawn(t *testing.T) {
	first, more := drawings(t)
	var stats schemas.Stats
	refused, packets, accepted, without := 0, 0, 0, 0
	kinds, codes := map[error]int{}, refusals{}
	began, found, only := time.Now(), map[string]bool{}, regexp.MustCompile(*onlyFlag)
	for i := 0; more(i); i++ {
		seed := first + uint64(i)
		var law *schemas.Disagreement
		stop := watch(seed)
		d := schemas.Redraw(seed, schemas.Draw, func(d *schemas.Drawn) {
			refused++
			if err := codes.accept(d.Err, i); err != nil && law == nil {
				law = &schemas.Disagreement{Law: "well-formed", Err: fmt.Errorf("%w\n%s", err, d)}
			}
		})
		if law != nil {
			t.Errorf("seed %d: %v", seed, law)
			if found[law.Law] = true; len(found) >= *lawsFlag {
				break
			}
		}
		stats.Add(d)
		values := false
		c := interp.Choices(fmt.Sprint(seed))
		err := schemas.AgreeOn(d, c, only, func(s *schemas.Subject, _ schemas.Packet, err error) {
			values = values || s.NoValue == nil
			packets++
			var e *interp.Error
			if errors.As(err, &e) {
				kinds[e.Kind]++
			} else {
				accepted++
			}
		})
		if err == nil && i%50 == 0 {
			err = schemas.AgreeSlowly(d, only)
		}
		stop()
		if !values {
			without++
		}
		if errors.As(err, &law) && !found[law.Law] {
			found[law.Law] = true
			report(t, seed, d, c, only, law)
		} else if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if len(found) >= *lawsFlag {
			break
		}
	}
	took := time.Since(began).Seconds()
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	t.Logf("%d schemas of %d lines; the resolver refuses %.1f%% of drawn schemas, %.1f%% have no values", stats.Schemas, stats.Lines/max(1, stats.Schemas), percent(refused, refused+stats.Schemas), percent(without, stats.Schemas))
	t.Logf("%d packets, of which %.1f%% are accepted; %.0f schemas and %.0f packets per second", packets, percent(accepted, packets), float64(stats.Schemas)/took, float64(packets)/took)
	t.Logf("%d constructs, %.1f%% of their pairs seen; fewer than 1%% of schemas have %v", len(schemas.Constructs()), stats.PairsShare(), stats.Rare(1))
	var words []string
	for kind, n := range kinds {
		words = append(words, fmt.Sprintf("%d %v", n, kind))
	}
	slices.Sort(words)
	t.Logf("refusals: %s", strings.Join(words, ", "))
	if t.Failed() {
		return
	}
	if packets > 0 && 2*accepted < packets {
		t.Errorf("of %d packets only %d are accepted", packets, accepted)
	}
	for _, kind := range []error{interp.ErrTruncated, interp.ErrType, interp.ErrText, interp.ErrValue, interp.ErrClosed} {
		if stats.Schemas >= 1000 && kinds[kind] == 0 {
			t.Errorf("no packet is refused because %v", kind)
		}
	}
}

// refusals counts the schemas that the resolver refuses, by the code of the first mistake.
type refusals map[dsl.Code]int

// imprecise are the codes of mistakes that are drawn at times. Each is drawn in up to one of a number of schemas.
// They are places and lengths under several choices of an option, records without bytes or without an end, rows
// after all bytes, and sizes that a writer does not have. Of 24,000 schemas 21, 12, 10, 30 and 322 had them, and up
// to 4 each of the others.
var imprecise = map[dsl.Code]int{
	dsl.CodeOffset: 200, dsl.CodeLength: 200, dsl.CodeNoProgress: 200, dsl.CodeUnreachable: 200, dsl.CodeUnderived: 50,
}

// accept notes a refusal after n drawn schemas. It returns an error if more of
// them have that mistake than are drawn with it.
func (r refusals) accept(err error, n int) error {
	var all dsl.Diagnostics
	if !errors.As(err, &all) || len(all) == 0 {
		return nil
	}
	code := all[0].Code
	if i := slices.IndexFunc(all, func(d *dsl.Diagnostic) bool { return d.Code != dsl.CodeExtends }); i >= 0 {
		code = all[i].Code // an import is refused for its own mistakes
	}
	limit := 2 + n/300
	if one, ok := imprecise[code]; ok {
		limit = 5 + 250/one + n/one // the count varies: 9 of 272 schemas of seed 20261124
	}
	if r[code]++; r[code] > limit {
		return fmt.Errorf("%d of %d schemas are refused for %s: %w", r[code], n, code, err)
	}
	return nil
}

// TestDrawnPlans draws more schemas than [TestDrawn] for the laws that compare plans with the ways without them. These
// take little time for a schema.
func TestDrawnPlans(t *testing.T) {
	first, plans, structs := firstSeed()+1<<20, regexp.MustCompile("^(fused|reuse|structs)$"), regexp.MustCompile("^structs$")
	for i := range uint64(long.Number(60, 3000)) {
		seed, laws := first+i, structs
		stop := watch(seed)
		d := (*schemas.Drawn)(nil)
		if i%3 == 0 {
			d, _ = schemas.Random(seed)
			laws = plans
		} else {
			d = schemas.RandomPlain(seed)
		}
		c := interp.Choices(fmt.Sprint(seed))
		err := schemas.AgreeOn(d, c, laws, nil)
		stop()
		if law := (*schemas.Disagreement)(nil); errors.As(err, &law) {
			report(t, seed, d, c, laws, law)
			return
		}
	}
}

// patience is the longest time that all laws of one schema may take. It is far more than one needs,
// since other processes may share the processor.
const patience = 2 * time.Minute

// watch ends the process if a schema takes longer than [patience], with the place where it is. The
// result ends the watch.
func watch(seed uint64) (stop func()) {
	timer := time.AfterFunc(patience, func() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		fmt.Printf("seed %d: it does not end within %v; it is %s\n\n%s\n", seed, patience, hung(string(stacks)), stacks)
		os.Exit(1)
	})
	return func() { timer.Stop() }
}

// frame matches a function of the module and its place in a stack.
var frame = regexp.MustCompile(`(?m)^github\.com/octable/octable/(\S+)\(.*\n\s+(\S+:\d+)`)

// hung returns the innermost function of the module of the goroutine that draws schemas.
func hung(stacks string) string {
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if f := frame.FindStringSubmatch(stack); f != nil && strings.Contains(stack, "/fuzz/schemas_test.Test") {
			return fmt.Sprintf("in %s at %s", f[1], f[2])
		}
	}
	return "nowhere in this module"
}

// TestHung finds the place of a schema that takes too long.
func TestHung(t *testing.T) {
	const stacks = `goroutine 20 [running]:
github.com/octable/octable/fuzz/schemas_test.watch.func1()
	/src/fuzz/schemas/schemas_test.go:133 +0x4e

goroutine 23 [runnable]:
runtime.growslice(0x0)
	/go/src/runtime/slice.go:273 +0x507
github.com/octable/octable/interp.(*generating).blame(0x151b30cd0f50, {0x1, ...})
	/src/interp/generate_paths.go:421 +0x491
github.com/octable/octable/fuzz/schemas_test.TestDrawn(0x151b31092fc8)
	/src/fuzz/schemas/schemas_test.go:77 +0x4f7
`
	if got, want := hung(stacks), "in interp.(*generating).blame at /src/interp/generate_paths.go:421"; got != want {
		t.Errorf("hung %s, want %s", got, want)
	}
}

// report shrinks a failure of one of the laws that are checked and prints it as a case.
func report(t *testing.T, seed uint64, d *schemas.Drawn, c interp.Choices, only *regexp.Regexp, law *schemas.Disagreement) {
	t.Helper()
	t.Errorf("seed %d: %v", seed, law)
	check := func(d *schemas.Drawn) error {
		if law.Law == "docs" || law.Law == "diff" {
			return schemas.AgreeSlowly(d, only)
		}
		return schemas.AgreeOn(d, c, only, nil)
	}
	small := schemas.Shrink(d, func(d *schemas.Drawn) bool {
		var other *schemas.Disagreement
		return d.Err == nil && errors.As(check(d), &other) && other.Law == law.Law
	})
	text := ""
	if err := check(small); errors.As(err, &law) {
		text = small.Explain(law)
	}
	t.Logf("shrunk:\n%s\n%s", small, text)
	if *writeFlag != "" {
		name := filepath.Join(*writeFlag, fmt.Sprintf("%s-%d.txt", strings.ReplaceAll(law.Law, " ", "-"), seed))
		if err := os.WriteFile(name, []byte(fmt.Sprintf("// %s\n%s", c, small)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConstructs checks that each construct is in at least 1 % of drawn schemas. Constructs are those of the
// grammar and of the tables of package builtin. A few are in 1 of 1,000. It draws without running them.
func TestConstructs(t *testing.T) {
	long.Only(t)
	const count = 9000
	var stats schemas.Stats
	r := rand.New(rand.NewPCG(3, 4))
	for range count {
		if d := schemas.Draw(schemas.RandomChoices(r)); d.Err == nil {
			stats.Add(d)
		}
	}
	if stats.Schemas < count*9/10 {
		t.Errorf("of %d drawn schemas only %d resolve", count, stats.Schemas)
	}
	if rare := stats.Rare(1); len(rare) > 0 {
		t.Errorf("fewer than 1%% of %d schemas have %v", stats.Schemas, rare)
	}
	all := schemas.Constructs()
	for name := range stats.Count {
		if !slices.Contains(all, name) {
			t.Errorf("%s is not a construct", name)
		}
	}
	if share := stats.PairsShare(); share < 95 {
		t.Errorf("only %.1f%% of the pairs of constructs are seen", share)
	}
}

// TestCases replays the shrunk cases of testdata. The first line of a case is a comment with
// the choices of its packets; the files of its schemas follow.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d cases: %v", len(names), err)
	}
	for i, name := range long.Part(6, names) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := strings.Cut(string(text), "\n")
			d := schemas.Parse(rest)
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			choices := strings.Fields(head)[1:]
			if long.Asked() {
				choices = append(choices, "a", "b", "c", "d")
			}
			for _, c := range choices {
				if err := schemas.Agree(d, interp.Choices(c), nil); err != nil {
					t.Error(err)
				}
			}
			if i%long.Number(4, 1) == 0 {
				if err := schemas.AgreeSlowly(d, nil); err != nil {
					t.Error(err)
				}
			}
			subjects, err := d.Subjects()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range subjects {
				if s.NoValue != nil {
					t.Error(s.NoValue)
				}
			}
		})
	}
}

// TestDamaged damages drawn schemas. Each is refused with a place in a file, or agrees in
// every way to run it.
func TestDamaged(t *testing.T) {
	first, more := drawings(t)
	parsed, resolved, all := 0, 0, 0
	for i := 0; more(3 * i); i++ { // a third, since explaining mistakes takes long
		seed := first + uint64(i)
		r := rand.New(rand.NewPCG(seed, 8))
		d, _ := schemas.Random(seed)
		files := slices.Clone(d.Files)
		at := r.IntN(len(files))
		files[at].Text = schematest.Mutate(r, files[at].Text)
		d, err := damaged(files)
		all++
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, &schemas.Drawn{Files: files})
			continue
		}
		if _, err := dsl.Parse(files[at].ID+".oct", []byte(files[at].Text)); err == nil {
			parsed++
		}
		if d.Err == nil {
			resolved++
		}
	}
	t.Logf("of %d damaged schemas %d parse and %d resolve", all, parsed, resolved)
}

// TestChanged changes schemas that somebody wrote: each agrees in every way to run it.
func TestChanged(t *testing.T) {
	first, more := drawings(t)
	changer := schemas.NewChanger(t)
	for i := 0; more(long.Number(6, 1) * i); i++ { // schemas that people write are larger than drawn ones
		seed := first + uint64(i)
		stop := watch(seed)
		d, changes := changer.Draw(seed)
		if err := schemas.AgreeDamaged(d, interp.Choices(fmt.Sprint(seed))); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, changes)
		}
		stop()
	}
}

// damaged resolves files, and checks the mistakes, or without mistakes the agreement.
func damaged(files []schemas.File) (d *schemas.Drawn, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("panic: %v", x)
		}
	}()
	began := time.Now()
	d = schemas.Resolve(files)
	if took := time.Since(began); took > 20*time.Second {
		return d, fmt.Errorf("resolving takes %v", took)
	}
	if d.Err == nil {
		return d, schemas.AgreeDamaged(d, nil)
	}
	return d, placed(d.Err)
}

// placed checks that each mistake has a place and words.
func placed(err error) error {
	var all dsl.Diagnostics
	if !errors.As(err, &all) {
		if errors.Is(err, schemas.ErrNoRoot) {
			return nil
		}
		return fmt.Errorf("the error has no place: %w", err)
	}
	for _, one := range all {
		if one.Pos.Filename == "" || one.Pos.Line < 1 || one.Pos.Column < 1 || one.Code == "" || one.Error() == "" {
			return fmt.Errorf("a mistake has no place: %+v", *one)
		}
	}
	return nil
}

// TestVectors makes the vectors of drawn schemas, a number of them that the flag says. An ordinary
// run makes those of one short schema: the vectors of a long one take up to ten seconds.
func TestVectors(t *testing.T) {
	seed := firstSeed()
	t.Logf("go test ./fuzz/schemas -run '^%s$' -v -vectors %d -seed %d", t.Name(), *vectorsFlag, seed)
	for made := 0; made < max(*vectorsFlag, 1); seed++ {
		d, _ := schemas.Random(seed)
		if *vectorsFlag == 0 && strings.Count(d.String(), "\n") > 20 {
			continue
		}
		made++
		if err := schemas.AgreeVectors(d); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, d)
		}
	}
}

// TestShrink shrinks a schema to the construct that a condition asks for.
func TestShrink(t *testing.T) {
	for seed := uint64(50); ; seed++ {
		d, _ := schemas.Random(seed)
		if !d.Has()["Check.Cond"] || len(d.Files) < 2 {
			continue
		}
		small := schemas.Shrink(d, func(d *schemas.Drawn) bool { return d.Err == nil && d.Has()["Check.Cond"] })
		if lines := strings.Count(small.String(), "\n"); small.Err != nil || lines > 16 {
			t.Errorf("seed %d: %d lines remain, %v:\n%s", seed, lines, small.Err, small)
		}
		return
	}
}

// TestLeast shrinks the packet that a program with wrong padding refuses, and shows it beside its rows.
func TestLeast(t *testing.T) {
	d := schemas.Parse("-- drawn.oct --\nschema \"drawn\" {\n    root T\n}\n\ntype T {\n    | 0 | N | u8[until \"00\"] | text |\n    | P | Q | u8 | number | pad 4\n}\n")
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	p, err := compile.Schema(d.Schema)
	if err != nil {
		t.Fatal(err)
	}
	for pc := range p.Code {
		if p.Code[pc].Op == bytecode.Pad {
			p.Code[pc].A = 8
		}
	}
	c, err := raw.Codec(p)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := fuzz.NewPair("", d.Schema, c)
	if err != nil {
		t.Fatal(err)
	}
	s := &schemas.Subject{Schema: pair.All()[0]}
	least := s.Least(&schemas.Disagreement{Law: "reference, reading", Packet: []byte("abc\x00\x05\x00\x00\x00")})
	if want := make([]byte, 5); !bytes.Equal(least.Packet, want) {
		t.Errorf("the packet is %x, and %x is the smallest", least.Packet, want)
	}
	for _, part := range []string{"number 0", "the input ends too early", "by the reference accepted"} {
		if text := s.Explain(least); !strings.Contains(text, part) {
			t.Errorf("%q is not in the explanation:\n%s", part, text)
		}
	}
}

// TestChoices holds that no choices give the simplest schema, and that the same choices give
// the same schema.
func TestChoices(t *testing.T) {
	d := schemas.Draw(nil)
	if d.Err != nil || strings.Count(d.String(), "\n") > 10 {
		t.Errorf("no choices: %v\n%s", d.Err, d)
	}
	c := schemas.RandomChoices(rand.New(rand.NewPCG(1, 1)))
	if a, b := schemas.Draw(c), schemas.Draw(c); a.String() != b.String() || !maps.Equal(a.Has(), b.Has()) {
		t.Error("the same choices give two schemas")
	}
}
