"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  document.documentElement.classList.add("live");

  // Filters: every form of tools narrows what it stands for; words may come in any order.
  const texts = new WeakMap();
  const textOf = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  const made = Date.parse(document.documentElement.dataset.made);
  const ofAge = (since, wanted) => {
    const days = (made - Date.parse(since)) / 864e5;
    return wanted < 0 ? days <= -wanted : days > wanted;
  };
  const fits = (element, wanted, words) => {
    for (const [by, value] of wanted) {
      const own = by === "age" ? element.dataset.since : element.dataset[by];
      if (by === "age" ? !ofAge(own, Number(value)) : own !== value) return false;
    }
    return words.every((word) => textOf(element).includes(word));
  };
  const asked = (form) => ({
    wanted: all("select", form).filter((select) => select.value).map((select) => [select.dataset.by, select.value]),
    words: form.querySelector("input").value.toLowerCase().split(/\s+/).filter(Boolean),
  });
  const say = (form, shown, total) => {
    form.querySelector("output").textContent = shown === total ? "" : `${shown.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  };
  const narrow = {
    heads(form) {
      const { wanted, words } = asked(form);
      const rows = all("#heads tbody tr");
      for (const row of rows) row.hidden = !fits(row, wanted, words);
      say(form, rows.filter((row) => !row.hidden).length, rows.length);
    },
    findings(form) {
      const { wanted, words } = asked(form);
      let [shown, total] = [0, 0];
      for (const rule of all("details.rule")) {
        const ruled = fits(rule, wanted, []);
        for (const item of all(".findings > li", rule)) {
          item.hidden = !(ruled && fits(item, [], words));
          total += 1;
          shown += item.hidden ? 0 : 1;
        }
        rule.hidden = !all(".findings > li", rule).some((item) => !item.hidden);
        if (words.length && !rule.hidden) rule.open = true;
      }
      say(form, shown, total);
    },
  };
  for (const form of all("form.tools")) {
    form.hidden = false;
    form.addEventListener("input", () => narrow[form.dataset.for](form));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  // Sorting: the heading of a column becomes a button.
  for (const heading of all("#heads th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const rising = heading.getAttribute("aria-sort") !== "ascending";
      const column = [...heading.parentElement.children].indexOf(heading);
      const by = heading.dataset.sort;
      const key = (row) => row.dataset[by] ?? row.children[column].textContent.trim();
      const body = document.querySelector("#heads tbody");
      const rows = [...body.children].map((row) => [key(row), row]);
      rows.sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }) * (rising ? 1 : -1));
      body.append(...rows.map(([, row]) => row));
      for (const each of all("#heads th")) each.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
    });
  }

  // Diagrams: choose a memory to read it, and to see what it came from and led to.
  const panel = document.getElementById("memory");
  const [words, link] = [panel.querySelector("p"), panel.querySelector("a")];
  const idOf = (node) => (node.dataset.id || "").slice(0, 500);
  const rowOf = (id) => all("#heads tbody tr").find((row) => row.dataset.id === id);
  const reach = (edges, start, from, to) => {
    const seen = new Set([start]);
    for (const key of seen) for (const edge of edges) if (edge.dataset[from] === key) seen.add(edge.dataset[to]);
    return seen;
  };
  const choose = (node) => {
    for (const lit of all(".ln-diagram .lit")) lit.classList.remove("lit");
    for (const chosen of all(".ln-diagram.chosen")) chosen.classList.remove("chosen");
    panel.hidden = !node;
    if (!node) return;
    const diagram = node.closest("svg");
    const edges = all(".ln-edge", diagram);
    const ways = [reach(edges, node.dataset.key, "source", "target"), reach(edges, node.dataset.key, "target", "source")];
    diagram.classList.add("chosen");
    for (const each of all(".ln-node", diagram)) each.classList.toggle("lit", ways.some((way) => way.has(each.dataset.key)));
    for (const edge of edges) {
      edge.classList.toggle("lit", ways.some((way) => way.has(edge.dataset.source) && way.has(edge.dataset.target)));
    }
    words.textContent = node.querySelector("title").textContent;
    link.hidden = !rowOf(idOf(node));
    link.href = `#memory=${encodeURIComponent(idOf(node))}`;
  };
  const nodes = all(".diagrams .ln-node");
  for (const node of nodes) {
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("click", () => choose(node));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(node);
    });
  }
  for (const svg of all(".diagrams svg")) svg.setAttribute("role", "group");
  panel.querySelector("button").addEventListener("click", () => choose(null));
  addEventListener("keydown", (event) => { if (event.key === "Escape") choose(null); });

  // Deep links: #memory=ID opens the row of a live head, or the memory in a diagram.
  const follow = () => {
    if (!location.hash.startsWith("#memory=")) return;
    let id;
    try { id = decodeURIComponent(location.hash.slice(8)); } catch { return; }
    const row = rowOf(id);
    const node = nodes.find((each) => idOf(each) === id);
    if (row) {
      row.hidden = false;
      for (const part of all("details", row)) part.open = true;
      choose(null);
    } else if (node) choose(node);
    const target = row || node;
    if (!target) return;
    for (const found of all(".found")) found.classList.remove("found");
    target.classList.add("found");
    target.scrollIntoView({ block: "center", inline: "center" });
  };
  addEventListener("hashchange", follow);
  follow();
  addEventListener("beforeprint", () => { for (const part of all("details")) part.open = true; });
})();
