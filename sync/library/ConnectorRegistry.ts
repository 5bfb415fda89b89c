/**
 * The connectors that a configuration names, read now and no others: ours by name, a third-party one by folder or package.
 */
import type { Connector } from "../../connectors/Connector.ts"
import { connectors } from "../../connectors/list.ts"
import { nearest } from "../../core/Nearest.ts"
import { packageFile } from "./Beside.ts"

/**
 * A third-party connector and this program must share one effect library, and the bundled command has one of its own, which
 * nobody else can get at. So it hands the whole command over to the library beside it, before anything was done.
 */
export class HandOver extends Error {
  /** The module whose `main` goes on. */
  readonly to: string
  constructor(to: string) {
    super(`the connector needs the library ${to}`)
    this.to = to
  }
}

/** By the name that a source gives; a sentence where it cannot be had. */
export type Loaded = ReadonlyMap<string, Connector | string>

/** @param folder the configuration's */
export const load = async (value: unknown, folder: string): Promise<Loaded> => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  const named = Array.isArray(connections)
    ? connections.flatMap((one: { readonly source?: { readonly connector?: unknown } } | null) => {
        const name = one?.source?.connector
        return typeof name === "string" ? [name] : []
      })
    : []
  const loaded = new Map<string, Connector | string>()
  for (const name of new Set(named)) loaded.set(name, await one(name, folder))
  return loaded
}

const one = async (name: string, folder: string): Promise<Connector | string> => {
  const ours = connectors.find((entry) => entry.name === name)
  if (ours !== undefined) return ours.load()
  const library = packageFile("lib/cli/main.js")
  if (library !== undefined) throw new HandOver(library)
  // Read only where there is a third-party connector.
  const ThirdParty = await import("./ThirdPartyConnectors.ts")
  try {
    return (await ThirdParty.connector(name, folder)) ?? unknown(name)
  } catch (cause) {
    if (cause instanceof ThirdParty.Unusable) return cause.message
    throw cause
  }
}

/** What to say of a name that nothing goes by. */
export const unknown = (name: string): string => {
  const known = connectors.map((entry) => entry.name)
  const meant = nearest(name, known)
  return `there is no connector ${JSON.stringify(name)}; ${
    meant === undefined ? "" : `did you mean "${meant}"? `
  }available: ${known.join(", ")}`
}
