/** A fault that Daybook must survive, and the tests that show it; see `FaultRows.ts`. */
export type Shown = readonly [file: string, test: string]

export interface FaultRow {
  readonly fault: string
  readonly tests: ReadonlyArray<Shown>
}

export const row = (fault: string, ...tests: ReadonlyArray<Shown>): FaultRow => ({ fault, tests })
