/**
 * How far a stream was read: the value of its cursor and the id, in the order in which rows come. Pure.
 */
import { Schema } from "effect"

const maybe = Schema.optionalKey

/** A value of the cursor as the database writes it; `number` where it is one. */
export const Value = Schema.Struct({ text: Schema.String, number: maybe(Schema.Boolean) })
export type Value = typeof Value.Type

export const Mark = Schema.Struct({
  /** A digest of the query, and of what it was read with: where that is another, all is read anew. */
  of: Schema.String,
  /** The last value that was read. */
  at: maybe(Value),
  /** While a reading goes on: the last id with that value. */
  id: maybe(Value),
  /** A reading that was cut off goes on where it stopped, and the next one begins again here. */
  low: maybe(Value),
  /** The reading came to its end. */
  done: maybe(Schema.Boolean)
})
export type Mark = typeof Mark.Type

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:([ T])(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(.*))?$/
const DAY_SECONDS = 86_400

/** Seconds since the epoch, as if it were UTC; undefined where it is no time. */
const secondsOf = (text: string): number | undefined => {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, year, month, day, , hour = "0", minute = "0", second = "0"] = match
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000
}

export const OVERLAP_SECONDS = 600
const OVERLAP_NUMBERS = 1000

/**
 * The value to begin from, so that what was committed late is seen: as far behind as asked, written in the same way. A
 * text that is neither a time nor a number has nothing before it; it begins with itself.
 */
export const behind = (value: Value, overlap?: number): Value => {
  const { text } = value
  if (overlap === 0) return value
  if (/^-?\d+(?:\.\d+)?$/.test(text)) {
    const whole = BigInt(text.replace(/\..*$/, "")) - BigInt(overlap ?? OVERLAP_NUMBERS)
    return { ...value, text: whole.toString() }
  }
  const match = TIME.exec(text)
  const at = secondsOf(text)
  if (match === null || at === undefined) return value
  const [, , , , separator, , , , fraction, zone = ""] = match
  const seconds = overlap ?? OVERLAP_SECONDS
  if (separator === undefined) {
    const from = at - Math.ceil(seconds / DAY_SECONDS) * DAY_SECONDS
    return { text: new Date(from * 1000).toISOString().slice(0, 10) }
  }
  // Texts without a fraction sort behind those with one, where a zone follows: a second earlier is before both.
  const from = new Date((at - seconds - (fraction === undefined ? 0 : 1)) * 1000).toISOString()
  return { text: `${from.slice(0, 10)}${separator}${from.slice(11, 19)}${zone}` }
}

/** Whether a time lies so far ahead that nothing after it would ever be read: a day, because zones are not known. */
export const ahead = ({ text }: Value, now: number): boolean => {
  const seconds = secondsOf(text)
  return seconds !== undefined && seconds > now / 1000 + DAY_SECONDS
}
