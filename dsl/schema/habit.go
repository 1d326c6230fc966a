// Advice on types and functions of other languages.

package schema

// foreignTypes are advice for types of other languages and documents.
var foreignTypes = map[string]string{
	"bytes": ofBytes, "blob": ofBytes, "raw": ofBytes, "binary": ofBytes, "bytearray": ofBytes, "octets": ofBytes,
	"uuid": of16Bytes, "guid": of16Bytes, "u128": of16Bytes, "uint128": of16Bytes, "ipv6": of16Bytes,
	"ipv4": "an address is u8[4], or the number u32",
	"mac":  "an address is u8[6], or the number u48",
	"bits": `bits are in braces behind the description of the whole number: | 0 | 1 | u8 | word | "description" { 0..3 low 4..7 high }`,
}

const (
	ofBytes   = "bytes are u8[n], u8[until \"00\"] or u8[until end]"
	of16Bytes = "integers have up to 64 bits; 16 bytes are u8[16]"
)

// unionBy returns the first row of the record with a union whose word or selector has a name, or nil.
func (s *scope) unionBy(name string) (first *Row) {
	for _, f := range s.names {
		row, _ := f.Node.(*Row)
		if row == nil || row.Type.Form != OfUnion || first != nil && first.Pos.Offset < row.Pos.Offset {
			continue
		}
		if u := row.Type.Union; u.Word != nil && u.Word.Field.Name == name || u.By != nil && u.By.Name == name {
			first = row
		}
	}
	return first
}

// foreignFunctions are advice for functions of other languages.
var foreignFunctions = map[string]string{
	"sizeof":    "write size(ROW), the bytes of a row or a list of this record",
	"offsetof":  ofPlace,
	"offset":    ofPlace,
	"addressof": ofPlace,
	"tell":      ofPlace,
	"strlen":    "write len(TEXT)",
	"length":    "write count(LIST) for elements, len(TEXT) or size(ROW) for bytes",
	"crc":       "name the polynomial, such as crc32(FIRST..LAST) or crc16_ccitt(FIRST..LAST)",
	"eof":       "a list goes up to the end: TYPE[until end]; rows that may be missing at the end are after if more()",
	"align":     "write (n + 3) / 4 * 4 for the next multiple of 4, or pad 4 behind the row",
	"abs":       "write max(n, -n)",
	"md5":       digest, "sha1": digest, "sha256": digest,
}

const digest = "the language has checksums, but no cryptographic digests; keep one as bytes, such as u8[16]"

const ofPlace = "write place(ROW), the place of a row with @"
