// The types of octable's generated code, for a Mapper.

package dns

import (
	"github.com/octable/octable/codec"
	gen "github.com/octable/octable/codec/bench/run-go-generate/dns"
)

// interfaces has the types of arms.
var interfaces = []codec.Interface{
	codec.InterfaceOf("", map[string]gen.Data{
		"A":      gen.A(nil),
		"NS":     gen.NS{},
		"CNAME":  gen.CNAME{},
		"SOA":    gen.SOA{},
		"PTR":    gen.PTR{},
		"HINFO":  gen.HINFO{},
		"MX":     gen.MX{},
		"TXT":    gen.TXT(nil),
		"AAAA":   gen.AAAA(nil),
		"SRV":    gen.SRV{},
		"NAPTR":  gen.NAPTR{},
		"DNAME":  gen.DNAME{},
		"OPT":    gen.OPT(nil),
		"DS":     gen.DS{},
		"SSHFP":  gen.SSHFP{},
		"RRSIG":  gen.RRSIG{},
		"NSEC":   gen.NSEC{},
		"DNSKEY": gen.DNSKEY{},
		"TLSA":   gen.TLSA{},
		"SVCB":   gen.SVCB{},
		"HTTPS":  gen.HTTPS{},
		"CAA":    gen.CAA{},
		"other":  gen.Other(nil),
	}),
	codec.InterfaceOf("", map[string]gen.Label{
		"label":    gen.LabelLabel(""),
		"reserved": gen.Reserved{},
		"pointer":  gen.Pointer{},
	}),
}
