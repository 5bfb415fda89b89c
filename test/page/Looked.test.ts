/** Since when things are new to somebody: a visit keeps what is new, the next one begins where it ended. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Looked from "../../cli/page/Looked.ts"

const at = (text: string) => Date.parse(text)
const NOW = at("2026-06-30T09:00:00Z")
const MINUTE = 60_000

describe("when somebody last looked", () => {
  it("is yesterday for who never did, stays for a visit, and moves on with the next", () => {
    const first = Looked.visit(undefined, NOW)
    assert.deepStrictEqual(first, { since: at("2026-06-29T00:00:00Z"), last: NOW })
    const again = Looked.visit(first, NOW + 29 * MINUTE)
    assert.deepStrictEqual(again, { since: first.since, last: NOW + 29 * MINUTE })
    const next = Looked.visit(again, NOW + 59 * MINUTE)
    assert.deepStrictEqual(next, { since: NOW + 29 * MINUTE, last: NOW + 59 * MINUTE })
  })

  it("leaves nothing out: what a visit shows begins where an earlier look ended", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }), (waits) => {
        let now = NOW
        let look = Looked.visit(undefined, now)
        const looks = [now]
        for (const wait of waits) {
          const before = look
          now += wait * MINUTE
          look = Looked.visit(look, now)
          assert.isTrue(look.since === before.since || (look.since === before.last && looks.includes(look.since)))
          looks.push(now)
        }
      })
    )
  })

  it("is read back as it was written, and is nothing where it cannot be", () => {
    const cookie = Looked.remember({ since: NOW - MINUTE, last: NOW })
    const value = /daybook_looked=([^;]+)/.exec(cookie)?.[1]
    assert.deepStrictEqual(Looked.read(value, NOW), { since: NOW - MINUTE, last: NOW })
    for (const wrong of [undefined, "", "x", `${NOW}`, `${NOW}.${NOW - 1}`, `${NOW}.${NOW + 1}`, "1.2", `${value}.1`])
      assert.isUndefined(Looked.read(wrong, NOW), wrong)
  })

  it("can be said by an address", () => {
    assert.strictEqual(Looked.asked("2026-06-01", NOW), at("2026-06-01T00:00:00Z"))
    assert.strictEqual(Looked.asked("2026-06-01T07:30", NOW), at("2026-06-01T07:30:00Z"))
    for (const wrong of [null, "", "yesterday", "2026-13-01", "2026-07-01", "2026-06-30T09:01"])
      assert.isUndefined(Looked.asked(wrong, NOW), String(wrong))
  })
})
