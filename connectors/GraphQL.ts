/**
 * Classifies GraphQL answers. GraphQL answers 200 to nearly every request that it rejects, and puts the problem into
 * `errors`. This covers what the specification and most servers have in common; a source with its own error codes checks
 * those first. Pure.
 */
import { Misconfigured, Unavailable } from "./Connector.ts"
import type { Trouble } from "./Judge.ts"
import * as Json from "./Json.ts"

/** The errors in an answer. */
export const errorsOf = (body: unknown): ReadonlyArray<Json.Fields> =>
  Json.objects(Json.isObject(body) ? body["errors"] : undefined).map((one) => new Json.Fields(one))

/** The errors' messages, in the source's own words. */
export const words = (errors: ReadonlyArray<Json.Fields>): string =>
  errors
    .map((error) => Json.nameOf(error.get("message")) ?? "nothing that can be read")
    .join("; ")
    .slice(0, 300)

const REFUSED = ["UNAUTHENTICATED", "UNAUTHORIZED", "FORBIDDEN"]

/** @param permission the permission that a key needs, to tell a user whose key cannot read this */
export const inspect =
  (permission: string) =>
  (body: unknown): Trouble | undefined => {
    const errors = errorsOf(body)
    if (errors.length === 0) return undefined
    const what = words(errors)
    const codes = errors.map((error) => Json.nameOf(error.get("extensions.code")))
    if (codes.some((code) => code !== undefined && REFUSED.includes(code)))
      return {
        again: false,
        unauthorised: true,
        error: new Misconfigured({ what: `the key may not read this (it says: ${what})`, hint: permission })
      }
    if (codes.includes("INTERNAL_SERVER_ERROR")) {
      const why = `a fault of the source (it says: ${what}); run again later, nothing is lost`
      return { again: true, error: new Unavailable({ why }) }
    }
    // A partial answer must not be taken for a complete one.
    const hint = "check the connection's settings; else this connector does not know this version of the source"
    return { again: false, error: new Misconfigured({ what: `it rejected the query (it says: ${what})`, hint }) }
  }
