// @gd-com/utils 5.0.0, for Godot 4.
import { real } from "../node/values.mjs";
import { run } from "./gd-com-utils.mjs";

run("gd-com-utils-5", "godot-4.4", {
  INT_32_ARRAY: ["PackedInt32Array", (n) => String(n)],
  INT_64_ARRAY: ["PackedInt64Array", (n) => String(n)],
  FLOAT_32_ARRAY: ["PackedFloat32Array", (x) => real(x)],
  FLOAT_64_ARRAY: ["PackedFloat64Array", (x) => real(x, 64)],
}, { 
  unsupported: ["RID", "Object", "Vector2i", "Rect2i", "Vector3i", "Vector4", "Vector4i", "Projection", "StringName", "Callable",
    "Signal", "PackedVector4Array"],
});
