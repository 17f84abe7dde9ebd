import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { CONTEXT_RANDOM_STATE, CONTEXT_TIME_ORIGIN } from "../../src/runtime/engine/exports.js";
import { GuestException } from "../../src/runtime/engine/failures.js";
import { decodeText, encodeText } from "../../src/runtime/engine/text.js";
import { Vm, type VmHooks } from "../../src/runtime/engine/vm.js";
import { CellWorker } from "../../src/runtime/supervisor/cell-worker.js";
import { workerPool } from "../../src/runtime/supervisor/pool.js";
import { workerFiles } from "../../src/runtime/supervisor/worker-files.js";
import { readBooted } from "../../src/runtime/worker/booted-image.js";
import { finalValue, testSession } from "../support/cells.js";
import { tempDir } from "../support/temp.js";

const { engine, image } = workerFiles();
const module = new WebAssembly.Module(readFileSync(engine));

function hooks(over: Partial<VmHooks> = {}): VmHooks {
  return { interrupt: () => false, rejection: () => {}, functions: {}, ...over };
}

const textOf = (vm: Vm, code: string): string | undefined =>
  vm.text(vm.evaluate(`String(${code})`, "test.js"));

describe("the engine binding", () => {
  test("every text crosses unchanged, lone surrogates and null characters too", () => {
    const vm = new Vm(module, hooks());
    const identity = vm.evaluate("(x) => x", "test.js");
    for (const text of [
      "",
      "a\0b",
      "é€😀",
      "\ud800",
      "x\udc00y",
      "\ud83d\ude00\ud83d",
      "\u{10ffff}",
      "í\ud7ff\ue000",
    ]) {
      expect(decodeText(Buffer.from(encodeText(text)))).toBe(text);
      expect(vm.text(vm.call(identity, vm.newString(text)))).toBe(text);
    }
  });

  test("a value that is no string gives no text and runs nothing", () => {
    const vm = new Vm(module, hooks());
    const value = vm.evaluate("globalThis.ran = 0; ({ toString() { ran++; return 'x'; } })", "test.js");
    expect(vm.text(value)).toBeUndefined();
    expect(textOf(vm, "ran")).toBe("0");
  });

  test("an exception is taken without reading the thrown value", () => {
    const vm = new Vm(module, hooks());
    const code =
      "globalThis.ran = 0; throw new Proxy({}, { get() { ran++; }, has() { ran++; return true; } });";
    expect(() => vm.evaluate(code, "test.js")).toThrow(GuestException);
    const { reason, fatal } = vm.takeException();
    vm.free(reason);
    expect([fatal, textOf(vm, "ran")]).toEqual([false, "0"]);
  });

  test("interrupts and lack of memory are fatal, whatever the guest catches", () => {
    let ends = false;
    const vm = new Vm(module, hooks({ interrupt: () => ends }));
    ends = true;
    expect(() => vm.evaluate("try { for (;;) {} } catch {}", "test.js")).toThrow(GuestException);
    expect(vm.takeException().fatal).toBe(true);
    ends = false;
    vm.setMemoryLimit(4 * 1024 * 1024);
    expect(() =>
      vm.evaluate("try { const a = []; for (;;) a.push('x'.repeat(9999)); } catch {}", "test.js"),
    ).toThrow(GuestException);
    expect(vm.takeException().fatal).toBe(true);
    expect(textOf(vm, "1 + 1")).toBe("2");
  });

  test("an image continues in the same and in another instance, any number of times", () => {
    const vm = new Vm(module, hooks());
    const counter = vm.evaluate("let n = 0; () => String(++n)", "test.js");
    expect(vm.text(vm.call(counter))).toBe("1");
    const saved = vm.image();
    expect(vm.text(vm.call(counter))).toBe("2");
    vm.load(saved);
    expect(vm.text(vm.call(counter))).toBe("2");
    const other = new Vm(module, hooks(), saved);
    expect([other.text(other.call(counter)), other.text(other.call(counter))]).toEqual(["2", "3"]);
  });

  test("an instance rewound to its image is as fresh as a new one", () => {
    const vm = new Vm(module, hooks());
    const saved = vm.image();
    vm.evaluate("globalThis.x = 1; Array.prototype.y = 2; const big = 'z'.repeat(100000);", "test.js");
    vm.load(saved);
    expect(textOf(vm, "[typeof x, [].y, typeof big]")).toBe("undefined,,undefined");
    vm.setMemoryLimit(4 * 1024 * 1024);
    expect(() => vm.evaluate("const a = []; for (;;) a.push('x'.repeat(9999));", "test.js")).toThrow(
      GuestException,
    );
  });

  test("randomness and time origin sit where this build of the engine keeps them", () => {
    const vm = new Vm(module, hooks());
    const saved = vm.image();
    const memory = new DataView(saved.memory.buffer);
    expect(Math.abs(memory.getFloat64(saved.context + CONTEXT_TIME_ORIGIN, true) - Date.now())).toBeLessThan(
      60_000,
    );
    expect(memory.getBigUint64(saved.context + CONTEXT_RANDOM_STATE, true)).not.toBe(0n);
    const draws = new Set<string | undefined>();
    for (let round = 0; round < 3; round++) {
      vm.load(saved);
      draws.add(textOf(vm, "Math.random()"));
    }
    expect(draws.size).toBe(1); // Without reseeding an image repeats itself.
    for (let round = 0; round < 3; round++) {
      vm.load(saved);
      vm.reseed((BigInt(round + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn);
      draws.add(textOf(vm, "Math.random()"));
    }
    expect(draws.size).toBe(4);
    vm.load(saved);
    vm.restartClock();
    expect(Number(textOf(vm, "performance.now()"))).toBeLessThan(1_000);
  });

  test("host functions get boxes and may fail; modules cannot be loaded", () => {
    const vm = new Vm(
      module,
      hooks({ functions: { twice: (inside, [n]) => inside.newNumber(inside.number(n!) * 2) } }),
    );
    const call = vm.evaluate("(f, x) => String(f(x))", "test.js");
    expect(vm.text(vm.call(call, vm.newHostFunction("twice"), vm.newNumber(21)))).toBe("42");
    expect(vm.text(vm.call(call, vm.newHostFunction("unknown"), vm.newNumber(21)))).toBe("undefined");
  });
});

describe("the booted image", () => {
  test("fits the installed engine", () => {
    const booted = readBooted(image, readFileSync(engine));
    expect(booted?.image.memory.byteLength).toBeGreaterThan(1_000_000);
  });

  test.each([
    ["missing", () => "/nonexistent/guest.image"],
    [
      "cut short",
      (dir: string) => {
        writeFileSync(join(dir, "guest.image"), readFileSync(image).subarray(0, 5_000));
        return join(dir, "guest.image");
      },
    ],
    [
      "made for another engine",
      (dir: string) => {
        const bytes = readFileSync(image);
        bytes[8]! ^= 1;
        writeFileSync(join(dir, "guest.image"), bytes);
        return join(dir, "guest.image");
      },
    ],
  ] as [string, (dir: string) => string][])("%s: the worker boots by itself", async (_, make) => {
    const path = make(tempDir());
    expect(readBooted(path, readFileSync(engine))).toBeUndefined();
    vi.spyOn(workerPool, "acquire").mockImplementationOnce(async () => ({
      worker: new CellWorker({ ...workerFiles(), image: path }),
      reused: false,
    }));
    expect(
      finalValue(await testSession().exec({ code: "return new TextEncoder().encode('é').length;" })),
    ).toBe(2);
    vi.restoreAllMocks();
  });
});
