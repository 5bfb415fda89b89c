/** The service as the laws need it: a deferred payment that refuses what cannot be. */
import type { Minor, Service } from "./Numbers.ts"

/** The service: refuses what cannot be. */
export class Payment {
  readonly authorised: Minor
  captured = 0
  voided = 0
  refunded = 0
  constructor(authorised: Minor) {
    this.authorised = authorised
  }
  get open(): Minor {
    return this.authorised - this.captured - this.voided
  }
  get net(): Minor {
    return this.captured - this.refunded
  }
  get seen(): Service {
    return {
      currency: "EUR",
      open: this.open,
      captured: this.captured,
      voided: this.voided,
      refunded: this.refunded,
      expired: 0
    }
  }
  readonly #keys = new Map<string, string>()
  /** A key that was used answers as it did before (DP 8); with another amount it is refused. */
  post(op: "capture" | "refund" | "void", amount: Minor, key?: string): string | undefined {
    const before = key === undefined ? undefined : this.#keys.get(key)
    if (before !== undefined) return before === `${op} ${amount}` ? undefined : `the key ${key} for another amount`
    if (key !== undefined) this.#keys.set(key, `${op} ${amount}`)
    if (!Number.isInteger(amount) || amount <= 0) return `a ${op} of ${amount}`
    if (op === "refund") {
      if (amount > this.net) return `a refund of ${amount}, and ${this.net} is captured`
      this.refunded += amount
    } else if (amount > this.open) return `a ${op} of ${amount}, and ${this.open} is open`
    else if (op === "capture") this.captured += amount
    else this.voided += amount
    return undefined
  }
}
