/**
 * The quick way through a request's schema, beside the long one: what it reads is the same to the letter, what it
 * does not take is left to the long way, and what the long way refuses it never takes. And texts that are kept.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { ServiceApi } from "../../../core/Api.ts"
import { DeferredPaymentApi } from "../../../core/deferred-payment/Api.ts"
import { Kept, write } from "../../../core/sandbox/store/Json.ts"
import { quick } from "../../../core/sandbox/server/FastDecode.ts"
import { Shelf } from "../../../core/sandbox/store/Shelf.ts"

type Codec = Schema.Codec<unknown, unknown>

interface Endpoint {
  readonly payload: ReadonlyMap<string, { readonly schemas: ReadonlyArray<Codec>; readonly encoding: { _tag: string } }>
}

const requests = new Map<string, Codec>()
for (const { groups } of [ServiceApi, DeferredPaymentApi]) {
  for (const [group, { endpoints }] of Object.entries(groups)) {
    for (const [name, { payload }] of Object.entries(endpoints as unknown as Record<string, Endpoint>)) {
      for (const { encoding, schemas } of payload.values()) {
        const id = `${group}.${name}${group === "soletraders" && groups === DeferredPaymentApi.groups ? ", strict" : ""}`
        if (encoding._tag === "Json") requests.set(id, schemas[0]!)
      }
    }
  }
}

/** What stands where something else was meant. */
const ODD: ReadonlyArray<unknown> = [
  null,
  0,
  -0.5,
  1e300,
  "",
  "x",
  "co-",
  "2026-02-30",
  true,
  [],
  [null],
  {},
  [{}],
  "1.000"
]

type Members = Record<string, unknown>

const urls = { success: "", failure: "", cancel: "", notification: null }

/** Where nothing can be made up: a locale is a pattern that does not mind case. */
const SAMPLES: Readonly<Record<string, Members>> = {
  "offers.create": { order: "order-1", locale: "en_GB", urls, metadata: { a: [1] } },
  "intents.create": {
    order: {
      customer: { user: { email: "a@b", name: "A", phone: null, registered: "2024-01-05T09:30:00Z" } },
      unique_id: "1",
      currency: "GBP",
      total_amount: 1.5,
      items: [
        {
          item_id: "1",
          type: "product",
          description: "",
          category: "c",
          quantity: "1",
          unit_price: 1.5,
          tax_rate: 20,
          total_amount: 1.5,
          tax_amount: 0.3
        }
      ]
    },
    merchant_urls: urls,
    locale: "en-gb"
  }
}

describe.each([...requests])("%s", (name, schema) => {
  const sample = SAMPLES[name]
  const decode = Schema.decodeUnknownResult(schema)
  const encode = Schema.encodeUnknownSync(schema)
  const shortcut = quick(schema)!
  const long = (body: unknown): unknown => {
    const decoded = decode(body)
    return Result.isFailure(decoded) ? undefined : encode(decoded.success)
  }

  it.prop(
    "reads what the long way reads, in the same order, and nothing else",
    {
      x: sample === undefined ? Arbitrary.schema(schema) : Arbitrary.schema(Schema.Null),
      odd: Arbitrary.schema(Schema.Literals(ODD.map((_, i) => i)))
    },
    ({ odd, x }) => {
      // An item's type may be anything but nothing, which its arbitrary does not know.
      const made = sample === undefined ? Result.try(() => encode(x) as Members) : Result.succeed(sample)
      if (Result.isFailure(made)) return
      const body = made.success
      assert.strictEqual(JSON.stringify(shortcut(body)), JSON.stringify(long(body)))
      assert.isDefined(shortcut(body))
      assert.strictEqual(JSON.stringify(shortcut({ ...body, new_member: { a: 1 } })), JSON.stringify(long(body)))
      for (const name of Object.keys(body)) {
        const wrong = { ...body, [name]: ODD[odd] }
        assert.strictEqual(JSON.stringify(shortcut(wrong)), JSON.stringify(long(wrong)))
        const { [name]: __, ...without } = body
        assert.strictEqual(JSON.stringify(shortcut(without)), JSON.stringify(long(without)))
      }
    },
    { arbitrary: { runs: 30 } }
  )

  it("takes nothing but objects", () => {
    for (const odd of [null, undefined, 0, "", "x", true, [], [{}]]) {
      assert.strictEqual(JSON.stringify(shortcut(odd)), JSON.stringify(long(odd)))
    }
  })
})

it("every request that is JSON has a quick way", () => {
  assert.isAbove(requests.size, 30)
  assert.deepStrictEqual(
    [...requests].filter(([, schema]) => quick(schema) === undefined).map(([name]) => name),
    []
  )
})

describe("texts that are kept", () => {
  it("are what JSON.stringify writes, alone and in a page", () => {
    const one = new Kept({ id: "a", deep: { text: 'with "quotes", € and ü' } })
    for (const value of [
      one,
      one,
      { count: 2, next: null, results: [one, { id: "b" }, one] },
      { results: [one] },
      { count: 0, results: [] },
      { results: "none" },
      { results: [{ id: "b" }], count: 1 },
      null,
      "text",
      [one]
    ]) {
      const { bytes, text } = write(value)
      assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.strictEqual(bytes, Buffer.byteLength(text))
    }
    assert.strictEqual(write({ count: 1, results: [one] }).text, JSON.stringify({ count: 1, results: [one] }))
  })
})

describe("an index that is made when it is asked for", () => {
  it("knows what was there, what comes, what changes and what goes", () => {
    const shelf = new Shelf(["owner", "name"])
    const ids = (value: unknown, member?: string) => shelf.by(value, member).map(({ id }) => id)
    assert.deepStrictEqual(ids("o"), [])
    for (const id of ["a", "b", "c"]) shelf.set({ id, owner: id === "c" ? "p" : "o", name: null })
    assert.deepStrictEqual([ids("o"), ids("p"), ids("q"), ids(null, "name")], [["a", "b"], ["c"], [], []])
    shelf.set({ id: "d", owner: "o", name: "n" })
    shelf.set({ id: "a", owner: "p", name: "n" })
    shelf.delete("b")
    assert.deepStrictEqual(
      [ids("o"), ids("p").toSorted(), ids("n", "name").toSorted()],
      [["d"], ["a", "c"], ["a", "d"]]
    )
    assert.throws(() => shelf.by("x", "other"), RangeError)
  })
})
