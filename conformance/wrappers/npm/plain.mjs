// Values of the notation as the packages here have them: numbers, strings, arrays and objects, and what
// else a package has types for.
import { Unsupported } from "../node/wrapper.mjs";
import { toReal, toText } from "../node/values.mjs";

// make has a function from the typed object to a value for each type that is no plain JavaScript.
export function native(json, make) {
  const { $type, value, of } = json;
  if (of) throw new Unsupported("there are no typed containers");
  if (make[$type]) return make[$type](json);
  switch ($type) {
    case "Nil": return null;
    case "bool": return value;
    case "int":
      if (Number.isSafeInteger(Number(value))) return Number(value);
      throw new Unsupported("a number does not hold this integer");
    case "float": return toReal(value);
    case "String": return toText(value);
    case "Array": return value.map((e) => native(e, make));
    case "Dictionary": {
      if (value.some(([key]) => key.$type !== "String")) throw new Unsupported("keys of an object are strings");
      const made = Object.fromEntries(value.map(([key, e]) => [toText(key.value), native(e, make)]));
      if (Object.keys(made).length < value.length) throw new Unsupported("an object has a key once");
      return made;
    }
  }
  throw new Unsupported(`there is no way to write a ${$type}`);
}
