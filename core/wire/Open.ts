/**
 * Schemas that tolerate what the service may add later (DP 9, II 9): unknown
 * members of an answer are kept, unknown enumeration values are strings.
 */
import { Schema, SchemaTransformation } from "effect"

/** Known values keep their literal types for matching; others decode as plain strings. */
export const openEnum = <const Known extends ReadonlyArray<string>>(known: Known) =>
  Schema.Union([Schema.Literals(known), Schema.String]) as unknown as Schema.Codec<
    Known[number] | (string & {}),
    string
  >

/** A struct that keeps unknown members. */
export const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const known = new Set(Object.keys(fields))
  const unknownKey = Schema.String.check(Schema.makeFilter((key: string) => !known.has(key)))
  return Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(unknownKey, Schema.Unknown)])
}

/** May be absent, and may be null. */
export const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** May be absent. */
export const maybe: typeof Schema.optionalKey = Schema.optionalKey

/** An identifier, or the whole resource if `expand` requested it (DP 4, note 4). */
export const expandable = <S extends Schema.Top>(id: S) =>
  Schema.Union([id, Schema.Record(Schema.String, Schema.Unknown)])

/** PHP writes an object without members as an empty list. */
const NoMembers = Schema.Array(Schema.Unknown).pipe(
  Schema.check(Schema.isMaxLength(0, { message: "Expected an object, not a list." })),
  Schema.decodeTo(
    Schema.Record(Schema.String, Schema.Never),
    SchemaTransformation.transform<Readonly<Record<string, never>>, ReadonlyArray<unknown>>({
      decode: () => ({}),
      encode: () => []
    })
  )
)

/** Values by arbitrary names; always written as an object. One type: of two, the compiler writes either first. */
export const keyed = <S extends Schema.Top>(value: S) =>
  Schema.Union([Schema.Record(Schema.String, value), NoMembers]) as unknown as Schema.Codec<
    Readonly<Record<string, S["Type"]>>,
    Readonly<Record<string, S["Encoded"]>> | ReadonlyArray<unknown>,
    S["DecodingServices"],
    S["EncodingServices"]
  >

/** Free key-value data. */
export const Metadata = keyed(Schema.Unknown)
