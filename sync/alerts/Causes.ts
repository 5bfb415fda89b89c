/**
 * Finds the causes of alerts: for each kind and rule, which causes the facts show. A cause has a name that stays the same as
 * long as it is the same thing, so that it is reported once; one that becomes more urgent moves to a higher stage, and is
 * reported again. Pure.
 */
import { grouped, plural } from "../../core/Plural.ts"
import * as Day from "../../core/wire/Day.ts"
import type { AlertKind } from "../model/AlertSettings.ts"
import type { Facts } from "./Facts.ts"
import type { Watch } from "./Rules.ts"

export interface Cause {
  readonly kind: AlertKind
  /** Null: the alert is about the machine. */
  readonly connection: string | null
  /** Unique among those of its kind. */
  readonly cause: string
  readonly stage: number
  /** One line. */
  readonly title: string
  /** What is known of it, and what to do. */
  readonly words: string
  /** When its deadline passes, if nobody acts: milliseconds since the epoch. */
  readonly until: number | null
}

/** Default days before the end of an authorisation and before an offer ends. */
const AUTHORISATION_DAYS = [14, 3, 1]
const OFFER_DAYS = [3, 1]

/** The stage of a lost authorisation: higher than any number of days can reach. */
const LOST = 1000

/** An alert about the disk ends only when this much more than the limit is free, so that it does not come and go. */
const RELIEF = 1.2

/** How many of these days have been reached with this many days left; 0 if none. */
const stageOf = (days: ReadonlyArray<number>, left: number): number => days.filter((day) => left <= day).length

const inDays = (days: number): string => (days <= 0 ? "today" : days === 1 ? "tomorrow" : `in ${plural(days, "day")}`)

const nameIn = ({ names }: Facts, connection: string): string => names.get(connection) ?? connection

type Found = Omit<Cause, "kind">
type Finder = (facts: Facts, watch: Watch, isOpen: (cause: string) => boolean) => ReadonlyArray<Found>

const failed: Finder = (facts, { times }) =>
  facts.runs
    .filter(({ failures }) => failures >= times)
    .map(({ connection, failures, message }) => ({
      connection,
      cause: connection,
      stage: 0,
      title: `${nameIn(facts, connection)}: ${failures === 1 ? "a run failed" : `${plural(failures, "run")} in a row failed`}`,
      words: message ?? "",
      until: null
    }))

const authorisation: Finder = (facts, { days = AUTHORISATION_DAYS }) =>
  facts.runs.flatMap(({ authorisedUntil, connection, unauthorised }) => {
    const name = nameIn(facts, connection)
    const of = { connection, cause: connection, until: null }
    if (unauthorised !== null)
      return [{ ...of, stage: LOST, title: `${name}: the authorisation was lost`, words: unauthorised }]
    if (authorisedUntil === null) return []
    const day = Day.fromEpochMillis(authorisedUntil)
    const left = Day.between(Day.fromEpochMillis(facts.now), day)
    const stage = stageOf(days, left)
    if (stage === 0) return []
    const words = `Renew it before ${day} with \`daybook connect ${name}\`.`
    return [{ ...of, stage, title: `${name}: the authorisation expires ${inDays(left)}`, words }]
  })

const connectionOf = (subject: string): string => subject.slice(0, Math.max(0, subject.indexOf("/")))

const attention: Finder = ({ attention: items }) =>
  items.map(({ id, subject, todo, why }) => ({
    connection: connectionOf(subject),
    cause: String(id),
    stage: 0,
    title: `${subject} needs attention`,
    words: `${why}\n→ ${todo}`,
    until: null
  }))

const approval: Finder = (facts) =>
  facts.approvals.map(({ calls, connection, reductions, why }) => {
    const name = nameIn(facts, connection)
    const lowering = reductions > 0 ? `, ${grouped(reductions)} of them lower or remove something` : ""
    const about = why === null ? "" : ` (${why})`
    return {
      connection,
      cause: connection,
      stage: 0,
      title: `${name}: a plan waits for approval`,
      words: `${plural(calls, "call")}${lowering}${about}. Look at it on the page, or with \`daybook approve ${name}\`.`,
      until: null
    }
  })

