/** From one page to the next, for each way in which sources cut lists. */
import { assert, describe, it } from "@effect/vitest"
import type { List, Pagination } from "../../../connectors/rest/Declaration.ts"
import * as Turn from "../../../connectors/rest/Turn.ts"
import * as Json from "../../../connectors/Json.ts"

const listOf = (pagination: Pagination): List => ({
  path: "/records",
  size: { most: 2, param: "limit" },
  pagination
})

const answer = (body: unknown, headers: Record<string, string> = {}) => ({
  status: 200,
  body: Json.parse(JSON.stringify(body)),
  headers
})

/** What each page is asked for, until the end. */
const asks = (
  pagination: Pagination,
  page: (query: Readonly<Record<string, unknown>>, n: number) => [ReturnType<typeof answer>, ReadonlyArray<string>],
  most = 8
) => {
  const list = listOf(pagination)
  const asked: Array<unknown> = []
  for (let at: Turn.At | undefined = Turn.begin(), n = 0; at !== undefined && n < most; n++) {
    const query = Turn.query(list, at)
    asked.push(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)))
    const [found, keys] = page(query, n)
    // As a bookmark keeps it: what is not in there is lost when a reading is interrupted.
    at = Turn.turn(at, list, found, keys).next
  }
  return asked
}

const RECORDS = ["a", "b", "c", "d", "e"]
const follow = (id: unknown, inclusive = false) => {
  const from = id === undefined ? 0 : RECORDS.indexOf(id as string) + (inclusive ? 0 : 1)
  return RECORDS.slice(from, from + 2)
}

describe("the next page", () => {
  it("by number and by offset, up to the count", () => {
    const total = answer({ meta: { total: 5 } })
    const pages = asks({ by: "page", param: "page", total: "meta.total" }, ({ page }) => [
      total,
      RECORDS.slice((Number(page) - 1) * 2, Number(page) * 2)
    ])
    assert.deepStrictEqual(
      pages,
      [1, 2, 3].map((page) => ({ limit: 2, page }))
    )
    const offsets = asks({ by: "offset", param: "skip", total: "header:x-total" }, ({ skip }) => [
      answer([], { "x-total": "5" }),
      RECORDS.slice(Number(skip), Number(skip) + 2)
    ])
    assert.deepStrictEqual(
      offsets,
      ["0", "2", "4"].map((skip) => ({ limit: 2, skip }))
    )
  })

  it("by the last id, also where that comes again; by cursor, by address, by header", () => {
    const after = asks({ by: "last id", param: "after" }, ({ after }) => [answer({}), follow(after)])
    assert.deepStrictEqual(
      after.slice(1),
      ["b", "d", "e"].map((id) => ({ limit: 2, after: id }))
    )
    const min = asks({ by: "last id", param: "min", inclusive: true }, ({ min }) => [answer({}), follow(min, true)])
    assert.deepStrictEqual(
      min.slice(1),
      ["b", "c", "d", "e"].map((id) => ({ limit: 2, min: id }))
    )
    const numbers = asks({ by: "last id", param: "min", inclusive: "numbers" }, ({ min }) => [
      answer({}),
      min === undefined ? ["7", "9007199254740993"] : []
    ])
    assert.deepStrictEqual(numbers, [{ limit: 2 }, { limit: 2, min: "9007199254740994" }])
    const more = asks({ by: "last id", param: "after", more: "more" }, ({ after }) => [
      answer({ more: after !== "b" }),
      follow(after)
    ])
    assert.lengthOf(more, 2)
    const cursor = asks({ by: "cursor", param: "after", next: "meta.next" }, (_, n) => [
      answer({ meta: { next: n < 2 ? `c${n}` : null } }),
      [`${n}`]
    ])
    assert.deepStrictEqual(cursor, [{ limit: 2 }, { limit: 2, after: "c0" }, { limit: 2, after: "c1" }])
    const address = asks({ by: "next", next: "next" }, (_, n) => [
      answer({ next: n < 1 ? "https://elsewhere.example/v2/records?from=x%3D&limit=2" : null }),
      [`${n}`]
    ])
    assert.deepStrictEqual(address, [{ limit: 2 }, { from: "x=", limit: "2" }])
    const last = '<https://api.example/records?page=9>; rel="last"'
    const header = asks({ by: "link" }, (_, n) => [
      answer([], { link: n < 1 ? `${last}, <https://api.example/records?page=2>; rel="next"` : last }),
      [`${n}`]
    ])
    assert.deepStrictEqual(header, [{ limit: 2 }, { page: "2" }])
  })

  it("does not follow a source that repeats itself for ever", () => {
    const forever = asks({ by: "cursor", param: "after", next: "next" }, () => [answer({ next: "same" }), ["a"]], 50)
    assert.isBelow(forever.length, 10)
    const turns = asks(
      { by: "cursor", param: "after", next: "next" },
      (_, n) => [answer({ next: `c${n}` }), [n % 2 === 0 ? "a" : "b"]],
      50
    )
    assert.isBelow(turns.length, 20)
    const empty = asks({ by: "cursor", param: "after", next: "next" }, (_, n) => [answer({ next: `c${n}` }), []], 50)
    assert.lengthOf(empty, 3)
  })

  it("reads a list again that lost its place, and no more than a few times", () => {
    const list = listOf({ by: "cursor", param: "after", next: "next" })
    const read = Turn.turn(Turn.begin(), list, answer({ next: "c1" }), ["a", "b"]).next!
    const again = Turn.turn(read, list, answer({ next: "c2" }), ["a", "b"]).next!
    assert.deepInclude(again, { page: 1, again: 1 })
    assert.isUndefined(again.from)
    assert.isTrue(Turn.isCursor(list, read))
    assert.isFalse(Turn.isCursor(list, again))
    assert.isUndefined(Turn.restarted({ ...again, again: 3 }))
  })

  it("numbers pages from 0 where the source does, and writes an id into a condition", () => {
    const zero = asks({ by: "page", param: "page", from: 0, total: "total" }, (_, n) => [
      answer({ total: 5 }),
      RECORDS.slice(n * 2, n * 2 + 2)
    ])
    assert.deepStrictEqual(
      zero.map((one) => (one as { page: number }).page),
      [0, 1, 2]
    )
    const conditions = asks({ by: "last id", param: "$filter", written: (id) => `id gt '${id}'` }, ({ $filter }) => {
      const [, id] = /'(.*)'/.exec(String($filter)) ?? []
      return [answer([]), follow(id)]
    })
    assert.deepInclude(conditions[1], { $filter: "id gt 'b'" })
  })
})
