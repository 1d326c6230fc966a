// Reading bytes by every candidate, and ranking the results.

package identify

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/spec"
)

// Candidate is a schema by which bytes may have been written.
type Candidate struct {
	Spec  string // id, with the choice of its option, such as "godot-4.4+double"
	Title string
	Codec *codec.Codec

	family int // engines, documents, other formats
	age    int // lower is newer

	once     sync.Once
	notation *notation.Notation // see words
}

// The families of candidates, the likely ones first.
const (
	engine = iota
	document
	example
	ours // a schema of the caller's own: it would not be asked for without reason
)

// Candidates returns all schemas of octable that describe packets, those of package codec
// under every choice of their options.
func Candidates() []*Candidate {
	var all []*Candidate
	ids := spec.IDs()
	for _, name := range codec.Schemas() {
		id, choice, _ := strings.Cut(name, "+")
		c := codec.MustLoad(name)
		role := raw.Program(c).Role
		if role == builtin.FramingRole {
			continue // it is tried with each of the others
		}
		cand := &Candidate{Spec: name, Title: raw.Program(c).Title, Codec: c, age: 2 * (len(ids) - slices.Index(ids, id))}
		if choice != "" {
			cand.age++
		}
		series := spec.Series(id)
		switch {
		case series < 0:
			cand.family, series = example, 1
		case role == builtin.DocumentRole:
			cand.family = document
		}
		cand.age += 1000 * series
		all = append(all, cand)
	}
	for _, id := range spec.All()[len(ids):] {
		p, err := compile.Program(id, "")
		if err != nil {
			panic(err) // a schema of octable has an error
		}
		c, err := raw.Codec(p)
		if err != nil {
			panic(err)
		}
		all = append(all, &Candidate{Spec: id, Title: p.Title, Codec: c, family: example, age: 1000})
	}
	return all
}

// Own returns a candidate for a schema of the caller's own.
func Own(name string, c *codec.Codec) *Candidate {
	return &Candidate{Spec: name, Title: raw.Program(c).Title, Codec: c, family: ours, age: -1}
}

// Reading is the result of one candidate for bytes.
type Reading struct {
	Spec  string `json:"spec"`
	Title string `json:"title"`
	// Framed is the order of the lengths if the bytes are a stream of values after their lengths. It is little or big.
	Framed   string   `json:"framed,omitempty"`
	Text     bool     `json:"text,omitempty"`   // the bytes are read as text in the notation of the candidate
	Values   int      `json:"values,omitempty"` // of a stream
	Accepted bool     `json:"accepted"`
	Objects  bool     `json:"objects,omitempty"` // it is accepted only where objects in full are
	Value    string   `json:"value,omitempty"`
	Clipped  bool     `json:"clipped,omitempty"` // Value is only its beginning
	Used     int      `json:"used,omitempty"`    // bytes
	Left     int      `json:"left,omitempty"`    // bytes that are left over
	Written  bool     `json:"canonical"`         // a writer would have written these bytes
	Differs  string   `json:"differs,omitempty"` // where not: how
	Odd      []string `json:"odd,omitempty"`     // what is out of the ordinary in it
	Random   int      `json:"random,omitempty"`  // of 100 random inputs of this length, how many are read as well
	Held     int      `json:"held,omitempty"`    // of the first bytes, how many cannot be inverted
	Kind     string   `json:"kind,omitempty"`    // of the error
	Offset   int      `json:"offset,omitempty"`  // of the byte in error
	Error    string   `json:"error,omitempty"`

	candidate *Candidate
	hash      [sha256.Size]byte // of the value, in the names of the newest version
	odd       int
}

// Group are readings that make the same of the bytes.
type Group struct {
	Readings []*Reading `json:"readings"` // the likeliest first
}

// Report has the results of all candidates for some bytes.
type Report struct {
	Bytes  int    `json:"bytes"`
	Guess  string `json:"guess,omitempty"`  // the spec of the likeliest reading
	Framed string `json:"framed,omitempty"` // as in that reading
	Reason string `json:"reason"`
	// Groups are the readings that accept the bytes, the likeliest first.
	Groups []Group `json:"groups"`
	// Refused are those that do not.
	Refused []*Reading `json:"refused"`
	// Damaged is the guess if that is a refused reading. The first bytes are a signature of it, and of no accepted
	// one.
	Damaged *Reading `json:"damaged,omitempty"`
}

