// The protocol of octable conform for Node: a program that calls serve is an implementation
// that the runner can talk with.
//
//	import { serve } from "./wrapper.mjs";
//	serve({ name: "my codec", specs: ["godot-4.4"] }, {
//	  decode: (bytes) => ({ value: toNotation(mine.decode(bytes)) }),
//	  encode: (value) => mine.encode(fromNotation(value)),
//	  recode: (bytes) => mine.encode(mine.decode(bytes)), // may be left out
//	});
//
// decode gets a Buffer and returns { value, used }: the value in the notation of values (values.mjs
// helps with that), and how many bytes it took, if it tells. encode gets a value and returns a
// Buffer. Both get the whole request, too. Either refuses by throwing an error, whose kind and offset
// are passed on where it has them, and says that it cannot do a thing at all by throwing Unsupported.
import { createInterface } from "node:readline";

export class Unsupported extends Error {}

export async function serve(about, codec) {
  console.log = console.error; // standard output is for answers
  const answers = {
    hello: () => ({ hello: { protocol: 1, language: "JavaScript", ops: Object.keys(answers).slice(1), ...about } }),
    decode: (request) => ({ ok: true, ...codec.decode(Buffer.from(request.bytes ?? "", "hex"), request) }),
    encode: (request) => ({ ok: true, bytes: codec.encode(request.value, request).toString("hex") }),
  };
  if (codec.recode) answers.recode = (request) => ({ ok: true, bytes: codec.recode(Buffer.from(request.bytes ?? "", "hex"), request).toString("hex") });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const request = JSON.parse(line);
    let answer;
    try {
      if (!Object.hasOwn(answers, request.op)) throw new Unsupported(`the operation ${request.op}`);
      answer = JSON.stringify({ id: request.id, ...answers[request.op](request) });
    } catch (e) {
      const said = e instanceof Unsupported ? { unsupported: e.message } : { error: String(e), kind: e.kind, offset: e.offset };
      answer = JSON.stringify({ id: request.id, ...said });
    }
    process.stdout.write(answer + "\n");
  }
}
