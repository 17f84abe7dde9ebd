import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mcpCells, npmServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

const official = (name: string, ...args: string[]) =>
  npmServer(`@modelcontextprotocol/server-${name}`, "dist/index.js", ...args);

describe("servers from npm, driven by cells", () => {
  it("everything: tools, errors, structured results, resources and prompts", async () => {
    const { run, connections } = await mcpCells({ everything: official("everything") });
    expect(connections.diagnostics).toEqual([]);
    const value = await run(`
      const s = MCP.everything;
      const list = await s.resources.list();
      const prompts = await s.prompts.list();
      return {
        echo: (await s.echo({ message: "hi" })).content[0].text,
        sum: (await s.getSum({ a: 2, b: 40 })).content[0].text,
        lacking: await s.getSum({ a: 2 }).catch((e) => e.message),
        wrong: await s.getSum({ a: "two", b: 1 }).then((r) => [r.isError, typeof r.content[0].text], (e) => e.message),
        structured: (await s.getStructuredContent({ location: "New York" })).structuredContent,
        image: (await s.getTinyImage()).content.map((b) => b.type),
        resources: list.resources.length > 0 && Object.keys(list).includes("resources"),
        first: (await s.resources.read({ uri: list.resources[0].uri })).contents.length,
        missing: await s.resources.read({ uri: "demo://nothing/here" }).catch((e) => e.message),
        prompts: prompts.prompts.map((p) => p.name).length > 0,
        prompt: (await s.prompts.get({ name: prompts.prompts[0].name })).messages.length > 0,
        noPrompt: await s.prompts.get({ name: "nope" }).catch((e) => e.message),
      };`);
    expect(value).toMatchObject({
      echo: "Echo: hi",
      lacking: expect.stringContaining("b"),
      structured: { temperature: expect.any(Number) },
      image: expect.arrayContaining(["image"]),
      resources: true,
      first: 1,
      missing: expect.stringContaining('server "everything", resources/read: '),
      prompts: true,
      prompt: true,
      noPrompt: expect.stringContaining('server "everything", prompts/get: '),
    });
    expect(value.sum).toContain("42");
    expect(value.wrong).toBeTruthy();
  });

  it("filesystem: reads, writes, and refuses what is outside", async () => {
    const root = realpathSync(tempDir());
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "in", "a.txt"), "one\ntwo\n");
    const { run } = await mcpCells({ files: official("filesystem", join(root, "in")) });
    const path = JSON.stringify(join(root, "in"));
    const value = await run(`
      const dir = ${path};
      const f = MCP.files;
      await f.writeFile({ path: dir + "/b.txt", content: "three" });
      return {
        read: (await f.readTextFile({ path: dir + "/a.txt", head: 1 })).content[0].text,
        back: (await f.readTextFile({ path: dir + "/b.txt" })).content[0].text,
        list: (await f.listDirectory({ path: dir })).content[0].text.split("\\n").sort(),
        outside: (await f.readTextFile({ path: "/etc/passwd" })).isError,
        absent: (await f.readTextFile({ path: dir + "/none.txt" })).isError,
        hasResources: "resources" in f,
      };`);
    expect(value).toEqual({
      read: "one",
      back: "three",
      list: ["[FILE] a.txt", "[FILE] b.txt"],
      outside: true,
      absent: true,
      hasResources: false,
    });
  });

  it("memory: keeps a graph over several cells", async () => {
    const file = join(tempDir(), "memory.jsonl");
    const { run } = await mcpCells({ memory: { ...official("memory"), env: { MEMORY_FILE_PATH: file } } });
    await run(`
      await MCP.memory.createEntities({ entities: [
        { name: "Ada", entityType: "person", observations: ["wrote notes"] },
        { name: "Engine", entityType: "machine", observations: [] } ] });
      await MCP.memory.createRelations({ relations: [{ from: "Ada", to: "Engine", relationType: "explains" }] });`);
    const graph = await run(`
      const all = (await MCP.memory.readGraph()).structuredContent;
      const found = (await MCP.memory.searchNodes({ query: "notes" })).structuredContent;
      const bad = await MCP.memory.addObservations({ observations: [{ entityName: "Nobody", contents: ["x"] }] })
        .then((r) => r.isError, (e) => e.message);
      return { entities: all.entities.map((e) => e.name), relations: all.relations.length, found: found.entities.map((e) => e.name), bad };`);
    expect(graph).toEqual({ entities: ["Ada", "Engine"], relations: 1, found: ["Ada"], bad: true });
  });

  it("sequential-thinking: keeps its state in one process for the whole run", async () => {
    const { run } = await mcpCells({ "sequential-thinking": official("sequential-thinking") });
    const think = (n: number) =>
      run(`
        const r = await MCP.sequentialThinking.sequentialthinking({
          thought: "step ${n}", nextThoughtNeeded: true, thoughtNumber: ${n}, totalThoughts: 3 });
        return r.structuredContent ?? JSON.parse(r.content[0].text);`);
    await think(1);
    expect(await think(2)).toMatchObject({ thoughtNumber: 2, thoughtHistoryLength: 2 });
    expect(
      await run(
        `return await MCP.sequentialThinking.sequentialthinking({ thought: "x" }).catch((e) => e.message)`,
      ),
    ).toContain("nextThoughtNeeded");
  });

  it("hello-world: tools, a resource and a prompt", async () => {
    const { run } = await mcpCells({ hello: npmServer("mcp-hello-world", "build/stdio.js") });
    const value = await run(`
      const s = MCP.hello;
      const { resources } = await s.resources.list();
      return {
        echo: (await s.echo({ message: "hey" })).content[0].text,
        sum: (await s.add({ a: 1, b: 2 })).content[0].text,
        resource: (await s.resources.read({ uri: resources[0].uri })).contents[0].text,
        prompt: (await s.prompts.get({ name: (await s.prompts.list()).prompts[0].name })).messages.length,
        wrong: await s.add({ a: "x", b: 2 }).then((r) => r.isError ?? r, (e) => typeof e.message),
      };`);
    expect(value.echo).toContain("hey");
    expect(value.sum).toContain("3");
    expect(value.resource).toEqual(expect.any(String));
    expect(value.prompt).toBeGreaterThan(0);
    expect([true, "string"]).toContain(value.wrong);
  });
});
