/**
 * Loads the connectors that a tenant's configuration may name, apart from ours: those that the operator has pinned, in the
 * version and with the bytes that the operator has looked at.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Connector } from "../../connectors/Connector.ts"
import type { Bounds, PinnedConnector } from "../model/Bounds.ts"

/** The version of the package that a file belongs to. */
const versionOf = (file: string): string | undefined => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, "package.json")
    if (existsSync(path)) return (JSON.parse(readFileSync(path, "utf8")) as { readonly version?: string }).version
    if (folder === dirname(folder)) return undefined
  }
}

/** What differs from what the operator has looked at; undefined if nothing does. */
const difference = ({ digest, name, version }: PinnedConnector, file: string, where: string): string | undefined => {
  const has = createHash("sha256").update(readFileSync(file)).digest("hex")
  if (has !== digest.toLowerCase().replace(/^sha256[-:]/, ""))
    return `${name} is not what was pinned: the SHA-256 of ${file} is ${has}; look at what changed, and write this digest into ${where} if it may run`
  const now = version === undefined ? undefined : versionOf(file)
  return now === version
    ? undefined
    : `${name} is pinned to version ${version}, and ${now ?? "no version"} is installed; install that version, or pin the other one in ${where}`
}

/** The file of a pinned connector; or why none may be loaded. Nothing is loaded for it. */
export const pinnedFile = async (
  name: string,
  { connectors, file: operators, home }: Bounds
): Promise<{ readonly file: string } | string> => {
  const where = `tenants.connectors in ${operators}`
  const pin = connectors.find((one) => one.name === name)
  if (pin === undefined)
    return `the operator has not allowed it: a tenant's configuration names connectors of this program, or of ${where}`
  const ThirdParty = await import("./ThirdPartyConnectors.ts")
  try {
    const file = ThirdParty.fileOf(pin.module ?? name, home)
    if (file === undefined) return `${pin.module ?? name} of ${where} is not installed beside that file`
    return difference(pin, file, where) ?? { file }
  } catch (cause) {
    return `${name} of ${where} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** Loads a file that `pinnedFile` found. */
export const loadPinned = async (file: string): Promise<Connector | string> => {
  const ThirdParty = await import("./ThirdPartyConnectors.ts")
  try {
    return await ThirdParty.inFile(file)
  } catch (cause) {
    if (cause instanceof ThirdParty.Unusable) return cause.message
    throw cause
  }
}
