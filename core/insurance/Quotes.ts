/**
 * Quotes (II 2.8, 3.2): what insuring a transaction would cost, or why it cannot be.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CompanyId, QuoteId, TransactionId } from "../wire/Ids.ts"
import { maybe, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"

export const QuoteCreate = Schema.Struct({
  transaction: TransactionId,
  client: nullable(CompanyId),
  client_name: nullable(Schema.String),
  client_country: nullable(Schema.String),
  client_regnum: nullable(Schema.String),
  client_address: nullable(Schema.String)
})

/** `detail` is a sentence with `{param}` placeholders, `params` holds their values (II 2.8). */
export const Rejection = open({ code: Schema.String, detail: maybe(Schema.String), params: nullable(Schema.Unknown) })

export const Quote = open({
  url: maybe(Schema.String),
  id: QuoteId,
  transaction: Schema.Unknown,
  client: nullable(Schema.Unknown),
  status: openEnum(["declined", "offered", "expired", "accepted"]),
  payment_required: maybe(Schema.Boolean),
  created: maybe(Schema.String),
  valid_until: nullable(Schema.String),
  policy: nullable(Schema.Unknown),
  referral_url: nullable(Schema.String),
  insured: nullable(Schema.Unknown),
  insured_pc_net: nullable(Schema.Unknown),
  insured_pc_gross: nullable(Schema.Unknown),
  rejection_reason: nullable(Rejection),
  currency: nullable(Schema.String),
  total_price: nullable(Schema.Unknown),
  premium: nullable(Schema.Unknown),
  ipt: nullable(Schema.Unknown),
  price: nullable(Schema.Unknown),
  proposed_quote: nullable(Schema.Unknown)
})
export type Quote = typeof Quote.Type

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
