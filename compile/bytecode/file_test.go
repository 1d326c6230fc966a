package bytecode_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/long"
)

// programFiles returns the embedded programs, by name.
func programFiles(t testing.TB) map[string][]byte {
	paths, err := filepath.Glob("../../codec/programs/*" + bytecode.Extension)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(path), bytecode.Extension)] = b
	}
	return files
}

func load(t testing.TB, name string) *bytecode.Program {
	p, err := bytecode.Load(programFiles(t)[name])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSaveLoad(t *testing.T) {
	for name, b := range programFiles(t) {
		p, err := bytecode.Load(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again := p.Save()
		if !bytes.Equal(again, b) {
			t.Errorf("%s: saved again it is different", name)
		}
		if sum := hex.EncodeToString(b[len(b)-sha256.Size:]); p.Hash() != sum {
			t.Errorf("%s: hash is %s, and the file ends in %s", name, p.Hash(), sum)
		}
		q, err := bytecode.Load(again)
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%s: loaded again it is different (%v)", name, err)
		}
	}
}

// sealed puts the right checksum behind a changed file.
func sealed(b []byte) []byte {
	body := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

func TestLoadErrors(t *testing.T) {
	good := programFiles(t)["framing"]
	change := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(good)) }
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "this is not a compiled program, which begins with the letters octb; compile the schema first"},
		{"schema text", []byte(`schema "godot-4"`), "this is not a compiled program"},
		{"cut off", good[:20], "the compiled program is cut off; copy it again, or compile its schema again"},
		{"newer", change(func(b []byte) []byte { b[4]++; return b }),
			fmt.Sprintf("the compiled program was made by a newer octable: it has form %d, and this one knows forms up to %d; update octable, or compile the schema with this one", bytecode.FormatVersion+1, bytecode.FormatVersion)},
		{"older", change(func(b []byte) []byte { b[4]--; return b }),
			fmt.Sprintf("the compiled program was made by an older octable: it has form %d, and this one wants form %d; compile its schema again", bytecode.FormatVersion-1, bytecode.FormatVersion)},
		{"last bytes missing", good[:len(good)-5], "the compiled program is damaged: its checksum is another one; copy it again, or compile its schema again"},
		{"one bit", change(func(b []byte) []byte { b[9] ^= 4; return b }), "the compiled program is damaged"},
		{"long list", sealed(change(func(b []byte) []byte { b[5] = 0xff; return b })), "the compiled program is wrong at byte 7: a list of"},
		{"more bytes", sealed(append(bytes.Clone(good), 0)), "bytes more than it says; compile its schema again"},
	} {
		_, err := bytecode.Load(c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestLoadChanged checks that every byte of a file counts. A changed file with a correct checksum is refused
// or gives another program, and never takes much memory.
func TestLoadChanged(t *testing.T) {
	b, hash := programFiles(t)["wave"], load(t, "wave").Hash()
	for i := 5; i < len(b)-sha256.Size; i += long.Number(9, 1) {
		for _, x := range []byte{0, 1, 0x7f, 0x80, 0xff, b[i] + 1} {
			if x == b[i] {
				continue
			}
			c := bytes.Clone(b)
			c[i] = x
			c = sealed(c)
			if p, err := bytecode.Load(c); err == nil && !bytes.Equal(p.Save(), c) && p.Hash() == hash {
				t.Fatalf("byte %d changed to %#x gives the same program", i, x)
			}
		}
	}
}

// damaged returns a file that begins as one, with another end.
func damaged(end ...[]byte) []byte {
	body := []byte{'o', 'c', 't', 'b', bytecode.FormatVersion, 1, 0} // a pool of one empty text
	body = append(body, make([]byte, 7)...)
	body = append(body, bytes.Join(end, nil)...)
	return sealed(append(body, make([]byte, sha256.Size)...))
}

// The content that takes the most memory for a byte of the file: types, expressions.
func TestLoadMemory(t *testing.T) {
	many := []byte{0x80, 0x80, 0x10} // a list of 1 << 18
	not := byte(bytecode.ExprNot)
	for name, file := range map[string][]byte{
		"types":    damaged(many, make([]byte, 7<<18)),
		"leaves":   damaged([]byte{0, 0, 0}, many, bytes.Repeat([]byte{byte(bytecode.ExprExact)}, 1<<18)),
		"negation": damaged([]byte{0, 0, 0}, many, bytes.Repeat([]byte{not, not, not, byte(bytecode.ExprExact)}, 1<<18)),
		"sums":     damaged([]byte{0, 0, 0}, many, bytes.Repeat([]byte{byte(bytecode.ExprAdd), byte(bytecode.ExprExact), byte(bytecode.ExprExact)}, 1<<18)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := bytecode.Load(file); err == nil {
			t.Fatalf("%s: passes", name)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 80*uint64(len(file)) {
			t.Errorf("%s: a file of %d bytes takes %d bytes of memory", name, len(file), took)
		}
	}
}

func TestLoadDeepExpression(t *testing.T) {
	file := damaged([]byte{0, 0, 0, 1}, bytes.Repeat([]byte{byte(bytecode.ExprNot)}, 1<<20))
	const want = "an expression is nested more than 128 deep"
	if _, err := bytecode.Load(file); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The number of the form must grow when instructions are added or mean something
// else. When this fails, raise FormatVersion and put the new sum here.
func TestFormatVersion(t *testing.T) {
	var b strings.Builder
	for _, op := range bytecode.Ops() {
		b.WriteString(op.String())
		for _, kind := range op.Operands() {
			b.WriteString(" " + kind.String())
		}
		b.WriteString("\n")
	}
	for o := bytecode.ExprOp(0); o.String() != "invalid"; o++ {
		b.WriteString(o.String() + "\n")
	}
	sum := sha256.Sum256([]byte(b.String()))
	got := hex.EncodeToString(sum[:8])
	if want := "36f0399c9df8235d"; bytecode.FormatVersion != 10 || got != want {
		t.Errorf("form %d has instructions with sum %s, want %s", bytecode.FormatVersion, got, want)
	}
}

func FuzzLoad(f *testing.F) {
	for _, b := range programFiles(f) {
		f.Add(b[:len(b)-sha256.Size])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := bytecode.Load(sealed(append(bytes.Clone(body), make([]byte, sha256.Size)...)))
		if err != nil {
			return
		}
		b := p.Save()
		q, err := bytecode.Load(b)
		if err != nil {
			t.Fatalf("what was saved does not load: %v", err)
		}
		if !bytes.Equal(q.Save(), b) {
			t.Error("saved twice it is different")
		}
		var list bytes.Buffer
		if err := p.List(&list, nil); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	file := programFiles(b)["godot-4.4"]
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if _, err := bytecode.Load(file); err != nil {
			b.Fatal(err)
		}
	}
}
