/**
 * What is due when. The calendar of the zone itself is the witness, and the daemon may look at any moments, stop, and be
 * restarted in between.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { backoff, begin, due, mend, next, Schedule, words } from "../../../sync/model/Schedule.ts"
import { oneOf } from "../../support/Books.ts"

const MINUTE = 60_000
const DAY = 86_400_000
const at = (text: string) => Date.parse(text)
const iso = (time: number) => new Date(time).toISOString()

/** The due times in a span, one after the other. */
const times = (schedule: Schedule, from: number, to: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let time = next(schedule, from); time <= to; time = next(schedule, time)) found.push(time)
  return found
}

/** What the clock on the wall shows there. */
const wall = (zone: string) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit"
  })
  return (time: number) => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    return { day: `${part["year"]}-${part["month"]}-${part["day"]}`, time: `${part["hour"]}:${part["minute"]}` }
  }
}

/** The runs that a daemon makes which looks at these moments. */
const runs = (schedule: Schedule, looks: ReadonlyArray<number>, from: number) => {
  let mark = begin(schedule, from)
  return looks.filter((now) => {
    mark = mend(schedule, mark, now)
    const made = due(schedule, mark, now)
    mark = made ?? mark
    return made !== undefined
  })
}

const zones = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati", "UTC"]

describe("a cron expression in a zone", () => {
  for (const zone of zones) {
    it(`comes once on every day of a year in ${zone}, clocks going forward and back`, () => {
      for (const [cron, time] of [
        ["30 2 * * *", "02:30"],
        ["0 6 * * *", "06:00"],
        ["15 1 * * *", "01:15"]
      ] as const) {
        const look = wall(zone)
        const found = times({ cron, zone }, at("2025-12-31T12:00:00Z"), at("2026-12-31T00:00:00Z")).map(look)
        const days = found.map(({ day }) => day)
        assert.strictEqual(new Set(days).size, days.length, "a day with two")
        const span = [days[0]!, days.at(-1)!].map((day) => at(`${day}T00:00:00Z`))
        assert.strictEqual((span[1]! - span[0]!) / DAY + 1, days.length, "a day with none")
        const shifted = found.filter((one) => one.time !== time)
        assert.isAtMost(shifted.length, 1)
        // What the clocks jump over is due right behind the jump.
        for (const one of shifted) assert.isAbove(Number(one.time.replace(":", "")), Number(time.replace(":", "")))
      }
    })
  }

  it("follows the hands of the clock where it has wildcards: the hour that comes twice has its runs twice", () => {
    const autumn = times(
      { cron: "*/30 * * * *", zone: "Europe/Paris" },
      at("2026-10-25T00:00:00Z") - 1,
      at("2026-10-25T02:00:00Z")
    )
    assert.deepStrictEqual(
      autumn.map(wall("Europe/Paris")).map(({ time }) => time),
      ["02:00", "02:30", "02:00", "02:30", "03:00"]
    )
    const spring = times(
      { cron: "*/30 * * * *", zone: "Europe/Paris" },
      at("2026-03-29T00:00:00Z") - 1,
      at("2026-03-29T02:00:00Z")
    )
    assert.deepStrictEqual(
      spring.map(wall("Europe/Paris")).map(({ time }) => time),
      ["01:00", "01:30", "03:00", "03:30", "04:00"]
    )
  })

  it("with a list of hours comes once for each, also in the night with the hour that comes twice", () => {
    const found = times(
      { cron: "0 1,2,3 * * *", zone: "Europe/Paris" },
      at("2026-10-24T20:00:00Z"),
      at("2026-10-25T12:00:00Z")
    )
    assert.deepStrictEqual(
      found.map(wall("Europe/Paris")).map(({ time }) => time),
      ["01:00", "02:00", "03:00"]
    )
  })

  it("agrees with a calendar that is asked all through a year", () => {
    const zone = "Europe/Paris"
    const look = wall(zone)
    const weekday = new Intl.DateTimeFormat("en", { timeZone: zone, weekday: "short" })
    const expected: Array<string> = []
    const [from, to] = [at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z")]
    for (let time = from + 30 * MINUTE; time <= to; time += 30 * MINUTE)
      if (look(time).time === "06:00" && !/^S/.test(weekday.format(time))) expected.push(iso(time))
    assert.isAbove(expected.length, 250)
    assert.deepStrictEqual(times({ cron: "0 6 * * 1-5", zone }, from, to).map(iso), expected)
  })
})

const schedules: ReadonlyArray<Schedule> = [
  "15 minutes",
  "1 hour",
  "10 seconds",
  { cron: "30 2 * * *", zone: "Europe/Paris" },
  { cron: "*/20 * * * *", zone: "America/New_York" },
  { cron: "0 6 * * 1-5", zone: "Europe/Paris" },
  { cron: "0 0 1 * *" }
]

/** From the night before the clocks go forward, or back, a look every so often: seconds, hours, days. */
const histories = Arbitrary.all({
  schedule: oneOf(...schedules),
  from: oneOf(at("2026-03-28T20:13:27Z"), at("2026-10-24T21:59:59Z"), at("2026-10-25T00:30:00Z")),
  gaps: Arbitrary.schema(
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40_000 }))).check(Schema.isMaxLength(60))
  ),
  long: oneOf(0, 1, 2, 5)
})

