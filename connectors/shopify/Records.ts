/** Reads Shopify's ids and connections. */
import * as Json from "../Json.ts"

/** The last segment of an id: `450789469` of `gid://shopify/Order/450789469`. */
export const tail = (gid: string): string => gid.slice(gid.lastIndexOf("/") + 1).replace(/\?.*$/s, "")

/** The records of a connection or list. An element that is not a record makes the record around it unfit. */
export const nodes = (of: Json.Fields, path: string): ReadonlyArray<Json.Fields> => {
  const value = of.get(path)
  return Json.list(Json.isObject(value) ? (value["nodes"] ?? null) : value, path)
}
