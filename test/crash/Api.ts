/**
 * The service over HTTP, past the program: its control interface, and its transactions as the witness reads them.
 */
import type { PlainTransaction } from "../../sync/witness/Plain.ts"

type Json = Readonly<Record<string, unknown>>

export class Api {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  async ask(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await fetch(path.startsWith("http") ? path : this.#url + path, {
      method,
      headers: { authorization: `Token ${this.#key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? {} : JSON.parse(text)
  }

  async all(path: string): Promise<ReadonlyArray<Json>> {
    const found: Array<Json> = []
    for (let next: string | null = `${path}?limit=100`; next !== null; ) {
      const page: Json = await this.ask("GET", next)
      found.push(...(page["results"] as ReadonlyArray<Json>))
      next = page["next"] as string | null
    }
    return found
  }

  async transactions(): Promise<ReadonlyArray<PlainTransaction>> {
    const found: Array<PlainTransaction> = []
    for (const one of await this.all("/v1/transactions")) {
      const payments = await this.all(`/v1/transactions/${String(one["id"])}/payments/`)
      found.push({
        unique_id: String(one["unique_id"]),
        status: String(one["status"]),
        currency: String(one["currency"]),
        due: String(one["gross_amount"] ?? one["net_amount"]),
        payments: payments.map(({ amount, details }) => ({ amount: String(amount), details: String(details) }))
      })
    }
    return found
  }
}
