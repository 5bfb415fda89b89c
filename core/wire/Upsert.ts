/**
 * Operations that create or update: 201 if created, 200 if updated (DP 4).
 */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The answer of an upsert, tagged with what happened. On the wire, the tag is the status. */
export type Upserted<A> =
  | { readonly _tag: "Created"; readonly value: A }
  | { readonly _tag: "Updated"; readonly value: A }

const tagged = <const Tag extends string, S extends Schema.Top>(tag: Tag, schema: S, status: number) =>
  schema.pipe(
    Schema.decodeTo(
      Schema.Struct({ _tag: Schema.Literal(tag), value: Schema.toType(schema) }),
      // biome-ignore lint/suspicious/noExplicitAny: the struct's generic fields cannot be named here
      SchemaTransformation.transform<any, any>({
        decode: (value) => ({ _tag: tag, value }),
        encode: ({ value }) => value
      })
    ),
    HttpApiSchema.status(status)
  )

export const upserted = <S extends Schema.Top>(schema: S) =>
  [tagged("Created", schema, 201), tagged("Updated", schema, 200)] as const
