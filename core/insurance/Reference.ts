/**
 * Reference data: countries of buyers and customers (DP 2.1, II 4), and a request that tells whose key is used.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication } from "../wire/Auth.ts"
import { open } from "../wire/Open.ts"

const Countries = Schema.Array(open({ code: Schema.String, name: Schema.String }))

/** The sample of the list shows no authentication (DP 2.1), so none is required. */
export class CountriesApi extends HttpApiGroup.make("countries")
  .add(
    HttpApiEndpoint.get("debtor", "/debtor", { success: Countries }),
    HttpApiEndpoint.get("customer", "/customer", { success: Countries })
  )
  .prefix("/v1/countries") {}

/** Assumption: the body is not shown; it is decoded as any object. */
export class MeApi extends HttpApiGroup.make("me")
  .add(HttpApiEndpoint.get("get", "/v1/me", { success: Schema.Record(Schema.String, Schema.Unknown) }))
  .middleware(Authentication) {}
