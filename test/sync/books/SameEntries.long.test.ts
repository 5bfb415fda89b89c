/** Whatever files a bank's account is read from, each of its entries is in the books once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fold } from "../../../connectors/files/bank/Facts.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import * as Body from "../../../sync/state/Body.ts"
import { Database } from "../../../sync/state/Database.ts"
import { Dice } from "../../simulation/Dice.ts"
import { type Bookmark, pull, write } from "../../connectors/files/support.ts"
import { camt, dayOf, DAYS, movements, mt940, type True } from "./Account.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

/** How many sellers there are in an ordinary run; more with `SEEDS`. */
const SEEDS = Number(process.env["SEEDS"] ?? 12)
const FIRST = Number(process.env["FIRST_SEED"] ?? 1)

interface Files {
  /** Those of statements. */
  readonly names: Array<string>
  readonly write: (name: string, text: string) => void
  readonly remove: (name: string) => void
}

/** The first letters of a name, as every format has them. */
const short = (payer: string): string => fold(payer).slice(0, 10)

const booked = (db: Database["Service"]) =>
  (
    db
      .prepare("SELECT body FROM document WHERE deleted = 0 AND key GLOB 'bank/payment/*'")
      .pluck()
      .all() as ReadonlyArray<string>
  )
    .map((body) => {
      const document = Body.read(body)
      if (document.kind !== "payment") return ""
      return `${(document.unallocated ?? 0n) / 1_000_000n} ${short(document.party?.name ?? "")}`
    })
    .toSorted()

const expected = (all: ReadonlyArray<True>) =>
  all
    .filter(({ cents }) => cents > 0)
    .map(({ cents, payer }) => `${cents} ${short(payer)}`)
    .toSorted()

const sums = (all: ReadonlyArray<True>) => all.reduce((sum, { cents }) => sum + cents, 0)

/** Lets some days pass: what the bank has of them by then. Returns the last day that a statement has. */
const pass = (
  dice: Dice,
  all: ReadonlyArray<True>,
  { names, remove, write }: Files,
  [from, to]: readonly [number, number]
) => {
  const of = (first: number, last: number) => all.filter(({ day }) => day >= first && day <= last)
  const opening = (first: number) => 100_000 + sums(all.filter(({ day }) => day < first))
  const isNumbered = dice.chance(0.5)
  const first = Math.max(0, from - dice.below(12))
  const entries = of(first, to)
  const statement = { kind: "053" as const, opening: opening(first), entries, isNumbered }
  const name = `${String(to).padStart(3, "0")}-${dice.below(1000)}`
  if (dice.chance(0.35)) write(`bank/${name}.sta`, mt940(statement, to))
  else if (dice.chance(0.3) && entries.length > 1) {
    // Two statements, of which one begins where the other ends, within a day.
    const cut = 1 + dice.below(entries.length - 1)
    write(`bank/${name}a.xml`, camt({ ...statement, entries: entries.slice(0, cut) }))
    const next = statement.opening + sums(entries.slice(0, cut))
    write(`bank/${name}b.xml`, camt({ ...statement, opening: next, entries: entries.slice(cut) }))
  } else write(`bank/${name}.xml`, camt(statement))
  if (dice.chance(0.2)) write(`bank/${name}-again.xml`, camt({ ...statement, isNumbered: !isNumbered }))
  // What is under way today is only in the intraday report, which is overwritten.
  const today = of(to + 1, to + 2)
  write(
    dice.chance(0.8) ? "bank/today.xml" : `bank/intraday-${to}.xml`,
    camt({ kind: "052", entries: today, isNumbered })
  )
  // One that was read is put away.
  if (dice.chance(0.15) && names.length > 0) remove(names.splice(dice.below(names.length), 1)[0] ?? "")
  names.push(`bank/${name}.xml`)
  return today
}

const year = (seed: number) =>
  Effect.gen(function* () {
    const db = yield* Database
    const dice = new Dice(seed)
    const all = movements(dice)
    const folder = write({})
    const files: Files = {
      names: [],
      write: (name, text) => void write({ [name]: text }, folder),
      remove: (name) => rmSync(join(folder, name), { force: true })
    }
    let after: Bookmark | undefined
    let later = 0
    const read = Effect.gen(function* () {
      const intake = new Intake(db, "bank", "pays")
      const { bookmark, error, pages } = yield* Effect.promise(() =>
        pull(folder, { payments: { path: "bank" } }, { after, later: (later += 10_000) })
      )
      assert.isUndefined(error)
      for (const page of pages) yield* intake.keep(page, "{}")
      after = bookmark
    })
    let from = 0
    while (from < DAYS) {
      const to = Math.min(DAYS - 1, from + 3 + dice.below(10))
      const today = pass(dice, all, files, [from, to])
      yield* read
      const seen = [...all.filter(({ day }) => day <= to), ...today]
      assert.deepStrictEqual(booked(db), expected(seen), `seed ${seed}, ${dayOf(from)} to ${dayOf(to)}`)
      from = to + 1
    }
  })

describe("a bank's account that is read from many files", () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++)
    it.effect(`has each entry once, seed ${seed}`, () => year(seed).pipe(Effect.provide(memory)))
})
