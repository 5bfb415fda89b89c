/**
 * Error bodies of every shape that the specification shows (DP 7, II 7) become sentences that name their member.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Errors from "../../../core/wire/Errors.ts"

const bodies: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string>]> = [
  ["a list under a member", { country: ["This field is required."] }, ["country: This field is required."]],
  ["two messages", { id: ["Wrong.", "Missing."] }, ["id: Wrong.", "id: Missing."]],
  ["members side by side", { owner: ["A."], unique_id: ["B."] }, ["owner: A.", "unique_id: B."]],
  ["non_field_errors", { non_field_errors: ["Not enough information."] }, ["Not enough information."]],
  ["detail", { detail: "Not found." }, ["Not found."]],
  ["error", { error: "Key already used." }, ["Key already used."]],
  [
    "members of items",
    { items: [{}, { description: ["Required."], unit: { price: ["Bad."] } }] },
    ["items[1].description: Required.", "items[1].unit.price: Bad."]
  ],
  ["non_field_errors of a member", { items: { non_field_errors: ["Too many."] } }, ["items: Too many."]],
  ["a bare string", "Bad gateway", ["Bad gateway"]],
  ["a list of strings", ["One.", "Two."], ["One.", "Two."]],
  ["a number", { code: 7 }, ["code: 7"]],
  ["null", null, ["null"]],
  ["null under a member", { id: null }, ["id: null"]],
  ["nothing", {}, []]
]

describe("flatten", () => {
  for (const [what, body, said] of bodies) {
    it(`reads ${what}`, () => assert.deepStrictEqual(Errors.flatten(body), said))
  }

  it.prop("any JSON at all gives sentences", { body: Schema.Json }, ({ body }) => {
    for (const sentence of Errors.flatten(body)) assert.isString(sentence)
  })

  it("a body that is nested without end is cut, not followed", () => {
    let body: unknown = "deep"
    for (let i = 0; i < 200_000; i++) body = i % 2 === 0 ? [body] : { a: body }
    const said = Errors.flatten(body)
    assert.strictEqual(said.length, 1)
    assert.match(said[0]!, /: \.\.\.$/)
  })
})

describe("on the wire", () => {
  const tagless = [
    ["Unauthorized", Errors.Unauthorized],
    ["PaymentFailed", Errors.PaymentFailed],
    ["NotFound", Errors.NotFound],
    ["Conflict", Errors.Conflict],
    ["TooManyRequests", Errors.TooManyRequests],
    ["BadGateway", Errors.BadGateway],
    ["GatewayTimeout", Errors.GatewayTimeout]
  ] as const
  for (const [tag, error] of tagless) {
    it(`${tag} carries no tag, and gains it when read`, () => {
      const schema = error as unknown as Schema.Codec<{ readonly _tag: string; readonly detail: string }, unknown>
      const read = Schema.decodeUnknownSync(schema)({ detail: "Why." })
      assert.strictEqual(read._tag, tag)
      assert.deepStrictEqual(Schema.encodeSync(schema)(read), { detail: "Why." })
    })
  }

  it("a 400 keeps its body as it was sent", () => {
    const body = { country: ["This field is required."], anything: { else: 1 } }
    const read = Schema.decodeUnknownSync(Errors.BadRequestBody)(body)
    assert.deepStrictEqual(read.problems, ["country: This field is required.", "anything.else: 1"])
    assert.deepStrictEqual(Schema.encodeSync(Errors.BadRequestBody)(read), body)
    assert.strictEqual(Errors.BadRequest.of({ id: "Wrong." }).message, "id: Wrong.")
  })
})
