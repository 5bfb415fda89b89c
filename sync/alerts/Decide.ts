/**
 * What becomes of alerts: those that begin, that got more pressing, that are over; whom to tell, over which channel, and
 * when. Pure: it follows from the rules, the facts and the alerts that stand.
 *
 * Each channel is told of a cause once, and once more that it is over. What is over before a channel was told of it, that
 * channel is not told at all: what it was still to be told is dropped. Nor is it told of a cause that is there again before
 * it heard that it was over.
 */
import { type Cause, causes, isKnown } from "./Causes.ts"
import type { Facts } from "./Facts.ts"
import type { Watch } from "./Rules.ts"
import { dueAt } from "./Timing.ts"

/** What one channel is told of one alert. Instants are milliseconds since the epoch. */
export interface Notice {
  readonly channel: string
  readonly stage: number
  readonly due: number
  /** The channel knows already: it was never told that this was over. */
  readonly known?: true
}

/** A channel that is still to be told that a cause was over; `stage` is what it heard last. */
export interface PendingEnd extends Pick<Cause, "kind" | "cause"> {
  readonly channel: string
  readonly stage: number
}

/** An alert that stands, with what its channels were told of it or will be. */
export interface StandingAlert extends Cause {
  readonly id: number
  readonly notices: ReadonlyArray<Notice & { readonly told: boolean }>
}

export interface AlertDecision {
  readonly begun: ReadonlyArray<{ readonly cause: Cause; readonly notices: ReadonlyArray<Notice> }>
  /** They still stand: with the words of now, and what more there is to tell. */
  readonly changed: ReadonlyArray<{
    readonly id: number
    readonly cause: Cause
    readonly notices: ReadonlyArray<Notice>
  }>
  readonly over: ReadonlyArray<{
    readonly id: number
    /** Its time has passed, and nobody saw to it. */
    readonly passed: boolean
    readonly notices: ReadonlyArray<Notice>
  }>
}

/** A cause that holds, and the rules under which it does. */
interface Holding {
  readonly cause: Cause
  /** By channel; the first rule that names it counts. */
  readonly channels: Map<string, { readonly watch: Watch; readonly stage: number }>
}

const nameOf = ({ cause, kind }: Pick<Cause, "cause" | "kind">): string => `${kind} ${cause}`

const holdings = (
  rules: ReadonlyArray<Watch>,
  facts: Facts,
  standing: ReadonlyMap<string, StandingAlert>
): ReadonlyMap<string, Holding> => {
  const all = new Map<string, Holding>()
  const isOpen = (kind: Cause["kind"], cause: string) => standing.has(nameOf({ kind, cause }))
  for (const watch of rules) {
    for (const cause of causes(facts, watch, isOpen)) {
      const name = nameOf(cause)
      const found = all.get(name)
      const channels: Holding["channels"] = found?.channels ?? new Map()
      for (const channel of watch.channels)
        if (!channels.has(channel)) channels.set(channel, { watch, stage: cause.stage })
      all.set(name, { cause: found !== undefined && found.cause.stage >= cause.stage ? found.cause : cause, channels })
    }
  }
  return all
}

const highest = (alert: StandingAlert | undefined, channel: string): number =>
  Math.max(-1, ...(alert?.notices ?? []).filter((one) => one.channel === channel).map(({ stage }) => stage))

/** What is to be told of it now: to channels that were not told, or at a lower stage. */
const noticesOf = ({ channels }: Holding, alert: StandingAlert | undefined, now: number): ReadonlyArray<Notice> =>
  [...channels].flatMap(([channel, { stage, watch }]) =>
    stage > highest(alert, channel) ? [{ channel, stage, due: dueAt(watch, now) }] : []
  )

const isSame = (a: Cause, b: Cause): boolean =>
  a.stage === b.stage && a.title === b.title && a.words === b.words && a.until === b.until

/** Whoever was told that it began is told that it is over, by the rules of now. */
const ended = (alert: StandingAlert, rules: ReadonlyArray<Watch>, channels: ReadonlySet<string>, now: number) => {
  const names = [...new Set(alert.notices.map(({ channel }) => channel))]
  const wasTold = (name: string) => alert.notices.some(({ channel, told }) => told && channel === name)
  const ruleOf = (name: string) => rules.find((one) => one.kind === alert.kind && one.channels.includes(name))
  return {
    id: alert.id,
    passed: alert.until !== null && alert.until <= now,
    notices: names
      .filter((name) => channels.has(name) && wasTold(name))
      .map((channel) => ({ channel, stage: 0, due: dueAt(ruleOf(channel) ?? {}, now) }))
  }
}

/** What there is to tell of a cause that begins, or begins again. */
const firstNotices = (held: Holding, ends: ReadonlyArray<PendingEnd>, now: number): ReadonlyArray<Notice> =>
  noticesOf(held, undefined, now).flatMap((notice): ReadonlyArray<Notice> => {
    const end = ends.find(({ channel }) => channel === notice.channel)
    if (end === undefined) return [notice]
    const before: Notice = { channel: notice.channel, stage: end.stage, due: now, known: true }
    return notice.stage > end.stage ? [before, notice] : [before]
  })

/** The alerts of the state file, as far as they matter. */
export interface AlertsBefore {
  readonly alerts: ReadonlyArray<StandingAlert>
  readonly ends: ReadonlyArray<PendingEnd>
}

/** @param channels those of the configuration */
export const decideAlerts = (
  rules: ReadonlyArray<Watch>,
  facts: Facts,
  { alerts, ends }: AlertsBefore,
  channels: ReadonlySet<string>
): AlertDecision => {
  const { now } = facts
  const standing = new Map(alerts.map((alert) => [nameOf(alert), alert]))
  const holding = holdings(rules, facts, standing)
  return {
    begun: [...holding]
      .filter(([name]) => !standing.has(name))
      .map(([name, one]) => ({
        cause: one.cause,
        notices: firstNotices(
          one,
          ends.filter((end) => nameOf(end) === name),
          now
        )
      })),
    changed: alerts.flatMap((alert) => {
      const held = holding.get(nameOf(alert))
      if (held === undefined) return []
      const notices = noticesOf(held, alert, now)
      return notices.length === 0 && isSame(alert, held.cause) ? [] : [{ id: alert.id, cause: held.cause, notices }]
    }),
    over: alerts
      .filter((alert) => !holding.has(nameOf(alert)) && isKnown(facts, alert))
      .map((alert) => ended(alert, rules, channels, now))
  }
}
