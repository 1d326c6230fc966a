// The state of the page. Panes subscribe to it.

import { type Backend, CallError, toBase64 } from "./backend";
import type { Item, OpenParams, Options, Packet, Place, Span, Way } from "./messages";
import type { Secret } from "./secret";

/** plain are the options of files without anything special. */
export const plain: Options = { framed: "", objects: false, bare: false };

/** Selection is what all panes show. */
export interface Selection {
	span: Span;
	way: Way; // from the root to the node
	row: Place | null;
	range: boolean; // it is bytes that were chosen, and not those of a node
}

/** Change is a step of undo: the packet on its other side, and the bytes that were selected when it was made. */
interface Change {
	packet: Packet;
	at: Span | null; // in the packet before it
}

type Topic = "packet" | "selection" | "error" | "busy" | "marks";

/** Store holds the packet, the selection and the packets before and after it. */
export class Store {
	packet: Packet | null = null;
	selection: Selection | null = null;
	error: CallError | null = null;
	busy = 0;
	marks: Span[] = []; // differences, in the order of their bytes
	private past: Change[] = [];
	private future: Change[] = [];
	private listeners = new Map<Topic, (() => void)[]>();
	private turn = 0; // of selections: the last one counts

	/** ask asks for the secret of an encrypted file. */
	ask: (message: string) => Promise<Secret | null> = () => Promise.resolve(null);

	constructor(readonly backend: Backend) {}

