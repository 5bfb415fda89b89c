/**
 * Checks the structure of the code: which folder may import from which, that each file has a header and at most 350 lines,
 * that a function has at most 60, that no amount is a JavaScript number, and that time and random values come from Effect, so
 * that a simulation can repeat them.
 */
import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** The folders that a folder may import from, besides itself. A test may import from any. */
const IMPORTS_FROM: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: [],
  connectors: ["core"],
  sync: ["core", "connectors"],
  cli: ["core", "connectors", "sync"],
  examples: ["core", "connectors", "sync", "cli"]
}

const LONGEST = 350

/** Names of types, classes and constants that two files of one folder export, each with its reason. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  "core Conflict": "a 409, as an answer has it and as a client's error",
  "core NotFound": "a 404, as an answer has it and as a client's error",
  "core Unauthorized": "a 401 or 403, as an answer has it and as a client's error"
}

/** Former names. Each now has one word, such as worker, remote, decision, run or request quota. */
const OLD_NAMES =
  /\b(Budget|Habits?|Hints|Lane|OrderSubject|OrderVerdict|Reconcile|[sS]etAside|Strangers|Takings?|Told|Verdict)\b(?! Bakery| Supplies)/

/** Former phrases; now: quarantined, needs attention, not found, unallocated, changed. */
const OLD_PHRASES =
  /\b(needs? a person|matters? for a person|(is|are|was|were) set aside|money for no invoice|has no place|nothing to tell|things? to mend|lets us in|the books moved|it has never heard|there is no way to it|(?<!there )is no (day|object|document|currency|country|list|text)\b(?! of))/i

const tracked = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .stdout.split("\n")
  .filter((path) => path !== "" && existsSync(path))

interface Source {
  readonly path: string
  readonly room: string
  readonly text: string
}

const all: ReadonlyArray<Source> = tracked
  .filter((path) => /\.(ts|js|json|md)$|^\.ci\//.test(path))
  .map((path) => ({ path, room: path.split("/")[0]!, text: readFileSync(path, "utf8") }))

const code = all.filter(({ path }) => /\.(ts|js)$/.test(path) && !path.startsWith("test/fixtures/"))

/** Without this file, which contains what its tests look for. */
const others = (files: ReadonlyArray<Source>) => files.filter(({ path }) => path !== "test/Tidy.test.ts")

const imports = ({ path, text }: Source): ReadonlyArray<string> =>
  [...text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, target]) => normalize(join(dirname(path), target!)))

/** `path:line: the line`, for each line of these files that matches. */
const lines = (files: ReadonlyArray<Source>, pattern: RegExp): ReadonlyArray<string> =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : []))
  )

const rooms = (...names: ReadonlyArray<string>) => code.filter(({ room }) => names.includes(room))

