"use strict";
// All of this is convenience: without it, links lead to the same vectors below.
for (const spec of document.querySelectorAll(".spec")) {
  const tools = spec.querySelector(".tools"), table = spec.querySelector(".matrix");
  const find = tools.querySelector("[type=search]"), order = tools.querySelector("select");
  const badly = row => Number(tools.elements.must.checked ? row.dataset.badmust : row.dataset.bad);
  const filter = () => {
    const word = find.value.trim().toLowerCase();
    for (const row of table.querySelectorAll("tr[data-key]"))
      row.hidden = !row.dataset.name.toLowerCase().includes(word) || tools.elements.bad.checked && !badly(row);
    for (const body of table.tBodies) body.hidden = !body.querySelector("tr[data-key]:not([hidden])");
    table.classList.toggle("must-only", tools.elements.must.checked);
    const by = order.value, place = row => Number(row.dataset.order);
    for (const body of table.tBodies) {
      const rows = [...body.querySelectorAll("tr[data-key]")];
      rows.sort((a, b) => (by === "name" ? a.dataset.name.localeCompare(b.dataset.name) : by === "bad" ? badly(b) - badly(a) : 0) || place(a) - place(b));
      body.append(...rows);
    }
  };
  tools.hidden = false;
  tools.addEventListener("input", filter);
  tools.addEventListener("submit", e => e.preventDefault());
  filter();

  const dialog = document.querySelector("dialog"), inside = dialog.querySelector(".inside");
  // open shows the vectors of a row that an implementation fails, or of either alone.
  const open = (key, impl, title) => {
    inside.replaceChildren();
    for (const vector of spec.querySelectorAll(".vectors article")) {
      if (key && vector.dataset.t !== key && !(vector.dataset.k || "").split(" ").includes(key)) continue;
      if (impl && !vector.querySelector(`li[data-i="${impl}"]`)) continue;
      const copy = vector.cloneNode(true);
      copy.removeAttribute("id");
      for (const li of copy.querySelectorAll("li")) li.hidden = Boolean(impl) && li.dataset.i !== impl;
      for (const code of copy.querySelectorAll("li > code")) {
        const button = document.createElement("button");
        button.className = "copy";
        button.textContent = "copy";
        const text = code.textContent;
        button.addEventListener("click", async () => {
          try { await navigator.clipboard.writeText(text); button.textContent = "copied"; }
          catch { getSelection().selectAllChildren(code); }
        });
        code.append(button);
      }
      inside.append(copy);
    }
    if (!inside.firstChild) return false;
    const [name, facts] = title.split(": ");
    const small = document.createElement("small");
    small.textContent = facts || "";
    dialog.querySelector("h2").replaceChildren(name, small);
    dialog.showModal();
    inside.scrollTop = 0;
    dialog.scrollTop = 0;
    return true;
  };
  table.addEventListener("click", e => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    const link = e.target.closest("a");
    if (!link) return;
    const key = link.closest("tr").dataset.key, head = link.closest("th[data-i]");
    const impl = head ? head.dataset.i : link.dataset.i;
    const title = link.getAttribute("aria-label") || link.textContent;
    if (open(key, impl, title.trim())) e.preventDefault();
  });
  dialog.addEventListener("click", e => { if (e.target === dialog) dialog.close(); });
}
