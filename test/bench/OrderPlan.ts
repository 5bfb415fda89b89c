/**
 * What planning 100,000 orders with 300,000 parcels, cancellations and returns costs, against 100,000 invoices with 300,000
 * payments: nothing of either is sent yet. Each side plans in a process of its own, from books that were pulled before.
 */
import { join } from "node:path"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import type { Document } from "../../connectors/Document.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { invoice, payment } from "../support/Documents.ts"
import { cancellation, order, parcel, returned } from "../support/Orders.ts"
import { connection, connector, read } from "../sync/Source.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import { inTurns, run, timed } from "./Process.ts"

type Kind = "orders" | "invoices"

const documents = (kind: Kind, n: number): ReadonlyArray<Document> => {
  const id = `${kind === "orders" ? "O" : "I"}${n}`
  return kind === "orders"
    ? [
        order({ id, number: id, deferredPayment: `defpay-${n}` }),
        parcel(`P${n}`, { chairs: "2", lamps: "1" }, "2026-03-02", id),
        n % 2 === 0
          ? parcel(`Q${n}`, { chairs: "2" }, "2026-03-03", id)
          : cancellation(`C${n}`, { rug: "1" }, "2026-03-03", id),
        returned(`R${n}`, { chairs: "1" }, "2026-03-09", id)
      ]
    : [
        invoice({ id, number: id }),
        payment(`P${n}`, { [id]: "20.00" }),
        payment(`Q${n}`, { [id]: "30.00" }),
        payment(`R${n}`, { [id]: "40.00" })
      ]
}

const PAGE = 250

const source = (kind: Kind, count: number) =>
  connection(
    connector(() =>
      Stream.map(Stream.range(0, Math.ceil(count / PAGE) - 1), (page) => ({
        read: Array.from({ length: Math.min(PAGE, count - page * PAGE) }, (_, n) =>
          documents(kind, page * PAGE + n)
        ).flatMap((some) => some.map((one) => read(one))),
        quarantined: [],
        bookmark: { page },
        scan: { name: "all" }
      }))
    )
  )

/** Side: the books. */
export const build = (kind: Kind, state: string, count: number): Promise<unknown> =>
  Effect.runPromise(
    pull(source(kind, count), { folder: "." }).pipe(
      Effect.provide(
        Layer.mergeAll(
          Database.layer({ file: state, mode: "write" }),
          FileSystem.layerNoop({}),
          Layer.succeed(
            HttpClient.HttpClient,
            HttpClient.make(() => Effect.die("nothing is asked"))
          )
        )
      ),
      Effect.asVoid
    )
  )

/** Side: plans all of it. Seconds. */
export const plan = (kind: Kind, state: string, count: number): Promise<number> =>
  timed(async () => {
    const tally = new Tally()
    await Effect.runPromise(
      Stream.runForEach(Plan.stream([source(kind, count)]), (planned) => Effect.sync(() => tally.add(planned))).pipe(
        Effect.provide(Database.layer({ file: state, mode: "read" }))
      )
    )
    const { attention, documents } = tally.summary()
    if (documents !== count || attention > 0) throw new Error(`${documents} were planned, ${attention} need a person`)
  })

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const count = 100_000 * scale
  const books = async (kind: Kind) => {
    const state = join(folder, `${kind}.db`)
    await run(import.meta.url, "build", kind, state, count)
    return async () => (await run<number>(import.meta.url, "plan", kind, state, count)).result
  }
  const runs = await inTurns(3, await books("orders"), await books("invoices"))
  return [atMost(`plan: ${count.toLocaleString("en")} orders with 3 facts each, to invoices`, 3, times(runs))]
}
