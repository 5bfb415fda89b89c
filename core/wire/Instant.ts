/**
 * Instants in the service's format: ISO 8601 with microseconds, UTC (DP 2.1).
 * Answers are parsed leniently, because an unusual fraction must not break a client.
 */
import { Schema } from "effect"
import { isDay } from "./Day.ts"

const PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/

/** Milliseconds since the epoch, or NaN. A time without a zone is UTC. */
export const toEpochMillis = (text: string): number => {
  // Date.parse would move a day that does not exist, such as 30 February, into the next month.
  if (!PATTERN.test(text) || !isDay(text.slice(0, 10))) return Number.NaN
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`
  return Date.parse(zoned.replace(/(\.\d{3})\d+/, "$1"))
}

export const fromEpochMillis = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")

/** The format for requests. */
export const Instant = Schema.String.check(
  Schema.makeFilter((text: string) => !Number.isNaN(toEpochMillis(text)), {
    expected: "an ISO 8601 datetime",
    // `date-time` requires a zone; requests without one are accepted as well.
    toJsonSchema: () => ({ format: "date-time" }),
    arbitraryConstraint: {
      patterns: [
        {
          source: "^20[0-9]{2}-(0[1-9]|1[0-2])-[012][1-8]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{6})?(Z|\\+01:00)?$",
          flags: ""
        }
      ]
    },
    message:
      "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."
  })
)
