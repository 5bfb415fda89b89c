/**
 * Reference data: countries of buyers and of customers (DP 4, II 4), and the identity check of a key.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication } from "../wire/Auth.ts"
import { open } from "../wire/Open.ts"

const Countries = Schema.Array(open({ code: Schema.String, name: Schema.String }))

/** No authentication is shown in the sample of the list, so none is asked for. */
export class CountriesApi extends HttpApiGroup.make("countries")
  .add(
    HttpApiEndpoint.get("debtor", "/debtor", { success: Countries }),
    HttpApiEndpoint.get("customer", "/customer", { success: Countries })
  )
  .prefix("/v1/countries") {}

/** Assumption: the body is not shown; it is read as an object. */
export class MeApi extends HttpApiGroup.make("me")
  .add(HttpApiEndpoint.get("get", "/v1/me", { success: Schema.Record(Schema.String, Schema.Unknown) }))
  .middleware(Authentication) {}
