// Links that hold a packet and a schema in their fragment, which no server sees.

import { fromBase64, toBase64 } from "./backend";
import type { Options, TextFile } from "./messages";

/** Shared is what a link holds. */
export interface Shared {
	name: string;
	data: string; // base64
	schema: string; // id, or "" if text is set
	text: string; // of a schema
	beside: TextFile[]; // schemas that it may extend
	options: Options;
}

/** maxShared is the most characters of the content of a link, and of what it unpacks to. */
const maxShared = 4 << 20;

const prefix = "#packet=";

/** toLink returns the fragment for a packet. */
export async function toLink(s: Shared): Promise<string> {
	const stream = new Blob([JSON.stringify(s)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
	const packed = new Uint8Array(await new Response(stream).arrayBuffer());
	return prefix + toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** fromLink returns the content of a fragment, null if it holds none. It throws if the content is damaged or too large. */
export async function fromLink(fragment: string): Promise<Shared | null> {
	if (!fragment.startsWith(prefix)) return null;
	if (fragment.length > maxShared) throw new Error("the link is too long");
	const packed = fromBase64(fragment.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/"));
	const reader = new Blob([packed.slice()]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		size += value.length;
		if (size > maxShared) {
			void reader.cancel();
			throw new Error("the link unpacks to too much");
		}
		parts.push(value);
	}
	return shared(JSON.parse(await new Blob(parts).text()));
}

/** shared checks the form of what a link holds. */
function shared(x: unknown): Shared {
	const o = x as Partial<Record<keyof Shared, unknown>> | null;
	const text = (v: unknown): string => {
		if (typeof v !== "string") throw new Error("the link is damaged");
		return v;
	};
	if (typeof o !== "object" || o === null) throw new Error("the link is damaged");
	const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
	const options = o.options as Partial<Options> | undefined;
	return {
		name: text(o.name),
		data: text(o.data),
		schema: text(o.schema),
		text: text(o.text),
		beside: list(o.beside).map((f) => {
			const one = f as { id?: unknown; text?: unknown } | null;
			return { id: text(one?.id), text: text(one?.text) };
		}),
		options: { framed: text(options?.framed ?? ""), objects: options?.objects === true, bare: options?.bare === true },
	};
}
