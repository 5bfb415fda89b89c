/**
 * Tracks how far a stream was read: the cursor value and the id of the last row, in the order of rows. Pure.
 */
import { Schema } from "effect"

const maybe = Schema.optionalKey

/** A cursor value as the database writes it; `number` is set if it is a number. */
export const Value = Schema.Struct({ text: Schema.String, number: maybe(Schema.Boolean) })
export type Value = typeof Value.Type

export const Mark = Schema.Struct({
  /** A digest of the query and its settings: if it changes, everything is read again. */
  of: Schema.String,
  /** The last value that was read. */
  at: maybe(Value),
  /** While a read is in progress: the last id with that value. */
  id: maybe(Value),
  /** Where the interrupted read began: after it is resumed and complete, the next read begins here again. */
  low: maybe(Value),
  /** Whether the read is complete. */
  done: maybe(Schema.Boolean)
})
export type Mark = typeof Mark.Type

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:([ T])(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(.*))?$/
const DAY_SECONDS = 86_400

/** Seconds since the epoch, taking the time as UTC; undefined if it is not a time. */
const secondsOf = (text: string): number | undefined => {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [, year, month, day, , hour = "0", minute = "0", second = "0"] = match
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000
}

export const OVERLAP_SECONDS = 600
const OVERLAP_NUMBERS = 1000

/**
 * The value to begin at, `overlap` before the last one, so that late commits are seen; written in the same format. A text
 * that is neither a time nor a number cannot be lowered, so reading begins at the value itself.
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
  // Texts without a fraction sort after those with one if a zone follows: a second earlier sorts before both.
  const from = new Date((at - seconds - (fraction === undefined ? 0 : 1)) * 1000).toISOString()
  return { text: `${from.slice(0, 10)}${separator}${from.slice(11, 19)}${zone}` }
}

/**
 * The day before a time, for columns of text: programs write times in several ways (`2026-09-01 13:00:00` by CURRENT_TIMESTAMP in
 * SQLite, `2026-09-01T10:00:00.000Z` by toISOString in JavaScript), which sort by their days only, and may be of other zones.
 */
export const dayBefore = (value: Value): Value => {
  const at = secondsOf(value.text)
  if (at === undefined || TIME.exec(value.text)?.[4] === undefined) return value
  return { text: new Date((at - DAY_SECONDS) * 1000).toISOString().slice(0, 10) }
}

/** Whether a time is more than a day in the future (zones are unknown), so that nothing after it would ever be read. */
export const ahead = ({ text }: Value, now: number): boolean => {
  const seconds = secondsOf(text)
  return seconds !== undefined && seconds > now / 1000 + DAY_SECONDS
}
