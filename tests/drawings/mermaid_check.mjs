// What Mermaid's own parser makes of files: node mermaid_check.mjs NODE_MODULES FILE…, a JSON list on stdout.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, ...files] = process.argv.slice(2);
const { JSDOM } = createRequire(join(resolve(modules), "any.js"))("jsdom");

// Mermaid sanitizes labels, which takes a document.
globalThis.window = new JSDOM("").window;
globalThis.document = window.document;
const { default: mermaid } = await import(pathToFileURL(join(resolve(modules), "mermaid/dist/mermaid.core.mjs")).href);

const known = async (file) => {
  const source = readFileSync(file, "utf8");
  try {
    await mermaid.parse(source);
    const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(source);
    return {
      type,
      about: db.getAccDescription(),
      direction: db.getDirection(),
      theme: mermaid.mermaidAPI.getConfig().theme,
      vertices: [...db.getVertices().values()].map(({ id, text, type, classes }) => ({ id, text, type, classes })),
      edges: db.getEdges().map(({ start, end, text, stroke, style }) => ({ start, end, text, stroke, style })),
    };
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
};

const found = [];
for (const file of files) found.push(await known(file));
process.stdout.write(JSON.stringify(found));
