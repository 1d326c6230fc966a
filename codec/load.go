// The schemas of the project, compiled and ready to use.

package codec

import (
	"embed"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/spec"
)

//go:generate go run ./internal/genprograms programs

// programs holds a program for every schema that describes bytes, by its id. Programs for the
// choices of a schema are named by its id, + and the choice. The first choice has the bare id.
//
//go:embed programs/*.octb
var programs embed.FS

var loaded sync.Map // of func() (*Codec, error), by name of program

// Load returns the codec of one of the project's schemas by its id, such as
// "godot-3" or "godot-4.4". [Schemas] lists the ids. A series means its newest
// member: "godot-4" and "godot" are "godot-4.4" today.
//
// The choice that a schema leaves follows the id: "godot-4.4+double" is the
// format of an engine that was built with reals of double precision. Without it
// the codec is for the first choice, which is "single". If the bytes themselves
// say which width they have, as in Godot 4, either codec reads both.
//
// A schema is loaded once, when it is first asked for. The codec is shared and
// does not change; [Codec.With] makes one with other options of it.
func Load(id string) (*Codec, error) {
	name, err := programName(id)
	if err != nil {
		return nil, err
	}
	once, ok := loaded.Load(name)
	if !ok {
		once, _ = loaded.LoadOrStore(name, sync.OnceValues(func() (*Codec, error) { return loadProgram(name) }))
	}
	return once.(func() (*Codec, error))()
}

// MustLoad is [Load] for ids that are constants: it panics if there is no
// such schema.
func MustLoad(id string) *Codec {
	c, err := Load(id)
	if err != nil {
		panic(err)
	}
	return c
}

// Schemas returns what [Load] can be asked for, in alphabetical order, without
// the names that are other names of these.
func Schemas() []string {
	files, _ := programs.ReadDir("programs")
	var ids []string
	for _, f := range files {
		ids = append(ids, strings.TrimSuffix(f.Name(), bytecode.Extension))
	}
	sort.Strings(ids)
	return ids
}

// loadProgram reads one of the embedded programs.
func loadProgram(name string) (*Codec, error) {
	b, err := programs.ReadFile("programs/" + name + bytecode.Extension)
	if err != nil {
		return nil, err // unreachable: the program exists
	}
	p, err := bytecode.Load(b)
	if err != nil {
		return nil, fmt.Errorf("codec: schema %s: %w", name, err) // unreachable: embedded programs are made by the compiler
	}
	return newCodec(p)
}

// programName returns the name of the program that an id asks for.
func programName(id string) (string, error) {
	base, choice, chosen := strings.Cut(id, "+")
	base = spec.Alias(base)
	name := base
	if chosen {
		name += "+" + choice
	}
	if exists(name) {
		return name, nil
	}
	if exists(base) { // the schema is there; its first choice has no separate file
		p, err := loadProgram(base)
		if err != nil {
			return "", err // unreachable: embedded programs are made by the compiler
		}
		first := p.m.Program().Choice
		if choice == first && first != "" {
			return base, nil
		}
		var choices []string
		if first != "" {
			choices = append(choices, base+"+"+first)
		}
		for _, other := range Schemas() {
			if strings.HasPrefix(other, base+"+") {
				choices = append(choices, other)
			}
		}
		if choices == nil {
			return "", fmt.Errorf("codec: schema %s leaves no choice, so there is no %q; ask for %q", base, id, base)
		}
		return "", fmt.Errorf("codec: schema %s does not leave the choice %q; ask for one of: %s", base, choice, strings.Join(choices, ", "))
	}
	newest := Schemas()
	slices.Reverse(newest)
	if near := builtin.Nearest(id, newest); near != "" {
		return "", fmt.Errorf("codec: there is no schema %q; did you mean %q? There are: %s", id, near, strings.Join(Schemas(), ", "))
	}
	return "", fmt.Errorf("codec: there is no schema %q; there are: %s", id, strings.Join(Schemas(), ", "))
}

func exists(name string) bool {
	f, err := programs.Open("programs/" + name + bytecode.Extension)
	if err != nil {
		return false
	}
	_ = f.Close() // of memory, cannot fail
	return true
}
