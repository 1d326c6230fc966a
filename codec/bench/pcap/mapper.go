// The types of octable's generated code, for a Mapper.

package pcap

import (
	"github.com/octable/octable/codec"
	gen "github.com/octable/octable/codec/bench/run-go-generate/pcap"
)

// interfaces has the types of arms.
var interfaces = []codec.Interface{
	codec.InterfaceOf("", map[string]gen.Frame{
		"ethernet": gen.Ethernet{},
		"ip":       gen.Ip{},
		"raw":      gen.Raw(nil),
	}),
	codec.InterfaceOf("", map[string]gen.Network{
		"ipv4":  gen.Ipv4{},
		"arp":   gen.Arp{},
		"vlan":  gen.Vlan{},
		"ipv6":  gen.Ipv6{},
		"other": gen.Other{},
	}),
	codec.InterfaceOf("", map[string]gen.Transport{
		"icmp":  gen.Icmp{},
		"tcp":   gen.Tcp{},
		"udp":   gen.Udp{},
		"other": gen.TransportOther(nil),
	}),
	codec.InterfaceOf("", map[string]gen.IpOption{
		"end_of_options": gen.EndOfOptions{},
		"no_operation":   gen.NoOperation{},
		"other":          gen.IpOptionOther{},
	}),
	codec.InterfaceOf("", map[string]gen.TcpOption{
		"end_of_options": gen.TcpOptionEndOfOptions{},
		"no_operation":   gen.TcpOptionNoOperation{},
		"mss":            gen.Mss(0),
		"window_scale":   gen.WindowScale(0),
		"sack_permitted": gen.SackPermitted{},
		"sack":           gen.Sack(nil),
		"timestamps":     gen.Timestamps{},
		"other":          gen.TcpOptionOther{},
	}),
	codec.InterfaceOf("", map[string]gen.Application{
		"dns":  gen.Dns{},
		"ntp":  gen.Ntp{},
		"data": gen.Data(nil),
	}),
	codec.InterfaceOf("", map[string]gen.DnsData{
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
		"other":  gen.DnsDataOther(nil),
	}),
	codec.InterfaceOf("", map[string]gen.DnsLabel{
		"label":    gen.Label(""),
		"reserved": gen.Reserved{},
		"pointer":  gen.Pointer{},
	}),
}
