// The pane of values: a tree whose nodes are loaded by range.

import { h } from "./dom";
import type { Item, Span } from "./messages";
import { covers, type Store } from "./store";
import { freshId, type Line, VirtualList } from "./virtual";

const pageSize = 200;

/** maxReopened is how many nodes are opened again after an edit. */
const maxReopened = 100;

/** Branch is an open node. */
class Branch {
	readonly pages = new Map<number, Item[] | null>(); // null while it is loaded
	readonly open = new Map<number, Branch>(); // by index
	lines = 0; // below the node
	private order: [number, Branch][] = []; // of the open ones

	constructor(
		readonly node: number,
		public total: number,
	) {}

	/** measure counts the lines below the node again. */
	measure(): void {
		this.order = [...this.open].sort((x, y) => x[0] - y[0]);
		this.lines = this.total;
		for (const [, b] of this.order) {
			b.measure();
			this.lines += b.lines;
		}
	}

	/** find returns the branch and the index of a line below the node. */
	find(line: number, level = 1): { branch: Branch; index: number; level: number } {
		let index = line;
		for (const [at, b] of this.order) {
			if (index <= at) break;
			if (index <= at + b.lines) return b.find(index - at - 1, level + 1);
			index -= b.lines;
		}
		return { branch: this, index, level };
	}

	/** lineOf returns the line of an index. */
	lineOf(index: number): number {
		let line = index;
		for (const [at, b] of this.order) if (at < index) line += b.lines;
		return line;
	}
}

/** Range is lines that are chosen together. */
interface Range {
	first: Span; // of the line where it begins
	last: number; // line where it ends
	span: Span; // of all
}

/** marked are the names of the kinds that a reader of the page might take for values. */
const marked: Partial<Record<Item["kind"], string>> = { derived: "derived", flags: "flags", frame: "derived" };

/** TreePane shows the values of the packet. */
export class TreePane {
	readonly element: HTMLElement;
	private readonly list: VirtualList;
	private root = new Branch(0, 0);
	private name = ""; // of the packet
	private turn = 0;
	private range: Range | null = null; // that is chosen in the tree

	/** edit is called for Enter and F2 on a line, insert for Insert, and remove for Delete. */
	constructor(
		private readonly store: Store,
		private readonly edit: () => void = () => {},
		private readonly insert: () => void = () => {},
		private readonly remove: () => void = () => {},
	) {
		this.list = new VirtualList(22, () => this.makeLine(), { class: "tree", role: "tree", "aria-multiselectable": "true", "aria-label": "Values" });
		this.element = this.list.element;
		store.on("packet", () => void store.load(() => this.reset())); // the page is busy until what was open is open again
		store.on("selection", () => void store.load(() => this.follow()));
		store.on("marks", () => this.list.refresh());
		this.element.addEventListener("click", (e) => this.click(e));
		this.element.addEventListener("keydown", (e) => this.key(e));
		this.element.addEventListener("dblclick", () => this.edit());
	}

	/** reset shows another packet. What was open stays open after an edit. */
	private async reset(): Promise<void> {
		const before = this.root;
		const edited = this.store.packet?.name === this.name;
		this.name = this.store.packet?.name ?? "";
		const root = new Branch(0, 0);
		this.root = root;
		await this.load(root, 0);
		if (root !== this.root) return;
		if (edited) await this.reopen(before, root);
		else if (root.total === 1) await this.expand(root, 0);
		if (root === this.root) await this.follow();
	}

	/** reopen opens the nodes of a branch that were open before. */
	private async reopen(before: Branch, now: Branch, left = { branches: maxReopened }): Promise<void> {
		for (const [index, b] of before.open) {
			if (index >= now.total || left.branches-- <= 0) continue;
			const branch = await this.expand(now, index);
			if (branch) await this.reopen(b, branch, left);
		}
	}

