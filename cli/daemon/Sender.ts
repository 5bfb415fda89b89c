/** Who sends a request: what those are counted by who try too often. */
import type { Request } from "./Server.ts"

/**
 * Who sends a request. A proxy on this machine sends for others, and adds the address of each behind those that it was
 * given. Of an IPv6 address the half that a network has counts, because whoever has one has all of the other half.
 */
export const senderOf = ({ from, headers, local }: Pick<Request, "from" | "headers" | "local">): string => {
  const through = local ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  const address = through === undefined || through === "" ? from : `via ${through}`
  return address.includes("::ffff:") || !address.includes(":") ? address : address.split(":").slice(0, 4).join(":")
}
