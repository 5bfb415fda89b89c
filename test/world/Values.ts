/** Days, amounts and histories of the world: nothing here knows of Daybook. */

/** Days count from the world's first one, a Monday. */
export type Day = number

const FIRST = Date.UTC(2026, 4, 4)
const DAY_MS = 86_400_000

/** An instant in UTC, in milliseconds since the epoch. */
export const instant = (day: Day, hour = 0): number => FIRST + day * DAY_MS + hour * 3_600_000

/** Where somebody's days begin and end at other instants than those of UTC. */
export const ZONES = ["Europe/Berlin", "America/New_York", "Pacific/Auckland"] as const
export type Zone = (typeof ZONES)[number]

/** How far its clocks are ahead of UTC's, in hours. */
const ahead = (zone: Zone, at: number): number => {
  const shown = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).format(at)
  const [, sign = "", hours = "0"] = /GMT([+-])(\d\d)/.exec(shown) ?? []
  return Number(`${sign}${hours}`)
}

/** The instant at which it is so late there, by default when the day is another one in UTC. */
export const instantIn = (zone: Zone | undefined, day: Day, hour?: number): number => {
  const its = hour ?? (zone === undefined ? 10 : zone.startsWith("America") ? 20.5 : 0.5)
  return instant(day, its - (zone === undefined ? 0 : ahead(zone, instant(day, its))))
}

/** The same, as clocks there show it. */
export const localOf = (zone: Zone | undefined, at: number): number =>
  zone === undefined ? at : at + ahead(zone, at) * 3_600_000

/** The evening in UTC, when everybody's day is over. */
export const eveningIn = (zone: Zone | undefined): number => (zone?.startsWith("America") === true ? 28 : 20)

export const iso = (day: Day): string => new Date(instant(day)).toISOString().slice(0, 10)

/** Minor units of a currency, of which each has two decimals here. */
export type Minor = bigint

export type Currency = "EUR" | "USD"

export const sum = (amounts: Iterable<Minor>): Minor => {
  let all = 0n
  for (const one of amounts) all += one
  return all
}

export const least = (a: Minor, b: Minor): Minor => (a < b ? a : b)
export const most = (a: Minor, b: Minor): Minor => (a > b ? a : b)

/** `12.34` */
export const major = (minor: Minor): string => {
  const digits = `${minor < 0n ? -minor : minor}`.padStart(3, "0")
  return `${minor < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The minor units of `12.34`, `-12.3` or `12`. */
export const minor = (text: string): Minor => {
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || part.slice(2).replaceAll("0", "") !== "") throw new Error(`"${text}" is not an amount`)
  return BigInt(`${sign}${whole}${part.slice(0, 2).padEnd(2, "0")}`)
}

/** What something was from which day on. */
export class Told<A> {
  readonly #versions: Array<{ readonly from: Day; readonly value: A }>

  constructor(from: Day, value: A) {
    this.#versions = [{ from, value }]
  }

  /** The value from this day on. */
  say(from: Day, value: A): void {
    this.#versions.push({ from, value })
    this.#versions.sort((a, b) => a.from - b.from)
  }

  at(day: Day): A | undefined {
    return this.#versions.findLast(({ from }) => from <= day)?.value
  }

  /** The days on which something changed. */
  get days(): ReadonlyArray<Day> {
    return this.#versions.map(({ from }) => from)
  }
}
