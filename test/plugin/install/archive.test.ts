import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ARCHIVE_LIMITS, checkArchive, unpackArchive } from "../../../src/plugin/install/archive.js";
import { ArchiveNames } from "../../../src/plugin/install/archive-names.js";
import { installPlugin } from "../../../src/plugin/install/install.js";
import { helloEntry } from "../../support/plugin-project.js";
import { stateAt } from "../../support/state.js";
import { type TarEntry, tarBytes, writeTarball } from "../../support/tarball.js";
import { tempDir } from "../../support/temp.js";
import { treeOf } from "../../support/tree.js";

const PLUGIN: TarEntry[] = [
  {
    path: "package/package.json",
    content: JSON.stringify({
      name: "evil",
      version: "1.0.0",
      type: "module",
      openclaw: { extensions: ["./dist/index.js"] },
    }),
  },
  {
    path: "package/openclaw.plugin.json",
    content: JSON.stringify({
      id: "evil",
      configSchema: { type: "object" },
      contracts: { tools: ["evil_hello"] },
    }),
  },
  { path: "package/dist/index.js", content: helloEntry("evil") },
];

/** Each would be a good plugin but for these entries. */
const HOSTILE: Record<string, { extra: TarEntry[]; says: RegExp }> = {
  "climbs out from its folder": {
    extra: [{ path: "package/../../escaped.txt", content: "x" }],
    says: /climbs out/,
  },
  "climbs out at the front": { extra: [{ path: "../escaped.txt", content: "x" }], says: /climbs out/ },
  "climbs within itself": { extra: [{ path: "package/a/../b.txt", content: "x" }], says: /climbs out/ },
  "absolute path": { extra: [{ path: "/tmp/escaped.txt", content: "x" }], says: /absolute path/ },
  "absolute path by pax header": {
    extra: [{ path: "package/x", content: "x", pax: { path: "/tmp/escaped.txt" } }],
    says: /absolute path/,
  },
  "drive with slash": { extra: [{ path: "C:/escaped.txt", content: "x" }], says: /drive/ },
  "drive-relative path": { extra: [{ path: "C:escaped.txt", content: "x" }], says: /drive/ },
  backslashes: { extra: [{ path: "package\\..\\..\\escaped.txt", content: "x" }], says: /backslash/ },
  "alternate stream": { extra: [{ path: "package/a.txt:stream", content: "x" }], says: /character/ },
  "NUL in the name": {
    extra: [{ path: "package/x", content: "x", pax: { path: "package/a\0b" } }],
    says: /NUL/,
  },
  "control character in the name": { extra: [{ path: "package/a\u0007b", content: "x" }], says: /character/ },
  "device name": { extra: [{ path: "package/CON", content: "x" }], says: /reserved device/ },
  "device name with extension": {
    extra: [{ path: "package/lib/aux.js", content: "x" }],
    says: /reserved device/,
  },
  "name that ends with a dot": {
    extra: [{ path: "package/dist./x.js", content: "x" }],
    says: /ends with a dot/,
  },
  "name that ends with a blank": { extra: [{ path: "package/dist /x.js", content: "x" }], says: /blank/ },
  "name that is not UTF-8": {
    extra: [{ path: "package/x", content: "x", pax: { path: "package/\ufffd.js" } }],
    says: /UTF-8/,
  },
  "path that is too long": {
    extra: [{ path: "package/x", content: "x", pax: { path: `package/${"a/".repeat(700)}x` } }],
    says: /too long/,
  },
  "symbolic link out": {
    extra: [{ path: "package/dist/secret.txt", type: "SymbolicLink", linkpath: "/etc/passwd" }],
    says: /symbolic link/,
  },
  "symbolic link inside": {
    extra: [{ path: "package/dist/again.js", type: "SymbolicLink", linkpath: "index.js" }],
    says: /symbolic link/,
  },
  "writing through a link": {
    extra: [
      { path: "package/out", type: "SymbolicLink", linkpath: "/tmp" },
      { path: "package/out/escaped.txt", content: "x" },
    ],
    says: /symbolic link/,
  },
  "hard link": { extra: [{ path: "package/h", type: "Link", linkpath: "/etc/passwd" }], says: /hard link/ },
  "character device": { extra: [{ path: "package/null", type: "CharacterDevice" }], says: /device/ },
  "block device": { extra: [{ path: "package/disk", type: "BlockDevice" }], says: /device/ },
  "named pipe": { extra: [{ path: "package/pipe", type: "FIFO" }], says: /pipe/ },
  "unknown kind": { extra: [{ path: "package/odd", type: "SolarisACL" }], says: /kind/ },
  "names that differ in case": {
    extra: [{ path: "package/DIST/index.js", content: "x" }],
    says: /one file on some/,
  },
  "names that differ in Unicode form": {
    extra: [
      { path: "package/caf\u00e9.js", content: "x" },
      { path: "package/cafe\u0301.js", content: "y" },
    ],
    says: /one file on some/,
  },
  "file twice": { extra: [{ path: "package/dist/index.js", content: "other" }], says: /occurs twice/ },
  "file where a folder is": { extra: [{ path: "package/dist", content: "x" }], says: /occurs twice/ },
  "set-user bit": { extra: [{ path: "package/su", content: "x", mode: 0o4755 }], says: /set-user/ },
  "set-group bit on a folder": {
    extra: [{ path: "package/sg/", type: "Directory", mode: 0o2755 }],
    says: /set-user or set-group/,
  },
  "second top-level folder": {
    extra: [{ path: "other/x.js", content: "x" }],
    says: /more than one top-level/,
  },
  "file beside the top-level folder": {
    extra: [{ path: "README.md", content: "x" }],
    says: /one top-level folder/,
  },
};

