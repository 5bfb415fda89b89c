/**
 * Kinds of steps that are known to fail, as their faults are not mended yet. A mend takes its kinds out of here; once none
 * is left, so is this file.
 */
import type { Kind } from "./Steps.ts"

export const OPEN_STEPS: ReadonlySet<Kind> = new Set<Kind>([])
