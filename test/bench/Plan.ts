/**
 * What a plan costs after ten invoices were edited, where the books hold 1,000,000 invoices, against the same where
 * they hold 10,000. A plan should cost what changed, not what there is.
 *
 * Both state files come about in the same way: the ledger is pulled, every call of its plan is written down as made
 * and answered, then the file is edited in ten places and pulled again. The plan is measured as a library call (open
 * the books, plan, close), each in a process of its own, and as the command `daybook plan`.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { outside } from "../../sync/library/ServiceClient.ts"
import * as Currency from "../../core/money/Currency.ts"
import { advance } from "../../sync/model/Advance.ts"
import { bodyOf } from "../../sync/model/Call.ts"
import * as CustomerStore from "../../sync/apply/CustomerStore.ts"
import * as Claims from "../../sync/apply/Claims.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import { openOn, type RemoteInvoice } from "../../sync/model/RemoteInvoice.ts"
import * as Owners from "../../sync/plan/Owners.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { bundle, build as buildCommand, took } from "./Command.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run, timed } from "./Process.ts"

const EDITS = 10
const NOW = Date.UTC(2026, 0, 1)

/** Writes a plan's calls down as made and answered, as `apply` would have. */
const record = (
  db: Database["Service"],
  { calls, connection, currency, open, subject, remote }: Plan.DocumentPlan
): void => {
  let state = remote
  for (const call of calls) {
    const id = Claims.claim(db, 1, call, NOW)
    const remote = `trns-${String(id).padStart(16, "0")}`
    const answer = { id: remote, status: "pending", ...bodyOf(call) }
    Claims.receipt(db, id, { outcome: "done", status: 201, answer, remote }, NOW)
    state = advance(state, call, { kind: "transaction", id: remote, status: "pending", stated: {} })
  }
  const service = Currency.toMinor(openOn(state as RemoteInvoice | undefined), currency)
  Claims.writeLedger(db, subject, connection, state, { currency, books: open, service })
  CustomerStore.write(db, subject, open)
  db.prepare("DELETE FROM changed WHERE subject = ?").run(subject)
}

/** Writes every call of the plan down as made and answered. */
export const tellAll = (connections: ReadonlyArray<Connection>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const owners = new Map(connections.map(({ id, planning }) => [id, planning]))
    yield* Plan.stream(connections).pipe(
      Stream.grouped(1000),
      Stream.runForEach((some) =>
        db.transaction(() => {
          for (const planned of some) {
            if (planned.kind === "document") record(db, planned)
            else
              for (const call of planned.calls)
                Owners.remember(db, call, "org-1", Owners.digest(owners.get(planned.connection)!))
          }
        })
      )
    )
  })

/** Side: the books of a ledger of which everything was sent to the service, but for ten edits. */
export const build = async (folder: string, csv: string, state: string, rows: number): Promise<void> => {
  const { connections } = Invoices.configuration(folder, csv)
  const connection = connections[0]!
  await Invoices.write(csv, rows)
  const program = Effect.gen(function* () {
    const db = yield* Database
    yield* pull(connection, { folder })
    yield* db.transaction(() => Plan.rememberSettings(db, connections))
    yield* tellAll(connections)
    yield* Effect.promise(() => Invoices.write(csv, rows, { count: EDITS, times: 1 }))
    const { changed } = yield* pull(connection, { folder })
    if (changed !== EDITS) throw new Error(`${changed} invoices changed instead of ${EDITS}`)
  })
  await Effect.runPromise(
    program.pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)))
  )
}

/** Side: opens the books, plans, closes. Seconds. */
export const plan = (folder: string, csv: string, state: string): Promise<number> =>
  timed(async () => {
    const { connections } = Invoices.configuration(folder, csv)
    const tally = new Tally()
    await Effect.runPromise(
      Stream.runForEach(Plan.stream(connections), (planned) => Effect.sync(() => tally.add(planned))).pipe(
        Effect.provide(Database.layer({ file: state, mode: "read" }))
      )
    )
    const { calls, documents } = tally.summary()
    if (calls !== EDITS || documents !== EDITS)
      throw new Error(`${calls} calls for ${documents} documents were planned`)
  })

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [10_000, 1_000_000 * scale]
  buildCommand()
  const books = async (rows: number) => {
    const [csv, state, config] = ["csv", "db", "json"].map((end) => join(folder, `${rows}.${end}`)) as [
      string,
      string,
      string
    ]
    await run(import.meta.url, "build", folder, csv, state, rows)
    writeFileSync(config, JSON.stringify(Invoices.config(csv, "http://127.0.0.1:4010")))
    return {
      library: async () => (await run<number>(import.meta.url, "plan", folder, csv, state)).result,
      command: async () => took([bundle, "plan", "--config", config, "--state", state])
    }
  }
  const [large, small] = [await books(many), await books(few)]
  const figure = async (what: string, side: "library" | "command", rounds: number) => {
    await small[side]()
    const runs = await inTurns(rounds, large[side], small[side])
    const name = `plan: ${EDITS} edits at ${many.toLocaleString("en")} and ${few.toLocaleString("en")}, ${what}`
    return atMost(name, 1.5, times(runs))
  }
  return [await figure("library", "library", 5), await figure("command", "command", 5)]
}