	/** load loads a page of the parts of a node. */
	private async load(b: Branch, page: number): Promise<void> {
		const packet = this.store.packet;
		if (!packet || b.pages.has(page)) return;
		b.pages.set(page, null);
		try {
			const c = await this.store.backend.call("children", { packet: packet.packet, node: b.node, from: page * pageSize, count: pageSize });
			if (packet !== this.store.packet) return;
			b.total = c.total;
			b.pages.set(page, c.items);
		} catch {
			b.pages.delete(page);
		}
		this.measure();
	}

	private item(b: Branch, index: number): Item | undefined {
		const page = Math.floor(index / pageSize);
		const items = b.pages.get(page);
		if (items === undefined) void this.load(b, page);
		const near = index % pageSize < pageSize / 2 ? page - 1 : page + 1; // is loaded before it is visible
		if (items && near >= 0 && near * pageSize < b.total) void this.load(b, near);
		return items?.[index % pageSize];
	}

	private async expand(b: Branch, index: number): Promise<Branch | undefined> {
		await this.load(b, Math.floor(index / pageSize));
		const item = this.item(b, index);
		if (!item || item.parts === 0) return undefined;
		const have = b.open.get(index);
		if (have) return have;
		const child = new Branch(item.node, item.parts);
		b.open.set(index, child);
		await this.load(child, 0);
		this.measure();
		return child;
	}

	/** measure counts the lines after nodes were opened, closed or loaded. */
	private measure(): void {
		this.root.measure();
		this.list.setTotal(this.root.lines);
	}

	/** makeLine makes a line. Only what has changed is set. */
	private makeLine(): Line {
		const twist = h("span", { class: "twist", "aria-hidden": "true" });
		const spans = ["label", "type", "kind", "value", "about"].map((name) => h("span", { class: name }));
		const element = h("div", { role: "treeitem", id: freshId() }, twist, ...spans);
		const set = (e: HTMLElement, text: string): void => {
			if (e.textContent !== text) e.textContent = text;
		};
		const attribute = (name: string, value: string | null): void => {
			if (value === null) element.removeAttribute(name);
			else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
		};
		let indent = 0;
		const show = (i: number): void => {
			const { branch, index, level } = this.root.find(i);
			const item = this.item(branch, index);
			const now = this.store.selection?.way.steps.at(-1)?.item;
			const on = item !== undefined && now?.node === item.node && now.part === item.part;
			const here = this.range === null ? on : i === this.range.last;
			const open = branch.open.has(index);
			const parts = (item?.parts ?? 0) > 0;
			const chosen = (item !== undefined && this.store.within(item)) || (on && !(parts && this.store.selection?.range));
			attribute("data-line", String(i));
			attribute("aria-level", String(level));
			attribute("aria-setsize", String(branch.total));
			attribute("aria-posinset", String(index + 1));
			attribute("aria-selected", String(chosen));
			attribute("aria-expanded", parts ? String(open) : null);
			const differs = item !== undefined && differing(item, this.store.marks);
			attribute("class", `line${chosen ? " on" : ""}${here ? " here" : ""}${differs ? (parts ? " differs" : " diff") : ""}${item?.cut ? " cut" : ""}${item ? " k-" + item.kind : ""}`);
			if (level !== indent) element.style.paddingInlineStart = `${(level - 1) * 14 + 4}px`;
			indent = level;
			set(twist, parts ? (open ? "▾" : "▸") : "");
			for (const [k, text] of [item?.label, item?.type, item && marked[item.kind], item?.text, item?.about].entries()) set(spans[k] ?? element, text ?? "");
		};
		return { element, show };
	}

