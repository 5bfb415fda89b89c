/** Whether an answer has the shape of an operation's schema: the same as whether it can be decoded, for every operation. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema, SchemaAST } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ServiceApi } from "../../../core/Api.ts"
import { fits } from "../../../core/wire/Fits.ts"

type Codec = Schema.Codec<unknown>

const OTHERS: ReadonlyArray<unknown> = [
  null,
  "",
  "x",
  "co-1",
  "12.345",
  "12.34",
  7,
  1e300,
  true,
  [],
  {},
  { id: "" },
  [1]
]

/** Every version of a value with one part of it replaced or left out. */
function* changed(value: unknown): Generator<unknown> {
  yield* OTHERS
  if (typeof value !== "object" || value === null) return
  for (const [name, one] of Object.entries(value)) {
    const put = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }
    for (const other of changed(one)) yield put(other)
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  yield { ...value, added_later: [1] }
}

const schemas = Object.entries(ServiceApi.groups).flatMap(([group, { endpoints }]) =>
  Object.entries(endpoints as Record<string, { readonly success: ReadonlySet<Schema.Top> }>).flatMap(
    ([name, { success }]) =>
      [...success]
        .filter(({ ast }) => !HttpApiSchema.isNoContent(ast))
        .map((schema, n) => ({ operation: `${group}.${name} ${n}`, schema: schema as Schema.Top as Codec }))
  )
)

/** Counts how often both say yes, and how often no. */
const compared = (schema: Codec) => {
  const decode = Schema.decodeUnknownOption(schema)
  const shape = fits(schema)
  const said = { yes: 0, no: 0 }
  const compare = (value: unknown) => {
    const can = Option.isSome(decode(value))
    if (shape(value) !== can) assert.fail(`${can ? "can" : "cannot"} be decoded: ${JSON.stringify(value)}`)
    said[can ? "yes" : "no"]++
  }
  return { compare, said }
}

/** What the service may answer: values of the schema, as they are written. */
const samples = (schema: Codec): ReadonlyArray<unknown> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(schema)), { count: 3, size: 3, seed: 1 })).map(
    (value) => JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))
  )

describe("an answer has the shape of an operation exactly if it can be decoded", () => {
  it("for all operations", () => assert.isAbove(schemas.length, 60))
  it.each(schemas)("$operation", ({ schema }) => {
    const { compare, said } = compared(schema)
    for (const sample of samples(schema)) {
      compare(sample)
      let n = 0
      for (const other of changed(sample)) {
        compare(other)
        // An offer has thousands of parts.
        if (++n === 2000) break
      }
    }
    assert.isAbove(said.yes, 3)
    // What sending a collection answers is not documented.
    if (!SchemaAST.isUnknown(schema.ast)) assert.isAbove(said.no, 3)
  })
})
