import type ts from "typescript";
import { nearest } from "../text/nearest.js";
import { didYouMean, type Found } from "./finding.js";
import { isWritten, visitAll } from "./nodes.js";
import type { CellProgram } from "./program.js";
import { writesOf } from "./writes.js";

// Names of Node and of browsers that models and people reach for.
const HOST_NAMES = new Set(
  `AbortController AbortSignal Blob Buffer EventSource FormData Headers Intl Request Response URL URLSearchParams
  WebAssembly WebSocket Worker XMLHttpRequest __dirname __filename alert clearImmediate clearInterval crypto
  document exports fetch fs global importScripts localStorage module navigator os path process prompt require
  self setImmediate setInterval structuredClone window`.split(/\s+/),
);

/** A name that nothing in the cell or its declarations binds; nothing when the cell may bind it as it runs. */
export function unknownName(program: CellProgram, node: ts.Identifier): Found | undefined {
  const { ts, checker, cell } = program;
  const name = node.text;
  const offset = node.getStart();
  let mayExist = false;
  visitAll(ts, cell, (other) => {
    if (!ts.isIdentifier(other) || other.text !== name) return;
    // An assignment makes a global in a cell, and `typeof` asks whether there is one.
    if (isWritten(ts, other) || ts.isTypeOfExpression(other.parent)) mayExist = true;
  });
  if (mayExist) return undefined;
  if (name === "MCP") {
    const message = "there is no `MCP` here: the run has no MCP server";
    return { severity: "error", code: "unknown_name", message, offset };
  }
  if (HOST_NAMES.has(name)) {
    const message = `a cell has no \`${name}\`: it reaches what is outside only through tools`;
    return { severity: "warning", code: "unknown_name", message, offset };
  }
  const scope = checker.getSymbolsInScope(node, ts.SymbolFlags.Value).map((symbol) => symbol.name);
  const meant = nearest(
    name,
    scope.filter((known) => known !== "undefined"),
  );
  const message = `\`${name}\` is not defined`;
  const writes = writesOf(program);
  const certain = !writes.unseenNames && !writes.properties.has(name);
  if (meant.length === 0) return { severity: "warning", code: "unknown_name", message, offset };
  const severity = certain ? "error" : "warning";
  return { severity, code: "unknown_name", message, offset, ...didYouMean(meant) };
}