describe("hostile archives are refused and nothing outside the stage is written", () => {
  for (const [title, { extra, says }] of Object.entries(HOSTILE)) {
    test(title, async () => {
      const root = tempDir({ "state/extensions/other/file.txt": "kept" });
      const file = writeTarball(join(root, "evil.tgz"), [...PLUGIN, ...extra]);
      const before = treeOf(root);
      const install = installPlugin({ ...stateAt(join(root, "state")), spec: file, consent: () => true });
      await expect(install).rejects.toMatchObject({ message: expect.stringMatching(says) });
      await expect(install).rejects.toMatchObject({ code: expect.stringMatching(/^archive_/) });
      expect(treeOf(root, (path) => path === "state/toolchain")).toEqual(before);
      expect(readdirSync(join(root, "state/toolchain/stage"))).toEqual([]);
      // The unpacker judges on its own, whatever was checked before.
      await expect(unpackArchive(file, join(root, "unpacked"))).rejects.toThrow();
      expect(readdirSync(root).sort()).toEqual(["evil.tgz", "state", "unpacked"]);
    });
  }
  test("the same archive without the hostile entry is installed", async () => {
    const root = tempDir();
    const file = writeTarball(join(root, "good.tgz"), PLUGIN);
    const result = await installPlugin({ ...stateAt(join(root, "state")), spec: file, consent: () => true });
    expect(result).toMatchObject({ id: "evil", version: "1.0.0", source: "archive" });
  });
});

