/**
 * How a claim keeps its call: the members that people look for in columns, and the rest as JSON, in the shape of this
 * version or of an older one.
 */
import { Result, Schema } from "effect"
import { kindOf } from "../../connectors/Document.ts"
import { Call } from "../model/Call.ts"

/** A call as its row keeps it. */
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

/** What of a call has no column of its own. The amount of a reported payment is a count, all others are text. */
export const encode = ({ subject: _, fact: __, rule: ___, operation: ____, reason: _____, ...rest }: Call): string =>
  "posting" in rest
    ? JSON.stringify({ ...rest, posting: { ...rest.posting, amount: `${rest.posting.amount}` } })
    : JSON.stringify(rest)

/** Members that had other names: `reduces` until format 17, `take` and `looks` until 18. */
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

/** Until format 18 no call said what it is about: an owner is known by its key, the others by the operation. */
const kindOfCall = (operation: string, subject: string): Call["kind"] => {
  if (operation.startsWith("transactions.")) return "invoice"
  if (!operation.startsWith("organisations.") && !operation.startsWith("users.")) return "order"
  return kindOf(subject) === "buyer" ? "buyer" : "owner"
}
