import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSource } from "../../../src/plugin/install/source-spec.js";
import { tempDir } from "../../support/temp.js";

const cwd = (): string =>
  tempDir({ "plug/package.json": "{}", "a.tgz": "", "b.tar.gz": "", "c.js": "", "has space/d.tgz": "" });

test("paths, archives and packages are told apart", async () => {
  const dir = cwd();
  const parse = (spec: string, link = false) => parseSource(spec, { cwd: dir, link });
  expect(await parse("./plug")).toMatchObject({ kind: "directory", path: join(dir, "plug") });
  expect(await parse(" ./plug/ ")).toMatchObject({ kind: "directory", path: join(dir, "plug") });
  expect(await parse("plug", true)).toMatchObject({ kind: "link", path: join(dir, "plug") });
  expect(await parse("file:./plug")).toMatchObject({ kind: "directory" });
  expect(await parse("a.tgz")).toMatchObject({ kind: "archive", npmPack: false });
  expect(await parse("./b.tar.gz")).toMatchObject({ kind: "archive" });
  expect(await parse("npm-pack:./has space/d.tgz")).toMatchObject({
    kind: "archive",
    npmPack: true,
    path: join(dir, "has space/d.tgz"),
  });
  expect(await parse(`npm-pack:${dir}/a.tgz`)).toMatchObject({ path: join(dir, "a.tgz") });
  // A package name even when a folder of that name is there; ./ says otherwise.
  expect(await parse("plug")).toMatchObject({ kind: "npm", name: "plug", wanted: "latest" });
  expect(await parse("npm:@acme/x@^1.2.0")).toMatchObject({ kind: "npm", name: "@acme/x", wanted: "^1.2.0" });
  expect(await parse("@acme/x")).toMatchObject({ kind: "npm", name: "@acme/x", wanted: "latest" });
  expect(await parse("x@beta")).toMatchObject({ name: "x", wanted: "beta" });
  mkdirSync(join(dir, "org/plug"), { recursive: true });
  expect(await parse("org/plug")).toMatchObject({ kind: "directory" });
});

test("what looks like a Windows path is a path", async () => {
  for (const spec of ["C:\\plugins\\x", ".\\plug", "C:/plugins/x", "\\\\server\\share"]) {
    await expect(parseSource(spec, { cwd: cwd() })).rejects.toMatchObject({ code: "source_not_found" });
  }
});

test.each([
  ["clawhub:acme/x", /ClawHub is not supported/],
  ["acme/x", /ClawHub/],
  ["git:https://example.com/x", /git is not supported/],
  ["git+ssh://git@example.com/x.git", /git is not supported/],
  ["github:acme/x", /git is not supported/],
  ["https://example.com/x.tgz", /URL is not supported/],
  ["./c.js", /single file/],
  ["npm-pack:./plug", /archive made by/],
  ["npm:--global", /name of an npm package|not the name/],
  ["npm:x@npm:evil@1", /not a version/],
  ["npm:x@file:../evil", /not a version/],
  ["npm:x@git+ssh://evil", /not a version/],
  ["x@-g", /not a version/],
  ["  ", /blank/],
])("%s is refused with a way out", async (spec, says) => {
  const dir = cwd();
  const parsed = parseSource(spec, { cwd: dir });
  await expect(parsed).rejects.toMatchObject({ code: "usage", exitCode: 2, hint: expect.any(String) });
  await expect(parsed).rejects.toThrow(says);
});

test("--link takes folders only", async () => {
  const dir = cwd();
  for (const spec of ["npm:x", "npm-pack:./a.tgz", "./a.tgz"]) {
    await expect(parseSource(spec, { cwd: dir, link: true })).rejects.toMatchObject({ code: "usage" });
  }
  await expect(parseSource("./nope", { cwd: dir, link: true })).rejects.toMatchObject({
    code: "source_not_found",
  });
});
