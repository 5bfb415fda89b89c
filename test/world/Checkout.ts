/** The shop's checkout: a buyer's order on the service, with a deferred payment that was accepted. */
import type { Service } from "./Service.ts"
import type { Minor } from "./Values.ts"

export interface Payment {
  readonly authorised: Minor
  readonly open: Minor
  readonly captured: Minor
  readonly voided: Minor
  readonly refunded: Minor
}

interface Named {
  readonly id: string
}

const REGISTERED = "2024-01-05T09:30:00Z"

export class Checkout {
  readonly #service: Service
  #buyer: { readonly organisation: string; readonly user: string } | undefined

  constructor(service: Service) {
    this.#service = service
  }

  async #buys(): Promise<{ readonly organisation: string; readonly user: string }> {
    if (this.#buyer !== undefined) return this.#buyer
    const organisation = (await this.#service.ask("POST", "/v1/organisations", {
      unique_id: "buyer",
      registered: REGISTERED,
      company: "co-1000"
    })) as Named
    const user = (await this.#service.ask("POST", "/v1/users", {
      email: "ann@example.com",
      name: "Ann",
      registered: REGISTERED
    })) as Named
    return (this.#buyer = { organisation: organisation.id, user: user.id })
  }

  /** @returns the deferred payment's identifier */
  async accept(number: string, amount: Minor, date: string): Promise<string> {
    const { organisation, user } = await this.#buys()
    const total = Number(amount)
    const items = [
      {
        item_id: "all",
        type: "product",
        description: "all",
        category: "/goods",
        quantity: "1",
        unit_price: total,
        tax_rate: "0",
        total_amount: total,
        tax_amount: 0
      }
    ]
    const customer = { type: "registered", organisation, user }
    const order = (await this.#service.ask("POST", "/v1/payment/orders", {
      unique_id: number,
      customer,
      status: "draft",
      currency: "EUR",
      total_amount: total,
      tax_amount: 0,
      order_date: date,
      items
    })) as Named
    const urls = { success: "", failure: "", cancel: "", notification: "" }
    const offer = (await this.#service.ask("POST", "/v1/payment/offers", {
      order: order.id,
      locale: "en-gb",
      urls
    })) as Named & { readonly offered_payment_plans: ReadonlyArray<Named> }
    const [plan] = offer.offered_payment_plans
    return (
      (await this.#service.ask("POST", `/sandbox/offers/${offer.id}/plans/${plan!.id}/accept`, {
        status: "accepted"
      })) as Named
    ).id
  }

  async read(id: string): Promise<Payment> {
    const one = (await this.#service.ask("GET", `/v1/payment/deferred_payments/${id}`)) as Readonly<
      Record<string, number>
    >
    const of = (name: string): Minor => BigInt(one[name] ?? 0)
    const [open, captured, voided, refunded] = [
      of("authorisation"),
      of("protected_captures") + of("unprotected_captures"),
      of("voided_authorisation"),
      of("refunds")
    ]
    return { open, captured, voided, refunded, authorised: open + captured + voided + of("expired_authorisation") }
  }
}
