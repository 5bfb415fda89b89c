/** Why a quote or a credit limit is declined (II 2.8). */
import { Schema } from "effect"
import { maybe, Metadata, nullable, open } from "../wire/Open.ts"

/** A reason (II 2.8): `detail` is a sentence with `{param}` placeholders, `params` their values. */
export const Rejection = open({
  code: Schema.String,
  detail: maybe(Schema.String),
  params: nullable(Metadata)
})
export type Rejection = typeof Rejection.Type

/** The sentence with its params filled in. Placeholders without a value are kept. */
export const explain = ({ code, detail, params }: Rejection): string =>
  (detail ?? code).replace(/\{([^{}]+)\}/g, (placeholder, name: string) => String(params?.[name] ?? placeholder))
