/** Fills in the defaults of a configuration's rules. Pure. */
import {
  ALERT_KINDS,
  type AlertKind,
  type AlertRule,
  type AlertSettings,
  type Digest,
  type QuietHours
} from "../model/AlertSettings.ts"

/** One rule: the kind of alert, the channels, and when to notify them. */
export interface Watch {
  readonly kind: AlertKind
  readonly channels: ReadonlyArray<string>
  /** Undefined: all connections. */
  readonly connections?: ReadonlyArray<string>
  /** How many failed runs in a row. */
  readonly times: number
  /** How many days before; undefined: the thing's own. */
  readonly days?: ReadonlyArray<number>
  readonly freeBytes: number
  readonly apartMs: number
  readonly digest?: Digest
  readonly quiet?: QuietHours
}

const TIMES = 3
const FREE = "1 GB"
const SECONDS = 120

const UNITS: Readonly<Record<string, number>> = { MB: 2 ** 20, GB: 2 ** 30 }

const bytesOf = (text: string): number => {
  const [count, unit = "MB"] = text.split(" ")
  return Number(count) * (UNITS[unit] ?? 0)
}

const watchOf = (rule: AlertRule, { channels, quiet: always }: AlertSettings): Watch => {
  const { connections, days, digest, free = FREE, on, quiet = always, seconds = SECONDS, times = TIMES, to } = rule
  return {
    kind: on,
    channels: to ?? Object.keys(channels),
    times,
    freeBytes: bytesOf(free),
    apartMs: seconds * 1000,
    ...(connections === undefined ? {} : { connections }),
    ...(days === undefined ? {} : { days }),
    ...(digest === undefined ? {} : { digest }),
    ...(quiet === undefined || quiet === false ? {} : { quiet })
  }
}

/** Without rules, every kind goes to every channel at once. */
export const watches = (settings: AlertSettings): ReadonlyArray<Watch> =>
  (settings.rules ?? ALERT_KINDS.map((on): AlertRule => ({ on }))).map((rule) => watchOf(rule, settings))
