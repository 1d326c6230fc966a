// The pane of bytes: offsets, hexadecimal digits and characters, coloured by leaf.

import { fromBase64, toBase64 } from "./backend";
import { h, hex } from "./dom";
import type { Leaf, Span } from "./messages";
import { covers, type Store } from "./store";
import { freshId, type Line, VirtualList } from "./virtual";

const pageSize = 4096;

/** maxPages is how many pages are kept, maxLoading how many are loaded at once. */
const maxPages = 64;
const maxLoading = 4;

/** Cell shows the digits of a byte. Only what has changed is set. */
class Cell {
	readonly element = h("span", { role: "gridcell", id: freshId() });
	private at = -1;
	private byte = -2;
	private name = "";
	private on = false;

	/** show shows a byte, or no byte if it is -1. */
	show(at: number, byte: number, name: string, on: boolean): void {
		if (at !== this.at) {
			this.at = at;
			this.element.dataset["at"] = String(at);
		}
		if (byte !== this.byte) {
			this.byte = byte;
			this.element.textContent = byte < 0 ? "  " : hex(byte, 2);
		}
		if (name !== this.name) {
			this.name = name;
			this.element.className = name;
		}
		if (on !== this.on) {
			this.on = on;
			if (on) this.element.setAttribute("aria-selected", "true");
			else this.element.removeAttribute("aria-selected");
		}
	}
}

/** Run shows the characters of neighboring bytes that look alike. Only what has changed is set. */
class Run {
	readonly element = h("span");
	private at = -1;
	private text = "";
	private name = "";

	show(at: number, text: string, name: string): void {
		if (at !== this.at) {
			this.at = at;
			this.element.dataset["at"] = String(at);
		}
		if (text !== this.text) {
			this.text = text;
			this.element.textContent = text;
		}
		if (name !== this.name) {
			this.name = name;
			this.element.className = name;
		}
	}
}

/** Row is the parts of a line. */
class Row {
	readonly digits = h("span", { class: "digits", role: "presentation" });
	readonly text = h("span", { class: "text", "aria-hidden": "true" });
	private cells: Cell[] = [];
	private runs: Run[] = [];
	private used = 0; // of the runs

	/** begin sets the number of bytes. */
	begin(n: number): void {
		this.used = 0;
		if (n === this.cells.length) return;
		while (this.cells.length < n) this.cells.push(new Cell());
		this.cells.length = n;
		this.digits.replaceChildren(...this.cells.map((c) => c.element));
	}

	get length(): number {
		return this.cells.length;
	}

	digit(i: number, at: number, byte: number, name: string, on: boolean): void {
		this.cells[i]?.show(at, byte, name, on);
	}

	/** run adds characters. */
	run(at: number, text: string, name: string): void {
		if (text === "") return;
		const run = this.runs[this.used] ?? new Run();
		run.show(at, text, name);
		if (this.used++ < this.runs.length) return;
		this.runs.push(run);
		this.text.append(run.element);
	}

	/** end removes the characters that were not added again. */
	end(): void {
		for (const r of this.runs.splice(this.used)) r.element.remove();
	}
}

interface Page {
	data: Uint8Array;
	leaves: Leaf[];
}

/** BytesPane shows the bytes of the packet. */
export class BytesPane {
	readonly element: HTMLElement;
	private readonly list: VirtualList;
	private pages = new Map<number, Page | null>(); // null while it is loaded
	private loading = 0;
	private faults = new Set<number>(); // offsets of errors
	private perLine = 16;
	private anchor = 0; // where a range begins
	private cursor = 0; // the byte that keys are about
	private half = ""; // the first digit of a byte that is typed

	constructor(private readonly store: Store) {
		this.list = new VirtualList(20, () => this.makeLine(), { class: "bytes", role: "grid", "aria-multiselectable": "true", "aria-label": "Bytes" });
		this.element = this.list.element;
		new ResizeObserver(() => this.resize()).observe(this.element);
		store.on("packet", () => this.reset());
		store.on("selection", () => this.follow());
		store.on("marks", () => this.list.refresh());
		this.element.addEventListener("pointerdown", (e) => this.press(e));
		this.element.addEventListener("pointermove", (e) => {
			if (e.buttons === 1) this.drag(e);
		});
		this.element.addEventListener("keydown", (e) => this.key(e));
	}

