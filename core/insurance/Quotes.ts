/**
 * Quotes (II 2.8, 3.2): what it would cost to insure a transaction, or why it cannot be insured.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import * as Codecs from "../money/Codecs.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CompanyId, PolicyId, QuoteId, TransactionId } from "../wire/Ids.ts"
import { expandable, maybe, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import { Rejection } from "./Rejections.ts"

/** Request of a quote (II 4). The client is named by id, or described by raw data. */
export const QuoteCreate = Schema.Struct({
  transaction: TransactionId,
  client: nullable(CompanyId),
  client_name: nullable(Schema.String),
  client_country: nullable(Schema.String),
  client_regnum: nullable(Schema.String),
  client_address: nullable(Schema.String)
})

/** Prices, in major units: `total_price` includes taxes, `premium` excludes insurance tax, `ipt` is that tax. */
const amounts = {
  currency: nullable(Schema.String),
  total_price: nullable(Codecs.Major),
  premium: nullable(Codecs.Major),
  ipt: nullable(Codecs.Major)
}

/** Assumption: `discount_reason` was observed where the specification says `reason`; both are read. */
const Discount = open({
  type: maybe(openEnum(["credits"])),
  reason: nullable(Schema.String),
  discount_reason: nullable(Schema.String),
  discount_amount: nullable(Codecs.Major),
  remaining_credits_amount_after: nullable(Codecs.Major),
  remaining_credits_amount_after_currency: nullable(Schema.String)
})

const Price = open({
  ...amounts,
  total_price_without_discount: nullable(Codecs.Major),
  discount_amount: nullable(Codecs.Major),
  discounts: nullable(Schema.Array(Discount))
})

/** A quote (II 2.8). Amounts are in major units; percentages are from 0 to 100. */
export const Quote = open({
  url: maybe(Schema.String),
  id: QuoteId,
  transaction: expandable(TransactionId),
  client: nullable(expandable(CompanyId)),
  status: openEnum(["declined", "offered", "expired", "accepted"]),
  payment_required: maybe(Schema.Boolean),
  created: maybe(Schema.String),
  valid_until: nullable(Schema.String),
  policy: nullable(expandable(PolicyId)),
  referral_url: nullable(Schema.String),
  insured: nullable(open({ currency: nullable(Schema.String), insured_amount: nullable(Codecs.Major) })),
  insured_pc_net: nullable(Codecs.Fine),
  insured_pc_gross: nullable(Codecs.Fine),
  rejection_reason: nullable(Rejection),
  ...amounts,
  price: nullable(Price),
  proposed_quote: nullable(Schema.Unknown)
})
export type Quote = typeof Quote.Type

/** A quote inside another resource. References back to that resource may be missing. */
export const ExpandedQuote = Schema.StructWithRest(
  Schema.Struct({ ...Quote.schema.fields, transaction: nullable(Quote.schema.fields.transaction) }),
  Quote.records
)

const params = { quote_id: QuoteId }

export class QuotesApi extends HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: QuoteCreate,
      success: Quote.pipe(HttpApiSchema.status(201)),
      error: [BadRequestBody, Conflict]
    }),
    HttpApiEndpoint.get("list", "/", { query: { ...Paging, ...Expand }, success: page(Quote), error: BadRequestBody }),
    HttpApiEndpoint.get("get", "/:quote_id", { params, query: Expand, success: Quote, error: NotFound }),
    HttpApiEndpoint.delete("remove", "/:quote_id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/quotes") {}
