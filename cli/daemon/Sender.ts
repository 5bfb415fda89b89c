/** Identifies the sender of a request, to count failed attempts. */
import { isIPv6 } from "node:net"
import type { Request } from "./Server.ts"

/**
 * The network of an IPv6 address in any notation (64 bits, RFC 4291), or the IPv4 address that is written as one. Some
 * proxies write the port behind the address (RFC 7239, 6): it is another for each connection, and does not count.
 */
const networkOf = (address: string): string => {
  const plain = address
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "")
  if (!isIPv6(plain)) return plain
  // What the address parser of URLs gives has no IPv4 part and no leading zeros.
  const [head = "", tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split("::")
  const left = head === "" ? [] : head.split(":")
  const right = (tail ?? "").split(":").filter((group) => group !== "")
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => "0"), ...right]
  if (groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff")
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".")
  return groups.slice(0, 4).join(":")
}

/**
 * The sender of a request. A proxy on this machine forwards for others, and appends the address of each to those that it
 * received. Of an IPv6 address only the network half counts, because a network owns all addresses in the other half.
 */
export const senderOf = ({ from, headers, local }: Pick<Request, "from" | "headers" | "local">): string => {
  const through = local ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return through === undefined || through === "" ? networkOf(from) : `via ${networkOf(through)}`
}
