// Formats of spec/formats: packages that the code written by hand reads into, too.

package generated

//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/dns.oct -package dns -o codec/bench/run-go-generate/dns
//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/pcap.oct -package pcap -o codec/bench/run-go-generate/pcap
//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/msgpack.oct -package msgpack -o codec/bench/run-go-generate/msgpack
//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/png.oct -package png -o codec/bench/run-go-generate/png
//go:generate go -C ../../.. run ./cmd/octable gen go codec/bench/symtab/symtab.oct -package symtab -o codec/bench/run-go-generate/symtab