describe("a daemon that looks at any moments", () => {
  it.prop(
    "makes each due run once, at the first look behind it, whatever the pauses",
    { history: histories },
    ({ history: { from, gaps, long, schedule } }) => {
      let now = from
      const looks = gaps.map((gap, n) => (now += gap * 1000 + (n % 7 === 3 ? long * DAY : 0)))
      const slots = times(schedule, begin(schedule, from), now)
      // Each slot belongs to the first look at or behind it; slots with the same look are one run.
      const expected = new Set(slots.flatMap((slot) => looks.find((look) => look >= slot) ?? []))
      assert.deepStrictEqual(runs(schedule, looks, from).map(iso), [...expected].map(iso))
    },
    { arbitrary: { runs: 400 } }
  )

  it("that looks every ten seconds makes them on the second", () => {
    const from = at("2026-10-24T22:00:00Z")
    const looks = Array.from({ length: 12 * 360 }, (_, n) => from + n * 10_000)
    for (const schedule of schedules) {
      const made = runs(schedule, looks, from)
      assert.deepStrictEqual(made.map(iso), times(schedule, begin(schedule, from), looks.at(-1)!).map(iso))
    }
  })
})

describe("a clock that is set", () => {
  const nightly = { cron: "30 2 * * *", zone: "Europe/Paris" } as const

  it("back by an hour: what ran does not run again, and what comes next comes", () => {
    const from = at("2026-06-01T00:00:00Z")
    // 02:31 in Paris, then 01:45, 02:30, 02:40, and the next day.
    const looks = ["00:31", "T-1", "00:30", "00:40"].map((time) =>
      time === "T-1" ? at("2026-05-31T23:45:00Z") : at(`2026-06-01T${time}:00Z`)
    )
    assert.deepStrictEqual(runs(nightly, [...looks, at("2026-06-02T00:30:00Z")], from).map(iso), [
      "2026-06-01T00:31:00.000Z",
      "2026-06-02T00:30:00.000Z"
    ])
  })

  it("forward by years and back again: it does not wait for those years", () => {
    const from = at("2026-06-01T12:00:00Z")
    const looks = [at("2031-01-01T00:00:00Z"), at("2026-06-01T12:05:00Z"), at("2026-06-02T00:30:00Z")]
    assert.deepStrictEqual(runs(nightly, looks, from).map(iso), [
      "2031-01-01T00:00:00.000Z",
      "2026-06-02T00:30:00.000Z"
    ])
  })

  it("back: an interval goes on after its own length, counted from then", () => {
    const from = at("2026-06-01T12:00:00Z")
    const schedule = "15 minutes"
    let mark = due(schedule, begin(schedule, from), from)!
    const back = from - 3 * 3_600_000
    mark = mend(schedule, mark, back)
    assert.isUndefined(due(schedule, mark, back))
    assert.isUndefined(due(schedule, mark, back + 14 * MINUTE))
    assert.isDefined(due(schedule, mark, back + 15 * MINUTE))
  })
})

describe("settings of a schedule", () => {
  const decode = Schema.decodeUnknownResult(Schedule)

  it("that mean something are taken", () => {
    for (const one of schedules) assert.strictEqual(decode(one)._tag, "Success", words(one))
    assert.strictEqual(words({ cron: "0 6 * * 1-5", zone: "Europe/Paris" }), "0 6 * * 1-5 (Europe/Paris)")
    assert.strictEqual(words("15 minutes"), "every 15 minutes")
  })

  it("that mean nothing are refused", () => {
    for (const one of ["often", "1 second", "900 days", "-5 minutes", { cron: "6 o'clock" }, { cron: "0 0 31 2 *" }])
      assert.strictEqual(decode(one)._tag, "Failure", JSON.stringify(one))
    assert.strictEqual(decode({ cron: "0 6 * * *", zone: "Europe/Atlantis" })._tag, "Failure")
  })

  it("a failing connection is tried again after a minute, two, four, and at last every hour", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 7, 50].map((n) => backoff(n) / MINUTE),
      [1, 2, 4, 8, 60, 60]
    )
  })
})
