// A button that opens a list of actions. A select would run an action at each arrow key.

import { button, h } from "./dom";

/** Action is a line of a menu. */
export interface Action {
	name: string;
	run(): void;
}

/** Menu is the button and its list. */
export class Menu {
	readonly element: HTMLElement;
	private readonly opener: HTMLButtonElement;
	private readonly list: HTMLElement;

	constructor(name: string, actions: Action[] = []) {
		this.list = h("div", { class: "menu", role: "menu", "aria-label": name, popover: "auto" });
		this.opener = button(name, () => this.open(), { "aria-haspopup": "menu", "aria-expanded": "false" });
		this.element = h("span", {}, this.opener, this.list);
		this.list.addEventListener("toggle", () => this.toggled());
		this.list.addEventListener("keydown", (e) => this.key(e));
		this.fill(actions);
	}

	/** fill replaces the lines. */
	fill(actions: Action[]): void {
		this.opener.disabled = actions.length === 0;
		this.list.replaceChildren(
			...actions.map((a) =>
				button(
					a.name,
					() => {
						this.close();
						a.run();
					},
					{ role: "menuitem", tabindex: "-1" },
				),
			),
		);
	}

	private open(): void {
		const at = this.opener.getBoundingClientRect();
		this.list.showPopover();
		const width = this.list.offsetWidth;
		this.list.style.left = `${Math.max(4, Math.min(at.left, document.documentElement.clientWidth - width - 4))}px`;
		this.list.style.top = `${at.bottom + 2}px`;
		this.list.style.maxHeight = `${Math.max(120, window.innerHeight - at.bottom - 12)}px`;
		this.focus(0);
	}

	private close(): void {
		this.list.hidePopover();
		this.opener.focus();
	}

	private toggled(): void {
		this.opener.setAttribute("aria-expanded", String(this.list.matches(":popover-open")));
	}

	private focus(index: number): void {
		const lines = this.list.children;
		const line = lines[(index + lines.length) % lines.length];
		if (line instanceof HTMLElement) line.focus();
	}

	private key(e: KeyboardEvent): void {
		const lines = [...this.list.children];
		const at = lines.findIndex((l) => l === document.activeElement);
		if (e.key === "ArrowDown") this.focus(at + 1);
		else if (e.key === "ArrowUp") this.focus(at - 1);
		else if (e.key === "Home") this.focus(0);
		else if (e.key === "End") this.focus(-1);
		else if (e.key === "Escape" || e.key === "Tab") this.close();
		else if (e.key.length === 1 && e.key !== " ") {
			const letter = e.key.toLowerCase();
			const after = [...lines.slice(at + 1), ...lines.slice(0, at + 1)].find((l) => l.textContent?.toLowerCase().startsWith(letter));
			if (after) this.focus(lines.indexOf(after));
		} else return;
		if (e.key !== "Tab") e.preventDefault();
		e.stopPropagation();
	}
}