const drift: Finder = (facts) =>
  facts.drift.map(({ connection, field, kind, origin, records, why }) => ({
    connection,
    cause: JSON.stringify([connection, kind, field, why]),
    stage: 0,
    title: `${nameIn(facts, connection)}: the source changed: ${field} of ${kind.replaceAll("_", " ")} records`,
    words: `${why} (${plural(records, "record")}, the first at ${origin})`,
    until: null
  }))

const difference: Finder = (facts) =>
  facts.differences.map(({ connection, count, first, what }) => ({
    connection,
    cause: JSON.stringify([connection, what]),
    stage: 0,
    title: `${nameIn(facts, connection)}: the statement has ${plural(count, "difference")} (${what})`,
    words: `${first}${count > 1 ? `; and ${grouped(count - 1)} more` : ""}. See \`daybook status\`.`,
    until: null
  }))

const deadline: Finder = ({ deadlines }, { days }) =>
  deadlines.flatMap(({ connection, day, daysLeft, name, number, remind, subject, until, what }) => {
    if (what === "due") return []
    const stage = stageOf(days ?? (what === "offer ends" ? OFFER_DAYS : remind), daysLeft)
    if (stage === 0) return []
    const ends =
      what === "offer ends"
        ? ["the offer of cover ends", "Have it bought or rejected with `daybook cover`."]
        : ["the window for collections closes", "Hand it over with `daybook collect` before that."]
    return [
      {
        connection,
        cause: JSON.stringify([subject, what, day]),
        stage,
        title: `${subject}: ${ends[0]} ${inDays(daysLeft)}`,
        words: `Invoice ${number} of ${name}, on ${day}. ${ends[1]}`,
        until
      }
    ]
  })

const sizeOf = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${grouped(Math.floor(bytes / 2 ** 30))} GB` : `${Math.floor(bytes / 2 ** 20)} MB`

const disk: Finder = ({ disk: found }, { freeBytes: least }, isOpen) =>
  found === undefined || found.freeBytes >= least * (isOpen("disk") ? RELIEF : 1)
    ? []
    : [
        {
          connection: null,
          cause: "disk",
          stage: 0,
          title: `the disk is nearly full: ${sizeOf(found.freeBytes)} left`,
          words: `The disk with the state file has ${sizeOf(found.freeBytes)} of ${sizeOf(found.totalBytes)} left. Make room: nothing can be read or sent once it is full.`,
          until: null
        }
      ]

const clock: Finder = ({ aheadMs = 0 }, { apartMs }) => {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds * 1000 <= apartMs) return []
  const words = `It is ${plural(seconds, "second")} ${aheadMs > 0 ? "ahead of" : "behind"} the service's. Set it, and keep it right: days near midnight may be wrong.`
  return [{ connection: null, cause: "clock", stage: 0, title: "this machine's clock is wrong", words, until: null }]
}

const FINDERS: Readonly<Record<AlertKind, Finder>> = {
  failed,
  authorisation,
  attention,
  approval,
  drift,
  difference,
  deadline,
  disk,
  clock
}

/** The causes under one rule. `isOpen`: whether there is a current alert of this kind and cause. */
export const causes = (
  facts: Facts,
  watch: Watch,
  isOpen: (kind: AlertKind, cause: string) => boolean
): ReadonlyArray<Cause> => {
  const { connections, kind } = watch
  const wanted = ({ connection }: Found) =>
    connection === null ||
    (facts.names.has(connection) &&
      (connections === undefined ||
        connections.some((one) => one === connection || one === facts.names.get(connection))))
  return FINDERS[kind](facts, watch, (cause) => isOpen(kind, cause))
    .filter(wanted)
    .map((found) => ({ ...found, kind }))
}

/** Whether the facts say anything about it now: what is unknown neither begins nor ends an alert. */
export const isKnown = (facts: Facts, { connection, kind }: Pick<Cause, "connection" | "kind">): boolean => {
  switch (kind) {
    case "disk":
      return facts.disk !== undefined
    case "clock":
      return facts.aheadMs !== undefined
    case "drift":
    case "difference":
      // Nobody checks a connection that is no longer configured.
      return connection === null || !facts.names.has(connection) || facts.looked[kind].has(connection)
    default:
      return true
  }
}
