"use strict";
(() => {
	const side = document.getElementById("side");
	const menu = document.getElementById("menu");
	const search = document.getElementById("search");
	const found = document.getElementById("found");
	const contents = document.getElementById("contents");

	const open = (yes) => {
		side.classList.toggle("open", yes);
		menu.setAttribute("aria-expanded", String(yes));
	};
	menu.addEventListener("click", () => open(!side.classList.contains("open")));
	side.addEventListener("click", (e) => {
		if (e.target.closest("a")) open(false);
	});

	const textOf = (node) => {
		const words = [];
		const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			if (!walk.currentNode.parentElement.closest("button")) words.push(walk.currentNode.data);
		}
		return words.join(" ").replace(/\s+/g, " ");
	};

	// What can be found: each section without the sections in it.
	const index = [...document.querySelectorAll("main section")].map((section) => {
		const own = [...section.children].filter((c) => c.tagName !== "SECTION");
		const heading = own[0].cloneNode(true);
		heading.querySelectorAll(".anchor").forEach((a) => a.remove());
		return {
			id: section.id,
			title: heading.textContent.trim(),
			text: own.slice(1).map(textOf).join(" "),
		};
	});

	const show = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		found.hidden = words.length === 0;
		contents.hidden = words.length > 0;
		found.replaceChildren();
		if (words.length === 0) return;
		const hits = [];
		for (const s of index) {
			const title = s.title.toLowerCase();
			const text = s.text.toLowerCase();
			if (!words.every((w) => title.includes(w) || text.includes(w))) continue;
			hits.push([words.every((w) => title.includes(w)) ? 0 : 1, s, text]);
		}
		hits.sort((a, b) => a[0] - b[0]);
		for (const [, s, text] of hits.slice(0, 40)) {
			const item = document.createElement("li");
			const link = document.createElement("a");
			link.href = "#" + s.id;
			link.textContent = s.title;
			item.append(link);
			const at = Math.min(...words.map((w) => text.indexOf(w)).filter((n) => n >= 0));
			if (Number.isFinite(at)) {
				const from = Math.max(0, at - 30);
				const part = document.createElement("small");
				part.textContent = (from > 0 ? "… " : "") + s.text.slice(from, at + 60) + " …";
				item.append(part);
			}
			found.append(item);
		}
		if (hits.length === 0) {
			const none = document.createElement("li");
			none.textContent = "Nothing was found.";
			found.append(none);
		}
	};
	search.addEventListener("input", show);
	search.addEventListener("keydown", (e) => {
		if (e.key === "Escape") {
			search.value = "";
			show();
		} else if (e.key === "Enter" && found.querySelector("a")) {
			found.querySelector("a").click();
		}
	});
	document.addEventListener("keydown", (e) => {
		if (e.key === "/" && document.activeElement !== search && !e.ctrlKey && !e.metaKey) {
			e.preventDefault();
			open(true);
			search.focus();
		}
	});

	// The section that is being read is marked in the contents.
	const links = new Map([...contents.querySelectorAll("a")].map((a) => [a.getAttribute("href").slice(1), a]));
	let here = null;
	const watch = new IntersectionObserver((entries) => {
		for (const e of entries) {
			const link = links.get(e.target.id);
			if (!e.isIntersecting || !link) continue;
			if (here) here.classList.remove("here");
			here = link;
			here.classList.add("here");
		}
	}, { rootMargin: "0px 0px -80% 0px" });
	document.querySelectorAll("main section").forEach((s) => watch.observe(s));

	document.querySelectorAll(".copy").forEach((b) => b.addEventListener("click", async () => {
		const text = b.dataset.hex.replace(/(.{8})(?=.)/g, "$1 ");
		let done = true;
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			const area = document.createElement("textarea"); // pages from files have no clipboard
			area.value = text;
			document.body.append(area);
			area.select();
			done = document.execCommand("copy");
			area.remove();
		}
		const old = b.textContent;
		b.textContent = done ? "copied" : "not copied";
		setTimeout(() => { b.textContent = old; }, 1500);
	}));
})();
