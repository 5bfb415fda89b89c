/**
 * Properties of every schema of the insurance interface: what is written can be read again and is the same, and every
 * answer tolerates members and values that nobody knows yet (II 9).
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { InsuranceApi } from "../../../core/insurance/Api.ts"
import { Webhook } from "../../../core/insurance/Webhook.ts"

type Codec = Schema.Codec<unknown, unknown>

interface Endpoint {
  readonly method: string
  readonly payload: ReadonlyMap<string, { readonly schemas: ReadonlyArray<Codec>; readonly encoding: { _tag: string } }>
  readonly success: ReadonlySet<Codec>
}

/** Every schema of a request and every schema of an answer, by group, endpoint and place. */
const requests: Array<readonly [string, Codec]> = []
const answers: Array<readonly [string, Codec]> = [["webhook", Webhook as unknown as Codec]]
for (const [group, { endpoints }] of Object.entries(InsuranceApi.groups)) {
  for (const [name, endpoint] of Object.entries(endpoints as unknown as Record<string, Endpoint>)) {
    for (const { encoding, schemas } of endpoint.payload.values()) {
      // A form's files are bytes, and travel in a form: they are sent and read back beside.
      if (encoding._tag === "Multipart") continue
      for (const schema of schemas) requests.push([`${group}.${name} payload`, schema])
    }
    for (const schema of endpoint.success) {
      if (schema.ast._tag !== "Void" && schema.ast._tag !== "Unknown") answers.push([`${group}.${name} answer`, schema])
    }
  }
}

const runs = { arbitrary: { runs: 60 } }

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
 * What comes out of JSON: one zero, fresh objects. Not by way of `JSON.parse`, which in Node 24 now and then takes a
 * member whose name is one escaped character for another such member, and would fail these tests at random.
 */
const overJson = (wire: unknown): unknown => {
  if (Array.isArray(wire)) return wire.map(overJson)
  if (typeof wire === "number") return wire + 0
  if (wire === null || typeof wire !== "object") return wire
  return Object.fromEntries(Object.entries(wire).map(([name, value]) => [name, overJson(value)]))
}

describe.each([...requests, ...answers])("decode(encode(x)) = x: %s", (_, schema) => {
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
    runs
  )
})

const ADDED = { brand_new: { deep: [1, null, "x"] } }

/** Members whose values are enumerations that may grow. */
const GROWING = ["status", "role", "type", "pay_method", "score", "code", "category"]

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

describe.each(answers)("II 9: unknown members and values are tolerated and kept: %s", (_, schema) => {
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
    runs
  )
})

describe.each(requests)("DP 9: unknown members of a request are ignored: %s", (_, schema) => {
  const encode = Schema.encodeUnknownSync(schema)
  const decode = Schema.decodeUnknownSync(schema)

  it.prop(
    "what is left is what was meant",
    { x: Arbitrary.schema(schema) },
    ({ x }) => assert.isTrue(same(decode({ ...(encode(x) as object), ...ADDED }), x)),
    runs
  )
})

it("every endpoint is among them", () => {
  assert.isAbove(requests.length, 20)
  assert.isAbove(answers.length, 45)
})
