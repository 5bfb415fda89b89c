/**
 * The control totals: after any sequence of pages, of parts that are read whole, in pieces, or half before the program
 * ends, what was read and what the books hold are what a plain sum over the same pages says.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import * as Document from "../../../connectors/Document.ts"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import { Database } from "../../../sync/state/Database.ts"
import { oneOf } from "../../support/Books.ts"
import { creditNote, invoice, key, payment } from "../../support/Documents.ts"
import { read } from "../Source.ts"
import { runs } from "../../support/Effort.ts"

/** Control totals by part and currency: what was read, what the books hold. */
const controls = (db: Database["Service"]): Readonly<Record<string, readonly [string, string]>> => {
  const rows = db
    .prepare("SELECT p.name, c.* FROM control c JOIN scan p ON p.id = c.scan ORDER BY p.name, c.currency")
    .all() as ReadonlyArray<Record<string, string>>
  return Object.fromEntries(
    rows
      .map(
        ({ books_count, books_sum, currency, name, source_count, source_sum }) =>
          [`${name} ${currency}`, [`${source_count} ${source_sum}`, `${books_count} ${books_sum}`]] as const
      )
      .filter(([, [source, books]]) => source !== "0 0" || books !== "0 0")
  )
}

/** One page of a random pull. */
interface Turn {
  readonly part: string | undefined
  readonly begins: boolean
  readonly ends: boolean
  readonly read: ReadonlyArray<Document.Document>
  readonly unreadable: ReadonlyArray<string | undefined>
  /** The program ends before it and begins anew. */
  readonly restart: boolean
}

const documents: Arbitrary.Arbitrary<Document.Document> = Arbitrary.map(
  Arbitrary.all({
    kind: oneOf("invoice", "invoice", "payment", "credit_note"),
    id: oneOf("1", "2", "3"),
    amount: oneOf("10.00", "20.00", "0.01"),
    currency: oneOf("GBP", "EUR"),
    status: oneOf("open", "open", "void", "draft")
  }),
  ({ amount, currency, id, kind, status }): Document.Document =>
    kind === "invoice"
      ? invoice({ id, gross: amount, currency, status })
      : kind === "payment"
        ? payment(id, { 1: amount, 2: "1.00" }, "2026-01-10", currency === "GBP" ? {} : { currency })
        : creditNote(id, { 1: amount })
)

const turns: Arbitrary.Arbitrary<ReadonlyArray<Turn>> = Arbitrary.array(
  Arbitrary.all({
    part: oneOf("a", "a", "b", undefined),
    begins: oneOf(true, false),
    ends: oneOf(true, false),
    read: Arbitrary.array(documents, { maxLength: 4 }),
    unreadable: Arbitrary.array(oneOf("1", "2", undefined), { maxLength: 1 }),
    restart: oneOf(true, false, false, false)
  }),
  { minLength: 1, maxLength: 9 }
)

/** Each part states documents of its own: which of several states one that is in all of them is before `Parts.test.ts`. */
const apart = (history: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  let last = ""
  return history.map((turn) => {
    if (turn.restart) last = ""
    last = turn.part ?? last
    return {
      ...turn,
      read: turn.read.map((document) => ({ ...document, id: `${document.id}${last}` })),
      unreadable: turn.unreadable.map((id) => (id === undefined ? undefined : `${id}${last}`))
    }
  })
}

/** The same pages by the plainest means: rows by key, sums taken anew. */
class Plain {
  readonly rows = new Map<string, { part: string; document: Document.Document; deleted: boolean }>()
  #scans = new Map<string, { readonly seen: Set<string>; blind: boolean }>()
  #part = ""

  take({ unreadable, begins, ends, part, read, restart }: Turn): void {
    if (restart) {
      this.#scans = new Map()
      this.#part = ""
    }
    const name = (this.#part = part ?? this.#part)
    if (part !== undefined && begins) this.#scans.set(name, { seen: new Set(), blind: false })
    const scan = this.#scans.get(name)
    for (const document of read) {
      const id = key(document.kind, document.id)
      // A page of no part leaves a document in the part that it is in.
      this.rows.set(id, { part: name === "" ? (this.rows.get(id)?.part ?? "") : name, document, deleted: false })
      scan?.seen.add(id)
    }
    for (const id of unreadable) {
      if (id === undefined && scan !== undefined) scan.blind = true
      else for (const kind of ["invoice", "payment", "credit_note"] as const) scan?.seen.add(key(kind, id!))
    }
    if (part === undefined || !ends || scan === undefined) return
    for (const [id, row] of this.rows) if (row.part === name && !scan.blind && !scan.seen.has(id)) row.deleted = true
    this.#scans.delete(name)
  }

  get controls(): Readonly<Record<string, readonly [string, string]>> {
    const sums = new Map<string, { count: number; sum: bigint }>()
    for (const { document, deleted, part } of this.rows.values()) {
      if (deleted) continue
      const name = `${part} ${document.currency ?? ""}`
      const sum = sums.get(name) ?? { count: 0, sum: 0n }
      sums.set(name, { count: sum.count + 1, sum: sum.sum + open(document) })
    }
    return Object.fromEntries(
      [...sums]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { count, sum }]) => [name, [`${count} ${sum}`, `${count} ${sum}`]])
    )
  }
}

const unreadable = (id: string | undefined) => ({
  kind: "invoice" as const,
  origin: "a:7",
  raw: "x;y",
  why: 'the amount "x" is no number',
  ...(id === undefined ? {} : { id })
})

const open = (document: Document.Document): bigint =>
  document.kind === "invoice"
    ? document.status === "open"
      ? document.gross!
      : 0n
    : Document.isAllocated(document)
      ? -document.shares.reduce((sum, { amount }) => sum + amount, 0n)
      : 0n

describe("control totals", () => {
  it.effect.prop(
    "after any pages, what was read and what the books hold are what a plain sum says",
    { history: turns },
    ({ history }) =>
      Effect.gen(function* () {
        const db = yield* Database
        const plain = new Plain()
        let intake = new Intake(db, "books")
        for (const turn of apart(history)) {
          if (turn.restart) intake = new Intake(db, "books")
          const { begins, ends, part } = turn
          yield* intake.keep(
            {
              read: turn.read.map(read),
              quarantined: turn.unreadable.map(unreadable),
              bookmark: {},
              ...(part === undefined ? {} : { scan: { name: part, begins, ends } })
            },
            "{}"
          )
          plain.take(turn)
          assert.deepStrictEqual(controls(db), plain.controls)
        }
        const deleted = [...plain.rows].filter(([, row]) => row.deleted).map(([id]) => id)
        assert.deepStrictEqual(
          db.prepare("SELECT key FROM document WHERE deleted = 1 ORDER BY key").pluck().all(),
          deleted.toSorted()
        )
      }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" }), { local: true })),
    runs(100)
  )
})
