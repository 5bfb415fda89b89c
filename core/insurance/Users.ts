/**
 * Users and their organisations (II 2.3, 4): the people of a company. `Organisations.ts` has the memberships from the
 * organisation's side.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication, Validation } from "../wire/Auth.ts"
import { BadRequestBody, NotFound } from "../wire/Errors.ts"
import { CompanyId, OrganisationId, UserId } from "../wire/Ids.ts"
import { Instant } from "../wire/Instant.ts"
import { maybe, nullable, open } from "../wire/Open.ts"
import { Expand, page, Paging } from "../wire/Page.ts"
import { upserted } from "../wire/Upsert.ts"
import { Company } from "./Companies.ts"
import { Role, RoleInput } from "./Organisations.ts"

const raw = {
  phone: nullable(Schema.String),
  country: nullable(Schema.String),
  company: nullable(CompanyId),
  company_name: nullable(Schema.String),
  company_country: nullable(Schema.String),
  company_regnum: nullable(Schema.String),
  company_address: nullable(Schema.String),
  plan_type: nullable(Schema.String)
}

/** Request of a user (II 2.3). If one with the same email exists, the given members of it are updated (II 4). */
export const UserCreate = Schema.Struct({
  email: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  registered: Instant,
  unique_id: nullable(Schema.String),
  ...raw
})

/**
 * Request of an update (II 4). Assumption: `id` is listed there but is read-only, as everywhere: it is ignored, and the user
 * in the path is changed.
 */
export const UserUpdate = Schema.Struct({
  id: nullable(Schema.String),
  email: maybe(Schema.NonEmptyString),
  unique_id: nullable(Schema.String),
  name: maybe(Schema.NonEmptyString),
  phone: nullable(Schema.String),
  registered: maybe(Instant)
})

/** A membership as the user lists it; `id` is the organisation's. */
export const UserMembership = open({ id: OrganisationId, role: Role })

/** A user as the service answers it (II 2.3). */
export const User = open({
  ...raw,
  company: nullable(Schema.Union([CompanyId, Company])),
  id: UserId,
  email: Schema.String,
  unique_id: nullable(Schema.String),
  has_password: maybe(Schema.Boolean),
  name: nullable(Schema.String),
  registered: nullable(Schema.String),
  organisations: maybe(Schema.Array(UserMembership))
})
export type User = typeof User.Type

const params = { user_id: UserId }
const membership = { ...params, organisation_id: OrganisationId }

export class UsersApi extends HttpApiGroup.make("users")
  .add(
    // A repeated email updates that user. The status of the answer is not shown: 201 or 200.
    HttpApiEndpoint.post("create", "/", { payload: UserCreate, success: upserted(User), error: BadRequestBody }),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Paging, ...Expand, unique_id: maybe(Schema.String) },
      success: page(User),
      error: BadRequestBody
    }),
    HttpApiEndpoint.get("get", "/:user_id", { params, query: Expand, success: User, error: NotFound }),
    HttpApiEndpoint.patch("update", "/:user_id", {
      params,
      payload: UserUpdate,
      success: User,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.delete("remove", "/:user_id", { params, success: HttpApiSchema.NoContent, error: NotFound }),
    HttpApiEndpoint.post("addOrganisation", "/:user_id/organisations", {
      params,
      payload: Schema.Struct({ id: OrganisationId, role: RoleInput }),
      success: upserted(UserMembership),
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.get("listOrganisations", "/:user_id/organisations", {
      params,
      query: Paging,
      success: page(UserMembership),
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.get("getOrganisation", "/:user_id/organisations/:organisation_id", {
      params: membership,
      success: UserMembership,
      error: NotFound
    }),
    HttpApiEndpoint.patch("updateOrganisation", "/:user_id/organisations/:organisation_id", {
      params: membership,
      payload: Schema.Struct({ role: RoleInput }),
      success: UserMembership,
      error: [BadRequestBody, NotFound]
    }),
    HttpApiEndpoint.delete("removeOrganisation", "/:user_id/organisations/:organisation_id", {
      params: membership,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
  )
  .middleware(Authentication)
  .middleware(Validation)
  .prefix("/v1/users") {}
