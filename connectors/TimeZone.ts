/** The `time_zone` setting of connectors whose records have instants: whose days they are. */
import { Schema } from "effect"
import * as Day from "../core/wire/Day.ts"
import type { DayOf } from "./Json.ts"
import * as Dates from "./tabular/Dates.ts"

/** `Europe/London` */
export const TimeZone = Schema.String.check(Schema.makeFilter((zone: string) => Dates.wrongZone(zone) ?? true))

/** The calendar days of a time zone; of UTC without one. */
export const dayOf = (zone: string | undefined): DayOf => (zone === undefined ? Day.fromEpochMillis : Dates.dayIn(zone))
