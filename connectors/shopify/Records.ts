/** How Shopify names things and lists them. */
import * as Json from "../Json.ts"

/** `450789469` of `gid://shopify/Order/450789469`. */
export const tail = (gid: string): string => gid.slice(gid.lastIndexOf("/") + 1).replace(/\?.*$/s, "")

/** The records of a connection, or of a list; what is none among them makes the record that has it unfit. */
export const nodes = (of: Json.Fields, path: string): ReadonlyArray<Json.Fields> => {
  const value = of.get(path)
  return Json.list(Json.isObject(value) ? (value["nodes"] ?? null) : value, path)
}
