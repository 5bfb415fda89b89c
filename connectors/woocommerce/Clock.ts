/**
 * The shop's clock. WooCommerce writes each time twice, by the shop's own clock and in GMT, and tracking plugins write the
 * shop's calendar day: all days of an order are the shop's own, so that none is before another that came after it. Pure.
 */
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type * as Json from "../Json.ts"
import * as Refunds from "../Refunds.ts"

const HOUR_MS = 3_600_000
/** No clock on earth is further from Greenwich: what is, was not written by one clock. */
const MOST_MS = 15 * HOUR_MS
const DAY_SECONDS = 86_400

/** A day of the shop's, and when on it, as `Refunds.moment` writes it. */
export interface Time {
  readonly date: Day.Day
  readonly at: string
}

/** An instant, and how far the shop's clock was ahead of it. */
interface Reading {
  readonly gmt: number
  readonly ahead: number
}

const NAMES = ["date_created", "date_completed", "date_modified"] as const
export type Name = (typeof NAMES)[number]

export class Clock {
  readonly #readings: ReadonlyArray<Reading>

  /** @param records an order and its refunds, which say both times */
  constructor(records: ReadonlyArray<Json.Fields>) {
    this.#readings = records.flatMap((record) =>
      NAMES.flatMap((name): ReadonlyArray<Reading> => {
        const at = (path: string) => Instant.toEpochMillis(record.maybe(path) ?? "")
        const gmt = at(`${name}_gmt`)
        const ahead = at(name) - gmt
        return Math.abs(ahead) <= MOST_MS ? [{ gmt, ahead }] : []
      })
    )
  }

  /** A time that a record states in GMT. */
  of(record: Json.Fields, name: Name): Time {
    const path = `${name}_gmt`
    record.instantDay(path)
    return this.#at(Instant.toEpochMillis(record.text(path)))
  }

  /** When a parcel left: a day, as text or as the seconds of its midnight; or the very second where nobody chose a day. */
  shipped(parcel: Json.Fields): Time {
    const path = "date_shipped"
    const seconds = parcel.maybe(path) ?? ""
    if (!/^\d{9,11}$/.test(seconds)) return allDay(parcel.day(path))
    if (Number(seconds) % DAY_SECONDS === 0) return allDay(parcel.unixDay(path))
    return this.#at(Number(seconds) * 1000)
  }

  /** As far ahead as it was at the nearest time that is known: it changes twice a year at most. */
  #at(gmt: number): Time {
    const far = (reading: Reading) => Math.abs(reading.gmt - gmt)
    const [nearest] = this.#readings.toSorted((a, b) => far(a) - far(b))
    const date = Day.fromEpochMillis(gmt + (nearest?.ahead ?? 0))
    return { date, at: Refunds.moment(date, gmt) }
  }
}

const allDay = (date: Day.Day): Time => ({ date, at: Refunds.moment(date) })
