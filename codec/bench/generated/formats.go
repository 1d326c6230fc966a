// Formats of spec/formats: packages that the code written by hand reads into, too.

package generated

//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/dns.oct -package dns -o codec/bench/generated/dns
//go:generate go -C ../../.. run ./cmd/octable gen go spec/formats/pcap.oct -package pcap -o codec/bench/generated/pcap
