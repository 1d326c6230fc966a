package engines

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRecorded compares with what engines said on an earlier day: OCTABLE_VECTORS names a folder of cases files.
func TestRecorded(t *testing.T) {
	dir := os.Getenv("OCTABLE_VECTORS")
	if dir == "" {
		t.Skip("no recorded cases: OCTABLE_VECTORS names no folder (.ci/run sets it where there is one)")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases files in OCTABLE_VECTORS=%s (%v)", dir, err)
	}
	bin := build(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cases, err := ReadCases(file)
			if err != nil {
				t.Fatal(err)
			}
			check(t, bin, SpecOf(filepath.Base(file)), cases)
		})
	}
}

// TestFresh has each engine that is installed write cases nobody has seen. OCTABLE_ENGINE_TESTS=1 asks for it,
// OCTABLE_SEED repeats an earlier run.
func TestFresh(t *testing.T) {
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("engines are not asked: OCTABLE_ENGINE_TESTS is not set (.ci/run sets it where .ci/engines can install them)")
	}
	wish := Wish{
		Seed:    number(t, "OCTABLE_SEED", time.Now().Unix()),
		Values:  int(number(t, "OCTABLE_VALUES", 1200)),
		Damaged: int(number(t, "OCTABLE_DAMAGED", 1800)),
		Objects: int(number(t, "OCTABLE_OBJECTS", 400)),
	}
	packets := int(number(t, "OCTABLE_PACKETS", 4000))
	t.Logf("repeat with OCTABLE_SEED=%d", wish.Seed)
	bin := build(t)
	for _, e := range Installed {
		t.Run(e.Name, func(t *testing.T) {
			if path, err := e.Path(); err != nil {
				t.Skipf("%s is not installed (.ci/engines %s would put it at %s)", e.Name, e.Name, path)
			}
			cases, err := e.Fresh(".", t.TempDir(), wish)
			if err != nil {
				t.Fatal(err)
			}
			ask(t, e, cases, check(t, bin, e.Spec, cases))
			// Another generator, which knows values and words, and not what they are for.
			var pool [][]byte
			for _, c := range cases {
				if b, err := hex.DecodeString(c.Hex); err == nil && c.Kind == "random" && !c.Objects && len(b) < 800 {
					pool = append(pool, b)
				}
			}
			if len(pool) == 0 || packets == 0 {
				return
			}
			made, err := e.Packets(".", t.TempDir(), Damage(e.Spec, wish.Seed, pool, packets))
			if err != nil {
				t.Fatal(err)
			}
			ask(t, e, made, check(t, bin, e.Spec, made))
		})
	}
}

// ask has the engine read our texts of the values in all the cases.
func ask(t *testing.T, e Engine, cases []Case, answers []Answer) {
	t.Helper()
	r := &Report{Excused: map[rule]int{}}
	var texts []string
	var of []Case
	var with []Answer
	for i, a := range answers {
		// The properties of objects an engine reads through their class.
		if a.OK && !cases[i].Objects && (cases[i].Kind == "random" || cases[i].Accepted) {
			texts, of, with = append(texts, a.Text), append(of, cases[i]), append(with, a)
		}
	}
	read, err := e.Texts(".", t.TempDir(), texts)
	if err != nil {
		t.Fatal(err)
	}
	r.CompareTexts(e, of, with, read)
	if len(r.Failures) > 0 {
		t.Error("\n" + r.Summary(10))
	}
	t.Logf("under %s: %v", e.Spec, r)
}

func build(t *testing.T) string {
	t.Helper()
	bin, err := Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

func check(t *testing.T, bin, spec string, cases []Case) []Answer {
	t.Helper()
	r, err := Compare(Octable(bin), spec, cases)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) > 0 {
		t.Error("\n" + r.Summary(10))
	}
	t.Logf("under %s: %v", spec, r)
	return r.Answers
}

