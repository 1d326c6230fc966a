using System;
using System.IO;
using System.Text;

// A small codec for five types of Godot 4: null, bool, long, double and string.
static class Codec {
    static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

    // Returns the value at the start of a packet, and its length in bytes.
    public static (object, int) Decode(byte[] packet) {
        var b = new BinaryReader(new MemoryStream(packet));
        var header = b.ReadUInt32();
        var wide = (header & 1 << 16) != 0;
        object value;
        switch (header & 0xff) {
            case 0: value = null; break;
            case 1: value = b.ReadUInt32() != 0; break;
            case 2: value = wide ? b.ReadInt64() : b.ReadInt32(); break;
            case 3: value = wide ? b.ReadDouble() : b.ReadSingle(); break;
            case 4: value = Text(b, packet); break;
            default: throw new InvalidDataException("byte 0: there is no type " + (header & 0xff));
        }
        return (value, (int)b.BaseStream.Position);
    }

    static string Text(BinaryReader b, byte[] packet) {
        long n = b.ReadUInt32(), padded = n + 3 & ~3L;
        var from = (int)b.BaseStream.Position;
        if (padded > packet.Length - from) throw new InvalidDataException("byte 8: a text of " + n + " bytes does not fit");
        b.BaseStream.Position += padded;
        var end = Array.IndexOf(packet, (byte)0, from, (int)n);
        var text = Strict.GetString(packet, from, end < 0 ? (int)n : end - from);
        return text.StartsWith("\ufeff", StringComparison.Ordinal) ? text.Substring(1) : text;
    }

    // Returns the packet of a value, in the shortest form.
    public static byte[] Encode(object v) {
        var stream = new MemoryStream();
        var b = new BinaryWriter(stream);
        if (v == null) {
            b.Write(0);
        } else if (v is bool truth) {
            b.Write(1);
            b.Write(truth ? 1 : 0);
        } else if (v is long i) {
            b.Write(i == (int)i ? 2 : 2 | 1 << 16);
            if (i == (int)i) b.Write((int)i); else b.Write(i);
        } else if (v is double x) {
            b.Write(x == (float)x ? 3 : 3 | 1 << 16);
            if (x == (float)x) b.Write((float)x); else b.Write(x);
        } else if (v is string s) {
            var text = Strict.GetBytes(s);
            b.Write(4);
            b.Write(text.Length);
            b.Write(text);
            b.Write(new byte[-text.Length & 3]);
        } else {
            throw new ArgumentException("there is no type for " + v.GetType());
        }
        return stream.ToArray();
    }
}
