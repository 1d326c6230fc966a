// The library that a program would take.

package dns

import (
	mdns "github.com/miekg/dns"

	"github.com/octable/octable/codec/bench/cases"
)

func registerLibrary() {
	const impl = "miekg"
	format.Decode(cases.DecodeTyped, impl, func() func(b []byte) error {
		m := new(mdns.Msg)
		return func(b []byte) error { return m.Unpack(b) }
	})
	format.Encode(cases.EncodeTyped, impl, func() func(dst []byte, i int) ([]byte, error) {
		list := make([]*mdns.Msg, Messages)
		for i, b := range Wire() {
			list[i] = new(mdns.Msg)
			cases.Must(list[i].Unpack(b))
			list[i].Compress = true
		}
		return func(dst []byte, i int) ([]byte, error) { return list[i].PackBuffer(dst[:cap(dst)]) }
	})
}
