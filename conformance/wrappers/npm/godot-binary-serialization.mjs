// godot-binary-serialization 0.1.6, for Godot 3.
//
// Its values are numbers, strings, arrays, plain objects and objects of its classes. A number that is
// whole is an int and any other a float, as put_var has it; at the top the header of the packet says it,
// as a caller may read there. axisX, axisY and axisZ of a Basis are taken for what they are in Godot: its
// columns. get_var does not say how many bytes it used.
import { serve, Unsupported } from "../node/wrapper.mjs";
import { dictionary, float, number, real, toReal, toText, typed } from "../node/values.mjs";
import { load } from "./packages.mjs";
import { native } from "./plain.mjs";

const lib = load("godot-binary-serialization");
const { PacketPeer, math, misc } = lib.package;
const FLOAT = 3;
const classes = { ...math, Quaternion: math.Quat, Transform3D: math.Transform, Color: misc.Color };
delete classes.Quat;
delete classes.Transform;

// The order of numbers in args, beside that of the wire.
const across = [0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11];
const reorder = (type, n) => (type === "Basis" || type === "Transform3D" ? n.map((_, i) => n[across[i]]) : n);

function toNotation(v) {
  if (v === null || typeof v === "boolean" || typeof v === "string") return v;
  if (typeof v === "number") return number(v);
  if (Array.isArray(v)) return v.map(toNotation);
  if (v instanceof misc.NodePath) return typed("NodePath", v.path);
  const type = Object.keys(classes).find((name) => v instanceof classes[name]);
  if (type) return typed(type, reorder(type, v.args ?? [v.r, v.g, v.b, v.a]).map((x) => real(x)));
  return dictionary(Object.entries(v).map(([key, value]) => [key, toNotation(value)]));
}

const make = Object.fromEntries(Object.entries(classes).map(([type, of]) => [type, ({ value }) => of.from(reorder(type, value.map(toReal)))]));
make.NodePath = ({ absolute, names, subnames }) => {
  const [path, property] = [names.map(toText), subnames.map(toText)];
  if (path.some((s) => s === "" || /[/:]/.test(s)) || property.some((s) => s === "" || s.includes(":"))) throw new Unsupported("paths are made of text");
  return new misc.NodePath((absolute ? "/" : "") + path.join("/") + property.map((s) => ":" + s).join(""));
};

serve({ ...lib.about, specs: ["godot-3"], unsupported: ["RID", "Object", "PoolByteArray", "PoolIntArray", "PoolRealArray",
  "PoolStringArray", "PoolVector2Array", "PoolVector3Array", "PoolColorArray"] }, {
  decode(bytes) {
    const value = PacketPeer.get_var(bytes);
    return { value: typeof value === "number" && bytes.readUInt16LE() === FLOAT ? float(value) : toNotation(value) };
  },
  encode: (notation) => PacketPeer.put_var(native(notation, make)),
});
