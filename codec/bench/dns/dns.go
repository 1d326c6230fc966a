// Package dns is a workload of DNS messages: questions and replies with compressed names. It has the messages,
// and code written by hand that reads and writes the same cells as octable's interpreter and the types of
// octable's generated code.
package dns

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	gen "github.com/octable/octable/codec/bench/run-go-generate/dns"
	"github.com/octable/octable/codec/bench/suite"
)

// Messages is the number of messages of the workload.
const Messages = 64

var (
	errShort    = errors.New("dns: the message ends inside a field")
	errTrailing = errors.New("dns: data of a record is longer than its fields")
	errLabel    = errors.New("dns: the kind of a label is reserved")
	errName     = errors.New("dns: a name does not end with its last label")
	errRange    = errors.New("dns: a number does not fit its field")
	errData     = errors.New("dns: the data is of another type than the record")
)

// The types of records.
const (
	typeA     = 1
	typeNS    = 2
	typeCNAME = 5
	typeSOA   = 6
	typePTR   = 12
	typeMX    = 15
	typeTXT   = 16
	typeAAAA  = 28
	typeSRV   = 33
	typeOPT   = 41
)

// format is the workload.
var format = suite.Format{Workload: "dns", Codec: func() *codec.Codec { return suite.Spec("dns") }, Wire: Wire}

// Values is the code that fills cells.
var Values = suite.Values{Format: format, Read: readValue, Write: appendValue}

// Typed is the code for the types that octable generates.
var Typed = suite.Typed[gen.Message]{
	Format:  format,
	Decoder: func() suite.Decode[gen.Message] { return (&gen.Decoder{Options: gen.Options{Alias: true}}).DecodeInto },
	Read:    gen.Options{Alias: true}.DecodeInto, HandRead: readMessage,
	Write: gen.Append, HandWrite: appendMessage,
	Interfaces: interfaces,
}

// Register adds the cases.
func Register(ours string) {
	Values.Register(ours)
	Typed.Register(ours)
	registerLibrary()
}

// Wire returns the bytes of the messages.
func Wire() [][]byte {
	r := rand.New(rand.NewPCG(2026, 12))
	list := make([][]byte, Messages)
	for i := range list {
		m := message(r, i)
		b, err := appendMessage(nil, &m)
		cases.Must(err)
		list[i] = b
	}
	return list
}

// name returns a name from its labels.
func name(labels ...string) (n gen.Name) {
	for _, l := range labels {
		n.Labels = append(n.Labels, gen.LabelLabel(l))
	}
	n.Labels = append(n.Labels, gen.LabelLabel(""))
	return n
}

// pointer returns a name of labels and a pointer.
func pointer(to int, labels ...string) (n gen.Name) {
	for _, l := range labels {
		n.Labels = append(n.Labels, gen.LabelLabel(l))
	}
	n.Labels = append(n.Labels, gen.Pointer{High: uint8(to >> 8), Low: uint8(to)})
	return n
}

// message returns a question if i is even, and the reply to it if i is odd.
func message(r *rand.Rand, i int) gen.Message {
	host := []string{"www", "mail", "static", "api-gateway"}[i/2%4]
	zone := fmt.Sprintf("example-%d", i/2)
	m := gen.Message{ID: uint16(r.Uint32()), Rd: true, Questions: []gen.Question{{Name: name(host, zone, "com"), Type: typeA, Class: 1}}}
	origin := 12 + 1 + len(host) // where the name of the zone is
	edns := gen.Record{Name: name(), Type: typeOPT, PayloadSize: new(uint16(1232)), ExtendedRcode: new(uint8), Version: new(uint8), DnssecOk: new(i%4 == 1), EdnsZ: new(uint16), Data: gen.OPT{}}
	m.Additionals = []gen.Record{edns}
	if i%2 == 0 {
		return m
	}
	m.Qr, m.Ra, m.Ad = true, true, i%4 == 1
	record := func(n gen.Name, typ uint16, data gen.Data) gen.Record {
		return gen.Record{Name: n, Type: typ, Class: new(uint16(1)), Ttl: new(60 * r.Uint32N(1000)), Data: data}
	}
	address := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	switch i / 2 % 4 {
	case 0: // addresses behind an alias
		m.Answers = append(m.Answers, record(pointer(12), typeCNAME, gen.CNAME{Cname: pointer(origin, "edge", "cdn")}))
		for range 1 + r.IntN(4) {
			m.Answers = append(m.Answers, record(pointer(12), typeA, gen.A(address(4))))
		}
		for range r.IntN(3) {
			m.Answers = append(m.Answers, record(pointer(12), typeAAAA, gen.AAAA(address(16))))
		}
	case 1: // mail servers and a policy
		for j := range 2 + r.IntN(3) {
			m.Answers = append(m.Answers, record(pointer(origin), typeMX, gen.MX{Preference: uint16(10 * j), Exchange: pointer(origin, fmt.Sprint("mx", j))}))
		}
		m.Answers = append(m.Answers, record(pointer(origin), typeTXT, gen.TXT{{Text: "v=spf1 include:_spf.example.com ~all"}, {Text: "site-verification=0123456789abcdef"}}))
	case 2: // a name that is not there
		m.Rcode = 3
		m.Authorities = append(m.Authorities, record(pointer(origin), typeSOA, gen.SOA{Mname: pointer(origin, "ns1"), Rname: pointer(origin, "hostmaster"), Serial: 2026112300, Refresh: 7200, Retry: 3600, Expire: 1209600, Minimum: 300}))
	case 3: // a service and its name servers
		for j := range 3 {
			m.Answers = append(m.Answers, record(pointer(origin, "_sip", "_tcp"), typeSRV, gen.SRV{Priority: uint16(j), Weight: 5, Port: 5060, Target: name("sip", zone, "com")}))
		}
		for j := range 4 {
			m.Authorities = append(m.Authorities, record(pointer(origin), typeNS, gen.NS{Nsdname: pointer(origin, fmt.Sprint("ns", j))}))
		}
		m.Answers = append(m.Answers, record(pointer(12), typePTR, gen.PTR{Ptrdname: pointer(origin, "host")}))
	}
	return m
}

// textIn returns text that shares the memory of b.
func textIn(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// flag returns a bit if b is true.
func flag(b bool, bit uint16) uint16 {
	if b {
		return bit
	}
	return 0
}
