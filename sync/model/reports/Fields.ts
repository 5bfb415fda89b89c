/**
 * What the schemas of reports are made of. Each report is declared once, in this folder or where it is made: its type, `--json`, the
 * library's result, the HTTP interface's answer and its OpenAPI document follow from that. A named schema becomes a component there.
 */
import { Schema } from "effect"

export const string = Schema.String
export const flag = Schema.Boolean
export const integer = Schema.Int
export const maybe = <S extends Schema.Constraint>(schema: S): Schema.optionalKey<S> => Schema.optionalKey(schema)
export const orNull = <S extends Schema.Constraint>(schema: S): Schema.NullOr<S> => Schema.NullOr(schema)
export const list = <S extends Schema.Constraint>(schema: S): Schema.$Array<S> => Schema.Array(schema)

/** An amount in major units with the currency's decimals, in words for the document. */
export const amount = Schema.String.annotate({
  description: "Decimal text in major units, never a number",
  examples: ["120.50"]
})
export const day = Schema.String.annotate({ description: "A calendar day, ISO 8601", examples: ["2026-03-04"] })
export const instant = Schema.String.annotate({
  description: "ISO 8601 in UTC",
  examples: ["2026-03-04T05:06:07.008Z"]
})
export const digestText = Schema.String.annotate({
  description: "Identifies exactly what was shown; pass it on unchanged"
})
export const key = Schema.String.annotate({ description: "A document's key", examples: ["books/invoice/INV-7"] })
export const currency = Schema.String.annotate({ description: "ISO 4217", examples: ["EUR"] })

/** The row as it is stored and made: these instants are in milliseconds since the epoch. */
export type InMillis<A, Name extends keyof A> = {
  readonly [Member in keyof A]: Member extends Name ? (null extends A[Member] ? number | null : number) : A[Member]
}

/** JSON whose members depend on the service or on the rule, such as the body of a call. */
export const anyJson = Schema.Record(Schema.String, Schema.Unknown)

/** Gives a schema its name in the OpenAPI document. */
export const component = <S extends Schema.Top>(identifier: string, schema: S): S["Rebuild"] =>
  schema.annotate({ identifier })

/** An object with its name in the OpenAPI document. */
export const record = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  component(identifier, Schema.Struct(fields))

/** A page of a list: `next` is there if there are more rows; pass it as `after`. */
export const next = maybe(Schema.String.annotate({ description: "The cursor of the following page, for `after`" }))
