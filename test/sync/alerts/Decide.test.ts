/**
 * Who is told of what, and when: each cause once to each channel, once more when it is over, nobody in quiet hours, digests
 * at their hour; whatever looks there are in between.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { causes } from "../../../sync/alerts/Causes.ts"
import type { Facts } from "../../../sync/alerts/Facts.ts"
import { dueAt, isQuiet } from "../../../sync/alerts/Timing.ts"
import type { AlertKind } from "../../../sync/model/AlertSettings.ts"
import { at, CHANNELS, facts, inMemory, look, rulesOf, run, messages } from "./Support.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = at("2026-03-10T12:00:00Z")
const iso = (time: number) => new Date(time).toISOString().slice(0, 16)

describe("quiet hours and digests", () => {
  const nights = { from: "22:00", to: "07:00", zone: "Europe/Berlin" }

  it("span midnight, and end at the same hour of the wall clock in winter and in summer", () => {
    const due = (now: string) => iso(dueAt({ quiet: nights }, at(now)))
    assert.strictEqual(due("2026-03-10T20:59:00Z"), "2026-03-10T20:59")
    assert.strictEqual(due("2026-03-10T21:00:00Z"), "2026-03-11T06:00")
    assert.strictEqual(due("2026-03-11T05:59:59Z"), "2026-03-11T06:00")
    assert.strictEqual(due("2026-03-11T06:00:00Z"), "2026-03-11T06:00")
    // The night in which the clocks go forward is an hour shorter, and the one in which they go back an hour longer.
    assert.strictEqual(due("2026-03-28T22:00:00Z"), "2026-03-29T05:00")
    assert.strictEqual(due("2026-10-24T21:00:00Z"), "2026-10-25T06:00")
  })

  it("end right after the jump where the clock jumps over their end, and within the hour that comes twice", () => {
    const early = { from: "23:00", to: "02:30", zone: "Europe/Berlin" }
    assert.strictEqual(iso(dueAt({ quiet: early }, at("2026-03-29T00:59:00Z"))), "2026-03-29T01:00")
    // 02:40 of summer time is not quiet; 02:10 of winter time, half an hour later, is.
    assert.isFalse(isQuiet(early, at("2026-10-25T00:40:00Z")))
    assert.strictEqual(iso(dueAt({ quiet: early }, at("2026-10-25T01:10:00Z"))), "2026-10-25T01:30")
  })

  it("by day are quiet between their hours only; a digest comes at its hour all the same", () => {
    const lunch = { from: "12:00", to: "13:30" }
    assert.strictEqual(iso(dueAt({ quiet: lunch }, NOON)), "2026-03-10T13:30")
    assert.strictEqual(iso(dueAt({ quiet: lunch }, NOON - 1)), "2026-03-10T11:59")
    const digest = { at: "08:00", zone: "Europe/Berlin" }
    assert.strictEqual(iso(dueAt({ digest, quiet: nights }, NOON)), "2026-03-11T07:00")
    assert.strictEqual(iso(dueAt({ digest }, at("2026-03-28T22:00:00Z"))), "2026-03-29T06:00")
    assert.strictEqual(iso(dueAt({ digest: { at: "08:00" } }, at("2026-03-10T08:00:00Z"))), "2026-03-11T08:00")
  })

  const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"] as const
  const time = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1439 })))
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
  it.prop(
    "what is due is never quiet, nothing later is the first such moment, and what is not quiet is due at once",
    { from: time, to: time, zone: Arbitrary.schema(Schema.Literals(zones)), hours: time },
    ({ from, hours, to, zone }) => {
      if (from === to) return
      const quiet = { from: clock(from), to: clock(to), zone }
      for (const start of ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z"]) {
        const now = at(start) + hours * MINUTE
        const due = dueAt({ quiet }, now)
        assert.isFalse(isQuiet(quiet, due))
        if (!isQuiet(quiet, now)) assert.strictEqual(due, now)
        else assert.isTrue(isQuiet(quiet, due - MINUTE))
        assert.isAtMost(due - now, 26 * HOUR)
      }
    },
    { arbitrary: { runs: 40 } }
  )
})

describe("an alert", () => {
  const rules = rulesOf({ on: "failed", times: 3, to: ["ops"] })

  it("is told once while its cause lasts, and once more when it is over", () =>
    inMemory((db) => {
      for (const [minute, failures] of [0, 1, 2, 3, 4, 9, 0, 0].entries())
        look(db, rules, facts(NOON + minute * MINUTE, { runs: [run(failures)] }))
      assert.deepStrictEqual(messages(db), [
        "ops began books: 3 runs in a row failed",
        "ops over books: 9 runs in a row failed"
      ])
      look(db, rules, facts(NOON + HOUR, { runs: [run(3)] }))
      assert.strictEqual(messages(db).length, 3)
    }))

  it("goes to each channel by the first rule that names it, and once", () =>
    inMemory((db) => {
      const both = rulesOf({ on: "failed", times: 1, to: ["desk"] }, { on: "failed", times: 3 })
      for (const failures of [1, 2, 3, 4]) look(db, both, facts(NOON + failures * MINUTE, { runs: [run(failures)] }))
      assert.deepStrictEqual(messages(db), [
        "desk began books: a run failed",
        "ops began books: 3 runs in a row failed"
      ])
    }))

  it("that is over before anybody was told is not told; one that was told is over at the end of the night", () =>
    inMemory((db) => {
      const quiet = { from: "22:00", to: "07:00" }
      const nightly = rulesOf({ on: "failed", times: 1, to: ["ops"], quiet })
      const evening = at("2026-03-10T21:59:00Z")
      look(db, nightly, facts(evening, { runs: [run(1)] }))
      look(db, nightly, facts(evening + 2 * MINUTE, { runs: [run(1), run(1, { connection: "bank" })] }))
      look(db, nightly, facts(evening + HOUR, { runs: [] }))
      assert.deepStrictEqual(messages(db), ["ops began books: a run failed"])
      look(db, nightly, facts(at("2026-03-11T06:59:00Z")))
      assert.strictEqual(messages(db).length, 1)
      look(db, nightly, facts(at("2026-03-11T07:00:00Z")))
      assert.deepStrictEqual(messages(db).slice(1), ["ops over books: a run failed"])
    }))

  it("that is there again before anybody heard that it was over is told neither", () =>
    inMemory((db) => {
      const quiet = { from: "22:00", to: "07:00" }
      const nightly = rulesOf({ on: "failed", times: 1, to: ["ops"], quiet })
      const evening = at("2026-03-10T21:00:00Z")
      for (const [hours, failures] of [1, 1, 0, 1, 1].entries())
        look(db, nightly, facts(evening + hours * HOUR, { runs: [run(failures)] }))
      look(db, nightly, facts(at("2026-03-11T07:00:00Z"), { runs: [run(2)] }))
      assert.deepStrictEqual(messages(db), ["ops began books: a run failed"])
      look(db, nightly, facts(at("2026-03-11T08:00:00Z")))
      assert.deepStrictEqual(messages(db).slice(1), ["ops over books: 2 runs in a row failed"])
    }))

  it("of a digest comes at its hour, all in one message", () =>
    inMemory((db) => {
      const daily = rulesOf({ on: "attention", to: ["desk"], digest: { at: "08:00" } })
      const item = (id: number) => ({ id, subject: `books/invoice/${id}`, why: "why", todo: "do" })
      look(db, daily, facts(NOON, { attention: [item(1), item(2)] }))
      look(db, daily, facts(NOON + HOUR, { attention: [item(2), item(3)] }))
      look(db, daily, facts(at("2026-03-11T07:59:59Z"), { attention: [item(2), item(3)] }))
      assert.deepStrictEqual(messages(db), [])
      look(db, daily, facts(at("2026-03-11T08:00:00Z"), { attention: [item(2), item(3)] }))
      assert.deepStrictEqual(messages(db), [
        "desk began books/invoice/3 needs attention",
        "desk began books/invoice/2 needs attention"
      ])
    }))

  it("that grows more pressing is told again; the deadline that passed is not called resolved", () =>
    inMemory((db) => {
      const watch = rulesOf({ on: "deadline", to: ["ops"] })
      const on = (daysLeft: number): Partial<Facts> => ({
        deadlines: [
          {
            subject: "books/invoice/7",
            connection: "books",
            number: "7",
            name: "Tern & Sons",
            day: "2026-03-20",
            daysLeft,
            what: "window closes",
            open: "120.00",
            currency: "GBP",
            status: "late_can_handover",
            remind: [7, 3],
            until: at("2026-03-21T00:00:00Z")
          }
        ]
      })
      for (const left of [10, 7, 6, 3, 2, 0])
        look(db, watch, facts(at("2026-03-20T09:00:00Z") - left * 24 * HOUR, on(left)))
      look(db, watch, facts(at("2026-03-21T00:00:01Z")))
      assert.deepStrictEqual(messages(db), [
        "ops began books/invoice/7: the window for collections closes in 7 days",
        "ops began books/invoice/7: the window for collections closes in 3 days",
        "ops passed books/invoice/7: the window for collections closes today"
      ])
    }))

  it("of which nothing is known now stays; one whose channel is no longer configured is told to nobody", () =>
    inMemory((db) => {
      const watch = rulesOf({ on: "disk", free: "1 GB" }, { on: "difference" }, { on: "clock" })
      const differs = { connection: "books", what: "GBP", count: 2, first: "INV-1: not sent yet" }
      const full = { freeBytes: 2 ** 29, totalBytes: 2 ** 38 }
      look(db, watch, facts(NOON, { disk: full, differences: [differs], aheadMs: -300_000 }))
      assert.deepStrictEqual(
        messages(db).filter((one) => one.startsWith("ops")),
        [
          "ops began this machine's clock is wrong",
          "ops began books: the statement has 2 differences (GBP)",
          "ops began the disk is nearly full: 512 MB left"
        ]
      )
      const unknown = {
        disk: undefined,
        aheadMs: undefined,
        looked: { drift: new Set<string>(), difference: new Set<string>() }
      }
      look(db, watch, facts(NOON + MINUTE, unknown))
      assert.strictEqual(messages(db).length, 6)
      // A little more than the limit is not enough room.
      look(db, watch, facts(NOON + 2 * MINUTE, { disk: { ...full, freeBytes: 2 ** 30 + 1 } }), new Set(["ops"]))
      assert.deepStrictEqual(messages(db).slice(6), [
        "ops over this machine's clock is wrong",
        "ops over books: the statement has 2 differences (GBP)"
      ])
    }))

  it("is of each kind of thing", () => {
    const row = {
      connection: "books",
      kind: "invoice",
      field: "Net",
      why: "is missing",
      records: 9,
      origin: "a.csv:2",
      since: 0
    }
    const all = facts(NOON, {
      runs: [run(3), run(0, { connection: "bank", authorisedUntil: NOON + 72 * HOUR })],
      attention: [{ id: 1, subject: "books/invoice/1", why: "w", todo: "t" }],
      approvals: [{ connection: "books", calls: 2, reductions: 1, why: null }],
      drift: [row]
    })
    const titles = (on: AlertKind, found = all) =>
      causes(found, rulesOf({ on })[0]!, () => false).map(({ title }) => title)
    assert.deepStrictEqual(titles("authorisation"), ["bank: the authorisation expires in 3 days"])
    const lost = facts(NOON, { runs: [run(1, { unauthorised: "xero: the source does not accept the credentials" })] })
    assert.deepStrictEqual(titles("authorisation", lost), ["books: the authorisation was lost"])
    assert.deepStrictEqual(titles("attention"), ["books/invoice/1 needs attention"])
    assert.deepStrictEqual(titles("approval"), ["books: a plan waits for approval"])
    assert.deepStrictEqual(titles("drift"), ["books: the source changed: Net of invoice records"])
    assert.deepStrictEqual(titles("disk"), [])
    const [only] = rulesOf({ on: "failed", connections: ["bank"] })
    assert.deepStrictEqual(
      causes(all, only!, () => false),
      []
    )
  })
})

/** Whether each of two connections fails at each look, and how long it is to the next. */
const histories = Arbitrary.schema(
  Schema.Array(
    Schema.Tuple([Schema.Boolean, Schema.Boolean, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 700 }))])
  ).check(Schema.isMaxLength(40))
)