func number(t *testing.T, name string, otherwise int64) int64 {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// A parrot answers every packet with what it was told to say of it.
type parrot struct {
	said  map[string]Answer // by packet
	texts map[string]string // hex by text
}

func (p parrot) Decode(_ string, _, strict bool, packets []string) ([]Answer, error) {
	answers := make([]Answer, len(packets))
	for i, s := range packets {
		answers[i] = p.said[s]
		if strict && (!answers[i].Canonical || answers[i].Used != len(s)/2) {
			answers[i] = Answer{Kind: "canonical"}
		}
	}
	return answers, nil
}

func (p parrot) Encode(_ string, texts []string) ([]Answer, error) {
	answers := make([]Answer, len(texts))
	for i, s := range texts {
		answers[i] = Answer{OK: true, Hex: p.texts[s]}
	}
	return answers, nil
}

// A difference between an engine and octable is excused only if a rule says so.
func TestRules(t *testing.T) {
	const (
		path3   = "0f000000 01000080 00000000 00000000 01000000 61"
		nanKey  = "16000000 01000000 0000c07f "
		root    = "0f000000 00000080 00000000 "
		ids     = "1c000000 02000000 18000100 "
		class   = "11000000 456e636f6465644f626a65637441734944 000000 00000000"
		wrong   = "1c000100 02000000 02000000 04000000 01000000 61000000 02000000 07000000"
		right   = "1c000100 02000000 01000000 02000000 07000000"
		idKeys  = "1b000000 02000000 18000100 0500000000000000 00000000 18000100 0500000000000000 00000000"
		idKey   = "1b000000 01000000 18000100 0500000000000000 00000000"
		nine    = "02000000 09000000"
		ten     = "02000000 0a000000"
		lost    = "04000000 10000000 5b44656c 65746564 204f626a 6563745d "
		nanKeys = "12000000 02000000" + nanKey + "00000000" + nanKey + "00000000"
		typedBy = "1c000200 04000000 4e6f7065 00000000"
	)
	tests := []struct {
		name         string
		spec         string
		packet, said string // what the engine was given, and what it wrote again
		ours         string
		objects      bool
		excused      rule // 0: the same bytes
		fails        bool
	}{
		{name: "same", spec: "godot-4.4", packet: right, said: right, ours: right},
		{name: "other", spec: "godot-4.4", packet: right, said: right, ours: "1c000000 01000000 02000000 07000000", fails: true},
		{name: "padding", spec: "godot-3", packet: path3 + "000000", said: path3 + "5500ff", ours: path3 + "000000", excused: rulePadding},
		{name: "padding is ours to zero", spec: "godot-3", packet: path3 + "000000", said: path3 + "5500ff", ours: path3 + "000001", fails: true},
		{name: "name beside the padding", spec: "godot-3", packet: path3 + "000000", said: path3 + "5500ff", ours: path3[:len(path3)-2] + "62000000", fails: true},
		{name: "Godot 4 zeroes", spec: "godot-4.4", packet: "16" + path3[2:] + "000000", said: "16" + path3[2:] + "550000", ours: "16" + path3[2:] + "000000", fails: true},
		{name: "root", spec: "godot-3", packet: root + "01000000", said: root + "00000000", ours: root + "01000000", excused: ruleRoot},
		{name: "Godot 4 keeps the root", spec: "godot-4.4", packet: "16" + root[2:] + "01000000", said: "16" + root[2:] + "00000000", ours: "16" + root[2:] + "01000000", fails: true},
		{name: "surrogate", spec: "godot-3", packet: "04000000 03000000 eda08000", said: "04000000 01000000 20000000", ours: "04000000 03000000 eda08000", excused: ruleSurrogates},
		{name: "surrogate in Godot 4", spec: "godot-4.4", packet: "04000000 03000000 eda08000", said: "04000000 01000000 20000000", ours: "04000000 03000000 eda08000", fails: true},
		{name: "NaN keys", spec: "godot-3", packet: "12000000 02000000" + nanKey + "00000000" + nanKey + "00000000",
			said: "12000000 02000000" + nanKey + "00000000" + nanKey + "00000000", ours: "12000000 01000000" + nanKey + "00000000", excused: ruleNaNKeys},
		{name: "NaN values", spec: "godot-3", packet: "12000000 01000000 00000000" + nanKey,
			said: "12000000 01000000 00000000" + nanKey, ours: "12000000 00000000", fails: true},
		{name: "lost keys", spec: "godot-3", packet: "12000000 02000000" + lost + "00000000" + lost + "00000000",
			said: "12000000 02000000" + lost + "00000000" + lost + "00000000", ours: "12000000 01000000" + lost + "00000000", excused: ruleNaNKeys},
		{name: "id", spec: "godot-4.4", packet: ids + "0500000000000000 00000000", said: ids + "2200008000000000 00000000", ours: ids + "0500000000000000 00000000", excused: ruleIDs},
		{name: "id zero", spec: "godot-4.4", packet: ids + "0000000000000000 00000000", said: "1c000000 02000000 00000000 00000000", ours: ids + "0000000000000000 00000000", excused: ruleIDs},
		{name: "id gone", spec: "godot-4.4", packet: ids + "0500000000000000 00000000", said: ids + "2200008000000000 00000000", ours: "1c000000 02000000 00000000 00000000", fails: true},
		{name: "id with objects allowed", spec: "godot-4.4", packet: ids + "0500000000000000 00000000", said: ids + "2200008000000000 00000000", ours: ids + "0500000000000000 00000000", objects: true, fails: true},
		{name: "ids as keys", spec: "godot-4.4", packet: idKeys, said: idKeys, ours: idKey, excused: ruleIDKeys},
		{name: "class", spec: "godot-4.4", packet: typedBy, said: "1c000200" + class, ours: typedBy, fails: true},
		{name: "wrong element", spec: "godot-4.4", packet: wrong, said: right, ours: wrong, excused: ruleElements},
		{name: "beside a wrong element", spec: "godot-4.4", packet: "1c000000 02000000" + wrong + nine, said: "1c000000 02000000" + right + nine,
			ours: "1c000000 02000000" + wrong + ten, fails: true},
		{name: "beside the id in a key", spec: "godot-4.4", packet: "1c000000 02000000" + idKeys + nine, said: "1c000000 02000000" + idKeys + nine,
			ours: "1c000000 02000000" + idKey + ten, fails: true},
		{name: "a surrogate pair", spec: "godot-3", packet: "04000000 06000000 eda081ed b0820000", said: "04000000 04000000 f0909082", ours: "04000000 06000000 eda081ed b0820000", excused: ruleSurrogates},
		{name: "beside a surrogate", spec: "godot-3", packet: "04000000 04000000 eda08061", said: "04000000 02000000 20610000", ours: "04000000 04000000 eda08062", fails: true},
		{name: "beside the NaN in a key", spec: "godot-3", packet: "13000000 02000000" + nanKeys + nine, said: "13000000 02000000" + nanKeys + nine,
			ours: "13000000 02000000 12000000 01000000" + nanKey + "00000000" + ten, fails: true},
		{name: "right element", spec: "godot-4.4", packet: right, said: right, ours: wrong, fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			packet, said, ours := squeeze(tt.packet), squeeze(tt.said), squeeze(tt.ours)
			c := Case{Kind: "damaged", Hex: packet, Accepted: true, Again: said, Objects: tt.objects}
			p := parrot{said: map[string]Answer{packet: {OK: true, Hex: ours}}}
			r, err := Compare(p, tt.spec, []Case{c})
			if err != nil {
				t.Fatal(err)
			}
			if failed := len(r.Failures) > 0; failed != tt.fails {
				t.Errorf("failed: %v, want %v", r.Failures, tt.fails)
			}
			for _, n := range ruleNames {
				if got := r.Excused[n.rule] > 0; got != (tt.excused == n.rule) {
					t.Errorf("excused by %s: %v", n.name, got)
				}
			}
		})
	}
}

