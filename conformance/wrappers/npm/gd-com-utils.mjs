// @gd-com/utils, for both of its lines: 4.1.5 is for Godot 3, and 5.0.0 for Godot 4.
//
// Its values are numbers, Longs, strings, Buffers, arrays, plain objects and objects of its classes. A
// number, a string or an array alone does not say its type. At the top the type is what the header of the
// packet says, as a caller may read there; inside of containers it is what putVar makes of such a value.
import { serve, Unsupported } from "../node/wrapper.mjs";
import { dictionary, float, int, number, real, toReal, typed } from "../node/values.mjs";
import { load } from "./packages.mjs";
import { native } from "./plain.mjs";

const xy = (v) => [v.x, v.y];
const xyz = (v) => [v.x, v.y, v.z];
const across = ([x, y, z]) => [0, 1, 2].flatMap((i) => [x, y, z].map(xyz).map((axis) => axis[i])); // row by row

export function run(name, spec, elements, about) {
  const lib = load(name);
  const { getVar, putVar, TYPE, ...types } = lib.package;
  const V2 = types.GodotVector2, V3 = types.GodotVector3;
  const vector3 = (n, i = 0, step = 1) => new V3(n[i], n[i + step], n[i + 2 * step]);

  // For each class: the type, its numbers in the order of the wire, and how it is made of them.
  // x, y and z of a GodotBasis are taken for what they are in Godot: its columns.
  const classes = [
    [V2, "Vector2", xy, (n) => new V2(n[0], n[1])],
    [V3, "Vector3", xyz, (n) => vector3(n)],
    [types.GodotRect2, "Rect2", (v) => [...xy(v.coordinate), ...xy(v.size)], (n) => new types.GodotRect2(new V2(n[0], n[1]), new V2(n[2], n[3]))],
    [types.GodotTransform2D, "Transform2D", (v) => [v.x, v.y, v.origin].flatMap(xy),
      (n) => new types.GodotTransform2D(new V2(n[0], n[1]), new V2(n[2], n[3]), new V2(n[4], n[5]))],
    [types.GodotPlane, "Plane", (v) => [...xyz(v), v.distance], (n) => new types.GodotPlane(...n)],
    [types.GodotQuat, "Quaternion", (v) => [...xyz(v), v.w], (n) => new types.GodotQuat(...n)],
    [types.GodotAabb, "AABB", (v) => [...xyz(v.coordinate), ...xyz(v.size)], (n) => new types.GodotAabb(vector3(n), vector3(n, 3))],
    [types.GodotBasis, "Basis", (v) => across([v.x, v.y, v.z]), (n) => new types.GodotBasis(...[0, 1, 2].map((i) => vector3(n, i, 3)))],
    [types.GodotTransform, "Transform3D", (v) => [...across([v.x, v.y, v.z]), ...xyz(v.origin)],
      (n) => new types.GodotTransform(...[0, 1, 2].map((i) => vector3(n, i, 3)), vector3(n, 9))],
    [types.GodotColor, "Color", (v) => [v.r, v.g, v.b, v.a], (n) => new types.GodotColor(...n)],
  ].map(([of, type, numbers, make]) => ({ of, type, numbers, make }));
  const reals = (v) => classes.find((c) => v instanceof c.of).numbers(v).map((x) => real(x));

  // The types that a value at the top has by its header alone, by their number.
  const byHeader = {
    [TYPE.FLOAT]: (v) => float(v),
    [TYPE.NODE_PATH]: (v) => typed("NodePath", v),
    [TYPE.STRING_ARRAY]: (v) => typed("PackedStringArray", v),
    [TYPE.VECTOR2_ARRAY]: (v) => typed("PackedVector2Array", v.map(reals)),
    [TYPE.VECTOR3_ARRAY]: (v) => typed("PackedVector3Array", v.map(reals)),
    [TYPE.COLOR_ARRAY]: (v) => typed("PackedColorArray", v.map(reals)),
  };
  for (const [key, [type, show]] of Object.entries(elements)) byHeader[TYPE[key]] = (v) => typed(type, v.map(show));

  function toNotation(v) {
    if (v === null || typeof v === "boolean" || typeof v === "string") return v;
    if (typeof v === "number") return number(v);
    if (Array.isArray(v)) return v.map(toNotation);
    if (Buffer.isBuffer(v)) return typed("PackedByteArray", v.toString("base64"));
    if (v.constructor.isLong?.(v)) return int(v);
    const known = classes.find((c) => v instanceof c.of);
    if (known) return typed(known.type, reals(v));
    return dictionary(Object.entries(v).map(([key, value]) => [key, toNotation(value)]));
  }

  // What putVar is told of the type of the value at the top, and values of the types that are no plain JavaScript.
  const told = { Nil: "NULL", bool: "BOOL", int: "INTEGER", float: "FLOAT", String: "STRING", PackedByteArray: "RAW_ARRAY", Array: "ARRAY",
    Dictionary: "DICTIONARY", Quaternion: "QUAT", Transform3D: "TRANSFORM" };
  const Long = getVar(Buffer.from("020001000000000000000000", "hex")).value.constructor;
  const make = Object.fromEntries(classes.map((c) => [c.type, ({ value }) => c.make(value.map(toReal))]));
  make.int = ({ value }) => (Number.isSafeInteger(Number(value)) ? Number(value) : Long.fromString(value));
  make.PackedByteArray = ({ value }) => Buffer.from(value, "base64");

  serve({ ...lib.about, specs: [spec], ...about }, {
    decode(bytes) {
      const { value, length } = getVar(bytes);
      const show = bytes.length >= 2 && byHeader[bytes.readUInt16LE()];
      return { value: show ? show(value) : toNotation(value), used: length };
    },
    encode(notation) {
      try {
        return putVar(native(notation, make), TYPE[told[notation.$type] ?? notation.$type.toUpperCase()]);
      } catch (e) {
        throw /no matching encoder/.test(e.message) ? new Unsupported(`putVar has no encoder for ${notation.$type}`) : e;
      }
    },
  });
}
