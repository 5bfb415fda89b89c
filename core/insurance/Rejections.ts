/** Why a quote or a credit limit is refused (II 2.8). */
import { Schema } from "effect"
import { maybe, Metadata, nullable, open } from "../wire/Open.ts"

/** `detail` is a sentence with `{param}` placeholders, `params` holds their values (II 2.8). */
export const Rejection = open({
  code: Schema.String,
  detail: maybe(Schema.String),
  params: nullable(Metadata)
})
export type Rejection = typeof Rejection.Type

/** The sentence of a rejection with its params filled in; placeholders that nothing fills stay as they are. */
export const explain = ({ code, detail, params }: Rejection): string =>
  (detail ?? code).replace(/\{([^{}]+)\}/g, (placeholder, name: string) => String(params?.[name] ?? placeholder))
