// The implementations of the results, with findings about each.

package results

import "github.com/octable/octable/conformance/protocol"

const (
	decode = protocol.Decode
	encode = protocol.Encode
)

// All lists the implementations, in the order of the results.
var All = []Implementation{
	{Name: "octable-4", Kind: Own, Spec: "godot-4.4", How: own},
	{Name: "octable-3", Kind: Own, Spec: "godot-3"},
	{
		Name: "godot4", Kind: Engine, Spec: "godot-4.4",
		Program: []string{"godot", "--headless", "--script"}, Wrapper: "conformance/wrappers/godot4/wrapper.gd",
		How: engine("godot4", "godot --headless", "Godot 4.6.3, from Debian unstable"),
	},
	{
		Name: "godot3", Kind: Engine, Spec: "godot-3",
		Program: []string{"godot3-server", "-s"}, Wrapper: "conformance/wrappers/godot3/wrapper.gd",
		How: engine("godot3", "godot3-server", "Godot 3.6.2, from Debian unstable") + " It does not clear the padding inside of" +
			" NodePaths; those results are passes in another form.",
	},
	{
		Name: "godot32", Kind: Engine, Spec: "godot-3",
		Program: []string{"godot3-server", "-s"}, Wrapper: "conformance/wrappers/godot3/wrapper.gd",
		How: engine("godot32", "godot3-server", "Godot 3.2.3, from Debian 12"),
	},
	{
		Name: "godot-binary-serialization", Kind: Package, Spec: "godot-3",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/godot-binary-serialization.mjs",
		How: npm("godot-binary-serialization 0.1.6"),
		Findings: []Finding{
			{"`decode` catches every error, prints it and returns null, so a truncated packet and one of an unknown type look like Nil.",
				decode, "int.value/cut"},
			{"Counts are not checked. Since errors become null and null has no bytes, a packet of 8 bytes keeps `ARRAY.get_var` and" +
				" `DICTIONARY.get_var` busy for billions of rounds.", decode, "Array.word/2^31-1"},
			{"`byteLength` of the math classes and of Color is static, so the `decoded.byteLength` of an instance is undefined: the value" +
				" after one in an Array or Dictionary is read from the wrong offset.", decode, "Vector2/in-Array"},
			{"`ARRAY.get_var` does not count its own 4 bytes in `byteLength`; the value after an Array in an Array is misread.",
				decode, "Array/in-Array"},
			{"`encode/number.js` writes each whole number as an int: the float 1.0 arrives as the int 1, and a float beyond 64 bits throws.",
				encode, "float.value/1"},
			{"It writes single precision if the lower half of the double is zero, even if the number does not fit.",
				encode, "float.value/below-single"},
			{"Integers are converted to a JavaScript number, and change beyond 2^53.", decode, "int.value/2^53+1"},
			{"The nine numbers of a Basis, also in a Transform, are in row order on the wire; `axisX` gets a row. The other two axes" +
				" are wrong in the same way, so a rotation arrives as its inverse.", decode, "Basis"},
			{"`string.js` does not check the length of the text: a length beyond the packet is cut silently.", decode, "String.length/2^31-1"},
		},
	},
	{
		Name: "gd-com", Kind: Package, Spec: "godot-3",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com.mjs",
		How: npm("gd-com 4.0.1"),
		Findings: []Finding{
			{"`aabb.js` and `basis.js` call `buf.readFloatLE(buf, 0)`, which throws for every packet. `aabb.js` also tries to read" +
				" 48 bytes; an AABB has 24.", decode, "AABB"},
			{"`rawArray.js` adds 4 for a header that it has not read, and ignores padding: the value after a PoolByteArray in an" +
				" Array is misread.", decode, "PoolByteArray/in-Array"},
			{"`integer.js` writes only 32 bits and throws for larger numbers.", encode, "int.value/2^31"},
			{"It reads 64 bits through `toNumber()`, which changes integers beyond 2^53.", decode, "int.value/2^53+1"},
			{"`float.js` writes single precision only: 0.1 arrives as 0.10000000149011612.", encode, "float.value/0.1"},
			{"`string.js` does not check the length of the text.", decode, "String.length/2^31-1"},
			{"Malformed UTF-8 is replaced by U+FFFD; engines refuse it.", decode, "String.text/stray"},
			{"A bool is true only for 1; engines take any number except 0 as true.", decode, "bool.value/2"},
		},
	},
	{
		Name: "gd-com-utils-4", Kind: Package, Spec: "godot-3",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com-utils-4.mjs",
		How: npm("@gd-com/utils 4.1.5, which is for Godot 3,"),
		Findings: []Finding{
			{"`getVarNodePath` joins the names by `/`, appends the subnames without a separator, and ignores the flags:" +
				" `/a:b` is read as `ab`.", decode, "NodePath/names.subnames"},
			{"`getVarRawArray` adds 4 for a header that it has not read, and ignores padding: the value after a PoolByteArray in an" +
				" Array is misread.", decode, "PoolByteArray/in-Array"},
			{"`getType` takes objects of the package's classes for Dictionaries, so a `GodotVector2` inside of an Array is written as a" +
				" Dictionary with the keys `_x` and `_y`.", encode, "Vector2/in-Array"},
			{"`putVarInt` writes only 32 bits and throws for larger numbers, also for a `Long`.", encode, "int.value/2^31"},
			{"`putVarFloat` writes single precision only: 0.1 arrives as 0.10000000149011612.", encode, "float.value/0.1"},
			{"x, y and z of a `GodotBasis` and a `GodotTransform` get the rows of the matrix; in Godot they are its columns.", decode, "Basis"},
			{"`getVarInteger` gives `Long.fromBytesLE` fewer than 8 bytes if the packet is truncated.", decode, "int.value/wide-cut"},
			{"`getVarString` does not check the length of the text.", decode, "String.length/2^31-1"},
		},
	},
	{
		Name: "gd-com-utils-5", Kind: Package, Spec: "godot-4.4",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com-utils-5.mjs",
		How: npm("@gd-com/utils 5.0.0, which is for Godot 4,"),
		Findings: []Finding{
			{"The numbers of types in 5.0.0 are those of a page that described no engine. From 6 on Godot 4 has other numbers: a" +
				" Rect2 of the package is a Vector2i of the engine.", encode, "Rect2"},
			{"So an Array from Godot 4, of type 28, is read as a list of colors.", decode, "Array/elements"},
			{"A NodePath, 22 in Godot 4, is read as 64-bit integers, whose number is its first word. `Long.fromBytesLE` reads 0 from no bytes, so" +
				" the end of the packet does not end the loop: a packet of 16 bytes keeps `getVarInt64Array` busy for billions of rounds.", decode, "NodePath"},
		},
	},
	{
		Name: "python-example", Kind: Example, Spec: "godot-4.4",
		Program: []string{"python3"}, Wrapper: "conformance/wrappers/python/example.py",
		How: "The codec beside the wrapper for Python, as an example of a wrapper.",
	},
}

const own = "In the process of `go run ./conformance/results/update`. It passes for all its other schemas as well, and in both" +
	" precisions where a schema has two: `go test ./conformance/runner` runs those."

func engine(name, command, what string) string {
	return "`.ci/engines " + name + "` unpacks " + what + ", and prints the path of `" + command + "` in the command."
}

func npm(what string) string {
	return "`.ci/packages` installs " + what + " from the registry, with the checksum in `conformance/wrappers/npm/package-lock.json`."
}
