/** Identifies the sender of a request: through which proxies it came, from whom, and whether it was encrypted. */
import { BlockList, isIP, isIPv6 } from "node:net"
import type { IncomingMessage } from "node:http"
import { isInside } from "../../core/Reach.ts"

/** A proxy or a network for delivery writes a header with such a name (RFC 7239, RFC 8586, and what vendors document). */
const FORWARDS = /^(via|cdn-loop|x-real-ip|(x-)?(original-)?forwarded(-.*)?|x-envoy-.*|.*(client|user|connecting)-?ip)$/

/** Where it is not told otherwise, nginx writes none of these, and speaks HTTP/1.0 with a Host (its `proxy_http_version`). */
const isOfNginx = ({ headers, httpVersion }: Pick<IncomingMessage, "headers"> & { readonly httpVersion?: string }) =>
  httpVersion === "1.0" && headers.host !== undefined

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/** Whether it is an address of a trusted proxy. */
export type Trusts = (address: string) => boolean

/**
 * This machine's proxies, and those of the addresses and networks (`10.0.0.0/8`) that the operator names.
 *
 * @param proxies valid ones
 */
export const trusting = (proxies: ReadonlyArray<string>): Trusts => {
  const list = new BlockList()
  for (const one of ["127.0.0.0/8", "::1/128", ...proxies]) {
    const [network = "", bits] = one.split("/")
    const family = isIPv6(network) ? "ipv6" : "ipv4"
    list.addSubnet(network, Number(bits ?? (family === "ipv6" ? 128 : 32)), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4")
}

/**
 * The address alone, and an IPv4 address that is written as IPv6 as itself. Some proxies write the port behind the address
 * (RFC 7239, 6): it is another for each connection, and does not count.
 */
const plain = (written: string): string => {
  const address = written
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "")
    // Written by anybody, and kept for a while.
    .slice(0, 64)
  const groups = isIPv6(address) ? groupsOf(address) : []
  return groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff"
    ? groups
        .slice(6)
        .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
        .join(".")
    : address
}

/** The eight groups of an IPv6 address in any notation (RFC 4291, 2.2). */
const groupsOf = (address: string): ReadonlyArray<string> => {
  // What the address parser of URLs gives has no IPv4 part and no leading zeros.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::")
  const left = head === "" ? [] : head.split(":")
  const right = (tail ?? "").split(":").filter((group) => group !== "")
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => "0"), ...right]
}

/** Whoever has this address: of IPv6 the network (64 bits, RFC 4291), because a network owns all addresses in it. */
export const networkOf = (address: string): string => {
  const one = plain(address)
  return isIPv6(one) ? groupsOf(one).slice(0, 4).join(":") : one
}

export interface Sender {
  /** Its address, or its network. */
  readonly from: string
  /** It is a program on this machine, and no proxy. */
  readonly local: boolean
  /** It reached the trusted proxy over TLS. */
  readonly encrypted: boolean
  /** Why the sender behind a proxy is not known: everybody who uses the proxy counts as one sender. */
  readonly unidentified?: string
}

/**
 * A proxy appends the address of each sender to those that it received: only what trusted ones appended counts.
 *
 * @param isPublic whether it was asked for a name under which only proxies serve it
 */
export const senderOf = (
  request: Pick<IncomingMessage, "headers" | "socket"> & { readonly httpVersion?: string },
  { isPublic, trusts }: { readonly isPublic: boolean; readonly trusts: Trusts }
): Sender => {
  const { headers, socket } = request
  const peer = plain(socket.remoteAddress ?? "")
  const isProxy = isPublic || isOfNginx(request) || Object.keys(headers).some((name) => FORWARDS.test(name))
  const isTrusted = trusts(peer)
  // Anybody on the internet can write these headers, or ask for this name: only a proxy of one's own network is noticed.
  const unidentified =
    !isProxy || (!isTrusted && !isInside(peer))
      ? undefined
      : !isTrusted
        ? `the proxy ${peer} is not in daemon.proxies`
        : headers["x-forwarded-for"] === undefined
          ? `the proxy ${peer} does not set X-Forwarded-For`
          : undefined
  const before = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",").map(plain)
  let from = peer
  while (trusts(from) && (before.at(-1) ?? "") !== "") from = before.pop() ?? from
  return {
    from: networkOf(from),
    local: LOOPBACK.test(peer) && !isProxy,
    encrypted: isTrusted && headers["x-forwarded-proto"] === "https",
    ...(unidentified === undefined ? {} : { unidentified })
  }
}
