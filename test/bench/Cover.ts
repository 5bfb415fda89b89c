/**
 * What planning cover costs for one invoice where the books hold 10,000 open invoices, against the same where they hold
 * 1,000: a quote that is asked for, an offer that is bought or waits for the next month, and one of ten insured invoices that
 * changed. A plan of cover should cost what changed and what is offered, not what there is.
 *
 * The state files come about as `apply` would have left them, without a service. Each side plans in a process of its own.
 */
import { join } from "node:path"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import * as LedgerStore from "../../sync/apply/LedgerStore.ts"
import * as ChangedDocuments from "../../sync/books/ChangedDocuments.ts"
import { advance } from "../../sync/model/Advance.ts"
import type { Answer } from "../../sync/model/Answer.ts"
import type { Remote } from "../../sync/model/Remote.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { Database } from "../../sync/state/Database.ts"
import { invoice } from "../support/Documents.ts"
import { covering } from "../sync/Covered.ts"
import { connection, connector, read } from "../sync/Source.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import { inTurns, run, timed } from "./Process.ts"

/** Invoices of one buyer; limits are shared out among them. */
const OF_A_BUYER = 100
const EDITS = 10
const PAGE = 250

/** What is planned: a quote of each invoice, what becomes of each offer, or of ten that are insured. */
type Kind = "quotes" | "offers" | "insured"

/** The month has room for 89 of these offers; where all are to be insured, for all. */
const ROOM = 89
const PRICE = { currency: "GBP", per_invoice: "250.00" }
const PER_MONTH: Readonly<Record<Kind, string>> = { quotes: "2000.00", offers: "2000.00", insured: "10000000.00" }

/** In the order of their numbers. */
const idOf = (n: number): string => `I${String(n).padStart(7, "0")}`

const documentOf = (n: number) =>
  invoice({
    id: idOf(n),
    number: `INV-${n}`,
    issued: "2026-01-01",
    due: "2099-01-31",
    net: "1000.00",
    gross: "1200.00",
    party: { id: `c-${Math.floor(n / OF_A_BUYER)}`, name: `Buyer ${Math.floor(n / OF_A_BUYER)} Ltd`, country: "GB" }
  })

const source = (kind: Kind, count: number) =>
  connection(
    connector(() =>
      Stream.map(Stream.range(0, Math.ceil(count / PAGE) - 1), (page) => ({
        read: Array.from({ length: Math.min(PAGE, count - page * PAGE) }, (_, n) => read(documentOf(page * PAGE + n))),
        quarantined: [],
        bookmark: { page },
        scan: { name: "all" }
      }))
    ),
    covering({ price: { ...PRICE, per_month: PER_MONTH[kind] } })
  )

const OFFER = {
  status: "offered",
  validUntil: "2099-01-01T00:00:00Z",
  price: { currency: "GBP", total: "22.40", premium: "20.00", tax: "2.40", insured: "900.00" }
}

/** The answer to whatever comes first for an invoice: that it is there, an offer, or a policy. */
const answerTo = (operation: string, n: number): Answer => {
  if (operation === "quotes.create") return { kind: "quote", quote: { ...OFFER, id: `quo-${n}` } }
  if (operation === "policies.create") return { kind: "policy", policy: { id: `pol-${n}`, status: "active" } }
  return { kind: "transaction", id: `trns-${n}`, status: "pending", stated: {} }
}

const keyOf = (n: number): string => `books/invoice/${idOf(n)}`

/** Writes into the ledger what a plan of each invoice comes to. */
const carryOut = (db: Database["Service"], kind: Kind, count: number, now: number | undefined): void => {
  const own = source(kind, count)
  for (let n = 0; n < count; n++) {
    const key = keyOf(n)
    const planned = Plan.planOne(db, own, key, now === undefined ? {} : { now })
    const remote = planned.calls.reduce<Remote | undefined>(
      (one, call) => advance(one, call, answerTo(call.operation, n)),
      planned.remote
    )
    LedgerStore.write(db, planned, remote)
  }
}

const outside = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("nothing is asked"))
  )
)

/** Side: the books and the ledger as they are before such a plan, from what they were before the kind before. */
export const build = (kind: Kind, state: string, count: number): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function* () {
      if (kind === "quotes") yield* pull(source(kind, count), { folder: "." })
      const db = yield* Database
      yield* db.transaction(() => {
        carryOut(db, kind, count, kind === "quotes" ? undefined : Date.now())
        if (kind !== "insured") return
        db.prepare("DELETE FROM changed").run()
        for (let n = 0; n < EDITS; n++) ChangedDocuments.touch(db, keyOf((n * count) / EDITS))
      })
    }).pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)), Effect.asVoid)
  )

/** Side: plans what there is. Seconds for one invoice. */
export const plan = async (kind: Kind, state: string, count: number): Promise<number> => {
  const wanted = kind === "insured" ? EDITS : count
  const tally = new Tally()
  const took = await timed(() =>
    Effect.runPromise(
      Stream.runForEach(Plan.stream([source(kind, count)]), (planned) => Effect.sync(() => tally.add(planned))).pipe(
        Effect.provide(Database.layer({ file: state, mode: "read" }))
      )
    )
  )
  const { calls, documents } = tally.summary()
  if (documents !== wanted || calls !== { quotes: count, offers: ROOM, insured: 0 }[kind])
    throw new Error(`${calls} calls for ${documents} invoices were planned`)
  return took / wanted
}

const WHAT: Readonly<Record<Kind, string>> = {
  quotes: "a quote planned",
  offers: "an offer planned",
  insured: `one of ${EDITS} that changed planned`
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [Math.max(1000, 10_000 * scale), Math.max(10_000, 100_000 * scale)]
  const figure = async (kind: Kind) => {
    const books = async (count: number) => {
      const state = join(folder, `cover-${count}.db`)
      await run(import.meta.url, "build", kind, state, count)
      return async () => (await run<number>(import.meta.url, "plan", kind, state, count)).result
    }
    const [large, small] = [await books(many), await books(few)]
    const runs = await inTurns(3, large, small)
    const name = `cover: ${WHAT[kind]}, at ${many.toLocaleString("en")} and ${few.toLocaleString("en")} open`
    return atMost(name, 1.5, times(runs))
  }
  return [await figure("quotes"), await figure("offers"), await figure("insured")]
}
