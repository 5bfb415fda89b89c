/**
 * One account of the service over HTTP, past Daybook: what a shop's own checkout does, what a person with the key does
 * by hand, and the figures of each deferred payment, in minor units.
 */
export type Json = Readonly<Record<string, unknown>>

export type Hand = "capture" | "void" | "refund"

export interface Figures {
  readonly open: number
  readonly captured: number
  readonly voided: number
  readonly refunded: number
  readonly authorised: number
  readonly status: string
}

export interface Sale {
  readonly number: string
  /** Minor units. */
  readonly total: number
  readonly currency?: string
  readonly status?: string
}

const REGISTERED = "2024-01-05T09:30:00Z"
const URLS = { success: "", failure: "", cancel: "", notification: "" }

export class Service {
  readonly url: string
  readonly key: string
  #customer: Promise<Json> | undefined
  #hands = 0

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Token ${this.key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? {} : JSON.parse(text)
  }

  /** A buyer of a company of its own, whose limit no test exhausts. */
  customer(): Promise<Json> {
    this.#customer ??= (async () => {
      const company = await this.ask("POST", "/sandbox/companies", {
        name: `Corner Bakery ${this.key}`,
        country: "GB",
        credit_limit: { currency: "GBP", amount: "100000000.00" }
      })
      const { id: organisation } = await this.ask("POST", "/v1/organisations", {
        unique_id: "buyer",
        registered: REGISTERED,
        company: company["id"]
      })
      const { id: user } = await this.ask("POST", "/v1/users", {
        email: "ann@example.com",
        name: "Ann",
        registered: REGISTERED
      })
      return { type: "registered", organisation, user }
    })()
    return this.#customer
  }

  /** The buyer's checkout in the shop. Answers the deferred payment that it makes. */
  async checkout({ currency = "GBP", number, status = "accepted", total }: Sale): Promise<string> {
    const amounts = { total_amount: total, tax_amount: 0 }
    const goods = { item_id: "1", type: "product", description: "Goods", category: "/goods", quantity: "1" }
    const order = await this.ask("POST", "/v1/payment/orders", {
      unique_id: number,
      customer: await this.customer(),
      currency,
      order_date: "2026-03-01",
      items: [{ ...goods, tax_rate: "0", unit_price: total, ...amounts }],
      ...amounts
    })
    return this.take(await this.offer(String(order["id"])), status)
  }

  /** The shop asks for an offer of its own. */
  offer(order: string): Promise<Json> {
    return this.ask("POST", "/v1/payment/offers", { order, locale: "en-gb", urls: URLS })
  }

  /** The buyer takes the first plan of an offer. */
  async take(offer: Json, status = "accepted"): Promise<string> {
    const [plan] = offer["offered_payment_plans"] as ReadonlyArray<Json>
    const path = `/sandbox/offers/${String(offer["id"])}/plans/${String(plan!["id"])}/accept`
    return String((await this.ask("POST", path, { status }))["id"])
  }

  async move(payment: string, status: string): Promise<void> {
    await this.ask("PUT", `/sandbox/deferred_payments/${payment}/status`, { status })
  }

  /** From now on so much of it is authorised that was neither captured nor voided. */
  async authorise(payment: string, amount: number): Promise<void> {
    await this.ask("PUT", `/sandbox/deferred_payments/${payment}/authorisation`, { amount })
  }

  /** Somebody with the key does it on the service's own page. */
  async byHand(payment: string, what: Hand, amount: number): Promise<void> {
    const key = { "idempotency-key": `by-hand-${this.key}-${++this.#hands}` }
    await this.ask("POST", `/v1/payment/deferred_payments/${payment}/${what}`, { amount }, key)
  }

  async figures(payment: string): Promise<Figures> {
    const one = await this.ask("GET", `/v1/payment/deferred_payments/${payment}`)
    const n = (name: string) => Number(one[name])
    const [open, captured] = [n("authorisation"), n("protected_captures") + n("unprotected_captures")]
    const voided = n("voided_authorisation")
    const authorised = open + captured + voided + n("expired_authorisation")
    return { open, captured, voided, refunded: n("refunds"), authorised, status: String(one["status"]) }
  }

  /** Each organisation without orders goes, and another one has its place. */
  async mergeBuyers(): Promise<void> {
    const { results } = await this.ask("GET", "/v1/organisations?limit=100")
    for (const { id, unique_id, company } of results as ReadonlyArray<Json>) {
      const its = { unique_id, company, registered: REGISTERED }
      // One that owns transactions or orders stays.
      const deleted = await this.ask("DELETE", `/v1/organisations/${String(id)}`).catch(() => undefined)
      if (deleted !== undefined) await this.ask("POST", "/v1/organisations", its)
    }
  }

  /** The orders of this account that go by this number. */
  async orders(number: string): Promise<ReadonlyArray<Json>> {
    const found: Array<Json> = []
    for (let next: string | null = "/v1/payment/orders?limit=100"; next !== null; ) {
      const page = (await this.ask("GET", next)) as {
        readonly next: string | null
        readonly results: ReadonlyArray<Json>
      }
      found.push(...page.results.filter((one) => one["unique_id"] === number))
      next = page.next === null ? null : page.next.replace(this.url, "")
    }
    return found
  }

  /** Requests of this account that did something, of this method and path. */
  async acted(method: string, path: string): Promise<number> {
    const journal = (await this.ask("GET", "/sandbox/requests?since=0")) as unknown as ReadonlyArray<Json>
    return journal.filter(
      (one) => one["acted"] === true && one["key"] === this.key && one["method"] === method && one["path"] === path
    ).length
  }
}
