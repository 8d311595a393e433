"use strict";
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const said = (element) => (element ? element.textContent.trim() : "");
  document.documentElement.classList.add("js");

  // Filters: a form says what is wanted, each entry what it is.
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text, wanted) => words(wanted).every((word) => text.includes(word));
  const days = (from, to) => (Date.parse(to) - Date.parse(from)) / 86400000;
  const tests = {
    text: (entry, [wanted]) => holds(entry.text, wanted),
    file: (entry, [wanted]) => entry.files.some((file) => file.toLowerCase().includes(wanted.toLowerCase())),
    age: (entry, [wanted]) => (wanted < 0 ? entry.age > -wanted : entry.age <= wanted),
  };
  const fits = (entry, wanted) =>
    Object.entries(wanted).every(([name, values]) => (tests[name] ? tests[name](entry, values) : values.includes(entry[name])));
  const wishes = (form) => {
    const wanted = {};
    for (const [name, value] of new FormData(form)) if (value.trim()) (wanted[name] ||= []).push(value);
    if (form.elements.severity) wanted.severity ||= [];
    return wanted;
  };
  const filters = [];
  const filter = (form, collect, show) => {
    let entries;
    const apply = () => {
      entries ||= collect();
      const wanted = wishes(form);
      const kept = entries.filter((entry) => {
        const shown = fits(entry, wanted);
        entry.element.hidden = !shown;
        return shown;
      });
      show(wanted);
      form.querySelector("output").textContent = `${kept.length.toLocaleString("en")} of ${entries.length.toLocaleString("en")} shown`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    const clear = () => {
      form.reset();
      apply();
    };
    form.querySelector("button").addEventListener("click", clear);
    form.hidden = false;
    filters.push({ clear, of: (element) => entries && entries.some((entry) => entry.element === element) });
  };

  const heads = document.querySelector("table.heads");
  const fields = ["kind", "scope", "module", "format"];
  const headsForm = document.querySelector('form[data-of="heads"]');
  const choices = (values) => [...new Set(values)].filter(Boolean).sort((one, other) => one.localeCompare(other, "en"));
  if (headsForm) {
    const rows = [...heads.tBodies[0].rows];
    for (const name of fields) {
      const found = rows.map((row) => said(row.querySelector(`.${name}`)));
      const select = headsForm.elements[name];
      select.append(...choices(found).map((value) => new Option(value, value)));
      select.parentElement.hidden = new Set(found).size < 2;
    }
    const files = choices(all(".files code", heads).map(said));
    document.getElementById("files-of-heads").append(...files.map((file) => new Option(file, file)));
    headsForm.elements.file.parentElement.hidden = !files.length;
    const entry = (row) => ({
      element: row,
      text: row.textContent.toLowerCase(),
      files: all(".files code", row).map(said),
      age: days(said(row.cells[0]), headsForm.dataset.today),
      troubled: row.querySelector(".marks") ? "yes" : "",
      ...Object.fromEntries(fields.map((name) => [name, said(row.querySelector(`.${name}`))])),
    });
    filter(headsForm, () => rows.map(entry), () => {});
  }
  const findingsForm = document.querySelector('form[data-of="findings"]');
  if (findingsForm) {
    const rules = all("details.rule");
    const whole = (element) => [element, ...all("[title]", element)].map((one) => one.title || one.textContent).join(" ").toLowerCase();
    const entries = (rule) => all(".findings > li", rule).map((element) => ({ element, text: whole(element), ...rule.dataset }));
    filter(findingsForm, () => rules.flatMap(entries), (wanted) => {
      for (const rule of rules) {
        const shown = all(".findings > li", rule).some((one) => !one.hidden);
        rule.hidden = !shown;
        if (shown && (wanted.text || wanted.rule)) rule.open = true;
      }
    });
  }

  // Tables sort by their headers.
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = said(cell.querySelector("summary, code") || cell);
    if (!text || text === "—") return null;
    return cell.classList.contains("number") ? Number(text.replace(/,/g, "")) : text;
  };
  const compare = (one, other) => (typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true }));
  const sort = (table, header, column) => {
    const before = header.getAttribute("aria-sort");
    const falling = before ? before === "ascending" : header.classList.contains("number");
    for (const each of header.parentElement.cells) each.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const keyed = [...table.tBodies[0].rows].map((row) => [value(row, column), row]);
    keyed.sort(([one], [other]) => {
      if (one === null || other === null) return (one === null) - (other === null);
      return falling ? compare(other, one) : compare(one, other);
    });
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  };
  for (const table of all("table.sorts")) {
    for (const header of all("thead th", table)) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, header, header.cellIndex));
    }
  }

  // Diagrams: a memory chosen shows what it says, and what it comes from and led to lights up.
  const panel = document.getElementById("panel");
  let back = null;
  const reach = (edges, start, from, to) => {
    const seen = new Set([start]);
    for (const key of seen) for (const edge of edges) if (edge.dataset[from] === key) seen.add(edge.dataset[to]);
    return seen;
  };
  const light = (svg, start) => {
    const edges = all(".ln-edge", svg);
    const older = start ? reach(edges, start, "source", "target") : new Set();
    const newer = start ? reach(edges, start, "target", "source") : new Set();
    svg.classList.toggle("chosen", Boolean(start));
    for (const node of all(".ln-node", svg)) {
      const key = node.dataset.key;
      node.classList.toggle("lit", older.has(key) || newer.has(key));
      node.setAttribute("aria-pressed", key === start);
    }
    for (const edge of edges) {
      const { source, target } = edge.dataset;
      edge.classList.toggle("lit", (older.has(source) && older.has(target)) || (newer.has(source) && newer.has(target)));
    }
  };
  const toldOf = (node) => node.closest("figure").querySelector(`li[data-key="${node.dataset.key}"]`);
  const leave = () => {
    for (const svg of all(".ln-diagram.chosen")) light(svg, null);
    panel.hidden = true;
  };
  const choose = (node) => {
    leave();
    const svg = node.closest("svg");
    light(svg, node.dataset.key);
    panel.querySelector("div").replaceChildren(...[...toldOf(node).childNodes].map((child) => child.cloneNode(true)));
    panel.hidden = false;
    back = node;
  };
  const beside = (node, [right, down]) => {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.left, box.top + box.height / 2];
    };
    const [x, y] = middle(node);
    let best = null;
    let least = Infinity;
    for (const other of all(".ln-node", node.closest("svg"))) {
      const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
      const along = dx * right + dy * down;
      const far = along + 3 * Math.abs(dx * down + dy * right);
      if (other !== node && along > 1 && far < least) [best, least] = [other, far];
    }
    return best;
  };
  const within = (node, { clientX, clientY }) => {
    const box = node.getBoundingClientRect();
    return box.left <= clientX && clientX <= box.right && box.top <= clientY && clientY <= box.bottom;
  };
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const enter = (node) => {
    for (const other of all(".ln-node", node.closest("svg"))) other.setAttribute("tabindex", other === node ? "0" : "-1");
    node.focus();
  };
  for (const svg of all(".lineage .ln-diagram")) {
    svg.setAttribute("role", "group");
    all(".ln-node", svg).forEach((node, number) => {
      // The browser itself goes to what has the address: with a script that is the node, not what is said of it.
      const told = toldOf(node);
      const address = told.id;
      told.removeAttribute("id");
      if (address) node.id = address;
      node.setAttribute("tabindex", number ? "-1" : "0");
      node.setAttribute("role", "button");
    });
    svg.addEventListener("click", (event) => {
      const node = event.target.closest(".ln-node") || all(".ln-node", svg).find((one) => within(one, event));
      if (node) choose(node);
      else leave();
    });
    svg.addEventListener("keydown", (event) => {
      const node = event.target.closest(".ln-node");
      if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = ways[event.key] && beside(node, ways[event.key]);
      if (event.key === "Enter" || event.key === " ") {
        choose(node);
        panel.focus();
      } else if (next) enter(next);
      else return;
      event.preventDefault();
    });
  }
  const close = () => {
    leave();
    if (back) enter(back);
  };
  panel.querySelector("button").addEventListener("click", close);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) close();
  });

  // Addresses: #memory=, #lineage= and #finding= open what they lead to.
  const plain = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const sought = (address) => {
    const exact = document.getElementById(address);
    const [, kind, name] = /^(memory|lineage)=(.*)$/s.exec(address) || [];
    if (exact || !kind) return exact;
    const begin = `${kind}=${encodeURIComponent(plain(name))}`;
    const found = document.getElementById(begin);
    if (found || name.length < 8) return found;
    const alike = all(`[id^="${begin}"]`);
    return alike.length === 1 ? alike[0] : null;
  };
  const open = (element) => {
    for (const { clear, of } of filters) if (element.hidden && of(element)) clear();
    const within = element.matches("tr") ? element.querySelector("details") : null;
    for (let part = within || element; part; part = part.parentElement) if (part.matches("details")) part.open = true;
  };
  const reveal = () => {
    for (const element of all(".sought")) element.classList.remove("sought");
    const element = sought(location.hash.slice(1));
    if (!element || element.matches("section, main")) return;
    if (element.matches(".ln-node")) choose(element);
    else {
      open(element);
      element.classList.add("sought");
    }
    element.scrollIntoView({ block: "center", inline: "center" });
  };
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) reveal();
  });
  reveal();

  // On paper everything is open.
  addEventListener("beforeprint", () => {
    for (const part of all("details:not([open])")) {
      part.open = true;
      part.dataset.printed = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const part of all("details[data-printed]")) {
      part.open = false;
      delete part.dataset.printed;
    }
  });
})();
