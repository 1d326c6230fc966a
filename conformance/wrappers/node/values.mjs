// Help with the notation of values (codec/godot/doc.go describes it), in which the runner gives the
// values that are to be encoded and takes those that were decoded.
import { Unsupported } from "./wrapper.mjs";

// What is shown of a decoded value. As plain JSON only null, true, false, texts, lists of values and
// objects with text keys mean the same in JavaScript, so numbers are always shown by these.
export const typed = (type, value) => ({ $type: type, value });
export const int = (n) => typed("int", String(n)); // a number, a BigInt, or an object that prints digits
export const float = (x) => typed("float", real(x, 64));
export const dictionary = (pairs) => typed("Dictionary", pairs); // pairs are [key, value]

// A number that does not say which of the two it is: a float where it can be no int.
export const number = (x) => (Number.isInteger(x) && !Object.is(x, -0) && Math.abs(x) < 2 ** 63 ? int(BigInt(x)) : float(x));

// A number of a math type or packed array in single precision, or in double with 64.
export function real(x, bits = 32) {
  if (Number.isNaN(x)) {
    const view = new DataView(new ArrayBuffer(8));
    bits === 64 ? view.setFloat64(0, x) : view.setFloat32(0, x);
    return "nan:" + Buffer.from(view.buffer, 0, bits / 8).toString("hex");
  }
  if (Object.is(x, -0)) return "-0";
  return Number.isFinite(x) ? String(x) : x > 0 ? "inf" : "-inf";
}

// What is made of the values that are to be encoded: these give a BigInt, a number and a text.
export const toInt = (said) => BigInt(said);

export function toReal(said) {
  if (said === "inf" || said === "-inf") return said === "inf" ? Infinity : -Infinity;
  if (!said.startsWith("nan")) return Number(said);
  const bits = Buffer.from(said.slice(4) || "7ff8000000000000", "hex");
  return bits.length === 8 ? bits.readDoubleBE() : bits.readFloatBE();
}

export function toText(said) {
  if (typeof said === "string") return said;
  throw new Unsupported("texts hold characters, not bytes");
}
