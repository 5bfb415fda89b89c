/**
 * GraphQL answers 200 to nearly everything that it refuses, and says in `errors` what is wrong. What its specification and
 * most servers have in common; a source's own codes come first, where it has such. Pure.
 */
import { Misconfigured, Unavailable } from "./Connector.ts"
import type { Trouble } from "./Judge.ts"
import * as Json from "./Json.ts"

/** Errors of an answer. */
export const errorsOf = (body: unknown): ReadonlyArray<Json.Fields> =>
  Json.objects(Json.isObject(body) ? body["errors"] : undefined).map((one) => new Json.Fields(one))

/** In the source's own words. */
export const words = (errors: ReadonlyArray<Json.Fields>): string =>
  errors
    .map((error) => Json.nameOf(error.get("message")) ?? "nothing that can be read")
    .join("; ")
    .slice(0, 300)

const REFUSED = ["UNAUTHENTICATED", "UNAUTHORIZED", "FORBIDDEN"]

/** @param permission what a key needs, for who made one that may not read this */
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
    // Part of an answer is not taken for all of it.
    const hint = "check the connection's settings; else this connector does not know this version of the source"
    return { again: false, error: new Misconfigured({ what: `it rejected the query (it says: ${what})`, hint }) }
  }
