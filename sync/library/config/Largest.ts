/**
 * How much a tenant's configuration may say. Others may write it, and the daemon of all tenants reads it in one piece. Only the
 * first mistakes are listed.
 */
import { readFileSync, statSync } from "node:fs"
import { grouped, plural } from "../../../core/Plural.ts"
import type { Bounds } from "../../model/Bounds.ts"

const BYTES = 256 * 1024
const CONNECTIONS = 200
const MISTAKES = 50

/** The text of a file. Throws an error that says so if it is too large for a tenant's. */
export const settingsText = (path: string, isTenants = true): string => {
  if (isTenants) holdBytes(statSync(path).size)
  return readFileSync(path, "utf8")
}

export const holdBytes = (bytes: number): void => {
  if (bytes > BYTES)
    throw new Error(`it has ${grouped(Math.ceil(bytes / 1024))} KB; a tenant's may have ${grouped(BYTES / 1024)} KB`)
}

/** What is wrong with a tenant's configuration before any of it is looked at; undefined: nothing. */
export const tooMany = (value: unknown, bounds: Bounds | undefined): string | undefined => {
  const { connections } = (value ?? {}) as { readonly connections?: unknown }
  return bounds !== undefined && Array.isArray(connections) && connections.length > CONNECTIONS
    ? `connections: a tenant may have ${CONNECTIONS}; these are ${grouped(connections.length)}`
    : undefined
}

export const firstOf = (problems: ReadonlyArray<string>): ReadonlyArray<string> =>
  problems.length <= MISTAKES
    ? problems
    : [...problems.slice(0, MISTAKES), `and ${plural(problems.length - MISTAKES, "more mistake")}`]
