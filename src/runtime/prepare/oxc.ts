import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { TreeNode } from "./tree.js";

export interface OxcRequest {
  source: string;
  /** Whether the tree of the source is wanted too. */
  tree: boolean;
}

export interface OxcReply {
  code: string;
  mappings: string;
  errors: { message: string; helpMessage: string | null; labels: { start: number; end: number }[] }[];
  tree?: TreeNode;
}

/** A source that cannot be transformed because of its shape; the message says why. */
export class TransformFailure extends Error {
  override name = "TransformFailure";
}

// Native parsers recurse on the thread's own stack and bring the whole process down when it ends: with
// 8 MiB that takes about 5,000 nested brackets. A source of fewer tokens than this cannot nest so deep,
// nor make the parser backtrack for long. Everything longer goes to a process that may be lost.
const SAFE_TOKENS = 2_000;

/** How long a transform in a process of its own may take. */
const APART_MS = 10_000;

/**
 * Transforms a TypeScript source and, when asked, parses it. Sources long enough to be a danger are
 * handled in a child process. Rejects with `TransformFailure` when the source brings that process down or
 * takes more than ten seconds there.
 */
export async function oxc(request: OxcRequest): Promise<OxcReply> {
  return tokensExceed(request.source, SAFE_TOKENS) ? transformApart(request) : transformHere(request);
}

function tokensExceed(source: string, limit: number): boolean {
  if (source.length <= limit) return false;
  const token = /[\p{ID_Continue}$]+|[^\s\p{ID_Continue}$]/gu;
  for (let count = 0; token.exec(source) !== null; ) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

const FILE = "cell.ts";
const TRANSFORM = { lang: "ts", sourceType: "module", target: "esnext", sourcemap: true } as const;
const PARSE = { lang: "ts", sourceType: "module" } as const;

async function transformHere({ source, tree }: OxcRequest): Promise<OxcReply> {
  const { transformSync } = await import("oxc-transform");
  const { code, map, errors } = transformSync(FILE, source, TRANSFORM);
  const reply: OxcReply = { code, mappings: map?.mappings ?? "", errors };
  if (!tree) return reply;
  const { parseSync } = await import("oxc-parser");
  return { ...reply, tree: parseSync(FILE, source, PARSE).program as unknown as TreeNode };
}

// The child is given as text so that it needs no file of its own beside a bundle.
const CHILD = `
  const [transformer, parser] = process.argv.slice(1);
  let input = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;
  const { source, tree } = JSON.parse(input);
  const { transformSync } = await import(transformer);
  const { code, map, errors } = transformSync(${JSON.stringify(FILE)}, source, ${JSON.stringify(TRANSFORM)});
  const reply = { code, mappings: map?.mappings ?? "", errors };
  if (tree) {
    const { parseSync } = await import(parser);
    reply.tree = parseSync(${JSON.stringify(FILE)}, source, ${JSON.stringify(PARSE)}).program;
  }
  process.stdout.write(JSON.stringify(reply, (key, value) => typeof value === "bigint" ? String(value) : value));
`;

function transformApart(request: OxcRequest): Promise<OxcReply> {
  const { resolve } = createRequire(import.meta.url);
  const modules = ["oxc-transform", "oxc-parser"].map((name) => pathToFileURL(resolve(name)).href);
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, ...modules], {
    env: { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: "" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  return new Promise((settle, fail) => {
    const chunks: Buffer[] = [];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, APART_MS);
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on("error", () => {});
    child.on("error", fail);
    child.on("close", (status) => {
      clearTimeout(timer);
      const reason = late
        ? "the source takes too long to transform: split it into smaller statements"
        : "the source is nested too deeply to be transformed";
      if (status === 0) settle(JSON.parse(Buffer.concat(chunks).toString("utf8")) as OxcReply);
      else fail(new TransformFailure(reason));
    });
    child.stdin.end(JSON.stringify(request));
  });
}
