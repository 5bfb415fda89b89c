/**
 * Defines the envelope of every list (DP 2.1) and the query parameters that every list takes (DP 8).
 */
import { Schema } from "effect"
import { open } from "./Open.ts"

export const page = <S extends Schema.Top>(item: S) =>
  open({
    count: Schema.Int,
    next: Schema.NullOr(Schema.String),
    previous: Schema.NullOr(Schema.String),
    results: Schema.Array(item)
  })

export interface Page<A> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: ReadonlyArray<A>
}

const count = (least: number) =>
  Schema.NumberFromString.check(
    Schema.makeFilter((n: number) =>
      Number.isSafeInteger(n)
        ? n >= least || `Ensure this value is greater than or equal to ${least}.`
        : "A valid integer is required."
    )
  )

/** `limit` is 25 by default, `offset` 0. Unknown filters are ignored. */
export const Paging = {
  limit: Schema.optionalKey(count(1)),
  offset: Schema.optionalKey(count(0))
}

/** Every read accepts `expand`, a comma-separated list of members (DP 4, note 4). */
export const Expand = { expand: Schema.optionalKey(Schema.String) }
