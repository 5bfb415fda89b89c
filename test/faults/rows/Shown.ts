/** Tests that show many faults at once. */
import type { Shown } from "../../support/FaultRow.ts"

export const SIMULATION: Shown = ["simulation/Simulation.test.ts", "every fact is sent once, and nothing is lost"]
export const KILLS: Shown = [
  "simulation/KillPoints.long.test.ts",
  "{scenario.name}: a kill at any step changes nothing in the end"
]
export const REQUESTS: Shown = [
  "simulation/KillPoints.long.test.ts",
  "{scenario.name}: nor does a request that fails, in whatever way"
]
export const kit = (check: string): Shown => ["../connectors/testing/Checks.ts", check]
export const trouble = (check: string): Shown => ["../connectors/testing/Faults.ts", check]
export const fuzz: Shown = [
  "fuzz/Fuzz.long.test.ts",
  "of {name}: none stops a run, each is quarantined with a reason or harmless"
]
