/**
 * A tenant's identity: a text of its own in its folder, made once. What is stored for a tenant away from its folder hangs on it and not
 * on its name, which another customer may have later. A copy of the folder on another node must have the same.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import { isInCluster } from "../../state/replication/HighWater.ts"
import { isTenantName } from "./TenantSource.ts"

/** In the folder of a tenant. */
export const IDENTITY = "daybook.tenant"

const READ_ONLY = ["EROFS", "EACCES", "EPERM"]

/** Undefined: it has none yet. Throws if there is one that cannot be read. */
export const identityIn = (folder: string): string | undefined => {
  const file = join(folder, IDENTITY)
  let text: string
  try {
    text = readFileSync(file, "utf8").trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
  if (!isTenantName(text)) throw new Error(`${file} is damaged: one line of letters, digits, "-" and "_" belongs there`)
  return text
}

/** A tenant that arrives is nobody that was here before. */
export const renewIdentity = (folder: string): void =>
  writeFileSync(join(folder, IDENTITY), `${randomUUID()}\n`, { flush: true })

/**
 * Made on the first look, by whichever node is first; a link is made once, and is complete.
 *
 * @param link for tests
 */
export const identify = (folder: string, name: string, link = linkSync): string => {
  const found = identityIn(folder)
  if (found !== undefined) return found
  const file = join(folder, IDENTITY)
  const part = partialOf(file)
  // Earlier versions knew no identity but the name; such a tenant has shipped under it.
  const made = isInCluster(folder) ? name : randomUUID()
  try {
    writeFileSync(part, `${made}\n`, { flush: true })
    link(part, file)
    return made
  } catch (cause) {
    const other = identityIn(folder)
    if (other !== undefined) return other
    // All nodes must come to the same where none of them can write.
    if (READ_ONLY.includes((cause as NodeJS.ErrnoException).code ?? "")) return name
    throw new Error(`it has no identity, and none can be written: ${(cause as Error).message}`)
  } finally {
    rmSync(part, { force: true })
  }
}
