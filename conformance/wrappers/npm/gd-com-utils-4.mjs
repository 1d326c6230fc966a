// @gd-com/utils 4.1.5, for Godot 3.
import { real } from "../node/values.mjs";
import { run } from "./gd-com-utils.mjs";

run("gd-com-utils-4", "godot-3", {
  INT_ARRAY: ["PackedInt32Array", (n) => String(n)],
  REAL_ARRAY: ["PackedFloat32Array", (x) => real(x)],
}, { unsupported: ["RID", "Object"] });
