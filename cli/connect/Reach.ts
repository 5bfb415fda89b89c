/**
 * Checks whether the daemon may read an address that a stranger enters. A person with a link must not reach, through the
 * daemon, what only this machine and its network can reach: databases, routers, the metadata services of a cloud.
 */
import { lookup } from "node:dns/promises"
import { BlockList, isIP } from "node:net"

const inside = new BlockList()
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3]
] as const)
  inside.addSubnet(net, bits, "ipv4")
for (const [net, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8]
] as const)
  inside.addSubnet(net, bits, "ipv6")

/** An IPv4 address written as IPv6 counts as the IPv4 address. */
export const isInside = (address: string): boolean => {
  const version = isIP(address)
  return version === 0 || inside.check(address, version === 6 ? "ipv6" : "ipv4")
}

/** Names that cannot be registered on the internet. */
const isLocalName = (name: string): boolean =>
  !name.includes(".") || /\.(localhost|local|internal|lan|home|corp|intranet|test)$/.test(name)

type Resolve = (name: string) => Promise<ReadonlyArray<string>>

const addressesOf: Resolve = async (name) =>
  (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address)

/** The host of a text, if the text is an address. */
const hostOf = (text: string): string | undefined => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { hostname } = new URL(text)
  return hostname === ""
    ? undefined
    : hostname
        .replace(/^\[|\]$/g, "")
        .replace(/\.$/, "")
        .toLowerCase()
}

/**
 * Why this address may not be used: it leads into a private network. Undefined if it may be used, or if the text is not an
 * address.
 *
 * @param served where the pages are served: if only on this machine, addresses on it are allowed, for trying it out
 */
export const reachProblem = async (
  text: string,
  served: string,
  resolve: Resolve = addressesOf
): Promise<string | undefined> => {
  const host = hostOf(text)
  if (host === undefined || isLoopback(hostOf(served))) return undefined
  const problem = `${host} is not an address on the internet; enter the one at which your shop or program is reached from everywhere`
  if (isIP(host) !== 0) return isInside(host) ? problem : undefined
  if (isLocalName(host)) return problem
  return (await resolve(host)).some(isInside) ? problem : undefined
}

const isLoopback = (host = ""): boolean => host === "localhost" || host === "::1" || /^127\./.test(host)
