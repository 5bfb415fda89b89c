/** What the library hands out and `--json` prints: amounts as decimal text, instants as ISO text, the rest as it is. */
import { assert, describe, it } from "@effect/vitest"
import { plainCall, plainStory, type Story } from "../../../sync/library/Explain.ts"
import { dated, plain } from "../../../sync/library/Plain.ts"
import type { RemoteOrder } from "../../../sync/model/RemoteOrder.ts"

const INSTANT = Date.parse("2026-03-04T05:06:07.008Z")
const TEXT = "2026-03-04T05:06:07.008Z"

describe("what JSON can say", () => {
  it("amounts and quantities are decimal text, at any depth", () => {
    const value = { amount: 4_060_000_000n, parts: [{ quantity: 200_000_000n }], none: undefined, not: null, n: 7 }
    assert.deepStrictEqual(plain(value), {
      amount: "40.6",
      parts: [{ quantity: "2" }],
      none: undefined,
      not: null,
      n: 7
    })
    assert.strictEqual(plain(-1n), "-0.00000001")
  })

  it("instants are ISO text, and null where there was none", () => {
    const row = { since: INSTANT, closed: null as number | null, calls: 3 }
    assert.deepStrictEqual(dated(row, "since", "closed"), { since: TEXT, closed: null, calls: 3 })
  })

  it("an order's offer says until when it can be taken", () => {
    const offer = { id: "offer-1", plans: [], until: INSTANT }
    const remote = {
      kind: "order",
      postings: [],
      created: { print: "", offer, until: INSTANT }
    } as unknown as RemoteOrder
    const call = { id: 1, claimed: INSTANT, answered: null, answer: { id: "offer-1", offer } }
    const lists = { quarantined: [], named: [] }
    const story = {
      ...lists,
      key: "",
      versions: [],
      related: [],
      facts: {},
      calls: [call],
      attention: [],
      remote,
      reason: null
    }
    const shown = plainStory(story as unknown as Story)
    assert.deepStrictEqual(shown.remote, {
      kind: "order",
      postings: [],
      created: { print: "", offer: { id: "offer-1", plans: [], until: TEXT }, until: TEXT }
    } as never)
    const { answer, answered, claimed } = shown.calls[0]!
    assert.deepStrictEqual(
      [claimed, answered, answer],
      [TEXT, null, { id: "offer-1", offer: { ...offer, until: TEXT } }]
    )
    assert.strictEqual(plainCall({ ...call, answer: "not JSON" } as never).answer, "not JSON")
  })
})
