/**
 * Stores plans that wait for approval: the latest plan of each connection that asks for it, by its digest, and the decision
 * about it. An approval covers exactly that plan: when the books change, the plan has another digest.
 *
 * The approval is used up by the run that carries its plan out completely. If a run sent nothing, because the service
 * rejected the key or did not answer, the approval stays valid, and the next run sends that plan. If a run sent a part of
 * the plan, the rest is a new plan with a new digest, and a person is asked again: it may contain calls that follow from the
 * service's answers, which nobody has seen.
 *
 * A person can approve some documents of a plan. The digest is still that of the whole plan, so that any change of what was
 * shown makes the approval void. The rest then waits for a person, whatever the connection asks about otherwise: `isHeld`.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"
import * as Figures from "./Figures.ts"
import { type Summary, total } from "./Tally.ts"
import { given } from "../../core/Entry.ts"
import type { Approval } from "../model/reports/State.ts"

export type { Approval }

/** Why a person is asked about what is left of a plan of which a part was approved. */
export const REST = "the rest of a plan of which a part was approved"

/** Nothing of the connection is sent unless a person approves it: they have left out a part of its plan. */
export const isHeld = (approval: Approval | undefined): boolean =>
  approval !== undefined && (approval.documents !== null || approval.why === REST)

type Stored = Omit<Approval, "documents"> & { readonly amounts: string | null; readonly part: string | null }

const approvalOf = ({ amounts: _, part, ...stored }: Stored): Approval => ({
  ...stored,
  documents: part === null ? null : (JSON.parse(part) as ReadonlyArray<string>)
})

export const list = (db: Db): ReadonlyArray<Approval> =>
  (db.prepare("SELECT * FROM approval ORDER BY connection").all() as ReadonlyArray<Stored>).map(approvalOf)

export const of = (db: Db, connection: string): Approval | undefined => {
  const stored = db.prepare("SELECT * FROM approval WHERE connection = ?").get(connection) as Stored | undefined
  return stored === undefined ? undefined : approvalOf(stored)
}

/** How many plans wait for a person. */
export const waiting = (db: Db): number =>
  db.prepare("SELECT count(*) FROM approval WHERE decision IS NULL").pluck().get() as number

/** Asks for approval of this plan; keeps an earlier decision about the same plan. Returns the plan's state. */
export const ask = (db: Db, connection: string, summary: Summary, now: number, why: string | null = null): Approval => {
  const { attention, calls, digest, reductions } = summary
  const moved = total(summary).moved ?? new Map<string, Decimal.Decimal>()
  db.prepare(
    `INSERT INTO approval (connection, digest, calls, attention, reductions, made, why, words, amounts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest,
      calls = excluded.calls, attention = excluded.attention, reductions = excluded.reductions, made = excluded.made,
      decision = NULL, decided = NULL, who = NULL, part = NULL, why = excluded.why,
      words = excluded.words, amounts = excluded.amounts WHERE digest <> excluded.digest`
  ).run(
    connection,
    digest,
    calls,
    attention,
    reductions.get(connection) ?? 0,
    now,
    why,
    Figures.sentence(total(summary)),
    JSON.stringify(Object.fromEntries([...moved].map(([code, sum]) => [code, Decimal.format(sum)])))
  )
  // Whoever approved another plan as one of two approved that one, and may have rejected it since.
  db.prepare("DELETE FROM approval_voice WHERE connection = ? AND digest <> ?").run(connection, digest)
  return given(of(db, connection), `the plan of ${connection}`)
}

/** What the plan that waits moves, by currency; undefined if an older version made it. */
export const movedBy = (db: Db, connection: string): Figures.AmountsByCurrency | undefined => {
  const text = db.prepare("SELECT amounts FROM approval WHERE connection = ?").pluck().get(connection) ?? null
  if (text === null) return undefined
  const amounts = Object.entries(JSON.parse(String(text)) as Readonly<Record<string, string>>)
  return new Map(amounts.map(([code, amount]) => [code, Decimal.of(amount)]))
}

/** A decision about the plan that somebody saw. */
export interface Word extends Pick<Approval, "connection" | "digest"> {
  readonly decision: "approved" | "rejected"
  readonly who: string
  /** Some documents of the plan; see `PartOfPlan.ts`. */
  readonly documents?: ReadonlyArray<string> | null
}

/**
 * Stores a decision about the plan that somebody saw; whether they may make it is decided in `decisions/Plans.ts`. False: another
 * plan waits now, and nothing is decided.
 */
export const decide = (db: Db, { connection, digest, decision, documents = null, who }: Word, now: number): boolean =>
  db
    .prepare(
      "UPDATE approval SET decision = ?, decided = ?, who = ?, part = ? WHERE connection = ? AND digest = ? AND decision IS NULL"
    )
    .run(decision, now, who, documents === null ? null : JSON.stringify(documents), connection, digest).changes > 0

/** Has a rejected plan wait again. */
export const reopen = (db: Db, connection: string): void =>
  void db
    .prepare(
      "UPDATE approval SET decision = NULL, decided = NULL, who = NULL WHERE connection = ? AND decision = 'rejected'"
    )
    .run(connection)

/** Connections whose plan was approved and has not been sent yet. */
export const approved = (db: Db): ReadonlyArray<string> =>
  db.prepare("SELECT connection FROM approval WHERE decision = 'approved'").pluck().all() as ReadonlyArray<string>

/** Removes the request for approval. */
export const clear = (db: Db, connection: string): void => {
  for (const table of ["approval", "approval_voice"])
    db.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(connection)
}