// Best returns the likeliest reading, or nil without readings.
func (r *Report) Best() *Reading {
	switch {
	case r.Damaged != nil:
		return r.Damaged
	case len(r.Groups) > 0:
		return r.Groups[0].Readings[0]
	case len(r.Refused) > 0:
		return r.Refused[0]
	}
	return nil
}

// Read reads bytes by every candidate.
func Read(b []byte, candidates []*Candidate) *Report { return ReadText(b, nil, candidates) }

// ReadLong is [Read] for many bytes: it does not compare the values, which takes long. Each reading is a separate
// group, and Differs is empty. Of streams it reads the first values only, and counts all.
func ReadLong(b []byte, candidates []*Candidate) *Report { return readAll(b, nil, candidates, true) }

// ReadText is [Read] for bytes that may be text. Texts are the values in it; nil means that the bytes are not text.
func ReadText(b []byte, texts []string, candidates []*Candidate) *Report {
	return readAll(b, texts, candidates, false)
}

func readAll(b []byte, texts []string, candidates []*Candidate, long bool) *Report {
	r := &Report{Bytes: len(b), Groups: []Group{}, Refused: []*Reading{}}
	var all []*Reading
	add := func(x *Reading) {
		if x.Accepted {
			all = append(all, x)
		} else {
			r.Refused = append(r.Refused, x)
		}
	}
	type stream struct {
		list [][]byte
		left int
	}
	streams := map[string]stream{}
	for name, order := range map[string]binary.ByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		list, left := frames(b, order)
		streams[name] = stream{list, left}
	}
	for _, c := range candidates {
		if x := c.parse(texts, len(b)); x != nil {
			add(x)
			continue
		}
		add(c.read(b, long))
		for _, order := range []string{"little", "big"} {
			if s := streams[order]; s.list != nil && c.family < example {
				if x := c.stream(s.list, s.left, order, long); x.Accepted {
					add(x)
				}
			}
		}
	}
	for _, x := range all {
		x.Random, x.Held = x.chance(len(b)), x.held(b)
	}
	slices.SortStableFunc(all, compare)
	slices.SortStableFunc(r.Refused, compare)
	for _, x := range all {
		at := slices.IndexFunc(r.Groups, func(g Group) bool { return alike(g.Readings[0], x) })
		if at < 0 {
			r.Groups = append(r.Groups, Group{})
			at = len(r.Groups) - 1
		}
		r.Groups[at].Readings = append(r.Groups[at].Readings, x)
	}
	r.Damaged = r.damaged(b)
	r.reason()
	return r
}

// compare puts the likelier reading first.
func compare(x, y *Reading) int {
	return cmp.Or(
		cmp.Compare(btoi(!x.Accepted), btoi(!y.Accepted)),
		cmp.Compare(x.tier(), y.tier()),
		cmp.Compare(btoi(x.Left > 0), btoi(y.Left > 0)),
		cmp.Compare(btoi(x.odd > 0), btoi(y.odd > 0)),
		cmp.Compare(x.Left, y.Left),
		cmp.Compare(btoi(x.candidate.family != ours), btoi(y.candidate.family != ours)),
		cmp.Compare(btoi(!x.Written), btoi(!y.Written)),
		cmp.Compare(btoi(x.Objects), btoi(y.Objects)),
		cmp.Compare(x.odd, y.odd),
		cmp.Compare(x.candidate.family, y.candidate.family),
		cmp.Compare(y.Held, x.Held),
		cmp.Compare(x.candidate.age, y.candidate.age),
		cmp.Compare(len(x.Framed), len(y.Framed)),
	)
}

