// A list of any length, of which only the visible lines are elements.

import { h } from "./dom";

/** maxHeight is less than what browsers limit the height of elements to. Longer lists scroll faster than lines are high. */
const maxHeight = 8_000_000;

/** VirtualList shows lines of one height. render makes the element of a line. */
export class VirtualList {
	readonly element: HTMLElement;
	private readonly sizer = h("div", { class: "sizer" });
	private readonly lines = h("div", { class: "lines" });
	private total = 0;
	private pending = 0;
	private first = -1;
	private shown = 0;
	private wanted = -1; // the line that was made visible, until the user scrolls it away

	constructor(
		private readonly lineHeight: number,
		private readonly render: (index: number) => HTMLElement,
		attributes: Record<string, string> = {},
	) {
		this.lines.setAttribute("role", "presentation");
		this.sizer.setAttribute("role", "presentation");
		this.element = h("div", { tabindex: "0", ...attributes, class: "virtual " + (attributes["class"] ?? "") }, this.sizer, this.lines);
		this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
		new ResizeObserver(() => this.resized()).observe(this.element);
	}

	/** pageLines is how many lines are visible at once. */
	get pageLines(): number {
		return Math.max(1, Math.floor(this.element.clientHeight / this.lineHeight));
	}

	/** setTotal sets the number of lines. */
	setTotal(n: number): void {
		this.total = n;
		this.sizer.style.height = Math.min(n * this.lineHeight, maxHeight) + "px";
		this.refresh();
	}

	/** refresh renders the visible lines again. */
	refresh(): void {
		this.first = -1;
		this.later();
	}

	private scrolled(): void {
		if (!this.visible(this.wanted)) this.wanted = -1;
		this.later();
	}

	private resized(): void {
		if (this.wanted >= 0) this.scrollTo(this.wanted);
		this.refresh();
	}

	private visible(index: number): boolean {
		const top = this.top();
		return index >= top && index < top + Math.max(1, this.pageLines - 1);
	}

	/** scrollTo makes a line visible. It stays so if the list gets smaller. */
	scrollTo(index: number): void {
		this.wanted = index;
		if (this.visible(index)) return;
		const target = Math.max(0, index - Math.floor(this.pageLines / 3));
		this.element.scrollTop = target * this.lineHeight * this.scale();
		this.later();
	}

	private scale(): number {
		const full = this.total * this.lineHeight - this.element.clientHeight;
		return full > 0 && this.total * this.lineHeight > maxHeight ? (maxHeight - this.element.clientHeight) / full : 1;
	}

	private top(): number {
		return Math.floor(this.element.scrollTop / this.scale() / this.lineHeight);
	}

	private later(): void {
		if (this.pending) return;
		this.pending = requestAnimationFrame(() => {
			this.pending = 0;
			this.draw();
		});
	}

	private draw(): void {
		const above = 4;
		const first = Math.max(0, Math.min(this.top() - above, this.total - 1));
		const count = Math.min(this.total - first, this.pageLines + 2 * above + 1);
		if (first === this.first && count === this.shown) return;
		const list = document.createDocumentFragment();
		for (let i = first; i < first + count; i++) list.append(this.render(i));
		this.lines.replaceChildren(list);
		const scale = this.scale();
		const offset = scale === 1 ? first * this.lineHeight : this.element.scrollTop - (this.top() - first) * this.lineHeight;
		this.lines.style.transform = `translateY(${offset}px)`;
		this.first = scale === 1 ? first : -1;
		this.shown = count;
	}
}
