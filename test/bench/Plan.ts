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
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { bundle, build as buildCommand, took } from "./Command.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run, timed } from "./Process.ts"
import * as Sent from "./Sent.ts"

const EDITS = 10

/** Side: pulls ten edits into the books. The ledger is as it was before and after. */
export const edit = async (folder: string, csv: string, state: string, rows: number): Promise<void> => {
  const { connections } = Invoices.configuration(folder, csv)
  await Invoices.write(csv, rows, { count: EDITS, times: 1 })
  const { changed } = await Effect.runPromise(
    pull(connections[0]!, { folder }).pipe(
      Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside))
    )
  )
  await Sent.writeOld(csv, rows)
  if (changed !== EDITS) throw new Error(`${changed} invoices changed instead of ${EDITS}`)
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

export const figures = async (folder: string, scale: number, shared: string): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [10_000, 1_000_000 * scale]
  buildCommand()
  const books = async (rows: number) => {
    const [state, config] = [join(folder, `${rows}.db`), join(folder, `${rows}.json`)]
    const { csv } = await Sent.copy(shared, rows, state)
    await run(import.meta.url, "edit", shared, csv, state, rows)
    writeFileSync(config, JSON.stringify(Invoices.config(csv, "http://127.0.0.1:4010")))
    return {
      library: async () => (await run<number>(import.meta.url, "plan", shared, csv, state)).result,
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
