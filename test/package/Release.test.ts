/**
 * What is released beside the tarball: the list of packages, which npm's own list confirms; `server.json`; `llms.txt` from the
 * pages; and the promise of compatibility, whose versions are the code's.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { HttpInterface, PREFIX } from "../../cli/remote/HttpInterface.ts"
import { llmsText, type DocumentationPage } from "../../cli/release/LlmsText.ts"
import { mcpServer, type Package } from "../../cli/release/McpServer.ts"
import { type LockFile, sbom } from "../../cli/release/Sbom.ts"
import { CONTRACT } from "../../connectors/Connector.ts"
import { VERSION } from "../../sync/state/migrations.ts"
import { PAGES } from "../support/Pages.ts"
import { OpenApi } from "effect/http-api"

const ROOT = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8")
const lock = JSON.parse(read("package-lock.json")) as LockFile
const own = JSON.parse(read("package.json")) as Package

/** Packages whose licence is in a file only, and not in the lock. */
const UNSTATED = ["png-js"]

interface Shown {
  readonly purl: string
  readonly hashes: ReadonlyArray<{ readonly content: string }>
  readonly licenses?: ReadonlyArray<unknown>
}

const shown = ({ components }: { readonly components: ReadonlyArray<Shown> }): ReadonlySet<string> =>
  new Set(
    components.map(({ hashes, licenses = [], purl }) => `${purl} ${hashes[0]?.content} ${JSON.stringify(licenses)}`)
  )

describe("the list of packages", () => {
  const bill = sbom(lock, { name: own.name, version: own.version })

  it("has each package of an installation once, with its checksum and its licence", () => {
    const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true)
    assert.isAbove(shipped.length, 40)
    assert.deepStrictEqual(
      bill.components.map((one) => one["bom-ref"]),
      shipped.map(([path]) => path)
    )
    for (const { hashes, licenses, name } of bill.components) {
      assert.match(hashes[0]?.content ?? "", /^[0-9a-f]{128}$/, name)
      assert.strictEqual(licenses.length, UNSTATED.includes(name) ? 0 : 1, name)
    }
    assert.notInclude(JSON.stringify(bill), "node_modules/vitest")
    assert.deepStrictEqual(sbom(structuredClone(lock), { name: own.name, version: own.version }), bill)
  })

  it("says what needs what, so that each can be reached from Daybook", () => {
    const graph = new Map(bill.dependencies.map(({ dependsOn, ref }) => [ref, dependsOn]))
    const [root] = bill.dependencies
    const reached = new Set<string>()
    const reach = (ref: string): void => {
      if (reached.has(ref)) return
      reached.add(ref)
      for (const one of graph.get(ref) ?? []) reach(one ?? "")
    }
    reach(root?.ref ?? "")
    assert.sameMembers(
      [...reached],
      bill.dependencies.map(({ ref }) => ref)
    )
  })

  it("agrees with npm's own list", () => {
    const listed = (...more: ReadonlyArray<string>) => {
      const args = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--offline", ...more]
      const { stdout } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8", shell: process.platform === "win32" })
      return shown(JSON.parse(stdout) as { readonly components: ReadonlyArray<Shown> })
    }
    const [ours, theirs] = [shown(bill), listed()]
    assert.deepStrictEqual(
      [...ours].filter((one) => !theirs.has(one)),
      []
    )
    // Without packages for development, npm also leaves out what both need.
    assert.deepStrictEqual(
      [...listed("--omit=dev")].filter((one) => !ours.has(one)),
      []
    )
  })
})

describe("the package", () => {
  it("describes `daybook mcp` to registries as it is started", () => {
    const server = mcpServer(own)
    assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.isAtMost(server.description.length, 100)
    const [one] = server.packages
    assert.deepStrictEqual([one?.identifier, one?.version, server.version], [own.name, own.version, own.version])
    const words = read("cli/CommandContext.ts")
    for (const argument of one?.packageArguments ?? [])
      if ("name" in argument) assert.include(words, `"${argument.name?.replace("--", "")}"`)
    assert.strictEqual(mcpServer({ ...own, mcpName: "org.acme/daybook" }).name, "org.acme/daybook")
  })

  it("has the files and words that a registry shows", () => {
    const { files, keywords, license } = JSON.parse(read("package.json"))
    assert.isAbove(keywords.length, 5)
    assert.deepStrictEqual(keywords, keywords.toSorted())
    for (const path of files) if (/\.md$/.test(path)) assert.isAbove(read(path).length, 100)
    assert.strictEqual(license, "UNLICENSED")
    assert.include(read("README.md"), "No licence is chosen yet")
  })
})

describe("llms.txt", () => {
  const pages = PAGES.map((path): DocumentationPage => ({ path, text: read(path) }))
  const text = llmsText(pages)

  it("lists every page once, with what it is about", () => {
    const items = [...text.matchAll(/^- \[(.+?)\]\((\S+)\): (.+)$/gm)].map(([, title, path, about]) => ({
      title: title ?? "",
      path: path ?? "",
      about: about ?? ""
    }))
    assert.sameMembers(
      items.map(({ path }) => path),
      [...PAGES]
    )
    for (const { about, path } of items) {
      assert.isAbove(about.length, 15, path)
      assert.notMatch(about, /\]\(/, path)
    }
    assert.match(text, /^# Daybook\n\n> Daybook keeps .+\n/)
    assert.strictEqual(text.split("\n").filter((line) => line.startsWith("- ")).length, items.length)
  })

  it("does not depend on the order in which pages are found", () => {
    assert.strictEqual(llmsText(pages.toReversed()), text)
  })
})

describe("the promise of compatibility", () => {
  const changes = read("CHANGELOG.md")

  it("names the versions that the code has", () => {
    assert.include(changes, `(sync/state/README.md) | format ${VERSION} |`)
    assert.include(changes, `(connectors/GUIDE.md) | ${CONTRACT} |`)
    const { info } = OpenApi.fromApi(HttpInterface)
    assert.include(changes, `(cli/remote/README.md) | ${info.version}, \`${PREFIX}\` |`)
  })

  it("has an entry for this version, after what is not released", () => {
    const entries = [...changes.matchAll(/^## (Unreleased|\d+\.\d+\.\d+.*)$/gm)].map(([, name]) => name)
    assert.strictEqual(entries[0], "Unreleased")
    assert.isTrue(entries.some((name) => name === own.version || name?.startsWith(`${own.version} `) === true))
  })
})
