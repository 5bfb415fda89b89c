/** Which times a list is asked for, whatever the clocks say. */
import { assert, describe, it } from "@effect/vitest"
import type { Root } from "../../../connectors/rest/Declaration.ts"
import * as Windows from "../../../connectors/rest/Windows.ts"

const DAY = 86_400
const NOW = Date.parse("2026-03-01T12:00:00Z")

const root: Root<never> = {
  name: "transactions",
  kind: "payment",
  path: "/transactions",
  size: { most: 100 },
  pagination: { by: "none" },
  changes: { within: 31 * DAY, oldest: 1000 * DAY, between: (from, until) => ({ from, until }), tooMany: "TOO_MANY" },
  decode: () => () => ({ documents: [] })
}

const all = (first: Windows.Window | undefined) => {
  const found: Array<Windows.Window> = []
  for (let one = first; one !== undefined; one = Windows.next(root, one)) found.push(one)
  return found
}

describe("a list that is asked for by times", () => {
  it("has no gap between its windows, and none that is too long, from its oldest record to beyond now", () => {
    const windows = all(Windows.first(root, undefined as never, undefined, 0, NOW))
    assert.strictEqual(windows[0]!.from, NOW - 1000 * DAY * 1000)
    assert.isAbove(windows.at(-1)!.until, NOW)
    for (const [n, { from, until }] of windows.entries()) {
      assert.isAtMost(until - from, 31 * DAY * 1000)
      if (n > 0) assert.strictEqual(from, windows[n - 1]!.until)
    }
  })

  it("reaches back behind its mark, and not further than the source has", () => {
    const from = (mark: number, overlap: number) => Windows.first(root, undefined as never, mark, overlap, NOW)!.from
    assert.strictEqual(from(NOW - 5000, 30 * DAY), NOW - 5000 - 30 * DAY * 1000)
    assert.strictEqual(from(0, 30 * DAY), NOW - 1000 * DAY * 1000)
    // By a clock that is far behind the mark, which is of the source's.
    const ahead = Windows.first(root, undefined as never, NOW + 400 * DAY * 1000, 0, NOW)!
    assert.isAbove(ahead.until, ahead.from)
  })

  it("is asked for half of it where the source says so, for as long as there is half of it, and then for more again", () => {
    const window = { from: NOW, until: NOW + 240_000, end: NOW + 31 * DAY * 1000 }
    const half = Windows.halved(root, window, "400 TOO_MANY")!
    assert.deepStrictEqual(half, { ...window, until: NOW + 120_000 })
    assert.deepStrictEqual(Windows.next(root, half), { ...window, from: NOW + 120_000, until: NOW + 360_000 })
    assert.isUndefined(Windows.halved(root, { ...half, until: NOW + 60_000 }, "TOO_MANY"))
    assert.isUndefined(Windows.halved(root, window, "another refusal"))
  })
})
