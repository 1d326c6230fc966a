// Elements. All text is set as text, so no content of a packet can be markup.

type Child = Node | string | null;

/** h makes an element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
	for (const c of children) if (c !== null) e.append(c);
	return e;
}

/** button makes a button with a name and an action. */
export function button(text: string, action: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
	const b = h("button", { type: "button", ...attributes }, text);
	b.addEventListener("click", action);
	return b;
}

/** byId returns an element of the page. */
export function byId(id: string): HTMLElement {
	const e = document.getElementById(id);
	if (!e) throw new Error("there is no element " + id);
	return e;
}

/** hex prints a number in digits of base 16. */
export const hex = (n: number, width: number): string => n.toString(16).padStart(width, "0");
