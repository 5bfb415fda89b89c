/**
 * Properties of every schema of both documents, those that a module exports and those that an endpoint reads or
 * answers: what is written can be read again and is the same; answers keep members and values that nobody knows yet,
 * and requests ignore such members (DP 9, II 9).
 */
import { readdirSync } from "node:fs"
import { assert, describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { ServiceApi } from "../../core/Api.ts"
import { DeferredPaymentApi } from "../../core/deferred-payment/Api.ts"
import { runs } from "../support/Effort.ts"

type Codec = Schema.Codec<unknown, unknown>
type Named = readonly [string, Codec]

const ROOM = new URL("../../core/", import.meta.url)

const exported: Array<Named> = []
for (const folder of ["deferred-payment", "insurance"]) {
  for (const file of readdirSync(new URL(folder, ROOM))) {
    const module: Readonly<Record<string, unknown>> = await import(new URL(`${folder}/${file}`, ROOM).href)
    for (const [name, value] of Object.entries(module)) {
      if (Schema.isSchema(value)) exported.push([`${folder}/${file} ${name}`, value as Codec])
    }
  }
}

interface Endpoint {
  readonly payload: ReadonlyMap<string, { readonly schemas: ReadonlyArray<Codec> }>
  readonly success: ReadonlySet<Codec>
}

/** Each endpoint once: the second document has its own sole traders. */
const endpoints = new Map<string, Endpoint>()
for (const [api, { groups }] of Object.entries({ "": ServiceApi, "DP ": DeferredPaymentApi })) {
  for (const [group, { endpoints: all }] of Object.entries(groups)) {
    for (const [name, endpoint] of Object.entries(all as unknown as Record<string, Endpoint>)) {
      if (api === "" || group === "soletraders") endpoints.set(`${api}${group}.${name}`, endpoint)
    }
  }
}

const payloads: Array<Named> = []
const answers: Array<Named> = []
for (const [name, { payload, success }] of endpoints) {
  for (const { schemas } of payload.values()) for (const one of schemas) payloads.push([`${name} payload`, one])
  for (const one of success) {
    if (one.ast._tag !== "Void" && one.ast._tag !== "Unknown") answers.push([`${name} answer`, one])
  }
}

const often = runs(60)

/** The same members with the same values, whatever their names (`__proto__` among them) and their order. */
const same = (a: unknown, b: unknown): boolean => {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return Object.is(a, b)
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.size === right.size &&
    [...left].every(([name, value]) => right.has(name) && same(value, right.get(name)))
  )
}

/**
 * What comes out of JSON: one zero, fresh objects; bytes stay bytes, as in a form. Not by way of `JSON.parse`, which in
 * Node 24 now and then takes a member whose name is one escaped character for another such member, and would fail
 * these tests at random.
 */
const overJson = (wire: unknown): unknown => {
  if (Array.isArray(wire)) return wire.map(overJson)
  if (typeof wire === "number") return wire + 0
  if (wire === null || typeof wire !== "object" || wire instanceof Uint8Array) return wire
  return Object.fromEntries(Object.entries(wire).map(([name, value]) => [name, overJson(value)]))
}

/** An error of ours is no schema of the documents, and not made of JSON. */
const documented = exported.filter(([name]) => !name.endsWith(" Unbuildable"))

describe.each([...documented, ...payloads, ...answers])("decode(encode(x)) = x: %s", (_, schema) => {
  const encode = Schema.encodeUnknownSync(schema)
  const decode = Schema.decodeUnknownSync(schema)

  it.prop(
    "as values, and over JSON",
    { x: Arbitrary.schema(schema) },
    ({ x }) => {
      const wire = encode(x)
      assert.isTrue(same(decode(wire), x))
      // JSON has one zero, so what comes over it is compared as it is written again.
      assert.isTrue(same(overJson(encode(decode(overJson(wire)))), overJson(wire)))
    },
    often
  )
})