	/** follow opens the way to the selection. */
	private async follow(): Promise<void> {
		const turn = ++this.turn;
		const steps = this.store.selection?.way.steps ?? [];
		let branch: Branch | undefined = this.root;
		let line = 0;
		for (const [k, step] of steps.entries()) {
			if (!branch) break;
			line += branch.lineOf(step.index) + (k > 0 ? 1 : 0);
			if (k < steps.length - 1) branch = await this.expand(branch, step.index);
			if (turn !== this.turn) return;
		}
		if (this.range && this.range.span !== this.store.selection?.span) this.range = null;
		if (this.range) this.list.scrollTo(this.range.last);
		else if (steps.length > 0) this.list.scrollTo(line);
		this.list.refresh();
	}

	private click(e: MouseEvent): void {
		const target = e.target instanceof Element ? e.target : null;
		const line = target?.closest<HTMLElement>("[data-line]")?.dataset["line"];
		if (line === undefined) return;
		const { branch, index } = this.root.find(Number(line));
		if (target?.closest(".twist")) void this.toggle(branch, index);
		else if (e.shiftKey) void this.extend(Number(line));
		else void this.select(branch, index);
	}

	private async toggle(b: Branch, index: number): Promise<void> {
		if (b.open.delete(index)) this.measure();
		else await this.expand(b, index);
		this.list.refresh();
	}

	private async select(b: Branch, index: number): Promise<void> {
		await this.load(b, Math.floor(index / pageSize));
		const item = this.item(b, index);
		if (item) await this.store.selectNode(item.node, item.part);
	}

	/** extend selects all bytes from the line where a range begins to another one. */
	private async extend(last: number): Promise<void> {
		const first = this.range?.first ?? this.store.selection?.span;
		const { branch, index } = this.root.find(last);
		await this.load(branch, Math.floor(index / pageSize));
		const item = this.item(branch, index);
		if (!item || !first) return;
		const span = { from: Math.min(first.from, item.from), to: Math.max(first.to, item.to) };
		this.range = { first, last, span };
		await this.store.selectSpan(span);
	}

	/** current returns the line of the selection. */
	private current(): number {
		if (this.range) return this.range.last;
		let branch: Branch | undefined = this.root;
		let line = 0;
		for (const [k, step] of (this.store.selection?.way.steps ?? []).entries()) {
			if (!branch) break;
			line += branch.lineOf(step.index) + (k > 0 ? 1 : 0);
			branch = branch.open.get(step.index);
		}
		return line;
	}

	private key(e: KeyboardEvent): void {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		const line = this.current();
		const { branch, index, level } = this.root.find(line);
		const go = (to: number): void => {
			const at = Math.min(Math.max(to, 0), this.root.lines - 1);
			if (e.shiftKey) {
				void this.extend(at);
				return;
			}
			const target = this.root.find(at);
			void this.select(target.branch, target.index);
		};
		switch (e.key) {
			case "ArrowDown":
				go(line + 1);
				break;
			case "ArrowUp":
				go(line - 1);
				break;
			case "PageDown":
				go(line + this.list.pageLines);
				break;
			case "PageUp":
				go(line - this.list.pageLines);
				break;
			case "Home":
				go(0);
				break;
			case "End":
				go(this.root.lines - 1);
				break;
			case "ArrowRight":
				if (branch.open.has(index)) go(line + 1);
				else void this.toggle(branch, index);
				break;
			case "ArrowLeft": {
				const steps = this.store.selection?.way.steps ?? [];
				const parent = steps.at(-2)?.item;
				if (branch.open.has(index)) void this.toggle(branch, index);
				else if (level > 1 && parent) void this.store.selectNode(parent.node, parent.part);
				break;
			}
			case "Enter":
			case "F2":
				this.edit();
				break;
			case "Insert":
				this.insert();
				break;
			case "Delete":
				this.remove();
				break;
			default:
				return;
		}
		e.preventDefault();
	}
}

/** differing reports whether bytes of an item are marked, or all of a mark is in it. */
function differing(item: Item, marks: Span[]): boolean {
	return item.to > item.from && (covers(marks, item.from) || covers(marks, item.to - 1) || marks.some((m) => m.from >= item.from && m.to <= item.to));
}
