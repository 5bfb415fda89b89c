/**
 * Settings with their descriptions, which editors show as they are written: the JSON Schema of the configuration has them.
 * The text of each setting stands beside its name, and none can be forgotten.
 */
import { Schema } from "effect"

/** Fields of a struct, each with its description. */
export const described = <const Fields extends Schema.Struct.Fields>(
  texts: { readonly [Name in keyof Fields]: string },
  fields: Fields
): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Schema.annotateKey({ description: (texts as Readonly<Record<string, string>>)[name] ?? "" })(
        field as unknown as Schema.Top
      )
    ])
  ) as unknown as Fields
