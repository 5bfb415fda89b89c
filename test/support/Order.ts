/**
 * Which test files begin first: those that take longest, so that the end of a run is not one of them alone. Vitest knows
 * how long each took the last time, but not where there was no last time.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONG = [
  "connectors/tryton/server",
  "simulation/Simulation",
  "examples/LatePayments",
  "page/Page",
  "simulation/KillPoints",
  "cli/Connectors",
  "examples/Checkout",
  "orders/Orders",
  "sync/OrderDecided",
  "security/Secrets",
  "cli/Flood",
  "core/sandbox/sdk/Checkout",
  "core/sandbox/sdk/Everybody",
  "cli/Memory",
  "cli/Defects",
  "cli/Replaced",
  "security/Planted"
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONG.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
