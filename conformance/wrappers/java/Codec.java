import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A small codec for five types of Godot 4: null, Boolean, Long, Double and String. */
public class Codec {
  public static class Decoded {
    public final Object value;
    public final int used; // bytes of the packet

    Decoded(Object value, int used) {
      this.value = value;
      this.used = used;
    }
  }

  /** Returns the value at the start of a packet. */
  public static Decoded decode(byte[] packet) throws Exception {
    ByteBuffer b = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
    int header = b.getInt();
    boolean wide = (header & 1 << 16) != 0;
    Object value;
    switch (header & 0xff) {
      case 0: value = null; break;
      case 1: value = b.getInt() != 0; break;
      case 2: value = wide ? b.getLong() : (long) b.getInt(); break;
      case 3: value = wide ? b.getDouble() : (double) b.getFloat(); break;
      case 4: value = text(b); break;
      default: throw new Exception("byte 0: there is no type " + (header & 0xff));
    }
    return new Decoded(value, b.position());
  }

  static String text(ByteBuffer b) throws Exception {
    long n = b.getInt() & 0xffffffffL, padded = n + 3 & ~3L;
    if (padded > b.remaining()) throw new Exception("byte 8: a text of " + n + " bytes does not fit");
    int from = b.position(), end = from;
    while (end < from + n && b.get(end) != 0) end++;
    b.position(from + (int) padded);
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b.array(), from, end - from)).toString(); // throws for malformed text
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  /** Returns the packet of a value, in the shortest form. */
  public static byte[] encode(Object v) throws Exception {
    byte[] text = v instanceof String ? ((String) v).getBytes(StandardCharsets.UTF_8) : new byte[0];
    ByteBuffer b = ByteBuffer.allocate(12 + text.length + 3).order(ByteOrder.LITTLE_ENDIAN);
    if (v == null) {
      b.putInt(0);
    } else if (v instanceof Boolean) {
      b.putInt(1).putInt((Boolean) v ? 1 : 0);
    } else if (v instanceof Long) {
      long x = (Long) v;
      if (x == (int) x) b.putInt(2).putInt((int) x);
      else b.putInt(2 | 1 << 16).putLong(x);
    } else if (v instanceof Double) {
      double x = (Double) v;
      if (x == (float) x) b.putInt(3).putFloat((float) x);
      else b.putInt(3 | 1 << 16).putDouble(x);
    } else if (v instanceof String) {
      b.putInt(4).putInt(text.length).put(text).position(b.position() + 3 & ~3);
    } else {
      throw new Exception("there is no type for " + v.getClass());
    }
    return java.util.Arrays.copyOf(b.array(), b.position());
  }
}
