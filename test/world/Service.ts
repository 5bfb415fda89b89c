/** What the service holds, as anybody sees it over HTTP. */
import { type Minor, minor, sum } from "./Values.ts"

export interface Held {
  readonly id: string
  readonly number: string
  readonly debtor: string
  readonly gross: Minor
  readonly due: string
  readonly status: string
  readonly received: Minor
  readonly payments: ReadonlyArray<{
    readonly amount: Minor
    readonly date: string
    readonly type: string | undefined
    readonly details: string
  }>
}

interface Page {
  readonly results: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly next: string | null
}

export class Service {
  readonly url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.url = url
    this.#key = key
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Token ${this.#key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? null : JSON.parse(text)
  }

  async #list(path: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    const all: Array<Readonly<Record<string, unknown>>> = []
    for (let offset = 0; ; offset += 100) {
      const { next, results } = (await this.ask("GET", `${path}?limit=100&offset=${offset}`)) as Page
      all.push(...results)
      if (next === null) return all
    }
  }

  async invoices(): Promise<ReadonlyArray<Held>> {
    const all = await this.#list("/v1/transactions")
    return Promise.all(
      all.map(async (one) => {
        const listed = one["status"] === "draft" ? [] : await this.#list(`/v1/transactions/${one["id"]}/payments/`)
        const payments = listed.map((p) => ({
          amount: minor(String(p["amount"])),
          date: String(p["date"]),
          type: p["type"] as string | undefined,
          details: String(p["details"] ?? "")
        }))
        return {
          id: String(one["id"]),
          number: String(one["number"]),
          debtor: String(one["debtor_name"] ?? ""),
          gross: minor(String(one["gross_amount"] ?? one["net_amount"])),
          due: String(one["due_date"]),
          status: String(one["status"]),
          received: sum(payments.map(({ amount }) => amount)),
          payments
        }
      })
    )
  }

  /** Somebody records a payment by hand, or with an amount below 0 takes it back. */
  async pay(id: string, amount: string, date: string): Promise<void> {
    const type = amount.startsWith("-") ? { type: "error" } : {}
    await this.ask("POST", `/v1/transactions/${id}/payments/`, { amount, date, details: "recorded by hand", ...type })
  }

  async setClock(now: string): Promise<void> {
    await this.ask("POST", "/sandbox/clock", { set: now })
  }
}
