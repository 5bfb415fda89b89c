/**
 * The steps of a checkout (DP 1) for a server that does not use Effect: each returns a promise. All share one client.
 */
import { Effect, ManagedRuntime, Redacted } from "effect"
import { Client, type ClientOptions } from "../Client.ts"
import type * as Decimal from "../money/Decimal.ts"
import { OrderId } from "../wire/Ids.ts"
import { buyer, type Customer, intent, offer, type OfferOptions, order, selection } from "./CheckoutOrder.ts"
import { heard, mayShip } from "./Shipping.ts"

/** Opens a client and returns the same steps under the same names. They reject with the errors of the effects. */
export const open = (options: Omit<ClientOptions, "key"> & { readonly key: string | Redacted.Redacted }) => {
  const key = typeof options.key === "string" ? Redacted.make(options.key) : options.key
  const runtime = ManagedRuntime.make(Client.layer({ ...options, key }))
  const run = <A, E>(step: Effect.Effect<A, E, Client>): Promise<A> => runtime.runPromise(step)
  return {
    /** @param sent the `companySelection` that the page sends, see `Checkout.selection` */
    buyer: (customer: Customer, sent: unknown) =>
      run(Effect.flatMap(selection(sent), (chosen) => buyer(customer, chosen))),
    order: (...given: Parameters<typeof order>) => run(order(...given)),
    /** @param id the order's id */
    offer: (id: string, options: OfferOptions) => run(offer(OrderId.make(id), options)),
    intent: (...given: Parameters<typeof intent>) => run(intent(...given)),
    /** @param body the body that was posted to the shop */
    heard: (body: unknown) => run(heard(body)),
    /** @param id the order's id */
    mayShip: (id: string, leaving: Decimal.Decimal) => run(mayShip(OrderId.make(id), leaving)),
    close: (): Promise<void> => runtime.dispose()
  }
}