describe("whatever happens", () => {
  it.prop(
    "each channel hears of a cause in turns that it began and that it is over, never by night, and in the end how it stands",
    { history: histories },
    ({ history }) =>
      inMemory((db) => {
        const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" }
        const rules = rulesOf(
          { on: "failed", times: 1, to: ["ops"], quiet },
          { on: "failed", times: 1, digest: { at: "08:00" } }
        )
        let now = at("2026-03-27T12:00:00Z")
        const runsOf = (books: boolean, bank: boolean) => [
          run(books ? 1 : 0),
          run(bank ? 1 : 0, { connection: "bank" })
        ]
        let last: readonly [boolean, boolean] = [false, false]
        for (const [books, bank, minutes] of history) {
          const before = messages(db)
          look(db, rules, facts(now, { runs: runsOf(books, bank) }))
          if (isQuiet(quiet, now)) assert.notInclude(messages(db).slice(before.length).join(), "ops")
          last = [books, bank]
          now += minutes * MINUTE
        }
        // Two days later nothing waits any more.
        look(db, rules, facts(now + 48 * HOUR, { runs: runsOf(...last) }))
        look(db, rules, facts(now + 96 * HOUR, { runs: runsOf(...last) }))
        for (const channel of CHANNELS)
          for (const [index, name] of ["books", "bank"].entries()) {
            const heard = messages(db).filter((one) => one.startsWith(channel) && one.includes(` ${name}: `))
            for (const [n, one] of heard.entries())
              assert.include(one, n % 2 === 0 ? " began " : " over ", heard.join("; "))
            assert.strictEqual(heard.length % 2 === 1, last[index], heard.join("; "))
          }
      }),
    { arbitrary: { runs: 25 } }
  )
})
