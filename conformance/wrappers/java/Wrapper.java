// The protocol of octable conform for Java, around the codec in Codec.java:
//
//	javac -cp /usr/share/java/gson.jar -d out Wrapper.java Codec.java
//	octable conform -spec godot-4.4 -- java -cp out:/usr/share/java/gson.jar Wrapper
//
// JSON is that of Debian's libgoogle-gson-java, or com.google.code.gson:gson of Maven.
// For another codec, change the lines from CODEC to END.
import com.google.gson.*;
import java.io.*;
import java.nio.charset.StandardCharsets;

public class Wrapper {
  // CODEC
  static final String ABOUT = "{\"protocol\":1,\"name\":\"example\",\"language\":\"Java\",\"ops\":[\"decode\",\"encode\",\"recode\"],"
      + "\"specs\":[\"godot-4.4\"],\"types\":[\"Nil\",\"bool\",\"int\",\"float\",\"String\"],\"reals\":\"bits\"}";

  /** Returns a value of the codec in the notation of values. */
  static JsonElement show(Object v) {
    if (v == null) return JsonNull.INSTANCE;
    if (v instanceof Boolean) return new JsonPrimitive((Boolean) v);
    if (v instanceof Long) return typed("int", v.toString());
    if (v instanceof Double) return typed("float", String.format("bits:%016x", Double.doubleToRawLongBits((Double) v)));
    return typed("String", (String) v);
  }

  /** Returns the value of the codec for one in the notation. */
  static Object make(JsonObject said) throws Unsupported {
    String type = said.get("$type").getAsString();
    JsonElement value = said.get("value");
    if (type.equals("Nil") || type.equals("bool")) return value == null ? null : value.getAsBoolean();
    if (type.equals("int")) return Long.valueOf(value.getAsString());
    if (type.equals("float")) return Double.longBitsToDouble(Long.parseUnsignedLong(value.getAsString().substring(5), 16));
    if (type.equals("String") && value.isJsonPrimitive()) return value.getAsString();
    throw new Unsupported("the codec has no value for " + said);
  }

  static Codec.Decoded decode(byte[] packet) throws Exception { return Codec.decode(packet); }
  static byte[] encode(Object value) throws Exception { return Codec.encode(value); }
  // END

  static class Unsupported extends Exception { Unsupported(String lacks) { super(lacks); } }

  static JsonObject object(String key, Object value) { return with(new JsonObject(), key, value); }
  static JsonObject typed(String type, String value) { return with(object("$type", type), "value", value); }
  static JsonObject with(JsonObject o, String key, Object value) {
    o.add(key, value instanceof JsonElement ? (JsonElement) value : new Gson().toJsonTree(value));
    return o;
  }

  static JsonObject answer(JsonObject request) throws Exception {
    String op = request.get("op").getAsString(), digits = request.has("bytes") ? request.get("bytes").getAsString() : "";
    if (op.equals("hello")) return object("hello", JsonParser.parseString(ABOUT));
    byte[] packet = new byte[digits.length() / 2];
    for (int i = 0; i < packet.length; i++) packet[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    if (!op.matches("decode|encode|recode")) throw new Unsupported("the operation " + op);
    Codec.Decoded d = op.equals("encode") ? new Codec.Decoded(make(request.getAsJsonObject("value")), 0) : decode(packet);
    if (op.equals("decode")) return with(with(object("ok", true), "value", show(d.value)), "used", d.used);
    StringBuilder hex = new StringBuilder();
    for (byte x : encode(d.value)) hex.append(String.format("%02x", x));
    return with(object("ok", true), "bytes", hex.toString());
  }

  static void serve(BufferedReader in, PrintStream out) {
    in.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).forEach(request -> {
      JsonObject said;
      try { said = answer(request); }
      catch (Unsupported e) { said = object("unsupported", e.getMessage()); }
      catch (Throwable e) { said = object("error", e.toString()); } // a stack overflow, too
      said.add("id", request.get("id"));
      out.println(said);
    });
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    System.setOut(System.err); // standard output is for answers
    new Thread(null, () -> serve(in, out), "serve", 512 << 20).start(); // values may be nested 1024 deep
  }
}
