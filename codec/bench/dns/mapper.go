// The types of octable's generated code, for a Mapper.

package dns

import (
	"github.com/octable/octable/codec"
	gen "github.com/octable/octable/codec/bench/run-go-generate/dns"
)

// interfaces has the types of arms.
var interfaces = []codec.Interface{
	codec.InterfaceOf("", map[string]gen.Data{
		"A":          gen.A(nil),
		"NS":         gen.NS{},
		"CNAME":      gen.CNAME{},
		"SOA":        gen.SOA{},
		"MB":         gen.MB{},
		"MG":         gen.MG{},
		"MR":         gen.MR{},
		"WKS":        gen.WKS{},
		"PTR":        gen.PTR{},
		"HINFO":      gen.HINFO{},
		"MINFO":      gen.MINFO{},
		"MX":         gen.MX{},
		"TXT":        gen.TXT(nil),
		"RP":         gen.RP{},
		"AFSDB":      gen.AFSDB{},
		"AAAA":       gen.AAAA(nil),
		"LOC":        gen.LOC{},
		"SRV":        gen.SRV{},
		"NAPTR":      gen.NAPTR{},
		"KX":         gen.KX{},
		"CERT":       gen.CERT{},
		"DNAME":      gen.DNAME{},
		"OPT":        gen.OPT(nil),
		"DS":         gen.DS{},
		"SSHFP":      gen.SSHFP{},
		"RRSIG":      gen.RRSIG{},
		"NSEC":       gen.NSEC{},
		"DNSKEY":     gen.DNSKEY{},
		"NSEC3":      gen.NSEC3{},
		"NSEC3PARAM": gen.NSEC3PARAM{},
		"TLSA":       gen.TLSA{},
		"CDS":        gen.CDS{},
		"CDNSKEY":    gen.CDNSKEY{},
		"CSYNC":      gen.CSYNC{},
		"SVCB":       gen.SVCB{},
		"HTTPS":      gen.HTTPS{},
		"TSIG":       gen.TSIG{},
		"URI":        gen.URI{},
		"CAA":        gen.CAA{},
		"other":      gen.Other(nil),
	}),
	codec.InterfaceOf("", map[string]gen.Label{
		"label":    gen.LabelLabel(""),
		"reserved": gen.Reserved{},
		"pointer":  gen.Pointer{},
	}),
	codec.InterfaceOf("", map[string]gen.ParameterValue{
		"mandatory":       gen.Mandatory(nil),
		"alpn":            gen.Alpn(nil),
		"no_default_alpn": gen.NoDefaultAlpn{},
		"port":            gen.Port(0),
		"ipv4hint":        gen.Ipv4hint(nil),
		"ipv6hint":        gen.Ipv6hint(nil),
		"dohpath":         gen.Dohpath(""),
		"other":           gen.ParameterValueOther(nil),
	}),
}
