// The protocol of octable conform for C#, around the codec in Codec.cs:
//
//	mcs -out:conform.exe -r:/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll Wrapper.cs Codec.cs
//	octable conform -spec godot-4.4 -- mono conform.exe
//
// JSON is that of Debian's libnewtonsoft-json5.0-cil; with .NET, "dotnet add package Newtonsoft.Json".
// For another codec, change the lines from CODEC to END.
using System;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

static class Wrapper {
    // CODEC
    const string About = "{'protocol': 1, 'name': 'example', 'language': 'C#', 'ops': ['decode', 'encode', 'recode'], " +
        "'specs': ['godot-4.4'], 'types': ['Nil', 'bool', 'int', 'float', 'String'], 'reals': 'bits'}";

    // Returns a value of the codec in the notation of values.
    static JToken Show(object v) {
        if (v is long i) return Typed("int", i.ToString());
        if (v is double x) return Typed("float", "bits:" + BitConverter.DoubleToInt64Bits(x).ToString("x16"));
        if (v is string s) return Typed("String", s);
        return new JValue(v); // null, true, false
    }

    // Returns the value of the codec for one in the notation.
    static object Make(JToken said) {
        var value = said["value"];
        var type = (string)said["$type"];
        if (type == "Nil" || type == "bool") return (bool?)value;
        if (type == "int") return long.Parse((string)value);
        if (type == "float") return BitConverter.Int64BitsToDouble(Convert.ToInt64(((string)value).Substring(5), 16));
        if (type == "String" && value.Type == JTokenType.String) return (string)value;
        throw new Unsupported("the codec has no value for " + said.ToString(Formatting.None));
    }

    static (object Value, int Used) Decode(byte[] packet) { return Codec.Decode(packet); }
    static byte[] Encode(object value) { return Codec.Encode(value); }
    // END

    static JObject Answer(JToken request) {
        var digits = (string)request["bytes"] ?? "";
        var packet = Enumerable.Range(0, digits.Length / 2).Select(i => Convert.ToByte(digits.Substring(2 * i, 2), 16)).ToArray();
        switch ((string)request["op"]) {
            case "hello": return new JObject { { "hello", JObject.Parse(About) } };
            case "decode":
                var (value, used) = Decode(packet);
                return new JObject { { "ok", true }, { "value", Show(value) }, { "used", used } };
            case "encode": return new JObject { { "ok", true }, { "bytes", Hex(Encode(Make(request["value"]))) } };
            case "recode": return new JObject { { "ok", true }, { "bytes", Hex(Encode(Decode(packet).Value)) } };
        }
        throw new Unsupported("the operation " + request["op"]);
    }

    static JObject Typed(string type, string value) { return new JObject { { "$type", type }, { "value", value } }; }
    static string Hex(byte[] b) { return BitConverter.ToString(b).Replace("-", "").ToLower(); }
    class Unsupported : Exception { public Unsupported(string lacks) : base(lacks) { } }

    static void Serve(TextReader input, TextWriter output) {
        for (string line; (line = input.ReadLine()) != null; output.Flush()) {
            // By default texts that look like dates become dates, and 64 levels are the most.
            var request = JToken.Load(new JsonTextReader(new StringReader(line)) { DateParseHandling = DateParseHandling.None, MaxDepth = null });
            JObject said;
            try { said = Answer(request); }
            catch (Unsupported e) { said = new JObject { { "unsupported", e.Message } }; }
            catch (Exception e) { said = new JObject { { "error", e.Message } }; }
            said["id"] = request["id"];
            output.Write(said.ToString(Formatting.None) + "\n");
        }
    }

    static void Main() {
        var input = new StreamReader(Console.OpenStandardInput());
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        Console.SetOut(Console.Error); // standard output is for answers
        new System.Threading.Thread(() => Serve(input, output), 256 << 20).Start(); // values may be nested 1024 deep
    }
}
