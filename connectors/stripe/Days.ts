/** Whose days an invoice has, where the account's time zone cannot be read. Pure. */
import * as Day from "../../core/wire/Day.ts"
import type { DayOf } from "../Json.ts"

const DAY_SECONDS = 86_400
/** The farthest east; the farthest west is 10 hours. */
const EAST_SECONDS = 14 * 3600

/** A due date that is chosen in the dashboard is the last second of its day there, which shows the zone at that time. */
export const daysBy = (due: string): DayOf | undefined => {
  if (!/^\d{1,11}$/.test(due) || Number(due) % 900 !== 899) return undefined
  const ahead = DAY_SECONDS - 1 - (Number(due) % DAY_SECONDS)
  const offset = ahead > EAST_SECONDS ? ahead - DAY_SECONDS : ahead
  return (millis) => Day.fromEpochMillis(millis + offset * 1000)
}
