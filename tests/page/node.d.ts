// The little of Node.js that these tests use. Its own types would bring its globals into the page's modules.

declare module "node:test" {
  type Body = () => void | Promise<void>;
  export function describe(name: string, body: Body): void;
  export function test(name: string, body: Body): void;
  export function before(body: Body): void;
  export function beforeEach(body: Body): void;
  export function after(body: Body): void;
  export function afterEach(body: Body): void;
}

declare module "node:assert/strict" {
  const assert: {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(actual: string, expected: RegExp, message?: string): void;
    throws(body: () => unknown, expected?: RegExp | object): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp | object): Promise<void>;
  };
  export default assert;
}

declare module "node:child_process" {
  export function spawnSync(command: string, args: string[], options: { encoding: "utf-8" }): { stdout: string };
}

declare module "node:fs" {
  export function mkdtempSync(prefix: string): string;
  export function readFileSync(path: string | URL, encoding: "utf-8"): string;
  export function readdirSync(path: string | URL, options: { recursive: true }): string[];
  export function rmSync(path: string, options: { recursive: boolean }): void;
  export function writeFileSync(path: string, text: string): void;
}

declare module "node:os" {
  export function tmpdir(): string;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}
