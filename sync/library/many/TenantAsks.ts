/**
 * Passes requests of other processes to a daemon with many tenants: one file for each tenant in a folder of its own, so that a
 * command needs no password for the daemon. A request only says to check again or to run now; repeating it does no harm.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isTenantName } from "./TenantSource.ts"

export type Ask = "refresh" | "sync"

/** In the folder of all tenants; its name cannot be that of a tenant. */
export const ownFolder = (folder: string): string => join(folder, ".daybook")

const asksIn = (folder: string): string => join(ownFolder(folder), "asks")

export const leaveAsk = (folder: string, tenant: string, ask: Ask): void => {
  mkdirSync(asksIn(folder), { recursive: true })
  writeFileSync(join(asksIn(folder), `${tenant}.${ask}`), "")
}

/** When those were left that were carried out and could not be taken away, because the folder is read-only here. */
const kept = new Map<string, number>()

const leftAt = (file: string): number | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs
  } catch {
    return undefined
  }
}

/** Takes a request away; whether it is one that was not carried out before. */
const taken = (file: string): boolean => {
  try {
    rmSync(file, { force: true })
    return true
  } catch {
    const at = leftAt(file)
    if (at === undefined || kept.get(file) === at) return false
    kept.set(file, at)
    return true
  }
}

/** Takes the requests for these tenants; those for others are left for their daemons. */
export const takeAsks = (
  folder: string,
  isOurs: (tenant: string) => boolean
): ReadonlyArray<{ readonly tenant: string; readonly ask: Ask }> => {
  let names: ReadonlyArray<string>
  try {
    names = readdirSync(asksIn(folder))
  } catch {
    return []
  }
  return names.flatMap((file) => {
    const [tenant = "", ask] = file.split(".")
    if (!isTenantName(tenant) || !isOurs(tenant) || (ask !== "refresh" && ask !== "sync")) return []
    return taken(join(asksIn(folder), file)) ? [{ tenant, ask }] : []
  })
}