describe("archives that are none, or too much", () => {
  const refused = async (bytes: Buffer, limits = ARCHIVE_LIMITS): Promise<string> => {
    const root = tempDir();
    writeFileSync(join(root, "x.tgz"), bytes);
    return checkArchive(join(root, "x.tgz"), limits).then(
      () => "accepted",
      (error) => `${error.code}: ${error.message}`,
    );
  };
  const good = tarBytes(PLUGIN);

  test("not gzip, cut short, damaged, empty", async () => {
    expect(await refused(Buffer.from("no archive"))).toMatch(/^archive_unreadable/);
    expect(await refused(good)).toMatch(/^archive_unreadable/);
    expect(await refused(Buffer.alloc(0))).toMatch(/^archive_/);
    const packed = gzipSync(good);
    expect(await refused(packed.subarray(0, packed.length - 20))).toMatch(/^archive_unreadable/);
    expect(await refused(gzipSync(good.subarray(0, 700)))).toMatch(/^archive_/);
    const damaged = Buffer.from(good);
    damaged[3] = 0x41;
    expect(await refused(gzipSync(damaged))).toMatch(/^archive_/);
    expect(await refused(gzipSync(Buffer.alloc(1024)))).toMatch(/empty|unreadable/);
  });
  test("a content that promises more than there is", async () => {
    const lying = tarBytes([...PLUGIN, { path: "package/big", content: "x", size: 5_000_000 }]);
    expect(await refused(gzipSync(lying))).toMatch(/^archive_/);
  });
  test("a decompression bomb, stopped by its ratio", async () => {
    const bomb = tarBytes([...PLUGIN, { path: "package/zeros", content: Buffer.alloc(32 * 1024 * 1024) }]);
    expect(await refused(gzipSync(bomb))).toMatch(/times its size/);
  });
  test("too many bytes, too many entries, too large a file", async () => {
    expect(await refused(gzipSync(good), { ...ARCHIVE_LIMITS, unpackedBytes: 2048 })).toMatch(
      /more than 2048 bytes/,
    );
    expect(await refused(gzipSync(good), { ...ARCHIVE_LIMITS, entries: 2 })).toMatch(/more than 2 entries/);
    expect(await refused(gzipSync(good), { ...ARCHIVE_LIMITS, archiveBytes: 10 })).toMatch(
      /larger than 10 bytes/,
    );
  });
  test("zeros behind the end of the archive still count", async () => {
    const padded = Buffer.concat([good, Buffer.alloc(40 * 1024 * 1024)]);
    expect(await refused(gzipSync(padded))).toMatch(/times its size/);
  });
  test("compression inside compression", async () => {
    expect(await refused(gzipSync(gzipSync(good)))).toMatch(/compressed more than once/);
  });
});

test("modes are reduced to what is safe, npm configuration is left out, folders need no entry", async () => {
  const root = tempDir();
  const file = writeTarball(join(root, "x.tgz"), [
    { path: "./package/a/b/deep.txt", content: "deep" },
    { path: "package/run.sh", content: "#!/bin/sh", mode: 0o777 },
    { path: "package/secret", content: "s", mode: 0o600 },
    { path: "package/.npmrc", content: "registry=http://evil.example" },
    { path: "package/empty/", type: "Directory" },
    { path: "package/x", content: "long", pax: { path: `package/${"long-name/".repeat(20)}x` } },
    { path: "package/large", content: "y".repeat(300_000) },
  ]);
  await unpackArchive(file, join(root, "out"));
  const tree = treeOf(join(root, "out"));
  expect(Object.keys(tree).filter((path) => !path.startsWith("long"))).toEqual([
    "a",
    "a/b",
    "a/b/deep.txt",
    "empty",
    "large",
    "run.sh",
    "secret",
  ]);
  expect(readFileSync(join(root, "out", "long-name/".repeat(20), "x"), "utf8")).toBe("long");
  expect(statSync(join(root, "out/run.sh")).mode & 0o7777).toBe(0o755);
  expect(statSync(join(root, "out/secret")).mode & 0o7777).toBe(0o644);
  expect(readFileSync(join(root, "out/large"), "utf8")).toBe("y".repeat(300_000));
});

test("whatever the name, an accepted path stays below the top-level folder", () => {
  const segment = fc.oneof(
    fc.constantFrom(
      "..",
      ".",
      "",
      "package",
      "a",
      "A",
      "con",
      "nul.txt",
      "x\u0000y",
      "C:",
      "\\",
      "\u202e",
      "~",
    ),
    fc.string({ maxLength: 8 }),
  );
  const name = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.boolean()), { minLength: 1, maxLength: 8 }), (entries) => {
      const names = new ArchiveNames();
      const seen = new Set<string>();
      for (const [path, folder] of entries) {
        let below: string;
        try {
          below = names.add(path, folder);
        } catch {
          continue;
        }
        expect(below.split("/")).not.toContain("..");
        expect(
          below.startsWith("/") || below.includes("\\") || below.includes("\0") || /^[A-Za-z]:/.test(below),
        ).toBe(false);
        if (!folder) expect(below).not.toBe("");
        if (!folder) {
          const key = below.normalize("NFC").toLowerCase();
          expect(seen.has(key)).toBe(false);
          seen.add(key);
        }
      }
    }),
    { seed: 20261130, numRuns: 500 },
  );
});
