/**
 * The same disturbed files through every entrance. Those where a mapping is made (`init`, the library, the page's set-up, a link)
 * decide and ask the same; those where it is used (`preview`, `doctor`, `pull`, `sync`, the library's preview) hold back the same
 * rows, and name them. Together the files have every disturbance that the generator knows.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { desk, ofType, service, useCommand } from "../support/Cli.ts"
import { disturbedFile } from "../sync/setup/Disturbed.ts"
import { disturbedList } from "../sync/setup/DisturbedLists.ts"
import { disturbedMoney } from "../sync/setup/DisturbedMoney.ts"
import { initialOf } from "../../sync/library/InitialApart.ts"
import { unwritten } from "../../sync/library/Unwritten.ts"
import { generated } from "../sync/setup/Generated.ts"
import { type Platform, platform } from "./Desk.ts"
import { byLink, signedIn, textOf } from "./Ways.ts"

useCommand()

const KINDS = {
  "a list of invoices in a fixed order": disturbedFile,
  "a list of invoices": disturbedList,
  "a list of money": disturbedMoney
} as const

type Kind = keyof typeof KINDS

/** Few seeds whose files have every disturbance of a kind. */
const seedsOf = (kind: Kind): ReadonlyArray<number> => {
  const left = new Set(generated[kind].all)
  const all = Array.from({ length: 400 }, (_, n) => ({ seed: n + 1, names: generated[kind].names(n + 1) }))
  const seeds: Array<number> = []
  const news = (names: ReadonlyArray<string>): number => names.filter((one) => left.has(one)).length
  while (left.size > 0) {
    const best = all.reduce((a, b) => (news(b.names) > news(a.names) ? b : a))
    if (news(best.names) === 0) throw new Error(`no file has ${[...left].join()}`)
    seeds.push(best.seed)
    for (const name of best.names) left.delete(name)
  }
  return seeds
}

const FILES = (Object.keys(KINDS) as ReadonlyArray<Kind>).flatMap((kind) =>
  seedsOf(kind).map((seed) => {
    const { names, text } = KINDS[kind](seed)
    return { called: `${kind}, ${seed}: ${names.join("; ")}`, text }
  })
)

let one: Platform
let onPage: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  one = await platform()
  onPage = await signedIn(one)
}, 120_000)

type Line = Readonly<Record<string, unknown>>

/** What people read, in lower case and without the marks at the end of sentences, which are the page's own. */
const spoken = (text: string): string => text.replace(/\s+/g, " ").toLowerCase().trim()

/** Rows that could not be read; which invoice a payment is for, only a pull tries to find. */
const heldBack = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines
    .filter(({ field }) => field !== "reference")
    .map(({ field, origin }) => `${String(origin)} ${String(field ?? "")}`)
    .toSorted()

const notices = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  [...new Set(lines.map(({ what }) => unwritten(String(what), "flags")))].toSorted()

describe("a disturbed file", { timeout: 300_000 }, () => {
  for (const [n, { called, text }] of FILES.entries())
    it(`is the same through every entrance: ${called}`, async () => {
      const { url } = await service()
      const files = { "books.csv": text }
      const here = desk(files)
      const flags = ["--yes", "--name", "Acme", "--service", url]
      const init = await here.run("init", "books.csv", ...flags, "--json")
      const [decisions, questions] = [ofType(init, "decision"), ofType(init, "question")]
      const answers = { name: "Acme" }
      const library = await Effect.runPromise(
        initialOf([here.path("books.csv")], { folder: here.folder, answers, accept: true })
      )
      assert.deepStrictEqual(
        decisions.map(({ type: _, ...rest }) => rest),
        library.decisions.map((one) => ({ ...one }))
      )
      assert.deepStrictEqual(
        questions.map(({ ask }) => ask),
        library.questions.map(({ ask }) => ask)
      )
      const asked = await Effect.runPromise(
        initialOf([here.path("books.csv")], { folder: here.folder, answers, accept: false })
      )
      const first = ofType(init, "quarantined")
      for (const page of [await onPage(files), await byLink(one, files, `way${n}`)]) {
        const said = spoken(textOf(page))
        for (const { because = "", what } of asked.decisions)
          for (const words of [what, because]) assert.include(said, spoken(unwritten(words, "form")), what)
        for (const { ask } of asked.questions) assert.include(said, spoken(unwritten(ask, "form")))
        // Where a suggestion would be taken by --yes, the page asks first.
        if (asked.questions.length === 0) for (const { origin } of first) assert.include(said, spoken(String(origin)))
      }
      if (questions.length > 0) {
        assert.strictEqual(init.status, 2)
        return
      }
      assert.strictEqual(init.status, 0, init.stderr)
      const preview = await here.run("preview", "--json")
      const doctor = await here.run("doctor", "--json")
      const pull = await here.run("pull", "--json")
      const sync = await here.run("sync", "--yes", "--json")
      const check = ofType(doctor, "check").filter(({ name }) => String(name).startsWith("source "))
      const listed = (member: string) => check.flatMap((found) => found[member] as ReadonlyArray<Line>)
      for (const lines of [preview, pull, sync].map((ran) => ofType(ran, "quarantined")).concat([listed("unread")]))
        assert.deepStrictEqual(heldBack(lines), heldBack(first))
      assert.deepStrictEqual(notices(ofType(preview, "notice")), notices(ofType(init, "notice")))
      assert.deepStrictEqual(notices(listed("notices")), notices(ofType(init, "notice")))
      const account = notices(ofType(preview, "notice")).filter(
        (what) => !/^invoices|^payments|^credit_notes/.test(what)
      )
      assert.deepStrictEqual(notices(ofType(pull, "notice")), account)
      if (first.length === 0) return
      assert.deepStrictEqual([preview.status, doctor.status, pull.status, sync.status], [3, 1, 3, 3])
      assert.notMatch((await here.run("sync", "--yes")).stdout, /\d agree /)
    })
})
