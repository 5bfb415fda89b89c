/**
 * Rewrites addresses of a tenant's own page so that they are below `/t/NAME`. What all tenants share (style, script, login
 * and logout, the list of all) stays where it is.
 */
import { NAME as LOOKED } from "../page/Looked.ts"

const COMMON = /^\/(?:t(?:\/|$)|style\.css|login|leave)/

export const baseOf = (tenant: string): string => `/t/${tenant}`

/** A tenant's address for one of the page. Signing in leads back to the tenant. */
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

/** The last visit is stored for each tenant; a session and a name are shared by all. */
export const cookieBelow = (base: string, cookie: string): string =>
  cookie.startsWith(`${LOOKED}=`) ? cookie.replace(/; Path=\/(?=;|$)/i, `; Path=${base}`) : cookie

/**
 * Rewrites the links and forms of a page. Text cannot be confused with them, because quotation marks in it are escaped.
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
