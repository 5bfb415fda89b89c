/**
 * The service's own plugin in a shop: it captures, refunds and voids by itself what the shop invoices, gives back and ends. Sometimes a
 * call of it is lost; somebody makes up for it once Daybook has said so.
 */
import type { Payment } from "./Checkout.ts"
import type { Service } from "./Service.ts"
import type { Order } from "./truth/Order.ts"
import type { ShopWorld } from "./truth/Storekeeper.ts"
import { least, type Minor } from "./Values.ts"

type Act = "capture" | "refund" | "void"

export class Plugin {
  readonly #service: Service
  readonly #lost: ShopWorld["lost"]
  #n = 0

  constructor(service: Service, lost: ShopWorld["lost"]) {
    this.#service = service
    this.#lost = lost
  }

  async #does(id: string, act: Act, amount: Minor): Promise<void> {
    if (amount <= 0n) return
    const path = `/v1/payment/deferred_payments/${id}/${act}`
    await this.#service.ask("POST", path, { amount: Number(amount) }, { "idempotency-key": `plugin-${++this.#n}` })
  }

  /** What the shop did to an order since. */
  async follows(order: Order, id: string, before: Payment): Promise<void> {
    const { end, number } = { ...order, number: order.placing.number }
    if (this.#lost.has(number)) return
    const captured = least(order.own.received, before.captured + before.open)
    await this.#does(id, "capture", captured - before.captured)
    await this.#does(id, "refund", least(order.own.given, captured) - before.refunded)
    if (end !== undefined) await this.#does(id, "void", before.open - (captured - before.captured))
  }

  /** Daybook said that something is wrong: whoever looks after the shop makes up for it. */
  isTold(): void {
    this.#lost.clear()
  }
}
