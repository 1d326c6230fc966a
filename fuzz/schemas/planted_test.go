package schemas_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/overlay/active"
	"github.com/octable/octable/fuzz/schemas"
	"github.com/octable/octable/interp"
)

// planted is a mistake of the table of command planted, which builds the program that runs this test.
type planted struct {
	Number   int // from 1
	Function int // that has it

	refusals refusals
	counted  bool // refusals of the schema at hand
	found    bool
}

// plan is what the command asks for.
type plan struct {
	From     int // schemas to skip
	Shrink   bool
	Mistakes []*planted
}

// plantedResult is a mistake that is found, as a line of JSON for the command.
type plantedResult struct {
	Number, Schemas int
	Text            string
}

// TestPlanted finds planted mistakes: it draws schemas with many mistakes switched on, up to one in each function.
// If a law does not hold, it divides the mistakes until each that breaks the law alone is found.
func TestPlanted(t *testing.T) {
	text := os.Getenv("OCTABLE_PLANTED")
	if text == "" {
		t.Skip("OCTABLE_PLANTED is not set; go run ./fuzz/planted builds and runs this test")
	}
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Mistakes {
		m.refusals = refusals{}
	}
	first, more := drawings(t)
	s := &plantedSearch{t: t, plan: p, laws: regexp.MustCompile(*onlyFlag)}
	for s.index = p.From; more(s.index) && s.index < *schemasFlag && !t.Failed(); s.index++ {
		s.seed = first + uint64(s.index)
		s.refused = nil
		if _, err := s.draw(); err != nil {
			t.Fatalf("seed %d: without a mistake: %v", s.seed, err)
		}
		for _, m := range s.Mistakes {
			m.counted = false
			for _, err := range s.refused {
				_ = m.refusals.accept(err, s.index)
			}
		}
		s.clean = len(s.refused)
		for _, group := range s.groups() {
			s.search(group)
		}
		if s.Mistakes = slices.DeleteFunc(s.Mistakes, func(m *planted) bool { return m.found }); len(s.Mistakes) == 0 && len(p.Mistakes) > 0 {
			break
		}
	}
	fmt.Printf("planted end: %d\n", s.index)
}

// plantedSearch is a search for mistakes with one schema.
type plantedSearch struct {
	plan
	t       *testing.T
	laws    *regexp.Regexp
	index   int
	seed    uint64
	refused []error // by the resolver, of the schemas that were drawn last
	clean   int     // how many without a mistake
}

// groups returns the mistakes that are not found, of each function up to one in each group.
func (s *plantedSearch) groups() [][]*planted {
	if len(s.Mistakes) == 0 {
		return [][]*planted{nil}
	}
	var all [][]*planted
	next := map[int]int{}
	for _, m := range s.Mistakes {
		k := next[m.Function]
		if next[m.Function]++; k == len(all) {
			all = append(all, nil)
		}
		all[k] = append(all[k], m)
	}
	return all
}

// search reports the mistakes of a group that the schema finds.
func (s *plantedSearch) search(group []*planted) {
	for {
		err := s.run(group)
		if err == nil {
			return
		}
		if len(group) == 0 {
			s.t.Fatalf("seed %d: without a mistake: %v", s.seed, err)
		}
		if !s.divide(group, err) { // they are found together only
			if err := s.run(nil); err != nil {
				s.t.Fatalf("seed %d: without a mistake: %v", s.seed, err)
			}
			return
		}
		if group = slices.DeleteFunc(slices.Clone(group), func(m *planted) bool { return m.found }); len(group) == 0 {
			return
		}
	}
}

// divide reports the mistakes of a group that break a law alone, and whether there is one. err is the
// error of all of them.
func (s *plantedSearch) divide(group []*planted, err error) (found bool) {
	if len(group) == 1 {
		if err := s.run(nil); err != nil { // it does not hold for the schema
			s.t.Fatalf("seed %d: without a mistake: %v", s.seed, err)
		}
		group[0].found = true
		text, _ := json.Marshal(plantedResult{group[0].Number, s.index + 1, s.text(group[0], err)})
		fmt.Printf("planted found: %s\n", text)
		return true
	}
	for _, half := range [][]*planted{group[:len(group)/2], group[len(group)/2:]} {
		if err := s.run(half); err != nil && s.divide(half, err) {
			found = true
		}
	}
	return found
}

// errRefused says that the resolver refuses a schema that it accepts without a mistake.
var errRefused = errors.New("the resolver refuses a schema that is well-formed by construction")

// run draws the schema with mistakes switched on and checks all laws.
func (s *plantedSearch) run(group []*planted) error {
	var numbers []int
	clear(active.At[:])
	defer clear(active.At[:])
	for _, m := range group {
		active.At[m.Function] = m.Number
		numbers = append(numbers, m.Number)
	}
	fmt.Printf("planted run: %d %v\n", s.index, numbers)
	defer watch(s.seed)()
	s.refused = nil
	d, err := s.draw()
	if err != nil || len(s.refused) > s.clean {
		if len(group) != 1 {
			return errors.Join(errRefused, err)
		}
		if err := s.count(group[0]); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := schemas.AgreeOn(d, interp.Choices(fmt.Sprint(s.seed)), s.laws, nil); err != nil {
		return err
	}
	if s.index%50 == 0 {
		return schemas.AgreeSlowly(d, s.laws)
	}
	return nil
}

// count counts refusals that a mistake causes, once for each schema. The error says that they are too many.
func (s *plantedSearch) count(m *planted) error {
	if m.counted {
		return nil
	}
	m.counted = true
	for _, err := range s.refused[min(s.clean, len(s.refused)):] {
		if err := m.refusals.accept(err, s.index); err != nil {
			return err
		}
	}
	return nil
}

// draw draws the schema. It gives up after many refusals.
func (s *plantedSearch) draw() (d *schemas.Drawn, err error) {
	err = fuzz.Safely(func() error {
		d = schemas.Redraw(s.seed, schemas.Draw, func(d *schemas.Drawn) {
			if s.refused = append(s.refused, d.Err); len(s.refused) > 20 {
				panic(errRefused)
			}
		})
		return nil
	})
	return d, err
}

// text returns the first lines of a counterexample, which is shrunk if that is asked for.
func (s *plantedSearch) text(m *planted, err error) string {
	text := err.Error()
	var law *schemas.Disagreement
	if s.Shrink && errors.As(err, &law) {
		active.At[m.Function] = m.Number
		defer clear(active.At[:])
		end := time.Now().Add(20 * time.Second)
		if d, err := s.draw(); err == nil {
			text += "\n" + schemas.Shrink(d, func(d *schemas.Drawn) bool {
				var other *schemas.Disagreement
				return time.Now().Before(end) && d.Err == nil && errors.As(schemas.AgreeOn(d, interp.Choices(fmt.Sprint(s.seed)), s.laws, nil), &other) && other.Law == law.Law
			}).String()
		}
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(len(lines), 16)], "\n")
}
