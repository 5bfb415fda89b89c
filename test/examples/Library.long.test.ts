/**
 * The third example, as a program of someone else: the package built and linked as npm would, the types checked, the
 * program run twice.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtLibrary, remove, temporary } from "../support/Built.ts"
import { checkTypes } from "../support/Compiler.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

let folder = ""
beforeAll(async () => {
  folder = temporary()
  const program = join(folder, "program")
  mkdirSync(join(program, "node_modules", "@types"), { recursive: true })
  symlinkSync(builtLibrary(), join(program, "node_modules", "daybook"))
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(program, "node_modules", "@types", "node"))
  cpSync(join(ROOT, "examples/3-library"), program, { recursive: true })
  writeFileSync(join(program, "package.json"), JSON.stringify({ type: "module" }))
  const path = join(program, "books.ts")
  writeFileSync(path, readFileSync(path, "utf8").replace("4010", String(await freePort())))
}, 120_000)
afterAll(() => remove(folder))

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const program = () => join(folder, "program")
const run = (command: string, ...args: ReadonlyArray<string>) =>
  execFileSync(command, args, { cwd: program(), encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

describe("Daybook inside another program", () => {
  it("has types that a strict program checks against", { timeout: 60_000 }, () => {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true }
    // And a mistake in the settings is one in the editor.
    const right = readFileSync(join(program(), "books.ts"), "utf8")
    writeFileSync(join(program(), "mistaken.ts"), right.replace('settled: "Paid"', 'setled: "Paid"'))
    writeFileSync(
      join(program(), "tsconfig.json"),
      JSON.stringify({
        files: ["books.ts", "mistaken.ts"],
        compilerOptions: { ...strict, module: "NodeNext", target: "ES2023", lib: ["ES2024"], types: ["node"] }
      })
    )
    const { stdout } = checkTypes(program())
    const wrong = stdout.split("\n").filter((line) => /^\S/.test(line))
    assert.lengthOf(wrong, 1, stdout)
    assert.match(wrong[0]!, /^mistaken\.ts\(\d+,\d+\): .*setled/)
  })

  it("reads, plans, sends and proves, and the second time sends nothing", { timeout: 60_000 }, () => {
    const first = run(process.execPath, "books.ts")
    assert.include(first, "5 records read\n")
    assert.include(first, "books/invoice/2026-001 T2: new: 2026-001 to Harbour Lane Bakery Ltd, issued 2026-03-02")
    assert.include(first, "8 calls\n")
    assert.include(first, "open in GBP: 150.60 in the source, 150.60 in the books, 150.60 on the service\n")
    const second = run(process.execPath, "books.ts")
    assert.include(second, "0 calls\n")
  })
})
