/** Identifies the sender of a request, to count failed attempts. */
import type { Request } from "./Server.ts"

/**
 * The sender of a request. A proxy on this machine forwards for others, and appends the address of each to those that it
 * received. Of an IPv6 address only the network half counts, because a network owns all addresses in the other half.
 */
export const senderOf = ({ from, headers, local }: Pick<Request, "from" | "headers" | "local">): string => {
  const through = local ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  const address = through === undefined || through === "" ? from : `via ${through}`
  return address.includes("::ffff:") || !address.includes(":") ? address : address.split(":").slice(0, 4).join(":")
}
