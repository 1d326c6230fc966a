// gd-com 4.0.1, for Godot 3.
//
// Its values are numbers, strings, Buffers, arrays and plain objects, which do not say their type. At the
// top the type is what the header of the packet says, as a caller may read there; inside of containers an
// object with just the keys that getVar gives a Vector2, say, is taken for one, and a number, a string or
// an array for what putVar makes of it.
import { serve } from "../node/wrapper.mjs";
import { dictionary, float, number, real, typed } from "../node/values.mjs";
import { load } from "./packages.mjs";
import { native } from "./plain.mjs";

const lib = load("gd-com");
const { getVar, putVar } = lib.package;

const shapes = { // by the keys of the object
  "x,y": ["Vector2", (v) => [v.x, v.y]],
  "x,y,z": ["Vector3", (v) => [v.x, v.y, v.z]],
  "x1,y1,x2,y2": ["Rect2", (v) => [v.x1, v.y1, v.x2, v.y2]],
  "x,y,z,distance": ["Plane", (v) => [v.x, v.y, v.z, v.distance]],
  "coordinate,size": ["Quaternion", (v) => [v.coordinate.x, v.coordinate.y, v.coordinate.z, v.size.w]],
  "r,g,b,a": ["Color", (v) => [v.r, v.g, v.b, v.a]],
};
const shape = (v) => typeof v === "object" && v !== null && shapes[Object.keys(v).join()];
const reals = (v) => shape(v)[1](v).map((x) => real(x));
const flat = (type) => (v) => typed(type, v.flat().map((x) => real(x)));
const each = (type, show) => (v) => typed(type, v.map(show));
const byHeader = {
  3: float, 8: flat("Transform2D"), 11: flat("AABB"), 12: flat("Basis"), 13: flat("Transform3D"),
  21: each("PackedInt32Array", String), 22: each("PackedFloat32Array", (x) => real(x)), 23: (v) => typed("PackedStringArray", v),
  24: each("PackedVector2Array", reals), 25: each("PackedVector3Array", reals), 26: each("PackedColorArray", reals),
};

function toNotation(v) {
  if (v === null || typeof v === "boolean" || typeof v === "string") return v;
  if (typeof v === "number") return number(v);
  if (Array.isArray(v)) return v.map(toNotation);
  if (Buffer.isBuffer(v)) return typed("PackedByteArray", v.toString("base64"));
  if (shape(v)) return typed(shape(v)[0], reals(v));
  return dictionary(Object.entries(v).map(([key, value]) => [key, toNotation(value)]));
}

serve({ ...lib.about, specs: ["godot-3"], unsupported: ["NodePath", "RID", "Object"] }, {
  decode(bytes) {
    const { value, length } = getVar(bytes);
    const show = bytes.length >= 2 && byHeader[bytes.readUInt16LE()];
    return { value: show ? show(value) : toNotation(value), used: length };
  },
  encode: (notation) => putVar(native(notation, {})),
});
