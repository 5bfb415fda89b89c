/** Lists in numbered pages: where they end, whatever the source does, and that a deletion meanwhile loses nothing. */
import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as Paging from "../../../connectors/Paging.ts"

interface Asked {
  readonly pages: ReadonlyArray<number>
  readonly keys: ReadonlyArray<string>
  readonly notices: ReadonlyArray<string>
}

/** Reads a list to its end; `ask` answers a page, and is given how many were asked for before. */
const read = (ask: (page: number, n: number) => Paging.Page, from = Paging.from(), most = 1000): Asked => {
  const pages: Array<number> = []
  const keys: Array<string> = []
  const notices: Array<string> = []
  for (let at: Paging.At | undefined = from; at !== undefined; ) {
    assert.isBelow(pages.length, most, "it does not end")
    const page = ask(at.page, pages.length)
    pages.push(at.page)
    keys.push(...page.keys)
    const turned: Paging.Turned = Paging.turn(at, page)
    notices.push(...turned.notices)
    at = turned.next
  }
  return { pages, keys, notices }
}

const SIZE = 3
const cut = (all: ReadonlyArray<string>, page: number) => all.slice((page - 1) * SIZE, page * SIZE)
const named = (n: number) => Array.from({ length: n }, (_, at) => `r${at}`)

describe("a list in pages", () => {
  it("ends where the source says so, or has no more", () => {
    const all = named(7)
    assert.deepStrictEqual(read((page) => ({ keys: cut(all, page), more: page < 3 })).pages, [1, 2, 3])
    assert.deepStrictEqual(read((page) => ({ keys: cut(all, page) })).keys, all)
    assert.deepStrictEqual(read(() => ({ keys: [], more: false })).pages, [1])
  })

  it("goes on behind a page that is empty, and not for ever", () => {
    const all = named(7)
    const found = read((page) => ({ keys: page === 2 ? [] : cut(all, page > 2 ? page - 1 : page), more: page < 4 }))
    assert.deepStrictEqual(found.keys, all)
    assert.deepStrictEqual(read(() => ({ keys: [], more: true })).pages, [1, 2, 3])
  })

  it("ends where a page came before: the last again, or two that take turns", () => {
    const all = named(8)
    const last = read((page) => ({ keys: cut(all, Math.min(page, 3)), more: true }))
    assert.deepStrictEqual(new Set(last.keys), new Set(all))
    assert.match(last.notices[0]!, /was repeated although the source announced more/)
    for (const cycle of [2, 3]) {
      const turns = read((page) => ({ keys: cut(all, 1 + ((page - 1) % cycle)) }))
      assert.deepStrictEqual(turns.keys.length, 3 * cycle + 3 - (cycle === 3 ? 1 : 0))
      assert.deepStrictEqual(turns.notices, [])
    }
  })

  it("ends where two pages take turns behind many others, and keeps little of them", () => {
    const all = named(3000)
    const found = read((page) => ({ keys: cut(all, page <= 1000 ? page : 999 + (page % 2)) }), Paging.from(), 1010)
    assert.strictEqual(new Set(found.keys).size, 3000)
  })

  it("with records of no name is read to its end: each is called by all that is in it", () => {
    const keys = Paging.keysOf([{ id: "a" }, { total: 1 }, 7, null], "id")
    assert.deepStrictEqual(keys, ["a", '{"total":1}', "7", "null"])
  })

  it("is read again where one was deleted before the page that is read, and loses none", () => {
    let all = named(10)
    const found = read((page, n) => {
      if (n === 2) all = all.filter((one) => one !== "r1")
      return { keys: cut(all, page), total: all.length, more: page * SIZE < all.length }
    })
    assert.deepStrictEqual(new Set(found.keys), new Set(named(10)))
    assert.deepStrictEqual(found.pages, [1, 2, 3, 1, 2, 3])
  })

  it("is read again where one was deleted between two runs", () => {
    const all = named(9).filter((one) => one !== "r0")
    const found = read(
      (page) => ({ keys: cut(all, page), total: all.length, more: page * SIZE < all.length }),
      Paging.from(3, 9)
    )
    assert.deepStrictEqual(new Set(found.keys), new Set(all))
  })

  it("ends, and says what may be missing, where records are deleted again and again", () => {
    let left = 100
    const found = read((page) => ({ keys: [`p${page} ${left}`], total: left--, more: page < 3 }))
    assert.match(found.notices[0]!, /kept being deleted/)
    assert.isBelow(found.pages.length, 12)
  })

  it("loses nothing, whatever is deleted and whenever, as long as the count shows it", () => {
    const deletions = fc.array(fc.record({ at: fc.nat(8), one: fc.nat(19) }), { maxLength: 3 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), deletions, (n, deletions) => {
        let all = named(n)
        const found = read((page, asked) => {
          for (const { at, one } of deletions) if (at === asked) all = all.filter((each) => each !== `r${one}`)
          return { keys: cut(all, page), total: all.length, more: page * SIZE < all.length }
        })
        for (const one of all) assert.include(found.keys, one)
      })
    )
  })
})
