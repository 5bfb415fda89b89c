/**
 * Keeps the working copy of a replicated state file after it is closed, so that the next opening on this machine fetches only what was
 * shipped since. The folder lives as long as the process that made it; whoever takes a copy has it alone.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ContentHash } from "./ContentHash.ts"

/** What a copy has. */
export interface Cached {
  readonly seq: number
  readonly logBytes: number
  readonly baseBytes: number
  readonly content: ContentHash
}

/** Behind the copy's own name: what it has, and the hashes of its pages. */
const BESIDE = ".pages"

const identityOf = ({ ino, mtimeMs, size }: Stats) => ({ ino, mtimeMs, size })

export class CachedCopy {
  readonly #path: string

  /** @param folder on the same disk as working copies */
  constructor(folder: string, tenant: string) {
    this.#path = join(folder, tenant)
  }

  /** Moves the copy to this path, if it is as it was left; undefined: there is none. */
  take(file: string): Cached | undefined {
    try {
      // Whoever renames it first has it.
      renameSync(this.#path + BESIDE, file + BESIDE)
      const bytes = readFileSync(file + BESIDE)
      rmSync(file + BESIDE, { force: true })
      const end = bytes.indexOf("\n")
      const { ino, mtimeMs, size, ...has } = JSON.parse(bytes.toString("utf8", 0, end))
      renameSync(this.#path, file)
      const now = statSync(file)
      if (ino !== now.ino || mtimeMs !== now.mtimeMs || size !== now.size) return undefined
      return { ...has, content: ContentHash.of(bytes.subarray(end + 1)) }
    } catch {
      return undefined
    }
  }

  /** @param file properly closed, and shipped to the last commit */
  keep(file: string, { content, ...has }: Cached): void {
    try {
      if (existsSync(`${file}-wal`)) return
      const said = JSON.stringify({ ...has, ...identityOf(statSync(file)) })
      writeFileSync(file + BESIDE, Buffer.concat([Buffer.from(`${said}\n`), content.pages]), { mode: 0o600 })
      renameSync(file, this.#path)
      renameSync(file + BESIDE, this.#path + BESIDE)
    } catch {
      // Then the next opening fetches all of it.
      rmSync(file + BESIDE, { force: true })
    }
  }
}

/** The tenants of which there are copies in a folder. */
export const copiesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => (name.endsWith(BESIDE) ? [name.slice(0, -BESIDE.length)] : []))

const drop = (folder: string, tenant: string): void => {
  rmSync(join(folder, tenant + BESIDE), { force: true })
  rmSync(join(folder, tenant), { force: true })
}

/**
 * Deletes the copies of all other tenants, and then those that were not used for longest.
 *
 * @param most how many bytes may stay
 */
export const sweepCopies = (folder: string, tenants: ReadonlySet<string>, most: number): void => {
  const all = copiesIn(folder).flatMap((tenant) => {
    if (!tenants.has(tenant)) drop(folder, tenant)
    const found = statSync(join(folder, tenant), { throwIfNoEntry: false })
    return found === undefined ? [] : [{ tenant, bytes: found.size, used: found.ctimeMs }]
  })
  let bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  for (const one of all.toSorted((a, b) => a.used - b.used)) {
    if (bytes <= most) return
    drop(folder, one.tenant)
    bytes -= one.bytes
  }
}
