/**
 * Stops a run before its first call if its plan would take away more than a person would expect, or if it looks like a mistake
 * in the source, the mapping or the data entry. Each guard has a number; a person who names that number lets the run pass.
 *
 * Reductions are deletions, negative payments, lower amounts, voids and refunds. Up to three always pass. Beyond that, a run
 * stops if they are more than a number (default 50) or more than a share of the ledger (default 20%). Those of a first sync that
 * waits for a person do not count: they are history, and part of the question that is asked anyway.
 */
import type { Day } from "../../core/wire/Day.ts"
import * as StrangeScans from "../books/StrangeScans.ts"
import { GuardError } from "../state/LedgerTrust.ts"
import type { Connection } from "../model/Connection.ts"
import type { Guard } from "../model/Guard.ts"
import type { Db } from "../state/Database.ts"
import * as FirstSync from "./FirstSync.ts"
import type { Extreme, Guarded, OddityCount, Summary } from "./Tally.ts"
import * as SettingChanges from "./SettingChanges.ts"
import { grouped } from "../../core/Plural.ts"

const ALWAYS = 3
const NUMBER = 50
const SHARE = 0.2
/** The share of a plan's invoices above which a guard stops it; single ones may be right. */
const MANY = { G2: 0.2, G3: 0.1 } as const
/** How many years a day may be from today. */
const YEARS = { before: 20, after: 2, due: 5 }

type Limits = NonNullable<Connection["planning"]["guards"]>

/** A guard that stops a run, and its connection. */
export interface Stop {
  readonly connection: string
  readonly guard: Guard
  readonly why: string
}

const n = (count: number): string => grouped(count)

/** G1. `held`: how many documents of this connection the service holds. */
export const reductions = (count: number, held: number, { number = NUMBER, share = SHARE }: Limits = {}) => {
  if (count <= ALWAYS || (count <= number && count <= held * share)) return undefined
  return (
    `this run would make ${count} calls that reduce what the service holds (deletions, reversals, ` +
    `lower amounts, voids, refunds), in a ledger of ${held} invoices and orders; the guard allows at most ${number} and at most ${share.toLocaleString("en", { style: "percent" })} of the ledger`
  )
}

const more = (count: number): string => (count > 1 ? ` (and ${n(count - 1)} more)` : "")

/** G2 and G3, which stop a run for many invoices; G2 also for a single one that is far beyond. */
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

/** G7: the day that is furthest from today, if it is years away. */
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

/** The guards that stop the plan of one connection. Pure; `today` comes from the clock. */
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
        ? `all ids changed: the ${n(before)} known documents of ${where} are gone, and ${n(now)} with new ids appeared`
        : `the source lost most of its documents: ${where} had ${n(before)}, and has ${n(now)}`
  }
}

/** G11. A setting deletes nothing by itself. */
const afterChange = (what: ReadonlyArray<string>, count: number): ReadonlyArray<Omit<Stop, "connection">> => {
  if (what.length === 0 || count === 0) return []
  const calls = `${n(count)} ${count === 1 ? "call" : "calls"}`
  return [
    {
      guard: "G11",
      why: `settings were changed of ${what.join(" and ")}, and this run would make ${calls} that ${count === 1 ? "reduces" : "reduce"} what the service holds`
    }
  ]
}

const ORDER = ({ guard }: { readonly guard: Guard }): number => Number(guard.slice(1))

/** The guards that stop this plan, except those that the configuration turns off. */
export const stops = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  { found, guarded, reductions: counts }: Summary,
  today: Day
): ReadonlyArray<Stop> => {
  const first = FirstSync.waiting(db, connections, { guarded })
  return connections.flatMap(({ id, planning }) => {
    const own = guarded.get(id)
    if (own === undefined || own.changes === 0) return []
    const { allow = [] } = planning.guards ?? {}
    const count = counts.get(id) ?? 0
    const later = first.reduce((left, source) => left - (own.reductions.get(source) ?? 0), count)
    const g1 = later <= ALWAYS ? undefined : reductions(later, held(db, id) + (found.get(id) ?? 0), planning.guards)
    return [
      ...(g1 === undefined ? [] : [{ guard: "G1" as const, why: g1 }]),
      ...ofPlan(own, today),
      ...StrangeScans.of(db, id).map(ofScan),
      ...afterChange(SettingChanges.of(db, id), count)
    ]
      .filter(({ guard }) => !allow.includes(guard))
      .toSorted((a, b) => ORDER(a) - ORDER(b))
      .map((stop) => ({ connection: id, ...stop }))
  })
}

const held = (db: Db, id: string): number =>
  db
    .prepare("SELECT count(*) FROM ledger WHERE connection = ? AND remote IS NOT NULL AND currency <> ''")
    .pluck()
    .get(id) as number

/** Their numbers without duplicates. */
export const numbers = (all: ReadonlyArray<Stop>): ReadonlyArray<Guard> => [...new Set(all.map(({ guard }) => guard))]

/** Several stops, in one sentence. */
export const said = (all: ReadonlyArray<Stop>): string =>
  all.map(({ connection, guard, why }) => `${connection}: ${guard}: ${why}`).join("; ")

/** The error that stops this plan, or undefined. `allow`: guards that a person lets pass in this run; `first`: a first sync waits. */
export const check = (
  all: ReadonlyArray<Stop>,
  allow: ReadonlyArray<Guard> = [],
  first = false
): GuardError | undefined => {
  const left = all.filter(({ guard }) => !allow.includes(guard))
  if (left.length === 0) return undefined
  const guards = numbers(left)
  const every = numbers(all)
  const option = first ? FirstSync.option(every) : `--allow ${every.join(",")}`
  return new GuardError({
    guards,
    why:
      `${said(left)}. Nothing was sent. Look at \`daybook plan\`; if it is right, run again with ${option}` +
      (guards.includes("G1") ? ", or raise `guards` in the configuration" : "")
  })
}