	/** on calls f after each change of a topic. */
	on(topic: Topic, f: () => void): void {
		this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), f]);
	}

	private tell(topic: Topic): void {
		for (const f of this.listeners.get(topic) ?? []) f();
	}

	/** attempt runs an action of the user. It shows its error, which stays until the next one. */
	attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
		if (this.error) {
			this.error = null;
			this.tell("error");
		}
		return this.load(action);
	}

	/** load is attempt for what follows from an action: the error of that stays. */
	async load<T>(action: () => Promise<T>): Promise<T | undefined> {
		this.busy++;
		this.tell("busy");
		try {
			return await action();
		} catch (e) {
			this.error = e instanceof CallError ? e : new CallError({ code: "internal", message: String(e), fault: null });
			this.tell("error");
			return undefined;
		} finally {
			this.busy--;
			this.tell("busy");
		}
	}

	/** open opens bytes; without a schema the likeliest one is proposed. */
	async open(name: string, data: Uint8Array, schema = "", options: Options = plain): Promise<void> {
		await this.openFile({ name, data: toBase64(data), schema, options, pass: "", key: "" });
	}

	/** openFile is open for data in base64, with the secret of an encrypted file. */
	async openFile(file: OpenParams): Promise<void> {
		await this.attempt(async () => {
			const packet = await this.opened(file);
			this.past = [];
			this.future = [];
			this.show(packet);
		});
	}

	/** opened opens a file without showing it. It asks for the secret of an encrypted one. */
	async opened(file: OpenParams): Promise<Packet> {
		let secret: Secret = { pass: file.pass, key: file.key, bare: file.options.bare };
		for (;;) {
			try {
				return await this.backend.call("open", { ...file, pass: secret.pass, key: secret.key, options: { ...file.options, bare: secret.bare } });
			} catch (e) {
				if (!(e instanceof CallError) || e.code !== "key") throw e;
				const answer = await this.idle(() => this.ask(e.message));
				if (!answer) throw e;
				secret = answer;
			}
		}
	}

	/** idle waits for the user, in which time the page is not busy. */
	private async idle<T>(wait: () => Promise<T>): Promise<T> {
		this.busy--;
		this.tell("busy");
		try {
			return await wait();
		} finally {
			this.busy++;
			this.tell("busy");
		}
	}

	/** mark marks bytes that are different from those of another packet. */
	mark(spans: Span[]): void {
		this.marks = spans;
		this.tell("marks");
	}

	/** fail shows an error that is not of a call. */
	fail(message: string): void {
		this.error = new CallError({ code: "value", message, fault: null });
		this.tell("error");
	}

	/** adopt shows a packet of another store. */
	adopt(packet: Packet): void {
		this.past = [];
		this.future = [];
		this.show(packet);
	}

	/** replace shows another reading in place of the packet, without a step of undo. */
	async replace(call: (packet: number) => Promise<Packet>): Promise<void> {
		await this.attempt(async () => {
			const before = this.packet;
			if (!before) return;
			const after = await call(before.packet);
			if (before === this.packet) this.show(after);
		});
	}

	/** edit makes another packet by a call and remembers the one before for undo. */
	async edit(call: (packet: number) => Promise<Packet>): Promise<boolean> {
		const done = await this.attempt(async () => {
			const before = this.packet;
			if (!before) return false;
			const at = this.selection?.span ?? null;
			const after = await call(before.packet);
			this.past.push({ packet: before, at });
			this.future = [];
			this.show(after);
			return true;
		});
		return done ?? false;
	}

	/** reread reads the bytes by another schema. */
	reread(schema: string, options: Options): Promise<boolean> {
		return this.edit((packet) => this.backend.call("reread", { packet, schema, options }));
	}

	get canUndo(): boolean {
		return this.past.length > 0;
	}
	get canRedo(): boolean {
		return this.future.length > 0;
	}
	undo(): void {
		const change = this.step(this.past, this.future);
		if (change) this.show(change.packet, change.at);
	}
	redo(): void {
		const change = this.step(this.future, this.past);
		if (change) this.show(change.packet);
	}
	private step(from: Change[], to: Change[]): Change | undefined {
		const change = this.packet ? from.pop() : undefined;
		if (change && this.packet) to.push({ packet: this.packet, at: change.at });
		return change;
	}

	/** show shows a packet, and selects the bytes at a span or those that its change is about. */
	private show(packet: Packet, at: Span | null = null): void {
		const old = this.selection?.span;
		if (this.error) {
			this.error = null;
			this.tell("error");
		}
		this.packet = packet;
		this.selection = null;
		this.marks = [];
		this.tell("packet");
		this.tell("selection");
		const focus = packet.focus?.steps.at(-1)?.item;
		if (at) void this.selectOffset(Math.min(at.from, packet.size));
		else if (packet.focus && focus) this.apply(packet.focus, { from: focus.from, to: focus.to });
		else void this.selectOffset(packet.errors[0]?.offset ?? Math.min(old?.from ?? 0, packet.size));
	}

	/** selectOffset selects the leaf of a byte. */
	selectOffset(offset: number): Promise<void> {
		return this.locate(offset, 0, -1, null);
	}

	/** selectSpan selects bytes, and the smallest node that has all of them. */
	selectSpan(span: Span): Promise<void> {
		return this.locate(span.from, 0, -1, span);
	}

	/** within reports whether bytes are in the range that is selected. */
	within(span: Span): boolean {
		const s = this.selection;
		return s !== null && s.range && span.from >= s.span.from && span.to <= s.span.to && span.to > span.from;
	}

	/** selectNode selects a node, or a part of an array. */
	selectNode(node: number, part = -1): Promise<void> {
		return this.locate(-1, node, part, null);
	}

	/** selectRow selects the next node that a row of the schema has read. */
	async selectRow(row: Place): Promise<void> {
		await this.attempt(async () => {
			const item = await this.nextBy(row);
			if (item) await this.selectNode(item.node, item.part);
			else if (this.selection) {
				this.selection = { ...this.selection, row };
				this.tell("selection");
			}
		});
	}

	/** extendTo selects the bytes from the selection to those of the next node that a row of the schema has read. */
	async extendTo(row: Place): Promise<void> {
		const from = this.selection?.span;
		await this.attempt(async () => {
			const item = await this.nextBy(row);
			if (item && from) await this.selectSpan({ from: Math.min(from.from, item.from), to: Math.max(from.to, item.to) });
		});
	}

	/** nextBy returns the next node after the selected one that a row of the schema has read, or the first one. */
	private async nextBy(row: Place): Promise<Item | undefined> {
		const packet = this.packet;
		if (!packet) return undefined;
		const here = this.selection?.way.steps.at(-1)?.item;
		const after = here?.row && here.row.file === row.file && here.row.line === row.line ? here.node : -1;
		let found = await this.backend.call("readBy", { packet: packet.packet, row, after });
		if (found.items.length === 0 && found.total > 0) found = await this.backend.call("readBy", { packet: packet.packet, row, after: -1 });
		return found.items[0];
	}

	private async locate(offset: number, node: number, part: number, span: Span | null): Promise<void> {
		const packet = this.packet;
		if (!packet) return;
		const turn = ++this.turn;
		await this.load(async () => {
			const way = await this.backend.call("locate", { packet: packet.packet, offset, to: span?.to ?? 0, node, part });
			if (turn !== this.turn || packet !== this.packet) return;
			const item = way.steps.at(-1)?.item;
			this.apply(way, span ?? (item ? { from: item.from, to: item.to } : { from: 0, to: 0 }), span !== null);
		});
	}

	private apply(way: Way, span: Span, range = false): void {
		const rows = way.steps.map((s) => s.item.row);
		const only = way.rows.length === 1 ? way.rows[0] : undefined;
		this.selection = { span, way, row: only ?? rows.findLast((r) => r !== null) ?? null, range };
		this.tell("selection");
	}
}

/** covers reports whether one of some spans, which are in order, has an offset. */
export function covers(spans: Span[], offset: number): boolean {
	let lo = 0;
	let hi = spans.length;
	while (lo < hi) {
		const mid = (lo + hi) >> 1;
		const s = spans[mid];
		if (s && s.to > offset) hi = mid;
		else lo = mid + 1;
	}
	const s = spans[lo];
	return s !== undefined && s.from <= offset;
}
