// Calls: methods with parameters and results in JSON.

package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/octable/octable/cmd/octable/internal/lsp"
)

// Service answers the calls of one page. It may be used by any number of goroutines.
type Service struct {
	mu      sync.Mutex
	packets map[int]*packet
	order   []int // of packets, the one that was used last at the end
	last    int   // number of the newest packet
	formats map[string]*format
	texts   map[string]*ownText // of schemas that are edited, by handle
	editor  *lsp.Local
}

// New returns a Service without packets. Numbers of packets begin at a random one, so that those of a Service that was
// ended are unknown to the next.
func New() *Service {
	return &Service{last: rand.IntN(1 << 30), packets: map[int]*packet{}, formats: map[string]*format{}, texts: map[string]*ownText{}, editor: lsp.NewLocal()}
}

// Error is an error of a call as the page gets it.
type Error struct {
	Code    string `json:"code"` // params, gone, time, size, schema, value, key, internal
	Message string `json:"message"`
	Fault   *Fault `json:"fault"` // the place in the packet, or nil
}

func (e *Error) Error() string { return e.Message }

// Call answers a call. The error is an [*Error].
func (s *Service) Call(ctx context.Context, method string, params json.RawMessage) (result json.RawMessage, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, &Error{Code: "internal", Message: fmt.Sprintf("internal error; please report it: %v", r)}
		}
	}()
	m, ok := methods[method]
	if !ok {
		return nil, &Error{Code: "params", Message: fmt.Sprintf("there is no method %q", method)}
	}
	out, err := m.call(s, ctx, params)
	if err == nil {
		result, err = json.Marshal(out)
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Code: "value", Message: err.Error()}
		}
		return nil, e
	}
	return result, nil
}

// method is a method with the types of its messages, of which TestMessages makes those of the page.
type method struct {
	call           func(*Service, context.Context, json.RawMessage) (any, error)
	params, result any
}

// methodOf returns the method of a function.
func methodOf[P, R any](f func(*Service, context.Context, P) (R, error)) method {
	var p P
	var r R
	return method{func(s *Service, ctx context.Context, raw json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, &Error{Code: "params", Message: err.Error()}
		}
		return f(s, ctx, p)
	}, p, r}
}

// onPacket returns the method of a function about a packet.
func onPacket[P packetParams, R any](f func(*packet, context.Context, P) (R, error)) method {
	return methodOf(func(s *Service, ctx context.Context, params P) (r R, err error) {
		p, err := s.packet(params.packet())
		if err != nil {
			return r, err
		}
		return f(p, ctx, params)
	})
}

// packetParams are parameters that name a packet.
type packetParams interface{ packet() int }

func (p PacketParams) packet() int   { return p.Packet }
func (p WindowParams) packet() int   { return p.Packet }
func (p ChildrenParams) packet() int { return p.Packet }
func (p LocateParams) packet() int   { return p.Packet }
func (p ReadByParams) packet() int   { return p.Packet }
func (p ExportParams) packet() int   { return p.Packet }
func (p StepParams) packet() int     { return p.Packet }

// methods are the methods by name.
var methods map[string]method

func init() {
	methods = map[string]method{
		"schemas":  methodOf((*Service).schemas),
		"examples": methodOf((*Service).examples),
		"open":     methodOf((*Service).open),
		"reread":   methodOf((*Service).reread),
		"close":    methodOf((*Service).close),
		"which":    onPacket((*packet).which),
		"window": onPacket(func(p *packet, _ context.Context, q WindowParams) (*Window, error) {
			return p.window(q.From, q.To), nil
		}),
		"children": onPacket(func(p *packet, _ context.Context, q ChildrenParams) (*Children, error) {
			return p.children(q.Node, q.From, q.Count)
		}),
		"locate":    onPacket(func(p *packet, _ context.Context, q LocateParams) (*Way, error) { return p.locate(q) }),
		"readBy":    onPacket(func(p *packet, _ context.Context, q ReadByParams) (*ReadBy, error) { return p.readBy(q), nil }),
		"schema":    methodOf((*Service).schemaText),
		"row":       methodOf((*Service).row),
		"document":  methodOf((*Service).document),
		"splice":    methodOf((*Service).splice),
		"set":       methodOf((*Service).set),
		"insert":    methodOf((*Service).insert),
		"remove":    methodOf((*Service).remove),
		"canonical": methodOf((*Service).canonical),
		"export":    onPacket((*packet).export),
		"save":      onPacket((*packet).save),
		"assemble":  methodOf((*Service).assemble),
		"step":      onPacket((*packet).step),
		"compare":   methodOf((*Service).compare),
		"compile":   methodOf((*Service).compile),
		"hover":     methodOf((*Service).hover),
		"complete":  methodOf((*Service).complete),
		"format":    methodOf((*Service).format),
	}
}
