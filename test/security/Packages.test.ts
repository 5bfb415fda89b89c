/**
 * Packages of others: every one is what the lock file's checksum says, none runs a script when it is installed but those
 * that are allowed by name, and none is older than what `sync/THREATS.md` says is needed.
 */
import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

interface Locked {
  readonly version: string
  readonly dev?: true
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: true
}

const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")
const { packages } = JSON.parse(text("package-lock.json")) as { readonly packages: Readonly<Record<string, Locked>> }
const { "": _, ...others } = packages
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
const locked = Object.entries(others).map(([path, one]) => ({ ...one, name: nameOf(path) }))

/** Whether a version is at least as new as another; both of three numbers. */
const isSince = (version: string, first: string): boolean => {
  const [ours, theirs] = [version, first].map((one) => one.split("-")[0]!.split(".").map(Number))
  const at = theirs!.findIndex((part, i) => ours![i] !== part)
  return at < 0 || ours![at]! > theirs![at]!
}

describe("packages of others", () => {
  it("are what their checksums say, from a registry", () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(locked.filter(({ integrity }) => !/^sha512-/.test(integrity ?? "")).map(({ name }) => name)).toEqual([])
    const elsewhere = /^(git|file|https?:[^ ]*\.git)/
    expect(locked.filter(({ resolved = "" }) => elsewhere.test(resolved)).map(({ name }) => name)).toEqual([])
  })

  it("run nothing when they are installed, but for those that are allowed by name", () => {
    const { allowScripts } = JSON.parse(text("package.json")) as {
      readonly allowScripts: Readonly<Record<string, boolean>>
    }
    const running = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
    expect([...running].filter((name) => allowScripts[name] !== true)).toEqual([])
    expect(locked.filter(({ dev, hasInstallScript }) => hasInstallScript && dev !== true)).toEqual([])
  })

  const known = [...text("sync/THREATS.md").matchAll(/^\| `([\w-]+)` \|.*\| (\d+\.\d+\.\d+) \|$/gm)]

  it.each(known.map(([, name, first]) => [name!, first!] as const))("%s is no older than %s", (name, first) => {
    const found = locked.filter((one) => one.name === name)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ version }) => !isSince(version, first))).toEqual([])
  })

  it("and versions are compared as numbers", () => {
    expect(known.length).toBeGreaterThan(5)
    expect(["10.0.0", "9.10.0", "9.9.9"].map((one) => isSince(one, "9.9.10"))).toEqual([true, true, false])
  })
})
