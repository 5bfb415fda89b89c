/**
 * Defines the faults that can be injected between the network and the service.
 */
export type FaultKind = "status" | "lose_response" | "lose_request" | "delay" | "garble" | "late"

export const KINDS: ReadonlyArray<string> = ["status", "lose_response", "lose_request", "delay", "garble", "late"]

export interface Fault {
  readonly id: string
  readonly method?: string
  /** A prefix of the path. */
  readonly path?: string
  readonly kind: FaultKind
  /** For kind `status`: the status answered instead of acting. */
  readonly status?: number
  /** In seconds. */
  readonly retry_after?: number
  readonly delay_ms?: number
  /** How many requests pass before the fault applies. */
  readonly skip?: number
  /** How many times it applies; always if absent. */
  readonly times?: number
}

export class Faults {
  #faults: Array<{ readonly fault: Fault; skip: number; left: number }> = []
  #count = 0

  add(fault: Omit<Fault, "id">): string {
    const id = `fault-${++this.#count}`
    this.#faults.push({ fault: { ...fault, id }, skip: fault.skip ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY })
    return id
  }

  clear(): void {
    this.#faults = []
  }

  /** The fault that applies to this request, if any; counts it. */
  strike(method: string, path: string): Fault | undefined {
    for (const one of this.#faults) {
      if (one.left <= 0) continue
      if (one.fault.method !== undefined && one.fault.method.toUpperCase() !== method) continue
      if (one.fault.path !== undefined && !path.startsWith(one.fault.path)) continue
      if (one.skip > 0) {
        one.skip--
        continue
      }
      one.left--
      return one.fault
    }
    return undefined
  }
}
