// Brings the report to life: theme, search, filters and sorting. Without it all rows are just there.

"use strict";

(() => {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);

  // --- light or dark: as the system has it, until somebody chooses ---

  const button = find("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = (change) => {
    try {
      return change(localStorage);
    } catch {
      return null; // a page from a disk may have no storage
    }
  };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const tell = () => button.setAttribute("aria-pressed", String(isDark()));
  const chosen = stored((store) => store.getItem("theme"));
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored((store) => store.setItem("theme", root.dataset.theme));
    tell();
  });
  system.addEventListener("change", tell);
  tell();

  // --- the rows ---

  const table = find("rows");
  if (!table) return;
  const bodies = [...table.tBodies];
  const controls = find("controls");
  const search = find("search");
  const filters = [...controls.querySelectorAll("select")];
  const texts = new Map();
  const textOf = (body) => {
    if (!texts.has(body)) texts.set(body, body.textContent.toLowerCase());
    return texts.get(body);
  };

  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = filters.filter((it) => it.value).map((it) => [it.dataset.filter, it.value.slice(1)]);
    let shown = 0;
    for (const body of bodies) {
      const matches =
        wanted.every(([name, value]) => body.dataset[name] === value) &&
        words.every((word) => textOf(body).includes(word));
      body.hidden = !matches;
      shown += matches;
    }
    find("nothing").hidden = shown > 0;
    find("count").textContent = `${shown.toLocaleString("en")} of ${bodies.length.toLocaleString("en")}`;
  };

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  });
  for (const filter of filters) filter.addEventListener("change", show);
  controls.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  find("clear").addEventListener("click", () => {
    controls.reset();
    sort(null, "none");
    show();
  });
  controls.hidden = false;

  // --- sorting: up, down, and back to the order of the report ---

  const headings = [...table.tHead.rows[0].cells];
  const turns = { none: "ascending", ascending: "descending", descending: "none" };
  const order = new Intl.Collator("en", { numeric: true }).compare;
  const key = (body, column) => {
    const value = body.rows[0].cells[column].dataset.sort ?? "";
    return value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return order(a, b);
  };
  const sort = (heading, direction) => {
    for (const other of headings) other.setAttribute("aria-sort", other === heading ? direction : "none");
    let sorted = bodies;
    if (direction !== "none") {
      const column = headings.indexOf(heading);
      const sign = direction === "descending" ? -1 : 1;
      const keys = new Map(bodies.map((body) => [body, key(body, column)]));
      sorted = [...bodies].sort((a, b) => {
        if (keys.get(a) === "" || keys.get(b) === "") return (keys.get(a) === "") - (keys.get(b) === "");
        return sign * compare(keys.get(a), keys.get(b));
      });
    }
    table.append(...sorted);
  };
  for (const heading of headings) {
    heading
      .querySelector("button")
      .addEventListener("click", () => sort(heading, turns[heading.getAttribute("aria-sort")]));
  }
  show();
})();
