/**
 * Converts times to the shop's own days. WooCommerce writes each time both in the shop's time zone and in GMT, and tracking
 * plugins write the shop's calendar day. All days of an order use the shop's zone, so that later events never get earlier
 * days. Pure.
 */
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type * as Json from "../Json.ts"
import { moment } from "../Sides.ts"

const HOUR_MS = 3_600_000
/** No time zone is further from GMT; a larger difference means that the two times do not belong together. */
const MOST_MS = 15 * HOUR_MS
const DAY_SECONDS = 86_400

/** A day in the shop's zone, and the moment as `moment` writes it. */
export interface Time {
  readonly date: Day.Day
  readonly at: string
}

/** An instant, and the shop's offset from GMT at that time. */
interface Reading {
  readonly gmt: number
  readonly ahead: number
}

const NAMES = ["date_created", "date_completed", "date_modified"] as const
export type Name = (typeof NAMES)[number]

export class Clock {
  readonly #readings: ReadonlyArray<Reading>

  /** @param records an order and its refunds, which state both times */
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

  /** Reads a time that a record states in GMT. */
  of(record: Json.Fields, name: Name): Time {
    const path = `${name}_gmt`
    record.instantDay(path)
    return this.#at(Instant.toEpochMillis(record.text(path)))
  }

  /** When a parcel was shipped: a day, as text or as the timestamp of its midnight; or an exact time if no day was chosen. */
  shipped(parcel: Json.Fields): Time {
    const path = "date_shipped"
    const seconds = parcel.maybe(path) ?? ""
    if (!/^\d{9,11}$/.test(seconds)) return allDay(parcel.day(path))
    if (Number(seconds) % DAY_SECONDS === 0) return allDay(parcel.unixDay(path))
    return this.#at(Number(seconds) * 1000)
  }

  /** Uses the offset at the nearest known time: it changes twice a year at most. */
  #at(gmt: number): Time {
    const far = (reading: Reading) => Math.abs(reading.gmt - gmt)
    const [nearest] = this.#readings.toSorted((a, b) => far(a) - far(b))
    const date = Day.fromEpochMillis(gmt + (nearest?.ahead ?? 0))
    return { date, at: moment(date, gmt) }
  }
}

const allDay = (date: Day.Day): Time => ({ date, at: moment(date) })
