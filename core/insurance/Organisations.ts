/**
 * Organisations and their members (DP 2.4, 2.5; II 2.4). An organisation is a group of users of one company; it can own
 * transactions.
 */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { PaymentMethods, PaymentMethodWishes } from "../deferred-payment/PaymentMethods.ts"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, Conflict, NotFound } from "../wire/Errors.ts"
import { CompanyId, OrganisationId, UserId } from "../wire/Ids.ts"
import { Instant } from "../wire/Instant.ts"
import { maybe, Metadata, nullable, open, openEnum } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import { upserted } from "../wire/Upsert.ts"
import { Company } from "./Companies.ts"

/** A role in an answer; more may be added (DP 2.5). */
export const Role = openEnum(["read-only", "member", "admin"])

/** A role in a request: one of the three known ones, otherwise 400 (DP 7, case 4). */
export const RoleInput = Schema.Literals(["read-only", "member", "admin"])

const writable = {
  name: nullable(Schema.String),
  company: nullable(CompanyId),
  company_name: nullable(Schema.String),
  company_regnum: nullable(Schema.String),
  company_address: nullable(Schema.String),
  company_postcode: nullable(Schema.String),
  company_city: nullable(Schema.String),
  company_country: nullable(Schema.String),
  company_state: nullable(Schema.String),
  metadata: nullable(Metadata)
}

/** Request of an organisation (DP 2.4). If one with the same `unique_id` exists, it is updated (DP 4). */
export const OrganisationCreate = Schema.Struct({
  unique_id: Schema.NonEmptyString,
  registered: Instant,
  ...writable,
  payment_method_config: nullable(PaymentMethodWishes)
})

/** Request of an update: any part of it. */
export const OrganisationUpdate = OrganisationCreate.mapFields(Struct.map(Schema.optionalKey))

/** An organisation as the service answers it, with the members of both specifications (DP 2.4, II 2.4). */
export const Organisation = open({
  ...writable,
  company: nullable(Schema.Union([CompanyId, Company])),
  id: OrganisationId,
  unique_id: Schema.String,
  registered: nullable(Schema.String),
  created: maybe(Schema.String),
  modified: maybe(Schema.String),
  billing_account: nullable(Schema.String),
  has_purchased_policy: maybe(Schema.Boolean),
  payment_method_config: nullable(PaymentMethods),
  onboarding: nullable(open({ status: Schema.String })),
  users: maybe(Schema.Array(Schema.Unknown))
})
export type Organisation = typeof Organisation.Type

/** A membership as the organisation lists it (DP 2.5); `id` is the user's. */
export const Membership = open({ id: UserId, email: nullable(Schema.String), role: Role })

const params = { organisation_id: OrganisationId }
const member = { ...params, user_id: UserId }

export class OrganisationsApi extends HttpApiGroup.make("organisations")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: OrganisationCreate,
      success: upserted(Organisation),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand, unique_id: maybe(Schema.String) },
      success: page(Organisation),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:organisation_id", { params, query: Expand, success: Organisation, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:organisation_id", {
      params,
      payload: OrganisationUpdate,
      success: Organisation,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.delete("remove", "/:organisation_id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    }),
    HttpApiEndpoint.post("addUser", "/:organisation_id/users", {
      params,
      payload: Schema.Struct({ id: UserId, role: RoleInput }),
      success: upserted(Membership),
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.get("listUsers", "/:organisation_id/users", {
      params,
      query: Paging,
      success: page(Membership),
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.get("getUser", "/:organisation_id/users/:user_id", {
      params: member,
      success: Membership,
      error: NotFound
    }),
    HttpApiEndpoint.patch("updateUser", "/:organisation_id/users/:user_id", {
      params: member,
      payload: Schema.Struct({ role: RoleInput }),
      success: Membership,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.delete("removeUser", "/:organisation_id/users/:user_id", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/organisations") {}
