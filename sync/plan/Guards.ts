/**
 * What stops a run before its first call: a ledger that may lack what was told, and a plan that would take away more
 * than a person would expect.
 *
 * Reductions are deletions, negative payments, lower amounts, voids and refunds. Up to three always pass; beyond, a run stops when
 * they are more than a number (50 unless set) or more than a share of the ledger (20% unless set).
 */
import { GuardError } from "../state/LedgerTrust.ts"
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import type { Summary } from "./Plan.ts"

const ALWAYS = 3
const NUMBER = 50
const SHARE = 0.2

/** Why this plan is refused, or undefined. */
export const check = (
  db: Database["Service"],
  connections: ReadonlyArray<Connection>,
  { found, reductions }: Summary
): GuardError | undefined => {
  for (const { id, planning } of connections) {
    const count = reductions.get(id) ?? 0
    if (count <= ALWAYS) continue
    const known = db
      .prepare("SELECT count(*) FROM ledger WHERE connection = ? AND remote IS NOT NULL AND currency <> ''")
      .pluck()
      .get(id) as number
    const held = known + (found.get(id) ?? 0)
    const { number = NUMBER, share = SHARE } = planning.guards ?? {}
    if (count <= number && count <= held * share) continue
    return new GuardError({
      why:
        `${id}: this run would make ${count} calls that reduce what the service holds (deletions, reversals, ` +
        `lower amounts, voids, refunds), in a ledger of ${held} invoices and orders; the guard allows at most ${number} and at most ${share.toLocaleString("en", { style: "percent" })} of the ledger. ` +
        "Nothing was sent. Look at `daybook plan`; if it is right, run again with --allow-reductions, or raise `guards` " +
        "in the configuration"
    })
  }
  return undefined
}