// A subject that is wrong in any way the promises name is caught.
func TestPromises(t *testing.T) {
	const seven, eight = "0200000007000000", "0200000008000000"
	value := Case{Kind: "random", Hex: seven, Text: "7", TextExact: true}
	refused := Case{Kind: "damaged", Hex: "02000000"}
	taken := Case{Kind: "damaged", Hex: seven + "00", Accepted: true, Again: seven}
	nest := strings.Repeat("1300000001000000", 1025) + "00000000"
	deep := Case{Kind: "damaged", Hex: nest, Accepted: true, Again: nest}
	good := Answer{OK: true, Hex: seven, Text: "7", Used: 8, Canonical: true}
	with := func(change func(*Answer)) Answer {
		a := good
		change(&a)
		return a
	}
	tests := []struct {
		name string
		c    Case
		a    Answer
		text string // bytes given for the text
		want string // part of the failure, or none
	}{
		{"value", value, good, seven, ""},
		{"value refused", value, Answer{}, seven, "does not decode"},
		{"other bytes", value, with(func(a *Answer) { a.Hex = eight }), seven, "encodes to other bytes"},
		{"used", value, with(func(a *Answer) { a.Used = 4 }), seven, "said to take 4 bytes"},
		{"canonical", value, with(func(a *Answer) { a.Canonical = false }), seven, "said to be canonical: false"},
		{"text", value, good, eight, "exact text"},
		{"too deep", deep, Answer{Kind: "depth"}, "", "the engine takes it"},
		{"refusal", refused, Answer{Kind: "eof"}, "", ""},
		{"no refusal", refused, good, "", "the engine refuses it"},
		{"taken", taken, good, "", ""},
		{"not taken", taken, Answer{Kind: "eof"}, "", "the engine takes it"},
		{"written again", taken, with(func(a *Answer) { a.Hex = eight }), "", "written again differently"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parrot{map[string]Answer{tt.c.Hex: tt.a}, map[string]string{"7": tt.text}}
			r, err := Compare(p, "godot-4.4", []Case{tt.c})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(r.Failures) > 0 || tt.want != "" && (len(r.Failures) != 1 || !strings.Contains(r.Failures[0].What, tt.want)) {
				t.Errorf("got %v, want %q", r.Failures, tt.want)
			}
		})
	}
}

