/** Faults: strangers, links and slow neighbours. */
import type { FaultRow } from "../../support/FaultRow.ts"

export const SAFETY: ReadonlyArray<FaultRow> = []
