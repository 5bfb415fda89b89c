/**
 * Whether a request names this daemon. A page of another site can have its own name resolve to this machine, and would
 * then see everything that is shown to this machine alone; but it cannot make the browser send another name than its own.
 * An IP address is always accepted: no site's name is one.
 */
import { isIP } from "node:net"
import { hostname } from "node:os"

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i

/** The name in a `Host` header, without its port; undefined where it is not one. */
export const nameOf = (header: string): string | undefined => {
  const [, name, port = "80"] = HOST.exec(header) ?? []
  if (name === undefined || Number(port) > 65_535) return undefined
  if (name.startsWith("[")) return isIP(name.slice(1, -1)) === 6 ? name : undefined
  return URL.canParse(`http://${name}/`) ? name.toLowerCase().replace(/\.$/, "") : undefined
}

/** Names without a dot are of this network: nobody outside of it can have them lead here. */
const isOurs = (name: string): boolean =>
  name.startsWith("[") || isIP(name) !== 0 || !name.includes(".") || name.endsWith(".localhost")

/**
 * @param listens where the daemon listens, as the configuration names it
 * @param names by which others reach it, through a proxy
 */
export const isKnown = (name: string, listens: string, names: ReadonlyArray<string>): boolean =>
  isOurs(name) || [listens, hostname(), ...names].some((one) => one.toLowerCase() === name)
