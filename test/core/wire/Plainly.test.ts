/** What is decoded the short way is what the schema decodes, for every operation; what it would reject is in doubt. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { DOUBT, plainly } from "../../../core/wire/Plainly.ts"
import { changed, samples, schemas } from "./Bodies.ts"

const text = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one))

describe("an answer that is decoded the short way is as the schema decodes it", () => {
  let short = 0
  it.each(schemas)("$operation", ({ schema }) => {
    const decode = Schema.decodeUnknownOption(schema)
    const read = plainly(schema)
    for (const sample of samples(schema)) {
      let n = 0
      for (const value of changed(sample)) {
        // An offer has thousands of parts.
        if (++n > 2000) break
        const [quick, whole] = [read(value), decode(value)]
        if (quick === DOUBT) continue
        short++
        if (Option.isNone(whole)) assert.fail(`the schema rejects ${JSON.stringify(value)}`)
        else assert.strictEqual(text(quick), text(whole.value), JSON.stringify(value))
      }
    }
  })
  it("which is often", () => assert.isAbove(short, 1000))

  const named = (body: string) => `{"count":1,"next":null,"previous":null,"results":[${body}]}`
  const listed = schemas.find(({ operation }) => operation === "transactions.list 0")!.schema
  it.each([
    '{"id":"t-1","status":"paid"}',
    '{"id":"t-1","status":"paid","estimated_quote_price":null,"items":[],"scheduled_payments":[{"date":"2021-04-03","amount":"122.14"}]}',
    '{"id":"t-1","status":"later","owner":"org-1","debtor":"co-1","gross_amount":"12.50","net_amount":null,"metadata":{"a":1}}',
    '{"id":"t-1","status":"paid","owner":{"id":"org-1"},"payments":[{"id":"p-1","date":"2026-01-01","amount":"1"}],"policy":null}'
  ])("%s is not", (body) => assert.notStrictEqual(plainly(listed)(JSON.parse(named(body))), DOUBT))

  it.each([
    '{"id":"t-1"}',
    '{"id":"","status":"paid"}',
    '{"id":"t-1","status":"paid","gross_amount":"1.234"}',
    '{"id":"t-1","status":"paid","gross_amount":"1e3"}',
    '{"id":"t-1","status":"paid","gross_amount":12.5}',
    '{"id":"t-1","status":"paid","metadata":[]}',
    '{"id":"t-1","status":"paid","metadata":[1]}',
    '{"id":"t-1","status":"paid","__proto__":{"gross_amount":"1.00"}}',
    '{"id":"t-1","status":"paid","payments":{}}',
    '{"id":"t-1","status":"paid","metadata":{"a":1e999}}',
    '{"id":"t-1","status":"paid","estimated_quote_price":[1e999]}',
    '{"id":"t-1","status":"paid","items":[1e999]}',
    '{"id":"t-1","status":"paid","later":1e999}',
    '{"id":"t-1","status":"paid","owner":{"a":1e999}}',
    '{"id":"t-1","status":"paid","payments":[{"id":"p-1","amount":true}]}',
    '{"id":"t-1","status":"paid","debtor":{"name":"no id"}}',
    '{"id":"t-1","status":"paid","owner":"someone"}',
    "null",
    "[]"
  ])("%s is left to the schema", (body) => {
    assert.strictEqual(plainly(listed)(JSON.parse(named(body))), DOUBT)
  })

  it("members that were added later are kept, after those with names", () => {
    const body = '{"later":[1],"status":"odd","id":"t-1","gross_amount":"12.50","payments":null}'
    const value = JSON.parse(named(body))
    const whole = Schema.decodeUnknownSync(listed)(value)
    assert.strictEqual(text(plainly(listed)(value)), text(whole))
    assert.include(text(whole), '"1250000000n","payments":null,"later":[1]')
  })
})
