/** Encodes a claimed call for the database: fields that people search for in columns, the rest as JSON; and decodes it. */
import { Result, Schema } from "effect"
import { Call } from "../model/Call.ts"

/** The database row of a call. */
export interface CallRow {
  readonly id: number
  readonly subject: string
  readonly fact: string
  readonly rule: string
  readonly operation: string
  readonly request: string
  readonly reason: string
  readonly run: number
}

/** The fields of a call without a column of their own. The amount of a reported payment is an integer, all others are text. */
export const encode = ({ subject: _, fact: __, rule: ___, operation: ____, reason: _____, ...rest }: Call): string =>
  "posting" in rest
    ? JSON.stringify({ ...rest, posting: { ...rest.posting, amount: `${rest.posting.amount}` } })
    : JSON.stringify(rest)

const decodeCall = Schema.decodeUnknownResult(Call)

/** The call as it was claimed, or why it cannot be read. */
export const decode = ({ fact, operation, reason, request, rule, subject }: CallRow): Result.Result<Call, string> =>
  Result.mapError(
    decodeCall({ ...(JSON.parse(request) as object), subject, fact, rule, operation, reason }),
    ({ message }) => message
  )
