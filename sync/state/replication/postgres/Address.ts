/**
 * Reads the address of a PostgreSQL server. A server on another machine is only used over TLS, and only if its certificate names it,
 * unless the address says `sslmode=disable`. The driver alone would use no TLS where the address does not ask for it.
 */
import { readFileSync } from "node:fs"

export interface Address {
  /** Without settings for TLS. */
  readonly url: string
  readonly ssl: false | { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

const HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const SETTINGS = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const
/** Settings of other programs that would change what is verified. */
const OTHERS = ["ssl", "uselibpqcompat", "sslnegotiation", "host", "hostaddr"]

const WEAK =
  "write sslmode=verify-full, with which the server's certificate is verified, or sslmode=disable for no encryption at all"

/** Either the address, or what is wrong with it, in words. */
export const addressOf = (
  written: string,
  read: (path: string) => string = (path) => readFileSync(path, "utf8")
): Address | string => {
  const url = URL.parse(written)
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol) || url.hostname === "")
    return "write the address of PostgreSQL, like postgres://daybook@db.example.com/daybook; its password belongs into PGPASSWORD or a password file"
  const other = OTHERS.find((name) => url.searchParams.has(name))
  if (other !== undefined) return `${other} in its address is not supported; ${WEAK}`
  const [mode, ...paths] = SETTINGS.map((name) => url.searchParams.get(name))
  for (const name of SETTINGS) url.searchParams.delete(name)
  if (mode === "disable") return { url: url.href, ssl: false }
  if (mode != null && mode !== "verify-full") return `sslmode=${mode} in its address is not supported; ${WEAK}`
  if (mode == null && paths.every((path) => path == null) && HERE.test(url.hostname))
    return { url: url.href, ssl: false }
  const files: Record<string, string> = {}
  for (const [at, name] of (["ca", "cert", "key"] as const).entries()) {
    const path = paths[at]
    if (path == null) continue
    try {
      files[name] = read(path)
    } catch (cause) {
      return `${SETTINGS[at + 1]} in its address cannot be read: ${(cause as Error).message}`
    }
  }
  return { url: url.href, ssl: files }
}
