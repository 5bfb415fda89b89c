/**
 * Instants are read as leniently as ISO 8601 is written, and never moved: not into another zone, not into next month.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as Instant from "../../../core/wire/Instant.ts"

const millis = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1, 0, 1) + 6e13, maximum: Date.UTC(9999, 0, 1) }))
)

describe("Instant", () => {
  it.prop("is written with microseconds in UTC, and read back", { millis }, ({ millis }) => {
    const text = Instant.fromEpochMillis(millis)
    assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.strictEqual(Instant.toEpochMillis(text), millis)
  })

  const noon = Date.UTC(2024, 1, 29, 12)
  const read = [
    ["2024-02-29T12:00:00.000000Z", noon],
    ["2024-02-29T12:00:00Z", noon],
    ["2024-02-29T12:00Z", noon],
    ["2024-02-29T12:00:00", noon],
    ["2024-02-29T14:00:00+02:00", noon],
    ["2024-02-29T14:00:00+0200", noon],
    ["2024-02-29T07:00:00.5-05:00", noon + 500],
    ["2024-02-29T12:00:00.123456Z", noon + 123],
    ["2024-02-29T12:00:00.123999999Z", noon + 123],
    ["2024-02-29T23:30:00-01:00", Date.UTC(2024, 2, 1, 0, 30)]
  ] as const
  for (const [text, at] of read) {
    it(`reads ${text}`, () => {
      assert.strictEqual(Instant.toEpochMillis(text), at)
      assert.strictEqual(Schema.decodeUnknownSync(Instant.Instant)(text), text, "and keeps it as it was written")
    })
  }

  it("is UTC without a zone, wherever it is read", () => {
    const home = process.env["TZ"]
    try {
      for (const zone of ["Pacific/Auckland", "America/Los_Angeles"]) {
        process.env["TZ"] = zone
        assert.strictEqual(Instant.toEpochMillis("2024-02-29T12:00:00"), noon, zone)
      }
    } finally {
      if (home === undefined) delete process.env["TZ"]
      else process.env["TZ"] = home
    }
  })

  const refused = [
    "",
    "2024-02-29",
    "2024-02-30T12:00:00Z",
    "2023-02-29T12:00:00Z",
    "2024-04-31T12:00:00+02:00",
    "2024-13-01T12:00:00Z",
    "2024-01-01T25:00:00Z",
    "2024-01-01T12:60:00Z",
    "2024-01-01 12:00:00Z",
    "2024-01-01T12:00:00.Z",
    "2024-01-01T12:00:00+99:99",
    "Thu, 29 Feb 2024 12:00:00 GMT",
    "1709208000000",
    "2024-01-01T12:00:00Z\n"
  ]
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.isNaN(Instant.toEpochMillis(text))
      assert.throws(() => Schema.decodeUnknownSync(Instant.Instant)(text), /Datetime has wrong format/)
    })
  }
})
