/** What goes wrong between Daybook and the systems that it asks: answers and requests are lost, refused, put off, cut in the middle. */
import { Dice } from "../../simulation/Dice.ts"
import type { Day } from "../Values.ts"
import type { Fault } from "./Plan.ts"

const KINDS: Readonly<Record<string, Pick<Fault, "kind" | "status">>> = {
  "loses an answer": { kind: "lose_response" },
  "loses a request": { kind: "lose_request" },
  fails: { kind: "status", status: 500 },
  "is down": { kind: "status", status: 503 },
  "is asked too often": { kind: "status", status: 429 },
  "answers half": { kind: "garble" }
}

const SYSTEMS = ["service", "source"] as const

/** Each as situations have it. */
export const FAULTS: ReadonlyArray<string> = SYSTEMS.flatMap((of) =>
  Object.keys(KINDS).map((how) => `the ${of} ${how}`)
)

/** In two of five lives, each at the first sync after its day. */
export const faultsOf = (
  seed: number,
  quiet: Day,
  hasSource: boolean
): ReadonlyArray<{ readonly id: string; readonly day: Day; readonly kind: string; readonly fault: Fault }> => {
  const dice = Dice.of(seed, "faults")
  if (!dice.chance(0.4)) return []
  return Array.from({ length: 1 + dice.below(3) }, (_, n) => {
    const of = hasSource ? dice.of(SYSTEMS)! : "service"
    const how = dice.of(Object.keys(KINDS))!
    const fault: Fault = { of, ...KINDS[how]!, skip: dice.below(of === "service" ? 8 : 4), times: 1 + dice.below(3) }
    return { id: `fault.${n}`, day: 1 + dice.below(quiet - 1), kind: `the ${of} ${how}`, fault }
  })
}

export const told = ({ skip, times }: Fault, kind: string): string => `${kind}, ${times} times after ${skip} requests`
