// Formats that are not Godot's.

package bench

import (
	"github.com/octable/octable/codec/bench/batch"
	"github.com/octable/octable/codec/bench/dns"
	"github.com/octable/octable/codec/bench/document"
	"github.com/octable/octable/codec/bench/pcap"
	"github.com/octable/octable/codec/bench/png"
	"github.com/octable/octable/codec/bench/symtab"
)

func init() {
	batch.Register(Ours)
	symtab.Register(Ours)
	document.Register(Ours)
	dns.Register(Ours)
	pcap.Register(Ours)
	png.Register(Ours)
}
