/**
 * Loads the connectors that a configuration names, and no others: ours by name, third-party ones by folder or package.
 */
import type { Connector } from "../../connectors/Connector.ts"
import { connectors } from "../../connectors/list.ts"
import { nearest } from "../../core/Nearest.ts"
import type { Bounds } from "../model/Bounds.ts"
import { packageFile } from "./Beside.ts"

/**
 * Asks to continue in the library. A third-party connector and this program must share one Effect library, but the bundled
 * command contains one that nothing else can import. So the whole command is handed over to the library beside it, before
 * anything was done.
 */
export class HandOver extends Error {
  /** The module whose `main` continues. */
  readonly to: string
  constructor(to: string) {
    super(`the connector needs the library ${to}`)
    this.to = to
  }
}

/** By the name that a source gives; a sentence if it cannot be loaded. */
export type Loaded = ReadonlyMap<string, Connector | string>

/**
 * @param folder the configuration's
 * @param bounds if set, only third-party connectors that the operator pinned are loaded
 */
export const load = async (value: unknown, folder: string, bounds?: Bounds): Promise<Loaded> => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  const named = Array.isArray(connections)
    ? connections.flatMap((one: { readonly source?: { readonly connector?: unknown } } | null) => {
        const name = one?.source?.connector
        return typeof name === "string" ? [name] : []
      })
    : []
  const loaded = new Map<string, Connector | string>()
  for (const name of new Set(named)) loaded.set(name, await one(name, folder, bounds))
  return loaded
}

const one = async (name: string, folder: string, bounds: Bounds | undefined): Promise<Connector | string> => {
  const ours = connectors.find((entry) => entry.name === name)
  if (ours !== undefined) return ours.load()
  const Pinned = bounds === undefined ? undefined : await import("./PinnedConnectors.ts")
  const pinned = bounds === undefined ? undefined : await Pinned?.pinnedFile(name, bounds)
  if (typeof pinned === "string") return isNamed(name, bounds) ? pinned : `${unknown(name)}; ${pinned}`
  const library = packageFile("lib/cli/main.js")
  if (library !== undefined) throw new HandOver(library)
  if (pinned !== undefined && Pinned !== undefined) return Pinned.loadPinned(pinned.file)
  // Loaded only if there is a third-party connector.
  const ThirdParty = await import("./ThirdPartyConnectors.ts")
  try {
    return (await ThirdParty.connector(name, folder)) ?? unknown(name)
  } catch (cause) {
    if (cause instanceof ThirdParty.Unusable) return cause.message
    throw cause
  }
}

const isNamed = (name: string, bounds: Bounds | undefined): boolean =>
  bounds?.connectors.some((one) => one.name === name) === true

/** The message for an unknown connector. */
export const unknown = (name: string): string => {
  const known = connectors.map((entry) => entry.name)
  const meant = nearest(name, known)
  return `there is no connector ${JSON.stringify(name)}; ${
    meant === undefined ? "" : `did you mean "${meant}"? `
  }available: ${known.join(", ")}`
}