describe("the structure of the code", () => {
  it("has files to look at", () => {
    expect(code.length).toBeGreaterThan(100)
  })

  it("imports only from folders before it", () => {
    const wrong = code.flatMap((file) =>
      imports(file)
        .filter((target) => {
          const next = target.split("/")[0]!
          return file.room in IMPORTS_FROM && next !== file.room && !IMPORTS_FROM[file.room]!.includes(next)
        })
        .map((target) => `${file.path} imports ${target}`)
    )
    expect(wrong).toEqual([])
  })

  it("loads the code that sets PDFs only where a document is made", () => {
    const sources = new Map(code.map((one) => [one.path, one]))
    const reached = new Set<string>()
    const reach = (path: string): void => {
      const source = sources.get(path)
      if (source === undefined || reached.has(path)) return
      reached.add(path)
      for (const [, members, target] of source.text.matchAll(/^(?:im|ex)port (?!type\b)([^"]*?)from "(\.[^"]+)"/gm)) {
        const named = members!.replace(/[{}\s]/g, " ").split(",")
        if (named.some((one) => one.trim() !== "" && !one.trim().startsWith("type ")))
          reach(normalize(join(dirname(path), target!)))
      }
    }
    for (const { path } of code) if (path.startsWith("cli/commands/") || path.startsWith("sync/library/")) reach(path)
    expect(reached.size).toBeGreaterThan(300)
    expect([...reached].filter((path) => path.startsWith("sync/collections/pdf/"))).toEqual([])
  })

  it("keeps connectors independent of each other, and sync independent of all of them", () => {
    const wrong = code.flatMap((file) =>
      imports(file)
        .filter((target) => {
          const folder = /^connectors\/([a-z-]+)\//.exec(target)?.[1]
          // The conformance kit, declared sources and the rows of tables are part of the contract: they know no connector.
          if (
            folder === undefined ||
            folder === "testing" ||
            folder === "rest" ||
            folder === "tabular" ||
            file.path === "connectors/list.ts"
          )
            return false
          return file.room === "sync" || (file.room === "connectors" && !file.path.startsWith(`connectors/${folder}/`))
        })
        .map((target) => `${file.path} imports ${target}`)
    )
    expect(wrong).toEqual([])
  })

  it("imports the sandbox only from the command line, the tests and the examples", () => {
    const wrong = code.flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith("core/sandbox/"))
        .filter(() => !/^(core\/sandbox|cli|test|examples)\//.test(file.path))
        .map((target) => `${file.path} imports ${target}`)
    )
    expect(wrong).toEqual([])
  })

  it("keeps the witness independent: it imports nothing of sync, and of other folders only what reads and writes", () => {
    const open =
      /^(sync\/witness|core\/(money|wire|insurance|deferred-payment))\/|^core\/[A-Z]\w+\.ts$|^connectors\/[A-Z]\w+\.ts$/
    const witness = code.filter(({ path }) => path.startsWith("sync/witness/"))
    expect(witness.length).toBeGreaterThan(3)
    const wrong = witness.flatMap((file) =>
      imports(file)
        .filter((target) => !open.test(target))
        .map((target) => `${file.path} imports ${target}`)
    )
    const others = code.flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith("sync/witness/"))
        .filter(() => /^sync\/(?!witness\/|library\/Independent\.ts)/.test(file.path))
        .map((target) => `${file.path} imports ${target}`)
    )
    expect([...wrong, ...others]).toEqual([])
  })

  it("writes nothing where it reports and shows: people's decisions are in `sync/decisions`", () => {
    const showing = code.filter(({ path }) => /^(sync\/reports|cli\/(page|render))\//.test(path))
    const writes = showing.filter(({ text }) => /"?`?\b(INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM)\b/.test(text))
    expect(writes.map(({ path }) => path)).toEqual([])
    expect(showing.length).toBeGreaterThan(90)
  })

  it("lets people decide in one place: commands, page and HTTP take no connection's lock, and match nothing again", () => {
    const asking = code.filter(({ path }) => /^cli\/(commands|connect|page|remote)\//.test(path))
    const composed = asking.flatMap((file) =>
      imports(file)
        .filter((target) => /^sync\/(matching\/Run|decisions\/ConnectionLocks)\.ts$/.test(target))
        .map((target) => `${file.path} imports ${target}`)
    )
    expect(asking.length).toBeGreaterThan(100)
    expect(composed).toEqual([])
  })

  it("has no import cycles between files", () => {
    const known = new Map(code.map((file) => [file.path, imports(file)]))
    const done = new Set<string>()
    const circles: Array<string> = []
    const walk = (path: string, way: ReadonlyArray<string>): void => {
      const at = way.indexOf(path)
      if (at >= 0) return void circles.push([...way.slice(at), path].join(" -> "))
      if (done.has(path)) return
      for (const next of known.get(path) ?? []) walk(next, [...way, path])
      done.add(path)
    }
    for (const { path, room } of code) if (room !== "test") walk(path, [])
    expect(circles).toEqual([])
  })

  it("has no import cycles between folders of sync and of the sandbox", () => {
    const roomOf = (path: string) => /^(sync|core\/sandbox)\/[a-z]+(?=\/)/.exec(path)?.[0]
    const graph = new Map<string, Set<string>>()
    for (const file of code) {
      const room = roomOf(file.path)
      if (room === undefined) continue
      for (const target of imports(file)) {
        const next = roomOf(target)
        if (next !== undefined && next !== room) graph.set(room, (graph.get(room) ?? new Set()).add(next))
      }
    }
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(graph.get(from) ?? [])].some((next) => {
        if (next === to) return true
        if (seen.has(next)) return false
        return reaches(next, to, seen.add(next))
      })
    expect(graph.size).toBeGreaterThan(10)
    expect([...graph.keys()].filter((room) => reaches(room, room))).toEqual([])
  })

  it("says at the top of each file what it is for", () => {
    expect(code.filter(({ text }) => !/^(#!.*\n)?\/\*\*\s*(\n \* )?[^\s*]/.test(text)).map(({ path }) => path)).toEqual(
      []
    )
  })

  it(`has no file over ${LONGEST} lines`, () => {
    const long = code.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    expect(long.filter(({ lines }) => lines > LONGEST)).toEqual([])
  })

  // Functions go by their module's name as well: `Runs.begin`, `Schedule.begin`.
  it("gives types, classes and constants names with one meaning", () => {
    const places = new Map<string, Set<string>>()
    for (const { path, room, text } of rooms("core", "sync", "cli")) {
      // What runs in a shop's page is apart, and says itself what the SDK's types say.
      if (/^core\/(checkout|sandbox\/sdk\/browser)\//.test(path)) continue
      for (const [, name] of text.matchAll(/^export (?:abstract )?(?:const|type|interface|class) ([A-Z]\w*)/gm))
        places.set(`${room} ${name}`, (places.get(`${room} ${name}`) ?? new Set()).add(path))
    }
    const twice = [...places].filter(([, paths]) => paths.size > 1)
    const unnamed = twice.filter(([name]) => SHARED_NAMES[name] === undefined)
    expect(unnamed.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`)).toEqual([])
    expect(twice.length).toBe(Object.keys(SHARED_NAMES).length)
  })

  // Only what is imported by its own name: `Runs.begin` and `Schedule.begin` say themselves whose they are.
  it("gives functions that are imported by name one meaning in a room", () => {
    const roomOf = (path: string) => /^(core\/sandbox|connectors\/[a-z]+(?=\/)|[a-z]+)/.exec(path)![0]
    const files = rooms("core", "connectors", "sync", "cli").filter(
      ({ path }) => !/^core\/(checkout|sandbox\/sdk)\//.test(path)
    )
    const byName = new Set(
      files.flatMap(({ path, text }) =>
        [...text.matchAll(/import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, names, from]) => {
          const source = normalize(join(dirname(path), from!))
          return names!.split(",").map((name) => `${source} ${name.trim().split(" ")[0]}`)
        })
      )
    )
    const places = new Map<string, Array<string>>()
    for (const { path, text } of files) {
      for (const [, name] of text.matchAll(/^export (?:const|(?:async )?function\*?) ([a-z]\w*)/gm))
        if (byName.has(`${path} ${name}`))
          places.set(`${roomOf(path)} ${name}`, [...(places.get(`${roomOf(path)} ${name}`) ?? []), path])
    }
    expect(byName.size).toBeGreaterThan(500)
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([])
  })

  // Except modules that are exported as a whole for users of the library, and the service's schemas.
  it("exports only what another file names", () => {
    const passedOn = new Set(
      code.flatMap(({ path, text }) =>
        [...text.matchAll(/export \*(?: as \w+)? from "(\.[^"]+)"/g)].map(([, from]) =>
          normalize(join(dirname(path), from!))
        )
      )
    )
    const EXPORTED = /^export (?:async )?(?:const|let|class|function)\*? (\w+)/gm
    const places = new Map<string, Set<string>>()
    for (const { text } of code) for (const [, name] of text.matchAll(EXPORTED)) places.set(name!, new Set())
    for (const { path, text } of code)
      for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) places.get(word)?.add(path)
    const dead = rooms("core", "connectors", "sync", "cli").flatMap(({ path, text }) =>
      passedOn.has(path) || /\/index\.ts$|^core\/(deferred-payment|insurance)\//.test(path)
        ? []
        : [...text.matchAll(EXPORTED)].flatMap(([, name]) => (places.get(name!)?.size === 1 ? [`${path} ${name}`] : []))
    )
    expect(passedOn.size).toBeGreaterThan(10)
    expect(dead).toEqual([])
  })

  it("has no open to-dos, no disabled checks and no disabled tests", () => {
    expect(lines(others(code), /\bTODO\b|\bFIXME\b|@ts-ignore|@ts-nocheck|\bas any(?= *([;,)\]}.]|$))/)).toEqual([])
    expect(lines(others(rooms("test")), /\b(it|test|describe)(\.effect|\.prop|\.live)*\.(skip|only|todo)\b/)).toEqual(
      []
    )
  })

  it("uses the vocabulary in names, messages and pages", () => {
    const spoken = all.filter(
      ({ path, room }) => room !== "test" && !/^sync\/state\/(migrations|tables\/)|^package-lock/.test(path)
    )
    const names = spoken.filter(({ path }) => /\.(ts|js)$/.test(path))
    // A comment may well begin with "Told of every receipt".
    const wrong = lines(names, OLD_NAMES).filter((line) => !/: (\/\*\*|\*|\/\/) /.test(line))
    expect([...wrong, ...lines(spoken, OLD_PHRASES)]).toEqual([])
  })

  it("does arithmetic on amounts with decimals only", () => {
    const files = rooms("core", "connectors", "sync", "cli")
    expect(lines(files, /parseFloat\(|\bNumber\([^)]*[aA]mount|[*/] 100\b|toFixed\(2\)/)).toEqual([])
  })

  it("reads what is stored of documents with Body, and looks into it with what that says", () => {
    const files = rooms("sync", "cli").filter(
      ({ path }) => !path.startsWith("sync/state/") && !path.startsWith("sync/witness/")
    )
    expect(lines(files, /Document\.decode\(|\bbody ->> '/)).toEqual([])
  })

  it("takes time and random values from Effect, where a test can set them", () => {
    const files = rooms("core", "connectors", "sync")
    expect(lines(files, /new Date\(\)|\bDate\.now\(\)|Math\.random\(\)|performance\.now\(\)/)).toEqual([])
  })

  it("makes temporary folders in one way, which deletes those of killed processes", () => {
    const files = rooms("core", "connectors", "sync", "cli").filter(
      ({ path }) => path !== "core/TemporaryFolder.ts" && path !== "cli/eager.js"
    )
    expect(lines(files, /\bmkdtemp|\btmpdir\b/)).toEqual([])
  })

  it("installs without a compiler, whatever npm there is", () => {
    // SQLite brings its binaries along, and npm before 11.16 would compile it all the same, unless the lock says this.
    const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
    expect(lock.packages["node_modules/better-sqlite3"].gypfile).toBe(false)
    // A lock without an entry for each platform installs nowhere.
    const locked = Object.values(lock.packages) as ReadonlyArray<{
      readonly optionalDependencies?: Readonly<Record<string, string>>
    }>
    const asked = locked.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(asked.filter((name) => lock.packages[`node_modules/${name}`] === undefined)).toEqual([])
  })

  it("names no machine, no registry and no service of its makers", () => {
    expect(lines(others(all), /\/(work|farm|home|Users)\/\w|registry\.npmjs|\/tmp\/[a-z]/)).toEqual([])
  })
})
