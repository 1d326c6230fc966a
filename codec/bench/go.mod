module github.com/octable/octable/codec/bench

go 1.26.0

replace github.com/octable/octable => ../..

tool (
	github.com/tinylib/msgp
	google.golang.org/protobuf/cmd/protoc-gen-go
)

require (
	github.com/fxamacker/cbor/v2 v2.9.6
	github.com/gopacket/gopacket v1.7.0
	github.com/miekg/dns v1.1.73
	github.com/octable/octable v0.0.0-00010101000000-000000000000
	github.com/tinylib/msgp v1.6.5
	github.com/vmihailenco/msgpack/v5 v5.4.1
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/alecthomas/participle/v2 v2.1.4 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)