// Godot 3.2 takes any depth. What is not too deep is not excused.
func TestDepthRule(t *testing.T) {
	for depth, excused := range map[int]int{1024: 0, 1025: 1} {
		nest := strings.Repeat("1300000001000000", depth) + "00000000"
		c := Case{Kind: "damaged", Hex: nest, Accepted: true, Again: nest}
		r, err := Compare(parrot{said: map[string]Answer{nest: {Kind: "depth"}}}, "godot-3", []Case{c})
		if err != nil {
			t.Fatal(err)
		}
		if r.Excused[ruleDepth] != excused || len(r.Failures) != 1-excused {
			t.Errorf("%d levels: %v", depth, r)
		}
	}
}

// The walker steps over every type: a copy with no rules is the packet itself.
func TestWalkerCopies(t *testing.T) {
	for _, s := range []string{
		"00000000",
		"05000100" + strings.Repeat("00", 16),
		"1d000000 03000000 01020300",
		"22000000 01000000 05000000 7465737400000000",
		"1a000000 03000000 68697400 0100000000000000",
		"18000000 0a000000 526566436f756e7465640000 01000000 06000000 7363726970740000 00000000",
		"1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000",
		"16000000 02000080 02000000 01000000 04000000 726f6f74 01000000 61000000 01000000 62000000 01000000 63000000",
	} {
		want, err := hex.DecodeString(squeeze(s))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := normal(godot4, want, 0)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %x, %v", s, got, err)
		}
		if _, _, err := normal(godot4, want[:len(want)-4], 0); err == nil {
			t.Errorf("%s: cut short and still whole", s)
		}
	}
}

