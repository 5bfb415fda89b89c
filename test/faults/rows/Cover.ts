/** Faults: cover, declarations and decisions. */
import type { FaultRow } from "../../support/FaultRow.ts"

export const COVER: ReadonlyArray<FaultRow> = []
