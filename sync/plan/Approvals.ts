/**
 * Plans that wait for approval: of each connection that asks for it, the latest plan by its digest, and what was said
 * about it. What is approved is that plan and no other: once the books move, it has another digest.
 *
 * An approval is used up by the run that carries its plan out to the end. A run that sent nothing, because the service
 * refused the key or did not answer, leaves it: the next one sends that plan. After a run that sent a part of it, what is
 * left is another plan with another digest, and a person is asked about that: it may hold calls that follow from what the
 * service answered, which nobody has seen.
 */
import type { Database } from "../state/Database.ts"
import * as Figures from "./Figures.ts"
import { type Summary, total } from "./Tally.ts"
import { given } from "../../core/Entry.ts"

type Db = Database["Service"]

export interface Approval {
  readonly connection: string
  readonly digest: string
  readonly calls: number
  readonly attention: number
  /** Calls that take away from what the service holds. */
  readonly reductions: number
  /** Milliseconds since the epoch. */
  readonly made: number
  readonly decision: "approved" | "rejected" | null
  readonly decided: number | null
  readonly who: string | null
  /** Why a person is asked; null where the connection asks about every plan. */
  readonly why: string | null
  /** What the plan comes to, in words: `37 to create: +134,999.65 USD open`. Null of one that was asked for by an older version. */
  readonly words: string | null
}

export const list = (db: Db): ReadonlyArray<Approval> =>
  db.prepare("SELECT * FROM approval ORDER BY connection").all() as ReadonlyArray<Approval>

export const of = (db: Db, connection: string): Approval | undefined =>
  db.prepare("SELECT * FROM approval WHERE connection = ?").get(connection) as Approval | undefined

/** How many wait for a person. */
export const waiting = (db: Db): number =>
  db.prepare("SELECT count(*) FROM approval WHERE decision IS NULL").pluck().get() as number

/** Asks for this plan; what was said about the same one stays. Answers how it stands. */
export const ask = (db: Db, connection: string, summary: Summary, now: number, why: string | null = null): Approval => {
  const { attention, calls, digest, reductions } = summary
  db.prepare(
    `INSERT INTO approval VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL, ?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest,
      calls = excluded.calls, attention = excluded.attention, reductions = excluded.reductions, made = excluded.made,
      decision = NULL, decided = NULL, who = NULL, why = excluded.why,
      words = excluded.words WHERE digest <> excluded.digest`
  ).run(
    connection,
    digest,
    calls,
    attention,
    reductions.get(connection) ?? 0,
    now,
    why,
    Figures.sentence(total(summary))
  )
  return given(of(db, connection), `the plan of ${connection}`)
}

/** A person's decision on the plan that they saw. False: it is not the one that waits now, and nothing is decided. */
export const decide = (
  db: Db,
  {
    connection,
    digest,
    decision,
    who
  }: Pick<Approval, "connection" | "digest"> & {
    readonly decision: "approved" | "rejected"
    readonly who: string
  },
  now: number
): boolean =>
  db
    .prepare(
      "UPDATE approval SET decision = ?, decided = ?, who = ? WHERE connection = ? AND digest = ? AND decision IS NULL"
    )
    .run(decision, now, who, connection, digest).changes > 0

/** Connections whose plan was approved and not sent yet. */
export const approved = (db: Db): ReadonlyArray<string> =>
  db.prepare("SELECT connection FROM approval WHERE decision = 'approved'").pluck().all() as ReadonlyArray<string>

/** There is nothing to ask any more. */
export const clear = (db: Db, connection: string): void => {
  db.prepare("DELETE FROM approval WHERE connection = ?").run(connection)
}