const ADDED = { brand_new: { deep: [1, null, "x"] } }

/** Members whose values are enumerations that may grow. */
const GROWING = [
  ...["status", "role", "type", "pay_method", "score", "code", "category", "preference", "doc_type"],
  "payment_terms_relative_to"
]

/** Members that are maps, where a new key is a new thing of a known form and no new member. */
const MAPS = ["payment_method_config"]

/** The same with a member more in every object, and with a value that nobody knows in every enumeration. */
const grown = (wire: unknown, member = ""): unknown => {
  if (Array.isArray(wire)) return wire.map((one) => grown(one))
  if (wire === null || typeof wire !== "object")
    return GROWING.includes(member) && typeof wire === "string" ? "not-known-yet" : wire
  const members = Object.fromEntries(Object.entries(wire).map(([name, value]) => [name, grown(value, name)]))
  return MAPS.includes(member) ? members : { ...members, ...ADDED }
}

/** How often the member was kept: as often as it was added. */
const count = (value: unknown): number => {
  if (value === null || typeof value !== "object") return 0
  const inside = Object.entries(value).filter(([name]) => name !== "brand_new")
  return inside.reduce((sum, [, one]) => sum + count(one), "brand_new" in value ? 1 : 0)
}

/** Words alone, and maps by a name of our own: `Role`, `PaymentMethods`. */
const isObject = ([, { ast }]: Named): boolean => ast._tag === "Objects" && ast.propertySignatures.length > 0

/** What keeps members that it does not know is an answer; what does not is (part of) a request. */
const isOpen = ([, { ast }]: Named): boolean => ast._tag === "Objects" && ast.indexSignatures.length > 0

const objects = documented.filter(isObject)

describe.each([...answers, ...objects.filter(isOpen)])(
  "II 9: unknown members and values are tolerated and kept: %s",
  (_, schema) => {
    const encode = Schema.encodeUnknownSync(schema)
    const decode = Schema.decodeUnknownSync(schema)

    it.prop(
      "in every object, however deep",
      { x: Arbitrary.schema(schema) },
      ({ x }) => {
        const wire = grown(overJson(encode(x)))
        const read = decode(wire)
        assert.strictEqual(count(read), count(wire))
        assert.isTrue(same(overJson(encode(read)), wire))
      },
      often
    )
  }
)

describe.each([...payloads, ...objects.filter((one) => !isOpen(one))])(
  "DP 9: unknown members of a request are ignored: %s",
  (_, schema) => {
    const encode = Schema.encodeUnknownSync(schema)
    const decode = Schema.decodeUnknownSync(schema)

    it.prop(
      "what is left is what was meant",
      { x: Arbitrary.schema(schema) },
      ({ x }) => assert.isTrue(same(decode({ ...(encode(x) as object), ...ADDED }), x)),
      often
    )
  }
)

it("every endpoint of both documents and every schema that a module exports is among them", () => {
  const files = (folder: string) => readdirSync(new URL(folder, ROOM)).map((file) => `${folder}/${file}`)
  // These have no schemas besides those of their endpoints.
  const without = [
    "deferred-payment/Api.ts",
    "deferred-payment/CheckoutPage.ts",
    "deferred-payment/CheckoutPromises.ts",
    "insurance/Api.ts",
    "insurance/DocumentTypes.ts",
    "insurance/Reference.ts"
  ]
  const found = new Set(exported.map(([name]) => name.split(" ")[0]))
  expect([...files("deferred-payment"), ...files("insurance")].filter((file) => !found.has(file))).toEqual(without)
  assert.isAbove(endpoints.size, 75)
  for (const [name, { payload, success }] of endpoints) {
    const silent = [...success].every(({ ast }) => ast._tag === "Void" || ast._tag === "Unknown")
    assert.isTrue(silent || answers.some(([one]) => one === `${name} answer`), name)
    assert.isTrue(payload.size === 0 || payloads.some(([one]) => one === `${name} payload`), name)
  }
})
