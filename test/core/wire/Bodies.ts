/** Success bodies of every operation, as the service may answer them, and the same with parts replaced or left out. */
import { Arbitrary, Effect, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ServiceApi } from "../../../core/Api.ts"

export type Codec = Schema.Codec<unknown>

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
export function* changed(value: unknown): Generator<unknown> {
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

export const schemas = Object.entries(ServiceApi.groups).flatMap(([group, { endpoints }]) =>
  Object.entries(endpoints as Record<string, { readonly success: ReadonlySet<Schema.Top> }>).flatMap(
    ([name, { success }]) =>
      [...success]
        .filter(({ ast }) => !HttpApiSchema.isNoContent(ast))
        .map((schema, n) => ({ operation: `${group}.${name} ${n}`, schema: schema as Schema.Top as Codec }))
  )
)

/** What the service may answer: values of the schema, as they are written. */
export const samples = (schema: Codec): ReadonlyArray<unknown> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(schema)), { count: 3, size: 3, seed: 1 })).map(
    (value) => JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))
  )
