/**
 * Calendar days have no zone: the same in London, Auckland and Los Angeles, and on the days when clocks change.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Day from "../../../core/wire/Day.ts"

const year = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9999 })))
const part = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -1, maximum: 33 })))
const step = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -2000, maximum: 2000 })))
const days = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 2000, maximum: 3_600_000 }))).pipe(
  Arbitrary.map((n) => Day.addDays(Day.of("0001-01-01"), n))
)

/** The calendar once more, counted month by month. */
const lengths = (year: number) => [31, Day.exists(year, 2, 29) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const next = (day: string): string => {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number]
  const text = (y: number, m: number, d: number) =>
    [String(y).padStart(4, "0"), String(m).padStart(2, "0"), String(d).padStart(2, "0")].join("-")
  if (date < lengths(year)[month - 1]!) return text(year, month, date + 1)
  return month < 12 ? text(year, month + 1, 1) : text(year + 1, 1, 1)
}

const home = process.env["TZ"]
afterAll(() => {
  if (home === undefined) delete process.env["TZ"]
  else process.env["TZ"] = home
})

const zones = [
  ["UTC", 0],
  ["Pacific/Auckland", -780],
  ["America/Los_Angeles", 480],
  ["Asia/Kathmandu", -345]
] as const

describe.each(zones)("in %s", (zone, offset) => {
  const there = (run: () => void) => () => {
    process.env["TZ"] = zone
    assert.strictEqual(new Date(2024, 0, 15).getTimezoneOffset(), offset, "the zone is in force")
    run()
  }

  it.prop("the day after is the next of the calendar", { days }, ({ days }) =>
    there(() => assert.strictEqual(Day.addDays(days, 1), next(days)))()
  )

  it.prop("adding and counting agree", { days, step }, ({ days, step }) =>
    there(() => {
      const to = Day.addDays(days, step)
      assert.strictEqual(Day.between(days, to), step)
      assert.strictEqual(Day.between(to, days), step === 0 ? 0 : -step)
      assert.strictEqual(to < days, step < 0)
      assert.strictEqual(Day.fromEpochMillis(Day.toEpochMillis(days)), days)
      assert.strictEqual(Day.fromEpochMillis(Day.toEpochMillis(days) + 86_399_999), days)
    })()
  )

  it(
    "clocks that change take nothing from a day",
    there(() => {
      assert.strictEqual(Day.addDays(Day.of("2024-03-09"), 2), "2024-03-11")
      assert.strictEqual(Day.between(Day.of("2024-03-10"), Day.of("2024-11-03")), 238)
      assert.strictEqual(Day.between(Day.of("2024-04-06"), Day.of("2024-04-08")), 2)
      assert.strictEqual(Day.fromEpochMillis(Date.UTC(2024, 11, 31, 23, 59, 59)), "2024-12-31")
    })
  )
})

describe("the calendar", () => {
  it.prop("a day is made exactly when it exists", { year, month: part, date: part }, ({ date, month, year }) => {
    const made = Day.make(year, month, date)
    const at = new Date(0)
    at.setUTCFullYear(year, month - 1, date)
    const real = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === date
    assert.strictEqual(made !== undefined, real)
    if (made !== undefined) assert.isTrue(Day.isDay(made))
  })

  it("leap years", () => {
    const leap = [4, 1600, 2000, 2024, 2400]
    const common = [1, 1700, 1900, 2023, 2100]
    for (const year of leap) assert.isTrue(Day.exists(year, 2, 29), String(year))
    for (const year of common) assert.isFalse(Day.exists(year, 2, 29), String(year))
    assert.strictEqual(Day.between(Day.of("2000-01-01"), Day.of("2400-01-01")), 146_097)
  })

  const refused = ["", "2024-1-1", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "0000-01-01", "24-01-01"]
  const alike = ["2024-01-01T00:00:00Z", " 2024-01-01", "2024-01-01\n", "2024/01/01", "20240101", "01-02-2024"]
  for (const text of [...refused, ...alike]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.isFalse(Day.isDay(text))
      assert.throws(() => Day.of(text), RangeError)
      assert.throws(() => Schema.decodeUnknownSync(Day.Day)(text), /Use one of these formats instead: YYYY-MM-DD/)
    })
  }

  it("does not leave the years 1 to 9999", () => {
    assert.throws(() => Day.addDays(Day.of("9999-12-31"), 1), RangeError)
    assert.throws(() => Day.addDays(Day.of("0001-01-01"), -1), RangeError)
    assert.throws(() => Day.fromEpochMillis(Number.NaN), RangeError)
  })
})
