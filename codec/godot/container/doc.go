// Package container reads and writes the files that engines of Godot put around saved data:
//
//	GCPF  FileAccess.open_compressed         FastLZ, Deflate, Zstandard, GZip, Brotli
//	GDEC  FileAccess.open_encrypted          AES-256 with a key of 32 bytes
//	      FileAccess.open_encrypted_with_pass, ConfigFile.save_encrypted
//	RSCC  ResourceSaver.save with FLAG_COMPRESS; the data is a resource by schema rscc
//
// [Open] takes one of them off, and [Layer.Seal] puts it back around other data. The data
// is a stream of values (see [github.com/octable/octable/codec/godot.NewDecoder]), a text, or another container.
//
// Engines do not notice damage in blocks of FastLZ and Zstandard; Open refuses it. GDEC has no
// protection against changes but an MD5 of the data, which is what the format offers.
package container
