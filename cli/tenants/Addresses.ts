/**
 * Addresses of a tenant's own page: as the page writes them, below `/t/NAME`. What all tenants have in common (how the
 * page looks, the way in and out, the list of all) stays where it is.
 */
import { NAME as LOOKED } from "../page/Looked.ts"

const COMMON = /^\/(?:t(?:\/|$)|style\.css|login|leave)/

export const baseOf = (tenant: string): string => `/t/${tenant}`

/** Where an address of the page is, for this tenant. Signing in leads back to the tenant. */
export const below = (base: string, address: string): string => {
  if (!address.startsWith("/") || address.startsWith("//")) return address
  if (address.startsWith("/login?")) {
    const query = new URLSearchParams(address.slice("/login?".length))
    const to = query.get("to")
    if (to !== null) query.set("to", below(base, to))
    return `/login?${query}`
  }
  return COMMON.test(address) ? address : `${base}${address}`
}

/** When somebody last looked is remembered for each tenant; a session and a name are the same for all of them. */
export const cookieBelow = (base: string, cookie: string): string =>
  cookie.startsWith(`${LOOKED}=`) ? cookie.replace(/; Path=\/(?=;|$)/i, `; Path=${base}`) : cookie

/**
 * A page whose links and forms are below the tenant's address. Text cannot look like one of them: what is rendered has its
 * quotation marks escaped.
 */
export const pageBelow = (base: string, page: string): string =>
  page.replace(
    / (href|action|formaction|src)="(\/[^"]*)"/g,
    (_, attribute: string, address: string) => ` ${attribute}="${below(base, address)}"`
  )

/** The address below a tenant's own: `/t/acme/documents` is its `/documents`. */
export const within = (path: string): string => {
  const at = path.indexOf("/", "/t/".length)
  return at < 0 ? "/" : path.slice(at)
}
