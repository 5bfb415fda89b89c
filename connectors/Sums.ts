/**
 * Figures of a record that its source adds up, for `Json.Decoded.sums`: `Contradictions.ts` compares them. Only what the source
 * documents as a sum may be given here, and only where nothing else may be in the total: a record that it writes every day must
 * not be quarantined. Pure.
 */
import type { Sum } from "./Contradictions.ts"
import type * as Json from "./Json.ts"
import { money } from "./Shop.ts"

/** What these members come to is in `total`. No sum, if the record lacks one of them. */
export const added = (
  fields: Json.Fields,
  currency: string,
  total: string,
  members: ReadonlyArray<string>
): ReadonlyArray<Sum> => {
  if ([total, ...members].some((member) => fields.maybe(member) === undefined)) return []
  const parts = members.map((member) => money(fields, member, currency))
  return [{ currency, field: total, total: money(fields, total, currency), of: "its net amount and its tax", parts }]
}

/** What the lines come to, by a member of each, is in `total`. No sum, if the record has no lines or no total. */
export const ofLines = (
  fields: Json.Fields,
  currency: string,
  total: string,
  [list, member]: readonly [list: string, member: string]
): ReadonlyArray<Sum> => {
  const lines = fields.list(list)
  if (lines.length === 0 || fields.maybe(total) === undefined) return []
  const parts = lines.map((line) => money(line, member, currency))
  return [{ currency, field: total, total: money(fields, total, currency), of: "its lines", parts }]
}
