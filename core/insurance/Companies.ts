/**
 * Companies and company search (DP 2.2, DP 4). The insurance interface shares them.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId } from "../wire/Ids.ts"
import { maybe, nullable, open } from "../wire/Open.ts"

/** An identifier of a company (DP 2.2). The field table says `id_type`, sample payloads `idtype`: both are read. */
export const CompanyIdentifier = open({
  id_type: maybe(Schema.String),
  idtype: maybe(Schema.String),
  country: nullable(Schema.String),
  value: Schema.String
})

/** A company (DP 2.2). `confidence` is present on search results only. */
export const Company = open({
  url: maybe(Schema.String),
  id: CompanyId,
  name: Schema.String,
  creation_date: nullable(Schema.String),
  status: nullable(Schema.String),
  legal_form: nullable(Schema.String),
  country: nullable(Schema.String),
  address: nullable(Schema.String),
  city: nullable(Schema.String),
  postcode: nullable(Schema.String),
  email: nullable(Schema.String),
  phone: nullable(Schema.String),
  sectors: maybe(Schema.Array(open({ system: Schema.String, code: Schema.String }))),
  identifiers: maybe(Schema.Array(CompanyIdentifier)),
  confidence: nullable(Schema.Unknown)
})
export type Company = typeof Company.Type

/** Query of a search: `country`, and at least one of `name` and `reg_number`; otherwise 400 (DP 7, cases 1 and 2). */
export const CompanySearch = Schema.Struct({
  country: Schema.String,
  name: maybe(Schema.String),
  reg_number: maybe(Schema.String),
  address: maybe(Schema.String)
})

export class CompaniesApi extends HttpApiGroup.make("companies")
  .add(
    HttpApiEndpoint.post("search", "/search", {
      payload: CompanySearch,
      success: open({ matches: Schema.Array(Company) }),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:company_id", {
      params: { company_id: CompanyId },
      success: Company,
      error: NotFound
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/companies") {}