// The walker ignores bit 31 of the type and of the count of a typed array, as Pandemonium 5 does.
func TestWalkerMasksCount(t *testing.T) {
	for _, s := range []string{"1b000000 02000000 01000080 02000000 01000000", "1b000000 02000080 01000000 02000000 01000000"} {
		packet, err := hex.DecodeString(squeeze(s))
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := normal(pandemonium5, packet, 0); err != nil || !slices.Equal(got, packet) {
			t.Errorf("%x, %v", got, err)
		}
	}
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

// A value that an engine does not find in octable's text is excused only if a rule says so.
func TestTextRules(t *testing.T) {
	godot4, godot3, godot32 := Installed[0], Installed[1], Installed[2]
	const (
		zero    = "00000000"
		nan     = "05000000 0000c0ff 00000000"
		plain   = "05000000 0000c07f 00000000"
		tiny    = "03000100 0100000000000000"
		third   = "03000100 555555555555d53f" // 1/3, which has digits
		beside  = "03000100 545555555555d53f"
		object  = "18000100 0500000000000000"
		classes = "1c000100 18000000 00000000"
		bools   = "1c000100 01000000"
		values  = "1b000400 02000000 01000000 00000000 04000000 00000000"
	)
	tests := []struct {
		name         string
		e            Engine
		packet, read string
		text         string
		excused      rule
		fails        bool
	}{
		{name: "same", e: godot4, packet: third, read: third},
		{name: "NaN", e: godot4, packet: nan, read: plain, excused: ruleNaNBits},
		{name: "no NaN", e: godot4, packet: nan, read: "05000000 00000000 00000000", fails: true},
		{name: "too small", e: godot4, packet: tiny, read: "03000000 00000000", excused: ruleDigits},
		{name: "digits there are", e: godot4, packet: third, read: beside, fails: true},
		{name: "far from it", e: godot4, packet: tiny, read: "03000000 0000803f", fails: true},
		{name: "no text", e: godot4, packet: object, read: zero, excused: ruleUnsaid},
		{name: "a text there is", e: godot4, packet: third, read: zero, fails: true},
		{name: "another value", e: godot4, packet: object, read: "02000000 01000000", fails: true},
		{name: "RID in Godot 3", e: godot3, packet: "10000000", text: "RID()", read: "04000000 05000000 5249442829000000", excused: ruleUnsaid},
		{name: "some other text", e: godot3, packet: "10000000", text: "RID()", read: "04000000 05000000 5249442929000000", fails: true},
		{name: "inf in Godot 3.2", e: godot32, packet: "05000000 0000807f 00000000", text: "V", read: "04000000 01000000 56000000", excused: ruleSpecial},
		{name: "inf in Godot 3.6", e: godot3, packet: "05000000 0000807f 00000000", text: "V", read: "04000000 01000000 56000000", fails: true},
		{name: "surrogate in Godot 3", e: godot3, packet: "04000000 03000000 eda08000", read: "04000000 01000000 55000000", excused: ruleNoText},
		{name: "Object", e: godot4, packet: classes, read: "1c000000 00000000", excused: ruleClassName},
		{name: "wrong elements in keys", e: godot4, packet: "1b000000 02000000" + bools + "01000000 02000000 01000000 00000000" + bools + "01000000 02000000 02000000 00000000",
			read: "1b000000 01000000" + bools + "00000000 00000000", excused: ruleElements},
		{name: "right elements in keys", e: godot4, packet: "1b000000 02000000" + bools + "01000000 01000000 01000000 00000000" + bools + "01000000 01000000 00000000 00000000",
			read: "1b000000 01000000" + bools + "00000000 00000000", fails: true},
		{name: "wrong value", e: godot4, packet: values, read: values[:18] + " 00000000", excused: ruleValues},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Report{Excused: map[rule]int{}}
			packet := squeeze(tt.packet)
			r.CompareTexts(tt.e, []Case{{Hex: packet}}, []Answer{{OK: true, Hex: packet, Text: tt.text}}, []string{squeeze(tt.read)})
			if failed := len(r.Failures) > 0; failed != tt.fails {
				t.Errorf("failed: %v, want %v", r.Failures, tt.fails)
			}
			for _, n := range ruleNames {
				if got := r.Excused[n.rule] > 0; got != (tt.excused == n.rule) {
					t.Errorf("excused by %s: %v", n.name, got)
				}
			}
		})
	}
}
