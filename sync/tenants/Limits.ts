/**
 * Determines how many tenants may be open, given the limits of open files and memory. The limits are read from the system;
 * what a tenant uses was measured (`test/tenants/Sides.ts`).
 */
import { readFileSync } from "node:fs"
import { totalmem } from "node:os"
import type { Slots } from "./Turns.ts"

/** For each tenant: state file, log, index, lock with a journal, vault, a request to the source. */
const DESCRIPTORS_EACH = 7
/** For the program itself: modules, listeners, connections to the service, people's requests. */
const DESCRIPTORS_KEPT = 256
const MEGABYTES_EACH = 2
const MOST_OPEN = 2000

export interface System {
  /** How many files this process may have open; undefined if unknown. */
  readonly descriptors: number | undefined
  readonly megabytes: number
}

/** This process's soft limit of open files, according to the system. */
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

/** How many tenants may be open at once: limited by a quarter of the memory and by the descriptors. At least two. */
export const mostOpen = ({ descriptors = 1024, megabytes }: System): number =>
  Math.max(
    2,
    Math.floor(Math.min(MOST_OPEN, (descriptors - DESCRIPTORS_KEPT) / DESCRIPTORS_EACH, megabytes / 4 / MEGABYTES_EACH))
  )

/**
 * The number of slots for turns, each of which keeps a tenant open. One place in the pool is left for people.
 *
 * @param asked the configured number of concurrent turns
 */
export const slotsOf = (open: number, asked: number): Slots => {
  const atOnce = Math.max(1, Math.min(asked, Math.floor(open / 2)))
  const slowMost = Math.max(0, open - atOnce - 1)
  return { atOnce, slow: Math.min(4 * atOnce, slowMost), slowMost }
}
