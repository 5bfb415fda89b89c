/** How Shopify names things and lists them. */
import * as Json from "../Json.ts"

/** `450789469` of `gid://shopify/Order/450789469`. */
export const tail = (gid: string): string => gid.slice(gid.lastIndexOf("/") + 1).split("?")[0]!

/** The records of a connection, or of a list. */
export const nodes = (value: unknown): ReadonlyArray<Json.Fields> =>
  Json.objects(Json.isObject(value) ? value["nodes"] : value).map((one) => new Json.Fields(one))
