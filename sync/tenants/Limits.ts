/**
 * What this process may use: open files and memory, and how many tenants may be open with that. Limits are read from the
 * system; what a tenant takes was measured (`test/tenants/Sides.ts`).
 */
import { readFileSync } from "node:fs"
import { totalmem } from "node:os"
import type { Slots } from "./Turns.ts"

/** A state file, its log, its index, its lock with a journal, the vault, a request to the source. */
const DESCRIPTORS_EACH = 7
/** For the program itself: modules, listeners, the service's connections, people's requests. */
const DESCRIPTORS_KEPT = 256
const MEGABYTES_EACH = 2
const MOST_OPEN = 2000

export interface System {
  /** Files that this process may have open; undefined where that is not known. */
  readonly descriptors: number | undefined
  readonly megabytes: number
}

/** The soft limit of open files, as the system says it of this process. */
const descriptorLimit = (): number | undefined => {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return soft === undefined ? undefined : soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return undefined
  }
}

export const system = (): System => {
  const constrained = process.constrainedMemory()
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { descriptors: descriptorLimit(), megabytes: bytes / 2 ** 20 }
}

/** How many tenants may be open at once: a quarter of the memory, and what there is of descriptors. At least two. */
export const mostOpen = ({ descriptors = 1024, megabytes }: System): number =>
  Math.max(
    2,
    Math.floor(Math.min(MOST_OPEN, (descriptors - DESCRIPTORS_KEPT) / DESCRIPTORS_EACH, megabytes / 4 / MEGABYTES_EACH))
  )

/**
 * Slots for turns, of which each keeps a tenant open. One place of the pool is left for people.
 *
 * @param asked turns side by side, as the configuration has it
 */
export const slotsOf = (open: number, asked: number): Slots => {
  const atOnce = Math.max(1, Math.min(asked, Math.floor(open / 2)))
  const slowMost = Math.max(0, open - atOnce - 1)
  return { atOnce, slow: Math.min(4 * atOnce, slowMost), slowMost }
}
