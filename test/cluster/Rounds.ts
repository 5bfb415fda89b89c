/** Rounds of a fleet, each with new invoices: something happens while calls are under way, and in the end each invoice is there once. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import * as InvoiceStatement from "../../sync/reconciliation/InvoiceStatement.ts"
import type * as Statement from "../../sync/model/reports/Statement.ts"
import { Database } from "../../sync/state/Database.ts"
import { CONNECTION } from "./Books.ts"
import { Fleet } from "./Fleet.ts"

/** What happened in a round. */
interface Said {
  readonly [what: string]: number | string | null | undefined
}

/** Whether a tenant's statement has each invoice, and source, books and service agree. */
const agrees = async (fleet: Fleet, name: string): Promise<boolean> => {
  const raw = await fleet.copyOf(name)
  if (raw === undefined) return false
  raw.close()
  const said = Effect.flatMap(Database, (db) => db.read(() => InvoiceStatement.statements(db, [CONNECTION])))
  const layer = Database.layer({ file: raw.name, mode: "read", command: "rounds" })
  const all = await Effect.runPromise(Effect.provide(said, layer, { local: true }))
  const invoices = all.reduce((sum, one) => sum + one.invoices, 0)
  return all.every(isWhole) && invoices === fleet.expected / fleet.names.length
}

const isWhole = ({ books, differences, pending, service, source }: Statement.InvoiceStatement): boolean =>
  differences.length === 0 && pending === 0 && source === books && books === service

/** How long it may take until the last run says so. Milliseconds. */
const SAID_MS = 120_000

const allAgree = async (fleet: Fleet): Promise<void> => {
  for (const name of fleet.names)
    for (const began = performance.now(); !(await agrees(fleet, name)); await sleep(500))
      if (performance.now() - began > SAID_MS) throw new Error(`the statement of ${name} does not agree`)
}

/**
 * So many rounds: invoices come, calls are under way, something happens; in the end each invoice is there once.
 *
 * @param losesClaims what happens makes PostgreSQL lose what it confirmed
 * @param before what Node is given before the program
 */
export const rounds = async (
  happens: (fleet: Fleet, say: (what: Said) => void) => Promise<void>,
  { before = [], losesClaims = false }: { readonly before?: ReadonlyArray<string>; readonly losesClaims?: boolean } = {}
): Promise<void> => {
  const count = Number(process.argv[2] ?? 20)
  const fleet = await Fleet.make(undefined, undefined, before)
  let [damaged, unsettled, unclaimed, done, failed] = [0, 0, 0, 0, ""]
  const said: Array<Said> = []
  try {
    await fleet.allReady()
    for (; done < count; done++) {
      await fleet.more()
      await fleet.busy()
      await happens(fleet, (what) => said.push(what))
      const seen = await fleet.inspect()
      damaged += seen.damaged
      unsettled += seen.unsettled
      unclaimed += losesClaims ? 0 : seen.unclaimed
      await fleet.done()
      if (done % 5 === 4 || done === count - 1) {
        await allAgree(fleet)
        console.log(
          JSON.stringify({
            rounds: done + 1,
            created: fleet.acted,
            expected: fleet.expected,
            asked: fleet.posts,
            damaged,
            unsettled,
            unclaimed,
            last: said.at(-1)
          })
        )
      }
    }
  } catch (cause) {
    failed = cause instanceof Error ? cause.message : String(cause)
  }
  const twice = fleet.acted - fleet.expected
  const asked = fleet.posts
  console.log(JSON.stringify({ rounds: done, twice, asked, damaged, unsettled, unclaimed, failed }))
  const held = failed === "" && done === count && twice === 0 && damaged === 0 && unclaimed === 0
  await fleet.end(!held)
  process.exit(held ? 0 : 1)
}
