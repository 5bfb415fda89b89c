/** Reads how payments of a connection that pays for another are matched with invoices. */
import { Schema } from "effect"
import { type Connection, MatchLimits } from "../../model/Connection.ts"

/** How payments without a reference are matched with invoices, and within which limits without asking. */
export const Match = Schema.Struct({
  /** Up to how many days after its due date an invoice may be matched by amount and payer alone; default 30. */
  days: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 366 }, { message: "write a number of days, like 30; at most 366" })
    )
  ),
  /** `"id"`: customers have the same ids in both, so that payments are matched by customer id. */
  customer: Schema.optionalKey(Schema.Literals(["id", "name"])),
  ...MatchLimits.fields
})

const MATCHED_DAYS = 30

export const paysOf = (
  connection: string,
  { customer, days = MATCHED_DAYS, ...limits }: typeof Match.Type = {}
): NonNullable<Connection["pays"]> => ({
  connection,
  days,
  ...(customer === "id" ? { byId: true } : {}),
  ...(Object.keys(limits).length === 0 ? {} : { limits })
})
