/**
 * What stops a run before its first call: a plan that would take away more than a person would expect, or that looks like
 * the mistake of a source, of a mapping or of a hand. Each guard has a number; a person who names that number lets the run
 * go on.
 *
 * Reductions are deletions, negative payments, lower amounts, voids and refunds. Up to three always pass; beyond, a run stops when
 * they are more than a number (50 unless set) or more than a share of the ledger (20% unless set).
 */
import type { Day } from "../../core/wire/Day.ts"
import * as StrangeScans from "../books/StrangeScans.ts"
import { GuardError } from "../state/LedgerTrust.ts"
import type { Connection } from "../model/Connection.ts"
import type { Guard } from "../model/Guard.ts"
import type { Database } from "../state/Database.ts"
import type { Extreme, Guarded, OddityCount, Summary } from "./Tally.ts"
import { grouped } from "../../core/Plural.ts"

const ALWAYS = 3
const NUMBER = 50
const SHARE = 0.2
/** Of the invoices of a plan, where single ones may be right. */
const MANY = { G2: 0.2, G3: 0.1 } as const
/** How many years from today a day may be. */
const YEARS = { before: 20, after: 2, due: 5 }

type Limits = NonNullable<Connection["planning"]["guards"]>

/** What stops a run, of which connection. */
export interface Stop {
  readonly connection: string
  readonly guard: Guard
  readonly why: string
}

const n = (count: number): string => grouped(count)

/** G1. `held`: what the service holds of this connection, of which so much would be taken away from. */
export const reductions = (count: number, held: number, { number = NUMBER, share = SHARE }: Limits = {}) => {
  if (count <= ALWAYS || (count <= number && count <= held * share)) return undefined
  return (
    `this run would make ${count} calls that reduce what the service holds (deletions, reversals, ` +
    `lower amounts, voids, refunds), in a ledger of ${held} invoices and orders; the guard allows at most ${number} and at most ${share.toLocaleString("en", { style: "percent" })} of the ledger`
  )
}

const more = (count: number): string => (count > 1 ? ` (and ${n(count - 1)} more)` : "")

/** G2 and G3, which many stop; and of G2, one that is far beyond. */
const manyOf = (guard: "G2" | "G3", { alone, count, first }: OddityCount, invoices: number): string | undefined =>
  alone > 0 || (count > ALWAYS && count > invoices * MANY[guard])
    ? `${guard === "G2" ? "payments far beyond invoices" : "many invoices settled at zero"}: ${first}${more(count)}`
    : undefined

const SINGLE = {
  G4: "an invoice lowered by more than half",
  G5: "another currency with the same amount",
  G6: "an invoice deleted that money was received on",
  G10: "two invoices of one number"
} as const

const plusYears = (day: Day, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, "0")}${day.slice(4)}`

/** G7: the day that is furthest from today, where that is years. */
const yearsAway = ({ earliest, latest, latestDue }: Guarded, today: Day): string | undefined => {
  const isLate = (one: Extreme | undefined, years: number) => one !== undefined && one.day > plusYears(today, years)
  const far =
    earliest !== undefined && earliest.day < plusYears(today, -YEARS.before)
      ? earliest
      : isLate(latest, YEARS.after)
        ? latest
        : isLate(latestDue, YEARS.due)
          ? latestDue
          : undefined
  return far === undefined ? undefined : `a date years away: ${far.subject} would be ${far.what} on ${far.day}`
}

/** What of one plan stops a run, of the connection that it is of. Pure; `today` by the clock. */
export const ofPlan = (guarded: Guarded, today: Day): ReadonlyArray<Omit<Stop, "connection">> => {
  const found: Array<Omit<Stop, "connection">> = []
  const stop = (guard: Guard, why: string | undefined) => void (why !== undefined && found.push({ guard, why }))
  for (const guard of ["G2", "G3"] as const) {
    const count = guarded.oddities.get(guard)
    if (count !== undefined) stop(guard, manyOf(guard, count, guarded.invoices))
  }
  for (const [guard, what] of Object.entries(SINGLE) as ReadonlyArray<[keyof typeof SINGLE, string]>) {
    const count = guarded.oddities.get(guard)
    if (count !== undefined) stop(guard, `${what}: ${count.first}${more(count.count)}`)
  }
  stop("G7", yearsAway(guarded, today))
  return found
}

const ofScan = ({ before, connection, guard, name, now }: StrangeScans.StrangeScan): Omit<Stop, "connection"> => {
  const where = `${connection}${name === "" ? "" : `, ${name}`}`
  return {
    guard,
    why:
      guard === "G8"
        ? `all ids changed: none of the ${n(before)} documents of ${where} is there any more, and ${n(now)} with other ids are`
        : `a source with a tenth of its documents: ${where} had ${n(before)}, and has ${n(now)}`
  }
}

const ORDER = ({ guard }: { readonly guard: Guard }): number => Number(guard.slice(1))

/** What stops a run with this plan, less what the configuration lets pass. */
export const stops = (
  db: Database["Service"],
  connections: ReadonlyArray<Connection>,
  { found, guarded, reductions: counts }: Summary,
  today: Day
): ReadonlyArray<Stop> =>
  connections.flatMap(({ id, planning }) => {
    const own = guarded.get(id)
    if (own === undefined || own.changes === 0) return []
    const { allow = [] } = planning.guards ?? {}
    const count = counts.get(id) ?? 0
    const g1 = count <= ALWAYS ? undefined : reductions(count, held(db, id) + (found.get(id) ?? 0), planning.guards)
    return [
      ...(g1 === undefined ? [] : [{ guard: "G1" as const, why: g1 }]),
      ...ofPlan(own, today),
      ...StrangeScans.of(db, id).map(ofScan)
    ]
      .filter(({ guard }) => !allow.includes(guard))
      .toSorted((a, b) => ORDER(a) - ORDER(b))
      .map((stop) => ({ connection: id, ...stop }))
  })

const held = (db: Database["Service"], id: string): number =>
  db
    .prepare("SELECT count(*) FROM ledger WHERE connection = ? AND remote IS NOT NULL AND currency <> ''")
    .pluck()
    .get(id) as number

/** The numbers of these, each once. */
export const numbers = (all: ReadonlyArray<Stop>): ReadonlyArray<Guard> => [...new Set(all.map(({ guard }) => guard))]

/** Several stops, in one sentence. */
export const said = (all: ReadonlyArray<Stop>): string =>
  all.map(({ connection, guard, why }) => `${connection}: ${guard}: ${why}`).join("; ")

/** Why this plan is not sent, or undefined. `allow`: what a person has allowed in this run. */
export const check = (all: ReadonlyArray<Stop>, allow: ReadonlyArray<Guard> = []): GuardError | undefined => {
  const left = all.filter(({ guard }) => !allow.includes(guard))
  if (left.length === 0) return undefined
  const guards = numbers(left)
  return new GuardError({
    guards,
    why:
      `${said(left)}. Nothing was sent. Look at \`daybook plan\`; if it is right, run again with --allow ${guards.join(",")}` +
      (guards.includes("G1") ? ", or raise `guards` in the configuration" : "")
  })
}
