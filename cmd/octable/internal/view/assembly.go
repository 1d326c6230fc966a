// The text form of packets.

package view

import (
	"context"

	"github.com/octable/octable/interp/asm"
)

// assembly returns the text form of a packet.
func (p *packet) assembly() string {
	text, _ := asm.New(p.f.notation).Disassemble(p.bytes, asm.Options{})
	return string(text)
}

// assemble makes a packet of its text form. Computed numbers that the text leaves out follow, and those
// that it has are kept, even if they are wrong.
func (s *Service) assemble(ctx context.Context, q AssembleParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	if err := checkText(q.Text); err != nil {
		return nil, err
	}
	b, err := asm.New(old.f.notation).Assemble([]byte(q.Text))
	if err != nil {
		return nil, &Error{Code: "value", Message: err.Error()}
	}
	return s.edited(ctx, old, b, "", LocateParams{Offset: 0, Part: -1})
}
