/**
 * What other processes ask of a daemon over many tenants: files in a folder of the tenants' own, one for each tenant, so
 * that a command needs no password of the daemon. An ask says only to look again or to run now; doing it twice does no harm.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isTenantName } from "./TenantSource.ts"

export type Ask = "refresh" | "sync"

/** Of the folder of all tenants; its name is none of a tenant. */
export const ownFolder = (folder: string): string => join(folder, ".daybook")

const asksIn = (folder: string): string => join(ownFolder(folder), "asks")

export const leaveAsk = (folder: string, tenant: string, ask: Ask): void => {
  mkdirSync(asksIn(folder), { recursive: true })
  writeFileSync(join(asksIn(folder), `${tenant}.${ask}`), "")
}

/** Takes the asks of these tenants; those of others are left for the daemons that have them. */
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
    rmSync(join(asksIn(folder), file), { force: true })
    return [{ tenant, ask }]
  })
}