	private resize(): void {
		const fits = this.element.clientWidth < 620 ? 8 : 16;
		if (fits === this.perLine) return;
		this.perLine = fits;
		this.reset();
		this.follow();
	}

	private reset(): void {
		this.pages.clear();
		this.faults = new Set(this.store.packet?.errors.map((e) => e.offset));
		this.list.setTotal(Math.ceil((this.store.packet?.size ?? 0) / this.perLine));
	}

	private follow(): void {
		const s = this.store.selection;
		if (s && (this.cursor < s.span.from || this.cursor >= s.span.to) && this.cursor !== this.store.packet?.size) {
			this.cursor = this.anchor = s.span.from;
			this.half = "";
		}
		if (s) this.list.scrollTo(Math.floor(this.cursor / this.perLine));
		this.list.refresh();
	}

	/** page returns a page of bytes, or undefined while it is loaded. When one has been loaded the lines are shown again, and ask for those that they miss then. */
	private page(k: number): Page | undefined {
		const have = this.pages.get(k);
		if (have) return have;
		const packet = this.store.packet;
		const from = k * pageSize;
		if (have === null || !packet || from < 0 || from >= packet.size || this.loading >= maxLoading) return undefined;
		this.pages.set(k, null);
		this.loading++;
		this.store.backend.call("window", { packet: packet.packet, from, to: from + pageSize }).then(
			(w) => {
				this.loading--;
				if (packet !== this.store.packet) return;
				this.pages.delete(k);
				this.pages.set(k, { data: fromBase64(w.data), leaves: w.leaves });
				if (this.pages.size > maxPages) this.pages.delete(this.pages.keys().next().value ?? 0);
				this.list.refresh();
			},
			() => {
				this.loading--;
				if (packet === this.store.packet) this.pages.delete(k);
			},
		);
		return undefined;
	}

	/** fill shows bytes from an offset in a row. */
	private fill(row: Row, from: number): void {
		const k = Math.floor(from / pageSize);
		const page = this.page(k);
		this.page(k + 1);
		this.page(k - 1);
		const s = this.store.selection?.span;
		let at = page ? firstLeaf(page.leaves, from) : 0;
		let [begin, text, last] = [from, "", ""]; // of a run of characters
		for (let i = 0; i < row.length; i++) {
			const o = from + i;
			while (page && (page.leaves[at]?.to ?? Infinity) <= o) at++;
			const leaf = page?.leaves[at];
			let name = page ? `k-${leaf?.kind ?? "gap"} c${leaf?.color ?? 0}` : "";
			const on = s !== undefined && o >= s.from && o < s.to;
			if (on) name += " on";
			if (o === this.cursor) name += " here";
			if (this.faults.has(o)) name += " bad";
			if (covers(this.store.marks, o)) name += " diff";
			if (covers(this.store.packet?.changed ?? [], o)) name += " new";
			const byte = page?.data[o % pageSize] ?? -1;
			row.digit(i, o, byte, name, on);
			if (name !== last) {
				row.run(begin, text, last);
				[begin, text, last] = [o, "", name];
			}
			text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte < 0 ? " " : "·";
		}
		row.run(begin, text, last);
		row.end();
	}

	/** makeLine makes a line, whose cells are as many as it has bytes. */
	private makeLine(): Line {
		const offset = h("span", { class: "offset", role: "rowheader" });
		const row = new Row();
		const element = h("div", { class: "line", role: "row" }, offset, row.digits, row.text);
		const show = (index: number): void => {
			const size = this.store.packet?.size ?? 0;
			const from = index * this.perLine;
			row.begin(Math.max(0, Math.min(this.perLine, size - from)));
			const at = hex(from, Math.max(6, hex(size, 0).length));
			if (offset.textContent !== at) offset.textContent = at;
			this.fill(row, from);
		};
		return { element, show };
	}

