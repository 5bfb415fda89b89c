/**
 * Converts values for the library's results and `--json` output, so that JSON can represent them: amounts as decimal text,
 * instants as ISO 8601 in UTC. Internally, amounts are bigints and instants milliseconds.
 */
import * as Decimal from "../../core/money/Decimal.ts"

/** The same with amounts and quantities as decimal text. */
export type Plain<A> = unknown extends A
  ? A
  : A extends bigint
    ? string
    : A extends string | number | boolean | null | undefined
      ? A
      : { readonly [Name in keyof A]: Plain<A[Name]> }

export const plain = <A>(value: A): Plain<A> => {
  if (typeof value === "bigint") return Decimal.format(value) as Plain<A>
  if (Array.isArray(value)) return value.map(plain) as Plain<A>
  if (typeof value !== "object" || value === null) return value as Plain<A>
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) as Plain<A>
}

/** An instant as text; null stays null. */
export const iso = <A extends number | null>(millis: A): A extends number ? string : null =>
  (millis === null ? null : new Date(millis).toISOString()) as A extends number ? string : null

export type Dated<A, Name extends keyof A> = {
  readonly [Member in keyof A]: Member extends Name ? (A[Member] extends number ? string : string | null) : A[Member]
}

/** Converts these fields from milliseconds since the epoch to ISO text. */
export const dated = <A extends object, Name extends keyof A>(
  row: A,
  ...names: ReadonlyArray<Name>
): Dated<A, Name> => {
  const text = names.flatMap((name) => (row[name] === undefined ? [] : [[name, iso(row[name] as number | null)]]))
  return { ...row, ...Object.fromEntries(text) } as Dated<A, Name>
}
