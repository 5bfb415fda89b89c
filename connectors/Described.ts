/**
 * Declares settings together with their descriptions. The configuration's JSON Schema includes the descriptions, so editors
 * show them. Each description stands beside its setting's name, and the type makes leaving one out an error.
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
