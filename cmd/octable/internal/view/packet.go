// Packets: bytes that were read.

package view

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/cmd/octable/internal/identify"
	"github.com/octable/octable/codec/godot/container"
	"github.com/octable/octable/interp"
)

// packet is bytes that were read. Only its index changes.
type packet struct {
	*tree
	id     int
	name   string
	bytes  []byte
	f      *format
	opt    Options
	layers []container.Layer
	secret []byte // key of the encrypted layers
	reason string
	index  index
	runs   runs
}

// Limits of a page.
const (
	MaxPacket  = 64 << 20  // bytes of a packet
	maxPackets = 256       // packets that are kept
	maxKept    = 256 << 20 // bytes of those, and of their nodes
)

// packet returns a packet that is still kept.
func (s *Service) packet(id int) (*packet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packets[id]
	if p == nil {
		return nil, &Error{Code: "gone", Message: fmt.Sprintf("packet %d is no longer kept; open its bytes again", id)}
	}
	s.order = append(slices.DeleteFunc(s.order, func(o int) bool { return o == id }), id)
	return p, nil
}

// add reads bytes and keeps the packet. The oldest packets are forgotten.
func (s *Service) add(ctx context.Context, p *packet) (*packet, error) {
	if len(p.bytes) > MaxPacket {
		return nil, &Error{Code: "size", Message: fmt.Sprintf("the packet has %d bytes; at most %d are shown", len(p.bytes), MaxPacket)}
	}
	t, err := newTree(ctx, p.f, p.bytes, p.opt)
	if err != nil {
		return nil, err
	}
	p.tree = t
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	p.id = s.last
	s.packets[p.id] = p
	s.order = append(s.order, p.id)
	kept := 0
	for i := len(s.order) - 1; i >= 0; i-- {
		old := s.packets[s.order[i]]
		kept += len(old.bytes) + 150*len(old.nodes)
		if n := len(s.order) - i; n > 2 && (kept > maxKept || n > maxPackets) {
			for _, id := range s.order[:i+1] {
				delete(s.packets, id)
			}
			s.order = slices.Clone(s.order[i+1:])
			break
		}
	}
	return p, nil
}

// result describes a packet.
func (p *packet) result() *Packet {
	out := &Packet{Packet: p.id, Name: p.name, Size: len(p.bytes), Schema: p.f.name, Title: p.f.schema.Title, Options: p.opt, Layers: []string{},
		Reason: p.reason, Errors: p.errors, Odd: p.odd, Canonical: len(p.errors) == 0 && p.odd == nil, Changed: []Span{}}
	if out.Errors == nil {
		out.Errors = []Fault{}
	}
	for _, l := range p.layers {
		out.Layers = append(out.Layers, l.String())
	}
	return out
}

// maxLayers is the most containers around data.
const maxLayers = 4

// open opens bytes. Without a schema it takes the one that which proposes.
func (s *Service) open(ctx context.Context, q OpenParams) (*Packet, error) {
	p := &packet{name: interp.Clip(q.Name, 200), bytes: q.Data, opt: q.Options}
	if len(p.bytes) > MaxPacket {
		return nil, &Error{Code: "size", Message: fmt.Sprintf("the file has %d bytes; at most %d are shown", len(p.bytes), MaxPacket)}
	}
	if !q.Options.Bare {
		if err := p.unwrap(q); err != nil {
			return nil, err
		}
	}
	name := q.Schema
	if name == "" {
		name = p.propose()
	}
	var err error
	if p.f, err = s.load(name); err != nil {
		return nil, err
	}
	if p, err = s.add(ctx, p); err != nil {
		return nil, err
	}
	return p.result(), nil
}

// unwrap takes the containers off a file. A damaged container stays; an encrypted one without its key is an error with the
// code key, after which the page asks for it.
func (p *packet) unwrap(q OpenParams) error {
	switch {
	case q.Pass != "":
		p.secret = container.Password(q.Pass)
	case q.Key != "":
		key, err := hex.DecodeString(q.Key)
		if err != nil || len(key) != 32 {
			return &Error{Code: "key", Message: "a key is 64 hexadecimal digits"}
		}
		p.secret = key
	}
	for container.Is(p.bytes) && len(p.layers) < maxLayers {
		data, layer, err := container.Open(p.bytes, p.secret)
		if errors.Is(err, container.ErrKey) {
			return &Error{Code: "key", Message: strings.TrimPrefix(err.Error(), "container: ")}
		}
		if err != nil {
			p.reason = strings.TrimPrefix(err.Error(), "container: ")
			break
		}
		p.layers, p.bytes = append(p.layers, layer), data
	}
	return nil
}

// maxWhich is the most bytes of which every schema's values are compared.
const maxWhich = 1 << 20

// candidates are the schemas of octable. Some are compiled, which takes a while.
var candidates = sync.OnceValue(identify.Candidates)

// readAll reads the bytes by every schema.
func (p *packet) readAll() *identify.Report {
	if len(p.bytes) > maxWhich {
		return identify.ReadLong(p.bytes, candidates())
	}
	return identify.Read(p.bytes, candidates())
}

// propose returns the schema that the bytes are likely of, and sets the options and the reason.
func (p *packet) propose() string {
	r := p.readAll()
	p.reason = strings.TrimPrefix(p.reason+"; "+r.Reason, "; ")
	best := r.Best()
	if best == nil {
		return defaultSchema
	}
	p.opt.Framed, p.opt.Objects = best.Framed, best.Objects
	return best.Spec
}

// defaultSchema is shown if no schema reads anything of a packet.
const defaultSchema = "godot-4.4"

// reread reads the bytes of a packet by another schema or with other options.
func (s *Service) reread(ctx context.Context, q RereadParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	f, err := s.load(q.Schema)
	if err != nil {
		return nil, err
	}
	p, err := s.add(ctx, &packet{name: old.name, bytes: old.bytes, layers: old.layers, secret: old.secret, f: f, opt: q.Options})
	if err != nil {
		return nil, err
	}
	return p.result(), nil
}

// close forgets a packet.
func (s *Service) close(_ context.Context, q PacketParams) (*Done, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.packets, q.Packet)
	s.order = slices.DeleteFunc(s.order, func(o int) bool { return o == q.Packet })
	return &Done{}, nil
}

// which lists the schemas that a packet may be of.
func (p *packet) which(context.Context, PacketParams) (*Proposals, error) {
	r := p.readAll()
	out := &Proposals{Reason: r.Reason, Candidates: []Candidate{}}
	add := func(x *identify.Reading, group int) {
		c := Candidate{Schema: x.Spec, Title: x.Title, Framed: x.Framed, Objects: x.Objects, Group: group, Value: interp.Clip(x.Value, clipText), Left: x.Left, Canonical: x.Written}
		if group < 0 {
			c.Value = x.Error
		}
		out.Candidates = append(out.Candidates, c)
	}
	for i, g := range r.Groups {
		for _, x := range g.Readings {
			add(x, i)
		}
	}
	for _, x := range r.Refused {
		add(x, -1)
	}
	return out, nil
}

// save returns the file of a packet, with its containers.
func (p *packet) save(context.Context, PacketParams) (*Saved, error) {
	data := p.bytes
	for _, l := range slices.Backward(p.layers) {
		var err error
		if data, err = l.Seal(data, p.secret); err != nil {
			return nil, err
		}
	}
	return &Saved{Name: p.name, Data: data}, nil
}
