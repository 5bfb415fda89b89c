/**
 * The pages of documentation are true: links and paths lead somewhere, examples of configuration are accepted, every
 * setting is explained, and what the code's comments cite is there.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"
import { connectors } from "../connectors/index.ts"
import { type Config, decode } from "../sync/library/config/Configuration.ts"
import { DaemonFile } from "../sync/library/config/DaemonSettings.ts"
import type { Api } from "../sync/library/Api.ts"
import { METHODS } from "./support/Methods.ts"
import { AlertRule, AlertSettings, EmailChannel, PostingChannel, WebhookChannel } from "../sync/model/AlertSettings.ts"
import { BuyerSettings, OrderCreation, OrderSettings, Planning } from "../sync/model/Connection.ts"
import { GUARDS } from "../sync/model/Guard.ts"
import { Rule } from "../sync/model/Rule.ts"
import { CoverSettings, Handover, PriceLimits, Selection } from "../sync/model/CoverSettings.ts"
import { FILES, PAGES } from "./support/Pages.ts"

const read = (page: string) => readFileSync(page, "utf8")

/** A page without its blocks of code. */
const prose = (page: string) => read(page).replace(/^( *)```[\s\S]*?^\1```$/gm, "")

const blocks = (page: string, language: string) =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!)

/** As the web makes an address of a heading. */
const anchors = (page: string) =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-")
  )

const words = (page: string) => new Set([...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!))

const exists = (path: string) => existsSync(path.replace(/\/?\*.*$/, ""))