	/** at returns the offset of the byte under the pointer. */
	private static at(e: PointerEvent): number | undefined {
		const target = e.target instanceof HTMLElement ? e.target : null;
		const first = target?.dataset["at"];
		if (!target || first === undefined) return undefined;
		const n = target.role === null ? (target.textContent?.length ?? 1) : 1; // a run of characters, or the digits of a byte
		const box = target.getBoundingClientRect();
		const i = Math.floor(((e.clientX - box.left) / box.width) * n);
		return Number(first) + Math.max(0, Math.min(i, n - 1));
	}

	private press(e: PointerEvent): void {
		const at = BytesPane.at(e);
		if (at === undefined || e.button !== 0) return;
		if (e.shiftKey) this.extend(at);
		else this.move(at);
	}

	private drag(e: PointerEvent): void {
		const at = BytesPane.at(e);
		if (at !== undefined && at !== this.cursor) this.extend(at);
	}

	/** move puts the cursor on a byte and selects its leaf. */
	private move(to: number): void {
		this.half = "";
		this.cursor = this.anchor = to;
		void this.store.selectOffset(to);
	}

	/** extend puts the cursor on a byte and selects all from the anchor to it. */
	private extend(to: number): void {
		this.half = "";
		this.cursor = to;
		void this.store.selectSpan({ from: Math.min(this.anchor, to), to: Math.max(this.anchor, to) + 1 });
	}

	/** splice replaces bytes, with the cursor on the byte where it is to be after that. */
	private splice(at: number, remove: number, data: number[], cursor: number): void {
		this.half = "";
		this.cursor = this.anchor = cursor;
		const last = (this.store.packet?.size ?? 0) + data.length - remove - 1;
		const focus = Math.max(0, Math.min(cursor, last));
		void this.store.edit((packet) => this.store.backend.call("splice", { packet, at, remove, data: toBase64(Uint8Array.from(data)), focus }));
	}

	/** type edits the bytes: digits replace the one at the cursor. */
	private type(e: KeyboardEvent, s: Span, size: number): boolean {
		if (e.key === "Delete" || e.key === "Backspace") {
			const to = Math.min(s.to, size);
			if (to > s.from) this.splice(s.from, to - s.from, [], s.from);
			return true;
		}
		if (e.key === "Insert") {
			this.splice(this.cursor, 0, [0], this.cursor);
			return true;
		}
		if (!/^[0-9a-fA-F]$/.test(e.key)) return false;
		const digits = this.half + e.key;
		if (digits.length < 2) this.half = digits;
		else this.splice(this.cursor, this.cursor < size ? 1 : 0, [parseInt(digits, 16)], this.cursor + 1);
		return true;
	}

	private key(e: KeyboardEvent): void {
		const packet = this.store.packet;
		if (!packet || e.metaKey || e.altKey) return;
		const s = this.store.selection?.span ?? { from: 0, to: 1 };
		if (!e.ctrlKey && this.type(e, s, packet.size)) {
			e.preventDefault();
			return;
		}
		const page = this.perLine * this.list.pageLines;
		const moves: Record<string, number> = {
			ArrowLeft: e.ctrlKey ? s.from - 1 : this.cursor - 1,
			ArrowRight: e.ctrlKey ? s.to : this.cursor + 1,
			ArrowUp: this.cursor - this.perLine,
			ArrowDown: this.cursor + this.perLine,
			PageUp: this.cursor - page,
			PageDown: this.cursor + page,
			Home: 0,
			End: packet.size - 1,
		};
		const to = moves[e.key];
		if (to === undefined) return;
		e.preventDefault();
		const at = Math.max(0, Math.min(to, packet.size - 1));
		if (e.shiftKey) this.extend(at);
		else this.move(at);
	}
}

/** firstLeaf returns the index of the leaf of an offset. */
function firstLeaf(leaves: Leaf[], offset: number): number {
	let lo = 0;
	let hi = leaves.length;
	while (lo < hi) {
		const mid = (lo + hi) >> 1;
		if ((leaves[mid]?.to ?? 0) > offset) hi = mid;
		else lo = mid + 1;
	}
	return lo;
}
