// Packets that outlive the worker: it is ended if a call takes too long, and the next one has no packets.

import { type Backend, CallError, type Method, type Params, type Result } from "./backend";
import type { Packet } from "./messages";

/** Values are the parameters of any method. */
type Values = Record<string, unknown>;

/** Made is how a packet was made, and its number in the back end. */
interface Made {
	number: number;
	method: Method;
	params: Values;
}

/** makers are the methods that make a packet. */
const makers: ReadonlySet<Method> = new Set<Method>(["open", "reread", "splice", "set", "insert", "remove", "canonical", "assemble"]);

/** names are the parameters that name a packet. */
const names = ["packet", "old", "new"];

/** maxKept is the most characters of opened files that are kept. */
const maxKept = 256 << 20;

/** KeepingBackend repeats the calls that made a packet when the back end no longer has it. Its numbers of packets are its own. */
export class KeepingBackend implements Backend {
	private readonly made = new Map<number, Made>();
	private readonly texts = new Map<string, Params<"compile">>(); // of schemas, by handle
	private readonly again = new Map<number, Promise<void>>(); // packets that are being made again
	private last = 0;

	constructor(private readonly inner: Backend) {}

	async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
		const result = await this.repeated(method, params as Values);
		if (method === "compile") {
			const { schema } = result as Result<"compile">;
			if (schema !== "") this.texts.set(schema, params as Params<"compile">);
		} else if (method === "close") this.made.delete((params as Params<"close">).packet);
		else if (makers.has(method)) return this.keep(method, params as Values, result as Packet) as Result<M>;
		return result as Result<M>;
	}

	/** keep numbers a packet. Files that were opened long ago are forgotten. */
	private keep(method: Method, params: Values, p: Packet): Packet {
		this.made.set(++this.last, { number: p.packet, method, params });
		let kept = 0;
		for (const m of [...this.made.values()].reverse()) {
			const data = m.params["data"];
			if (m.method !== "open" || typeof data !== "string") continue;
			kept += data.length;
			if (kept > maxKept) m.params = { ...m.params, data: null };
		}
		return { ...p, packet: this.last };
	}

	/** inside returns parameters with the numbers of the back end. */
	private inside(params: Values): Values {
		const out = { ...params };
		for (const name of names) {
			const id = params[name];
			if (typeof id === "number") out[name] = this.made.get(id)?.number ?? -1;
		}
		return out;
	}

	/** repeated makes a call, again if the back end no longer has what it is about. */
	private async repeated(method: Method, params: Values): Promise<unknown> {
		for (let tries = 0; ; tries++) {
			const inside = this.inside(params);
			try {
				return await this.inner.call(method, inside as never);
			} catch (e) {
				if (!(e instanceof CallError) || e.code !== "gone" || tries === 2) throw e;
				const schema = params["schema"];
				const text = typeof schema === "string" ? this.texts.get(schema) : undefined;
				if (text !== undefined) await this.inner.call("compile", text);
				for (const name of names) {
					const id = params[name];
					if (typeof id === "number") await this.remake(id, inside[name] as number);
				}
			}
		}
	}

	/** remake makes a packet again, unless it has another number already. */
	private async remake(id: number, gone: number): Promise<void> {
		const m = this.made.get(id);
		if (!m || m.number !== gone || m.params["data"] === null) return;
		const make = async (): Promise<void> => {
			const p = (await this.repeated(m.method, m.params)) as Packet;
			m.number = p.packet;
		};
		const running = this.again.get(id) ?? make().finally(() => this.again.delete(id));
		this.again.set(id, running);
		await running;
	}
}
