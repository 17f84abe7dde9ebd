import { expect, it } from "vitest";
import { blocks, renderFindings } from "../../src/check/render-findings.js";
import { check } from "./support.js";

it("shows a finding with its place, its fix and the line of source", async () => {
  const source = 'const r = await orders_list({ since: "x" });\nreturn r.cuont;\n';
  const findings = await check(source);
  expect(blocks(findings)).toBe(true);
  expect(renderFindings(findings, { source, label: "cell.js" })).toBe(
    `error unknown_property: \`cuont\` is not in what orders_list returns: { count: number; orders: { id: string; note: string | null; paid: boolean; total: number }[] }. Did you mean \`count\`?
   --> cell.js:2:10
> 2 | return r.cuont;
    |          ^`,
  );
});

it("does not block for warnings", async () => {
  const source = "return await fetch('\u001b[31m');";
  const findings = await check(source);
  expect(blocks(findings)).toBe(false);
  expect(renderFindings(findings, { source, label: "c" })).not.toContain("\u001b");
});