describe("the pages", () => {
  it("link to what is there", () => {
    const broken: Array<string> = []
    for (const page of PAGES) {
      for (const [, target] of prose(page).matchAll(/\]\(<?([^)>\s]+)>?\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue
        const [path, anchor] = target!.split("#") as [string, string?]
        const file = path === "" ? page : normalize(join(dirname(page), path))
        if (!existsSync(file)) broken.push(`${page}: ${target}`)
        else if (anchor !== undefined && !anchors(file).includes(anchor))
          broken.push(`${page}: ${target} has no such heading`)
      }
    }
    assert.deepStrictEqual(broken, [])
  })

  it("can each be found from the README", () => {
    const found = new Set(["README.md"])
    for (const page of found) {
      for (const [, target] of prose(page).matchAll(/\]\(([^)#\s]+\.md)/g))
        found.add(normalize(join(dirname(page), target!)))
    }
    assert.sameMembers([...found], [...PAGES])
  })

  it("show pictures that load quickly", () => {
    const pictures = FILES.filter((path) => path.endsWith(".png"))
    for (const path of pictures) assert.isBelow(statSync(path).size, 200_000, path)
    const shown = PAGES.flatMap((page) =>
      [...prose(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, target]) => normalize(join(dirname(page), target!)))
    )
    assert.sameMembers(
      [...new Set(shown)],
      pictures.filter((path) => !path.startsWith("test/"))
    )
  })

  it("name paths that are there", () => {
    const broken: Array<string> = []
    // The guide names files that its reader writes; it has a test of its own.
    for (const page of PAGES.filter((page) => page !== "connectors/GUIDE.md")) {
      for (const word of words(page)) {
        if (!/^(?:core|connectors|sync|cli|test|examples)\/\S*$|^(?!daybook\.config)[\w/.-]+\.(?:ts|md)$/.test(word))
          continue
        const near = [word, join(dirname(page), word)].some(exists)
        const below = FILES.some(
          (file) => basename(file) === word && file.startsWith(dirname(page).replace(/^\.$/, ""))
        )
        if (!near && !below) broken.push(`${page}: ${word}`)
      }
    }
    assert.deepStrictEqual(broken, [])
  })

  it("list the files that one payment passes: each calls the next, and their number is right", () => {
    const text = read("sync/README.md").split("## Following one payment")[1]?.split("\n## ")[0] ?? ""
    const rows = text.split("\n").filter((line) => line.startsWith("|"))
    const path = rows
      .flatMap((row) => [...row.matchAll(/`([\w/]+\.ts)`/g)])
      .map(([, file = ""]) => (/^(?:core|connectors)\//.test(file) ? file : `sync/${file}`))
    assert.include(text, `these ${path.length} files`)
    const called = new Set(
      path.flatMap((file) =>
        [...read(file).matchAll(/^(?:import|\} from|export)(?! type)[^;]*?"(\.[^"]+)"$/gm)].map(([, to = ""]) =>
          normalize(join(dirname(file), to))
        )
      )
    )
    // The first is where it begins; a connector is found by its name in a configuration.
    const apart = path.filter((file) => !called.has(file))
    assert.deepStrictEqual(apart, ["sync/Sync.ts", "connectors/files/Files.ts"])
  })

  it("show configurations that are accepted", async () => {
    let shown = 0
    for (const page of PAGES) {
      for (const text of blocks(page, "json")) {
        const value = JSON.parse(text)
        const owner = { user: { email: "a@example.com", name: "A", registered: "2024-01-01T00:00:00Z" } }
        const service = { url: "https://api.example.com", key: { env: "SERVICE_KEY" } }
        const of = (connection: object) => ({ service, connections: [{ id: "books", owner, ...connection }] })
        const source = { connector: "xero", tenant: "1", client_id: { env: "ID" }, client_secret: { env: "SECRET" } }
        const whole = "connector" in value ? of({ source: value }) : "cover" in value ? of({ ...value, source }) : value
        await Effect.runPromise(decode(whole, { file: page, folder: ".", environment: {} }))
        shown++
      }
    }
    assert.isAtLeast(shown, connectors.length + 2)
  })
})

/** Names of members, however deep: of a struct, and of what stands in its members. */
const members = (schema: Schema.Top): ReadonlyArray<string> => {
  const { fields } = schema as { readonly fields?: { readonly [name: string]: Schema.Top } }
  if (fields === undefined) {
    const { members: forms = [], schema: inner } = schema as {
      readonly members?: ReadonlyArray<Schema.Top>
      readonly schema?: Schema.Top
    }
    return [...forms, ...(inner === undefined ? [] : [inner])].flatMap((one) => members(one))
  }
  // How a secret is named is said once, on the page on configuration.
  return Object.entries(fields)
    .filter(([name]) => name !== "env")
    .flatMap(([name, field]) => [name, ...members(field)])
}

/** Which of these a page does not explain: in code, or in a list of examples in code. */
const unexplained = (pages: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
  const said = pages.flatMap((page) => [...words(page)]).join(" ")
  return [...new Set(names)].filter((name) => !new RegExp(`(?<![A-Za-z_])${name}(?![A-Za-z])`).test(said))
}

/** Every member of a connection and of the service, as the compiler knows them. */
const CONNECTION = {
  id: true,
  source: true,
  sweep: true,
  every: true,
  approve: true,
  first_sync: true,
  webhook: true,
  requests_per_day: true,
  pays: true,
  match: true,
  owner: true,
  creditor: true,
  scope: true,
  guards: true,
  orders: true,
  report_paid: true,
  cover: true
} satisfies { readonly [Name in keyof Required<Config["connections"][number]>]: true }

const SERVICE = {
  url: true,
  key: true,
  scheme: true,
  timeout: true,
  settle_after: true,
  concurrency: true
} satisfies { readonly [Name in keyof Required<Config["service"]>]: true }

const LIBRARY: ReadonlyArray<keyof Api> = [...METHODS, "run", "events"]

describe("what can be set", () => {
  it("is explained on the page on configuration", () => {
    const page = "sync/library/config/README.md"
    const known = [
      Planning,
      OrderSettings,
      OrderCreation,
      BuyerSettings,
      CoverSettings,
      Selection,
      PriceLimits,
      Handover,
      DaemonFile,
      EmailChannel,
      PostingChannel,
      WebhookChannel,
      AlertRule,
      AlertSettings
    ].flatMap((one) => members(one))
    assert.isAbove(known.length, 40)
    assert.deepStrictEqual(unexplained([page], [...Object.keys(CONNECTION), ...Object.keys(SERVICE), ...known]), [])
  })

  it("is explained on each connector's own page, with how to get a key and what cannot be seen", async () => {
    for (const { load, name } of connectors) {
      const { capabilities, settings } = await load()
      const page = `connectors/${name}/README.md`
      const tables = name === "files" || name === "sql" ? ["connectors/tabular/README.md"] : []
      const known = members(settings as Schema.Top)
      assert.isAtLeast(known.length, 2, name)
      assert.deepStrictEqual(unexplained([page, ...tables], known), [], page)
      const text = read(page)
      for (const heading of ["## What is read", "## What cannot be seen", "## Limits"])
        assert.include(text, heading, page)
      if (capabilities.authorises !== undefined) assert.match(text, /^## Get (?:a key|a token|access)$/m, page)
      assert.include(read("connectors/README.md"), `(${name}/README.md)`)
    }
  })

  it("is explained on the page on the library, method by method", () => {
    assert.deepStrictEqual(unexplained(["sync/library/README.md"], LIBRARY), [])
  })
})

describe("the page on rules", () => {
  const page = "sync/rules/README.md"
  const rows = [...read(page).matchAll(/^\| (.*?) \|.*?((?:`[\w./]+\.ts`: `\w+`(?:; )?)+) \|$/gm)].flatMap(
    ([, rules = "", places = ""]) =>
      [...places.matchAll(/`([\w./]+)`: `(\w+)`/g)].map(([, file = "", name = ""]) => ({ file, name, rules }))
  )

  /** A function with the comment above it, up to the next declaration. */
  const functionIn = (file: string, name: string): string | undefined => {
    const source = read(normalize(join(dirname(page), file)))
    const start = new RegExp(`(?:^/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?^(?:export )?const ${name}\\b`, "m").exec(source)
    if (start === null) return undefined
    const rest = source.slice(start.index)
    const end = rest.slice(start[0].length).search(/\n(?:export|const|interface|type|class|\/\*\*)/)
    return end < 0 ? rest : rest.slice(0, start[0].length + end)
  }

  it("names for each rule a function that names the rule", () => {
    const wrong = rows.flatMap(({ file, name, rules }) => {
      const text = functionIn(file, name)
      if (text === undefined) return [`${rules}: ${file} has no ${name}`]
      const named = rules.split(", ").filter((rule) => /^[A-Z]\d+$/.test(rule))
      return named.filter((rule) => !new RegExp(`\\b${rule}\\b`).test(text)).map((rule) => `${rule}: ${file}: ${name}`)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("misses no rule and no guard", () => {
    const listed = rows.flatMap(({ rules }) => rules.split(", "))
    assert.includeMembers(listed, [...Rule.literals.filter((rule) => !["owner", "match"].includes(rule)), ...GUARDS])
    assert.isAbove(listed.length, 60)
  })
})

describe("comments in the code", () => {
  const code = FILES.filter((path) => /\.(?:ts|js)$/.test(path) && !path.startsWith("test/fixtures/"))
  const commentsOf = (file: string) => [...read(file).matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].join("\n")

  it("promise what properties of that name keep", () => {
    const broken: Array<string> = []
    let promised = 0
    for (const file of code) {
      for (const [, test, list] of commentsOf(file).matchAll(/property in `(test\/\S+)`:\n \*\n((?: \* {3}.*\n)+)/g)) {
        const names = [...list!.matchAll(/^ \* {3}(\S+)/gm)].map(([, name]) => name!)
        promised += names.length
        broken.push(...names.filter((name) => !read(test!).includes(`"${name}: `)).map((name) => `${file}: ${name}`))
      }
    }
    assert.isAtLeast(promised, 9)
    assert.deepStrictEqual(broken, [])
  })

  it("cite files, tests and pages that are there", () => {
    const broken: Array<string> = []
    for (const file of code) {
      const comments = commentsOf(file)
      for (const [cited] of comments.matchAll(/\btest\/[\w/-]+(?:\.[\w.]*\w)?|\b[\w/-]+(?:\.test\.ts|\.md)\b/g)) {
        const there = existsSync(cited) || existsSync(`${cited}.ts`) || FILES.some((path) => path.endsWith(`/${cited}`))
        if (!there) broken.push(`${file}: ${cited}`)
      }
      for (const [, cited] of comments.matchAll(/`([\w/-]+\.ts)`/g)) {
        // What the reader of the guide, or the configuration, may have.
        if (/^(?:Mapping|daybook\.config)\.ts$/.test(cited!)) continue
        if (!existsSync(cited!) && !FILES.some((path) => path.endsWith(`/${cited}`))) broken.push(`${file}: ${cited}`)
      }
    }
    assert.deepStrictEqual(broken, [])
  })
})
