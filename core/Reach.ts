/**
 * Checks whether the daemon may read an address that a stranger enters. A person with a link must not reach, through the
 * daemon, what only this machine and its network can reach: databases, routers, the metadata services of a cloud.
 */
import { lookup as look } from "node:dns"
import { lookup } from "node:dns/promises"
import { BlockList, isIP, type LookupFunction } from "node:net"

/** Addresses that are not on the internet: the special-purpose registries of IANA (RFC 6890 and its updates). */
const inside = new BlockList()
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's service for its own machines.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const)
  inside.addSubnet(net, bits, "ipv4")
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const)
  inside.addSubnet(net, bits, "ipv6")

/** The only IPv6 addresses that IANA gives out for the internet (RFC 4291, 2.4); mapped and translated ones are others. */
const outside = new BlockList()
outside.addSubnet("2000::", 3, "ipv6")

/** An IPv4 address in an IPv6 one of any network, by which a site reaches its own machines (ISATAP, RFC 5214). */
const TUNNELLED = /:0?5efe:[\da-f]+:[\da-f]+\]$/

/** Whether an address is not one of the internet. */
export const isInside = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return inside.check(address, "ipv4")
  if (version === 0 || !outside.check(address, "ipv6") || inside.check(address, "ipv6")) return true
  return TUNNELLED.test(URL.parse(`http://[${address}]`)?.hostname ?? ":5efe:0:0]")
}

/** Whether an address names its host by a number that is not one of the internet. */
export const isInsideByNumber = (address: string): boolean => {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, "") ?? ""
  return isIP(host) !== 0 && isInside(host)
}

/** Names that cannot be registered on the internet. */
const isLocalName = (name: string): boolean =>
  !name.includes(".") ||
  /\.(localhost|localdomain|local|internal|private|lan|home|home\.arpa|corp|intranet|svc|consul|test|invalid|onion|alt)$/.test(
    name
  )

/**
 * Looks up a name for a connection that may lead to the internet only: what is checked is what is connected to, however often the
 * name changes. A name that leads elsewhere is not found.
 */
export const lookupOutside: LookupFunction = (name, options, found) =>
  look(name, { ...options, all: true }, (failed, all) => {
    const error =
      failed ??
      (all.some(({ address }) => isInside(address)) ? Object.assign(new Error(), { code: "ENOTFOUND" }) : null)
    if (error !== null) return found(error, "")
    if (options.all === true) return found(null, all)
    found(null, all[0]?.address ?? "", all[0]?.family)
  })

type Resolve = (name: string) => Promise<ReadonlyArray<string>>

const addressesOf: Resolve = async (name) =>
  (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address)

/** The same for a stranger, who is not told which names are found: one that is not found counts as one of this network. */
export const addressesForStrangers: Resolve = async (name) => {
  const found = await addressesOf(name)
  return found.length === 0 ? ["::"] : found
}

/** A text as the connectors read it, which is as browsers do: `http:/10.0.0.1` and `ht<TAB>tp://10.0.0.1` are addresses too. */
const parse = (text: string): URL | undefined => URL.parse(text) ?? undefined

/** The host of an address; empty where it has none. */
const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/(?<!\.)\.+$/, "")
    .toLowerCase()

/** The name of a host, or an IP address, as an address to check; anything else counts as this machine. */
export const addressOfHost = (host: string): string => {
  const plain = host.trim().replace(/^\[(.*)\]$/, "$1")
  if (isIP(plain) === 6) return `https://[${plain.replace(/%.*$/, "")}]`
  return /^[\p{L}\p{N}._-]+$/u.test(plain) && URL.canParse(`https://${plain}`)
    ? `https://${plain}`
    : "https://localhost"
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
  const url = parse(text)
  const pages = parse(served)
  if (url === undefined || (pages !== undefined && isLoopback(hostOf(pages)))) return undefined
  const host = hostOf(url)
  if (url.protocol === "file:")
    return "a file on this machine cannot be read; enter an address that begins with https://"
  if (host === "") return undefined
  const problem = `${host} is not an address on the internet; enter the one at which your shop or program is reached from everywhere`
  const isAway = isIP(host) === 0 ? !isLocalName(host) && !(await resolve(host)).some(isInside) : !isInside(host)
  if (!isAway) return problem
  return url.protocol === "http:"
    ? `enter the address of ${host} with https://, so that nobody on the way reads along`
    : undefined
}

/** Whether an address leads to this machine by one of its usual names. */
export const leadsHere = (text: string): boolean => {
  const url = parse(text)
  return url !== undefined && isLoopback(hostOf(url))
}

/** Anybody can register a name like 127.example.com. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
