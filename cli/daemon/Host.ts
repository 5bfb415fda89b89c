/**
 * Checks whether a request names this daemon, to prevent DNS rebinding: a page of another site can make its own host name
 * resolve to this machine, and would then see what only this machine may see. But it cannot make the browser send another
 * name than its own. An IP address is always accepted, because no site has one as its name.
 */
import { isIP } from "node:net"
import { hostname } from "node:os"

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i

/** The name in a `Host` header, without its port; undefined if invalid. */
export const nameOf = (header: string): string | undefined => {
  const [, name, port = "80"] = HOST.exec(header) ?? []
  if (name === undefined || Number(port) > 65_535) return undefined
  if (name.startsWith("[")) return isIP(name.slice(1, -1)) === 6 ? name : undefined
  return URL.canParse(`http://${name}/`) ? name.toLowerCase().replace(/\.$/, "") : undefined
}

/** Names without a dot are local: nobody outside this network can make them resolve to this machine. */
export const isLocal = (name: string): boolean =>
  name.startsWith("[") || isIP(name) !== 0 || !name.includes(".") || name.endsWith(".localhost")

/**
 * @param listens the configured address of the daemon
 * @param names the host names under which others reach it, through a proxy
 */
export const isKnown = (name: string, listens: string, names: ReadonlyArray<string>): boolean =>
  isLocal(name) || [listens, hostname(), ...names].some((one) => one.toLowerCase() === name)

/**
 * Whether a form is of these pages. Browsers name the site of a form, and over plain HTTP only its origin; old ones neither, so that
 * a form has a word of its own in any case.
 *
 * @param hosts under which these pages are
 */
export const isOwnForm = (
  { origin, site }: { readonly site: string | null | undefined; readonly origin: string | null | undefined },
  hosts: ReadonlyArray<string | undefined>
): boolean => {
  if (site !== null && site !== undefined) return site === "same-origin"
  return origin === null || origin === undefined || (URL.canParse(origin) && hosts.includes(new URL(origin).host))
}
