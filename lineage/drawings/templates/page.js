"use strict";
(() => {
  const view = document.getElementById("view");
  const svg = view.querySelector("svg");
  const told = document.getElementById("told");
  const words = told.querySelector("p");
  const [wide, high] = [svg.width.baseVal.value, svg.height.baseVal.value];
  let [x, y, zoom] = [0, 0, 1];

  const show = () => { svg.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`; };
  const fit = () => {
    zoom = Math.min(1.2, Math.max(0.55, Math.min(innerWidth / wide, innerHeight / high)));
    x = Math.max(0, (innerWidth - wide * zoom) / 2);
    y = Math.max(0, (innerHeight - high * zoom) / 2);
    show();
  };
  const scale = (factor, atX, atY) => {
    const next = Math.min(6, Math.max(0.03, zoom * factor));
    x = atX - (atX - x) * next / zoom;
    y = atY - (atY - y) * next / zoom;
    zoom = next;
    show();
  };
  const move = (right, down) => { x += right; y += down; show(); };

  const edges = [...svg.querySelectorAll(".ln-edge")];
  const nodes = new Map([...svg.querySelectorAll(".ln-node")].map((node) => [node.dataset.key, node]));
  const reach = (start, from, to) => {
    const seen = new Set([start]);
    for (const key of seen) {
      for (const edge of edges) if (edge.dataset[from] === key) seen.add(edge.dataset[to]);
    }
    return seen;
  };
  const choose = (node) => {
    const back = node ? reach(node.dataset.key, "source", "target") : new Set();
    const onward = node ? reach(node.dataset.key, "target", "source") : new Set();
    svg.classList.toggle("chosen", Boolean(node));
    for (const [key, each] of nodes) each.classList.toggle("lit", back.has(key) || onward.has(key));
    for (const edge of edges) {
      const { source, target } = edge.dataset;
      const lit = (back.has(source) && back.has(target)) || (onward.has(source) && onward.has(target));
      edge.classList.toggle("lit", lit);
    }
    told.hidden = !node;
    words.textContent = node ? node.querySelector("title").textContent : "";
  };

  const held = new Map();
  let moved = false;
  view.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, event);
    moved = false;
  });
  addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const other = [...held.values()].find((each) => each.pointerId !== event.pointerId);
    if (other) {
      const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      scale(apart(event) / apart(before), other.clientX, other.clientY);
      moved = true;
    } else if (moved || Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 4) {
      move(event.clientX - before.clientX, event.clientY - before.clientY);
      moved = true;
      view.classList.add("held");
    } else return;
    held.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, (event) => { held.delete(event.pointerId); view.classList.remove("held"); });
  }
  view.addEventListener("click", (event) => { if (!moved) choose(event.target.closest(".ln-node")); });
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    scale(Math.exp(-event.deltaY * 0.0015), event.clientX, event.clientY);
  }, { passive: false });

  const centre = (factor) => scale(factor, innerWidth / 2, innerHeight / 2);
  const keys = {
    "+": () => centre(1.25), "=": () => centre(1.25), "-": () => centre(0.8), "0": fit, Escape: () => choose(null),
    ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = event.target.closest && event.target.closest(".ln-node");
    const act = node && (event.key === "Enter" || event.key === " ") ? () => choose(node) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  svg.addEventListener("focusin", (event) => {
    const box = event.target.getBoundingClientRect();
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) {
      move(innerWidth / 2 - box.left - box.width / 2, innerHeight / 2 - box.top - box.height / 2);
    }
  });
  for (const node of nodes.values()) {
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
  }
  svg.setAttribute("role", "group");
  for (const button of document.querySelectorAll("button[data-key]")) {
    button.addEventListener("click", () => keys[button.dataset.key]());
  }
  document.documentElement.classList.add("live");
  addEventListener("resize", fit);
  fit();
})();
