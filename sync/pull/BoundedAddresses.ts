/** Finds the addresses that a tenant's settings name, to check that they lead to the internet. */

import { addressOfHost } from "../../core/Reach.ts"

export interface NamedAddress {
  readonly text: string
  /** For messages, which do not repeat an address: it may contain a password. */
  readonly where: string
}

/** What makes a driver connect elsewhere than to the address's host: `?host=…`, `?socket=…`. */
const ELSEWHERE = /^(host|hostaddr|port|socket|socketpath|service|servicefile|passfile|ssl(root)?(cert|key|ca))$/i

const DATABASE = /^(postgres|postgresql|mysql|mariadb):$/

/** The host of a database's address, or this machine's name if another part of it leads elsewhere. */
const ofDatabase = (url: URL): string => {
  const isElsewhere = [...url.searchParams.keys()].some((name) => ELSEWHERE.test(name))
  // Drivers decode it, so that %2Frun is a socket; what is written so is no name of a host here.
  return addressOfHost(isElsewhere ? "" : url.hostname)
}

/**
 * Texts in settings, and the values of the tenant's own variables among them: a variable of the daemon's is the operator's
 * choice. A text that is not an address is checked in vain.
 */
export const addressesIn = (
  settings: unknown,
  own: Readonly<Record<string, string | undefined>>,
  where = "source"
): ReadonlyArray<NamedAddress> => {
  if (typeof settings === "string") return [{ text: settings, where }]
  if (typeof settings !== "object" || settings === null) return []
  const { env } = settings as { readonly env?: unknown }
  if (typeof env === "string") {
    const text = own[env]?.trim() ?? ""
    // As the clients read it: control characters around it, or within, do not count.
    const url = URL.parse(text)
    if (url !== null && /^https?:$/.test(url.protocol)) return [{ text, where }]
    return url !== null && DATABASE.test(url.protocol) ? [{ text: ofDatabase(url), where }] : []
  }
  return Object.entries(settings).flatMap(([name, value]) => addressesIn(value, own, `${where}.${name}`))
}
