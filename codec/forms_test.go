package codec_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

type point struct {
	_    struct{} `octable:",array"`
	X, Y int
}

type common struct{ ID, Level int }

// formed has a field for each form that a tag chooses.
type formed struct {
	At     point
	Path   []point
	Size   struct{ W, H float64 } `octable:"size,array"`
	Common common                 `octable:",inline"`
	Big    uint64                 `octable:",string"`
	Rate   *float32               `octable:",string"`
	Done   bool                   `octable:",string,type=StringName"`
	When   time.Time              `octable:"when"`
	Since  time.Time              `octable:"since,unix"`
	Exact  time.Time              `octable:"exact,unix,type=float"`
}

// TestForms converts the forms that tags choose, both ways.
func TestForms(t *testing.T) {
	c := codec.MustLoad("godot-4")
	rate := float32(0.1)
	x := formed{At: point{X: 1, Y: 2}, Path: []point{{X: 3}}, Common: common{7, 8}, Big: 1<<64 - 1, Rate: &rate, Done: true,
		When: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Since: time.Unix(1e9, 0).UTC(), Exact: time.Unix(1e9, 5e8).UTC()}
	x.Size.W = 1.5
	b, err := c.Marshal(&x)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := c.Decode(b)
	if want := `{"At": [1, 2], "Path": [[3, 0]], "size": [1.5, 0.0], "ID": 7, "Level": 8, "Big": "18446744073709551615", "Rate": "0.1", "Done": &"true", ` +
		`"when": "2026-01-02T03:04:05.000000006Z", "since": 1000000000, "exact": 1000000000.5}`; err != nil || v.String() != want {
		t.Errorf("%v, %v, want\n%s", v, err, want)
	}
	var got formed
	if err := c.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, x) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]error{
		`{"At": [1]}`: codec.ErrMismatch, `{"At": {"X": 1}}`: codec.ErrMismatch, `{"Big": 5}`: codec.ErrMismatch, `{"Big": "-1"}`: codec.ErrInexact,
		`{"Path": [[1, "y"]]}`: codec.ErrMismatch, `{"Rate": "x"}`: codec.ErrInexact, `{"since": "x"}`: codec.ErrMismatch, `{"since": nan}`: codec.ErrInexact, `{"At": [1, "y"]}`: codec.ErrMismatch,
	} {
		if err := c.To(parse(t, c, text), new(formed)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	type unplaced struct {
		_    struct{}       `octable:",array"`
		Rest map[string]any `octable:",rest"`
	}
	for problem, bad := range map[string]any{
		"no bool and no number": struct {
			A string `octable:",string"`
		}{},
		"no time.Time": struct {
			A int `octable:",unix"`
		}{},
		"no struct, as": struct {
			A []int `octable:",array"`
		}{},
		"exported struct without a name": struct {
			A common `octable:"a,inline"`
		}{},
		"may be left out": struct {
			_ struct{} `octable:",array"`
			A int      `octable:",omitempty"`
		}{},
		"takes array and ignoreunknown": struct {
			_ struct{} `octable:",string"`
		}{},
		`field _ with the name "all"`: struct {
			_ struct{} `octable:"all,array"`
		}{},
		"a field for the rest, which an Array has no keys for": unplaced{},
	} {
		if _, err := c.Marshal(bad); !errors.Is(err, codec.ErrGoType) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", problem, err)
		}
	}
	if err := c.To(parse(t, c, "[1]"), new(unplaced)); !errors.Is(err, codec.ErrGoType) {
		t.Error(err)
	}
	var inside *codec.TypeError
	if _, err := c.Marshal(struct {
		_ struct{} `octable:",array"`
		A int
		B chan int
	}{}); !errors.As(err, &inside) || inside.Path != "[1]" {
		t.Error(err)
	}
}

// TestUnknownPerStruct leaves out unknown keys of one struct and of no other.
func TestUnknownPerStruct(t *testing.T) {
	c := codec.MustLoad("godot-4")
	type loose struct {
		_ struct{} `octable:",ignoreunknown"`
		A int
	}
	type strict struct{ A int }
	b, err := c.Marshal(map[string]any{"A": 1, "B": 2})
	if err != nil {
		t.Fatal(err)
	}
	var l loose
	if err := c.Unmarshal(b, &l); err != nil || l.A != 1 {
		t.Error(l, err)
	}
	if err := c.Unmarshal(b, new(strict)); !errors.Is(err, codec.ErrUnknownKey) {
		t.Error(err)
	}
	var field struct {
		In strict `octable:"in,ignoreunknown"`
	}
	if err := c.To(parse(t, c, `{"in": {"A": 5, "C": 1}}`), &field); err != nil || field.In.A != 5 {
		t.Error(field, err)
	}
}

// TestNaming names fields by the options of a codec, of every schema.
func TestNaming(t *testing.T) {
	type inner struct{ HTTPPort, X2Y int }
	type player struct {
		MaxHP   int
		UserID  []inner
		Renamed string `octable:"Kept"`
	}
	x := player{1, []inner{{2, 3}}, "a"}
	for naming, want := range map[codec.Naming]string{
		codec.GoNames:    `{"MaxHP": 1, "UserID": [{"HTTPPort": 2, "X2Y": 3}], "Kept": "a"}`,
		codec.SnakeNames: `{"max_hp": 1, "user_id": [{"http_port": 2, "x2_y": 3}], "Kept": "a"}`,
		codec.CamelNames: `{"maxHP": 1, "userID": [{"httpPort": 2, "x2Y": 3}], "Kept": "a"}`,
	} {
		c, err := codec.MustLoad("godot-4").With(codec.Options{Names: naming})
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if v, _, err := c.Decode(b); err != nil || v.String() != want {
			t.Errorf("%v, %v, want %s", v, err, want)
		}
		var got player
		if err := c.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, x) {
			t.Errorf("%+v, %v", got, err)
		}
		v, err := c.ValueOf(x)
		if err != nil || v.String() != want || c.To(v, &got) != nil {
			t.Error(v, err)
		}
	}
	c, err := compiler.New("schema \"s\" {\n\torder little\n\troot S\n}\n\ntype S {\n\t| 0 | 2 | u16 | max_hp | \"a number\"\n}")
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.With(codec.Options{Names: codec.SnakeNames}); err != nil {
		t.Fatal(err)
	}
	var s struct{ MaxHP int }
	if err := c.Unmarshal([]byte{5, 0}, &s); err != nil || s.MaxHP != 5 {
		t.Error(s, err)
	}
	if b, err := c.Marshal(s); err != nil || len(b) != 2 || b[0] != 5 {
		t.Error(b, err)
	}
	if _, err := c.With(codec.Options{Names: 9}); err == nil {
		t.Error("there is no such naming")
	}
}
