/**
 * Encodes a claimed call for the database: fields that people search for in columns, the rest as JSON, and decodes it from the
 * format of this version or an older one.
 */
import { Result, Schema } from "effect"
import { kindOf } from "../../connectors/Document.ts"
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

/** Fields that were renamed: `reduces` until format 17, `take` and `looks` until 18. */
interface Older {
  readonly reduces?: boolean
  readonly take?: unknown
  readonly looks?: unknown
}

const decodeCall = Schema.decodeUnknownResult(Call)

/** The call as it was claimed, or why it cannot be read. */
export const decode = ({ fact, operation, reason, request, rule, subject }: CallRow): Result.Result<Call, string> => {
  const { looks, reduces, take, ...rest } = JSON.parse(request) as Older
  return Result.mapError(
    decodeCall({
      kind: kindOfCall(operation, subject),
      destructive: reduces ?? false,
      ...(take === undefined ? {} : { orderPosting: take }),
      ...(looks === undefined ? {} : { lookup: looks }),
      ...rest,
      subject,
      fact,
      rule,
      operation,
      reason
    }),
    ({ message }) => message
  )
}

/** Until format 18, calls did not say what they are about: an owner is recognised by its key, the others by the operation. */
const kindOfCall = (operation: string, subject: string): Call["kind"] => {
  if (operation.startsWith("transactions.")) return "invoice"
  if (!operation.startsWith("organisations.") && !operation.startsWith("users.")) return "order"
  return kindOf(subject) === "buyer" ? "buyer" : "owner"
}