// tier ranks a reading by the evidence against it; 0 is the best. Formats that have nothing to do with the
// engines read many bytes by chance, and so do wrong versions.
func (x *Reading) tier() int {
	other := x.candidate.family == example
	doubtful := x.odd > 0 || x.Left > 0 && (other || !x.Written)
	return btoi(other) + 2*btoi(doubtful) + 4*btoi(x.byChance())
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// alike reports whether two readings make the same of the bytes.
func alike(x, y *Reading) bool {
	return x.hash == y.hash && x.Used == y.Used && x.Written == y.Written && x.Framed == y.Framed && x.Objects == y.Objects &&
		(x.candidate.family == example) == (y.candidate.family == example)
}

// frames splits bytes into values after their lengths, as far as they go. It
// returns how many bytes are left over.
func frames(b []byte, order binary.ByteOrder) (list [][]byte, left int) {
	for len(b) >= 4 {
		n := uint64(order.Uint32(b))
		if n > uint64(len(b)-4) || n == 0 {
			break
		}
		list = append(list, b[4:4+n])
		b = b[4+n:]
	}
	return list, len(b)
}

// maxValue is how many bytes of a value's text are kept.
const maxValue = 4000

// read reads bytes as one packet.
func (c *Candidate) read(b []byte, long bool) *Reading {
	x := &Reading{Spec: c.Spec, Title: c.Title, candidate: c}
	v, used, err := c.decode(x, b)
	if err != nil {
		x.refuse(err, 0)
		return x
	}
	x.Accepted, x.Used, x.Left = true, used, len(b)-used
	x.look(v)
	if long {
		x.hash = sha256.Sum256([]byte(c.Spec))
		x.Written = c.writes(b[:used], v, x.Objects)
		x.clip(c.beginning(v))
		return x
	}
	x.Differs = c.differs(b[:used], v, used, x.Objects)
	x.Written = x.Differs == ""
	x.hash = sha256.Sum256(c.plain(v))
	x.clip(c.text(v))
	return x
}

// maxStream is how many bytes of a long stream are read.
const maxStream = 1 << 16

// stream reads values that had their lengths before them, and some bytes after the
// last.
func (c *Candidate) stream(list [][]byte, left int, order string, long bool) *Reading {
	x := &Reading{Spec: c.Spec, Title: c.Title, candidate: c, Framed: order, Values: len(list), Accepted: true, Left: left, Written: true}
	var texts strings.Builder
	hash := sha256.New()
	if long {
		hash.Write([]byte(c.Spec))
	}
	at := 0
	for i, f := range list {
		if long && at >= maxStream {
			for _, f := range list[i:] {
				at += 4 + len(f)
			}
			break
		}
		v, used, err := c.decode(x, f)
		if err != nil {
			if i == 0 {
				x.refuse(err, at+4)
				return x
			}
			for _, f := range list[i:] {
				x.Left += 4 + len(f)
			}
			x.Values = i
			break
		}
		d := ""
		if !long {
			d = c.differs(f[:used], v, used, x.Objects)
		} else if !c.writes(f[:used], v, x.Objects) {
			x.Written = false
		}
		if left := len(f) - used; d == "" && left > 0 {
			d = fmt.Sprintf("%s after it", count(left, "byte is left over", "bytes are left over"))
		}
		if d != "" && x.Written {
			x.Written, x.Differs = false, fmt.Sprintf("value %d: %s", i+1, d)
		}
		if i > 0 {
			texts.WriteString("; ")
		}
		switch {
		case texts.Len() > maxValue:
		case long:
			texts.WriteString(c.beginning(v))
		default:
			texts.WriteString(c.text(v))
		}
		if !long {
			hash.Write(c.plain(v))
			hash.Write([]byte{0})
		}
		x.look(v)
		at += 4 + len(f)
	}
	x.Used = at
	copy(x.hash[:], hash.Sum(nil))
	x.clip(texts.String())
	return x
}

// parse reads the values of a text. It returns nil if the text is not one that the candidate reads.
func (c *Candidate) parse(texts []string, size int) *Reading {
	if len(texts) == 0 || c.family >= example {
		return nil
	}
	x := &Reading{Spec: c.Spec, Title: c.Title, candidate: c, Text: true, Values: len(texts), Accepted: true, Used: size, Written: true}
	var all []string
	hash := sha256.New()
	for _, text := range texts {
		v, err := c.Codec.ParseText(text)
		if err == nil {
			_, err = c.Codec.Encode(v)
		}
		written, wrong := c.Codec.Text(v)
		if err != nil || wrong != nil {
			return nil
		}
		if tight(written) != tight(text) && x.Written {
			x.Written, x.Differs = false, fmt.Sprintf("value %d: a writer writes other words or digits", len(all)+1)
		}
		all = append(all, c.text(raw.Value(v)))
		hash.Write(c.plain(raw.Value(v)))
		hash.Write([]byte{0})
		x.look(raw.Value(v))
	}
	copy(x.hash[:], hash.Sum(nil))
	x.clip(strings.Join(all, "; "))
	return x
}

// tight returns a text without blanks, which writers put where they like.
func tight(text string) string { return strings.Join(strings.Fields(text), "") }

func (x *Reading) refuse(err error, at int) {
	var e *interp.Error
	x.Accepted, x.Written, x.Used = false, false, 0
	x.Error = err.Error()
	if errors.As(err, &e) {
		moved := *e
		moved.Offset += at
		x.Kind, x.Offset, x.Error = e.Word(), moved.Offset, moved.Error()
	}
}

// decode reads a packet, with objects in full if it has some.
func (c *Candidate) decode(x *Reading, b []byte) (interp.Value, int, error) {
	opt := interp.Options{}
	if x.Objects {
		opt.Open = 0xff
	}
	v, used, err := raw.Machine(c.Codec).Decode(b, opt)
	if errors.Is(err, interp.ErrClosed) {
		if open, usedOpen, errOpen := raw.Machine(c.Codec).Decode(b, interp.Options{Open: 0xff}); errOpen == nil {
			x.Objects = true
			return open, usedOpen, nil
		}
	}
	return v, used, err
}

// writes reports whether a writer writes the bytes of a packet for its value.
func (c *Candidate) writes(b []byte, v interp.Value, objects bool) bool {
	opt := interp.Options{}
	if objects {
		opt.Open = 0xff
	}
	out, err := raw.Machine(c.Codec).Encode(v, opt)
	return err == nil && bytes.Equal(out, b)
}

// differs says how a writer would write the value of a packet. The result is ""
// if the packet is just what it would write.
func (c *Candidate) differs(b []byte, v interp.Value, used int, objects bool) string {
	if c.writes(b, v, objects) {
		return ""
	}
	opt := interp.Options{}
	if objects {
		opt.Open = 0xff
	}
	if err := raw.Machine(c.Codec).NewReader(opt).Canonical(b, v, used); err != nil {
		return err.Error()
	}
	return "a writer does not write it"
}

// words returns the notation of the candidate, which is made once.
func (c *Candidate) words() *notation.Notation {
	c.once.Do(func() { c.notation = notation.Of(raw.Machine(c.Codec)) })
	return c.notation
}

// text prints a value in the words of the candidate.
func (c *Candidate) text(v interp.Value) string {
	if text, err := raw.PlainText(c.Codec, v); err == nil && text != "" && !strings.HasPrefix(text, "Raw(") {
		return text
	}
	return c.words().String(v)
}

// beginning prints the beginning of a value.
func (c *Candidate) beginning(v interp.Value) string {
	return c.words().Clipped(v, maxValue)
}

// plain prints a value in the names of the newest version, to compare it.
func (c *Candidate) plain(v interp.Value) []byte {
	return []byte(raw.Named(c.Codec, v).String())
}

func (x *Reading) clip(text string) {
	if len(text) > maxValue {
		text, x.Clipped = strings.ToValidUTF8(text[:maxValue], ""), true
	}
	x.Value = text
}

// mostOdd is how many odd things are named.
const mostOdd = 3

func (x *Reading) oddity(what string) {
	if x.odd++; len(x.Odd) < mostOdd {
		x.Odd = append(x.Odd, what)
	}
}

// look counts unusual things in a value. These are numbers that result from
// reading something else as a number, and texts of control characters.
func (x *Reading) look(v interp.Value) {
	number := func(f float64) {
		if a := math.Abs(f); a != 0 && (a < 1e-30 || a > 1e30) && !math.IsInf(f, 0) && f == f {
			x.oddity("the number " + strconv.FormatFloat(f, 'g', 3, 64))
		}
	}
	switch v.Kind() {
	case interp.Float:
		number(v.Float())
	case interp.Lanes, interp.Packed:
		n := v.Len()
		if v.Kind() == interp.Packed {
			n *= v.Width()
		}
		if v.Scalar().IsFloat() {
			for i := range n {
				number(v.LaneFloat(i))
			}
		} else if v.Scalar() == bytecode.I32 && likeReals(v, n) {
			x.oddity(fmt.Sprintf("the integer %d, which would make a good real", v.LaneInt(0)))
		}
	case interp.Text:
		for _, r := range v.Text() {
			if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f || r == 0xfffd {
				x.oddity("a text with " + strconv.QuoteRuneToASCII(r))
				break
			}
		}
	case interp.List, interp.Map, interp.Record:
		for _, c := range v.Cells() {
			x.look(c)
		}
	}
}

// likeReals reports whether integers are what reals of everyday size look like when
// they are read as integers.
func likeReals(v interp.Value, n int) bool {
	some := false
	for i := range n {
		bits := uint32(v.LaneBits(i))
		if bits == 0 {
			continue
		}
		if a := math.Abs(float64(math.Float32frombits(bits))); !(a > 1e-4 && a < 1e7) {
			return false
		}
		some = true
	}
	return some && v.LaneBits(0) != 0
}

// reason says why the first reading is the likeliest.
func (r *Report) reason() {
	if d := r.Damaged; d != nil {
		r.Guess = d.Spec
		r.Reason = fmt.Sprintf("the first bytes are those of %s, but the format refuses them: %s", d.label(), d.Error)
		return
	}
	if len(r.Groups) == 0 {
		r.Reason = "no candidate accepts these bytes"
		return
	}
	best := r.Groups[0].Readings[0]
	if best.byChance() {
		r.Reason = fmt.Sprintf("no format is likely; %s accepts these bytes, but %d of 100 random inputs of this length as well", best.label(), best.Random)
		return
	}
	r.Guess, r.Framed = best.Spec, best.Framed
	var parts []string
	switch {
	case best.Text:
		parts = append(parts, fmt.Sprintf("the bytes are the text of %s", count(best.Values, "value", "values")))
	case best.Framed != "" && best.Left > 0:
		parts = append(parts, fmt.Sprintf("there are %s, each after its length, and the beginning of something", count(best.Values, "value", "values")))
	case best.Framed != "" && best.Values == 1:
		parts = append(parts, "the bytes are a length and just as many bytes of a value")
	case best.Framed != "":
		parts = append(parts, fmt.Sprintf("the bytes are %d values, each after its length", best.Values))
	case best.Left == 0:
		parts = append(parts, "it takes all bytes")
	default:
		parts = append(parts, fmt.Sprintf("no reading takes all bytes; this one takes %d", best.Used))
	}
	if best.Written {
		parts = append(parts, "they are just what that version writes")
	} else {
		parts = append(parts, "that version would write others")
	}
	if best.odd > 0 {
		parts = append(parts, "though there is "+strings.Join(best.Odd, " and "))
	}
	r.Reason = strings.Join(parts, ", ")
	if len(r.Groups) == 1 {
		if n := len(r.Groups[0].Readings); n > 1 {
			r.Reason += fmt.Sprintf("; all %d versions that accept them read the same, and it is the newest of these", n)
		} else {
			r.Reason += "; no other accepts them"
		}
		return
	}
	if n := len(r.Groups[0].Readings); n > 1 {
		r.Reason += fmt.Sprintf("; %d versions read the same, and it is the newest of these", n)
	}
	next := r.Groups[1].Readings[0]
	var why string
	switch {
	case next.byChance():
		why = fmt.Sprintf("accepts %d of 100 random inputs of this length", next.Random)
	case next.tier() != best.tier() && next.candidate.family == example:
		why = "is of another format, which reads many bytes by chance"
	case next.odd == 0 && (next.Left > 0) != (best.Left > 0):
		why = fmt.Sprintf("leaves %s over", count(next.Left, "byte", "bytes"))
	case (next.odd > 0) != (best.odd > 0):
		why = "has " + strings.Join(next.Odd, " and ")
	case best.candidate.family == ours && next.candidate.family != ours:
		why = "is of a schema that was not asked for"
	case next.Written != best.Written:
		why = "is not what that version writes"
	case next.Objects != best.Objects:
		why = "has objects in full"
	case next.odd != best.odd:
		why = "has more of such"
	case next.candidate.family != best.candidate.family:
		why = "is of a document that no engine follows"
	case next.Held != best.Held:
		why = fmt.Sprintf("checks fewer bytes: %d of the first %d, not %d", next.Held, min(r.Bytes, maxHeld), best.Held)
	case next.Left != best.Left:
		why = fmt.Sprintf("leaves %s over", count(next.Left, "byte", "bytes"))
	default:
		why = "is just as good, but for its age"
	}
	r.Reason += fmt.Sprintf("; the next best reading, %s, %s", next.label(), why)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// label names a reading.
func (x *Reading) label() string {
	switch x.Framed {
	case "little":
		return x.Spec + " with lengths"
	case "big":
		return x.Spec + " with big-endian lengths"
	}
	return x.Spec
}
