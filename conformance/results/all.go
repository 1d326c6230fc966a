// What is run, and what there is to say of it.

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
		How: engine("godot3", "godot3-server", "Godot 3.6.2, from Debian unstable") + " It leaves the padding inside of NodePaths as the" +
			" memory was; those results are passes in another form.",
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
			{"`decode` catches every error, prints it and returns null, so a packet that is cut or of no known type cannot be told from Nil.",
				decode, "int.value/cut"},
			{"Counts are taken on trust. Since errors become null and null takes no bytes, a packet of 8 bytes keeps `ARRAY.get_var` and" +
				" `DICTIONARY.get_var` busy for billions of rounds.", decode, "Array.word/2^31-1"},
			{"`byteLength` of the math classes and of Color is static, so the `decoded.byteLength` of an instance is undefined: what follows" +
				" one in an Array or Dictionary is read from the wrong place.", decode, "Vector2/in-Array"},
			{"`ARRAY.get_var` leaves its own count of 4 bytes out of `byteLength`; what follows an Array in an Array is misread.",
				decode, "Array/in-Array"},
			{"`encode/number.js` takes each whole number for an int: the float 1.0 arrives as the int 1, and one beyond 64 bits throws.",
				encode, "float.value/1"},
			{"It writes single precision where the lower half of the double is zero, also where the number does not fit.",
				encode, "float.value/below-single"},
			{"Integers go through a number of JavaScript, and change beyond 2^53.", decode, "int.value/2^53+1"},
			{"The nine numbers of a Basis, and of that in a Transform, are row by row on the wire; `axisX` gets a row. The other two axes" +
				" are wrong likewise, so a rotation arrives as its inverse.", decode, "Basis"},
			{"`string.js` does not look whether the text is all there: a length beyond the packet is cut silently.", decode, "String.length/2^31-1"},
		},
	},
	{
		Name: "gd-com", Kind: Package, Spec: "godot-3",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com.mjs",
		How: npm("gd-com 4.0.1"),
		Findings: []Finding{
			{"`aabb.js` and `basis.js` call `buf.readFloatLE(buf, 0)`, which throws for every packet. What `aabb.js` means to read is" +
				" 48 bytes, too; an AABB has 24.", decode, "AABB"},
			{"`rawArray.js` adds 4 for a header that it has not read, and leaves out padding: what follows a PoolByteArray in an" +
				" Array is misread.", decode, "PoolByteArray/in-Array"},
			{"`integer.js` writes 32 bits only and throws for the rest.", encode, "int.value/2^31"},
			{"It reads 64 bits through `toNumber()`, which changes integers beyond 2^53.", decode, "int.value/2^53+1"},
			{"`float.js` writes single precision only: 0.1 arrives as 0.10000000149011612.", encode, "float.value/0.1"},
			{"`string.js` does not look whether the text is all there.", decode, "String.length/2^31-1"},
			{"Texts that are no UTF-8 are mended with U+FFFD; engines refuse them.", decode, "String.text/stray"},
			{"A bool is true only for 1; engines take any number but 0.", decode, "bool.value/2"},
		},
	},
	{
		Name: "gd-com-utils-4", Kind: Package, Spec: "godot-3",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com-utils-4.mjs",
		How: npm("@gd-com/utils 4.1.5, which is for Godot 3,"),
		Findings: []Finding{
			{"`getVarNodePath` joins the names by `/`, and then the subnames by `/` without anything between the two, and passes over the flags:" +
				" `/a:b` is read as `ab`.", decode, "NodePath/names.subnames"},
			{"`getVarRawArray` adds 4 for a header that it has not read, and leaves out padding: what follows a PoolByteArray in an" +
				" Array is misread.", decode, "PoolByteArray/in-Array"},
			{"`getType` takes the objects of its own classes for Dictionaries, so a `GodotVector2` inside of an Array is written as one with the" +
				" keys `_x` and `_y`.", encode, "Vector2/in-Array"},
			{"`putVarInt` writes 32 bits only and throws for the rest, for a `Long`, too.", encode, "int.value/2^31"},
			{"`putVarFloat` writes single precision only: 0.1 arrives as 0.10000000149011612.", encode, "float.value/0.1"},
			{"x, y and z of a `GodotBasis` and a `GodotTransform` get the rows of the matrix; in Godot they are its columns.", decode, "Basis"},
			{"`getVarInteger` gives `Long.fromBytesLE` fewer than 8 bytes where the packet is cut.", decode, "int.value/wide-cut"},
			{"`getVarString` does not look whether the text is all there.", decode, "String.length/2^31-1"},
		},
	},
	{
		Name: "gd-com-utils-5", Kind: Package, Spec: "godot-4.4",
		Program: []string{"node"}, Wrapper: "conformance/wrappers/npm/gd-com-utils-5.mjs",
		How: npm("@gd-com/utils 5.0.0, which is for Godot 4,"),
		Findings: []Finding{
			{"The numbers of types in 5.0.0 are those of a page that described no engine. From 6 on Godot 4 has others: what is called a" +
				" Rect2 here is a Vector2i there.", encode, "Rect2"},
			{"So an Array from Godot 4, of type 28, is read as a list of colors.", decode, "Array/elements"},
			{"A NodePath, 22 in Godot 4, is read as 64-bit integers, as many as its first word says. `Long.fromBytesLE` takes none for 0, so" +
				" the end of the packet does not end the loop: a packet of 16 bytes keeps `getVarInt64Array` busy for billions of rounds.", decode, "NodePath"},
		},
	},
	{
		Name: "python-example", Kind: Example, Spec: "godot-4.4",
		Program: []string{"python3"}, Wrapper: "conformance/wrappers/python/example.py",
		How: "The codec beside the wrapper for Python, to see that one at work.",
	},
}

const own = "In the process of `go run ./conformance/results/update`. It passes for all its other schemas as well, and in both" +
	" precisions where a schema has two: `go test ./conformance/runner` runs those."

func engine(name, command, what string) string {
	return "`.ci/engines " + name + "` unpacks " + what + ", and prints a path that stands for `" + command + "` in the command."
}

func npm(what string) string {
	return "`.ci/packages` installs " + what + " from the registry, with the checksum in `conformance/wrappers/npm/package-lock.json`."
}
