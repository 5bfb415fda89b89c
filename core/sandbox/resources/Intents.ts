/**
 * Payment intents (DP 2.8): create order and buyer in one call. The buyer's company is unknown until checkout.
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import { check, created, type Handler, timestamp } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { urlProblems } from "./Offers.ts"
import { addressProblems, basketProblems, makeOrder } from "./Orders.ts"
import { upsertUser } from "./OrganisationsAndUsers.ts"

type Members = Readonly<Record<string, unknown>>

export const intents = {
  create: (context) => {
    const { locale, merchant_urls, order = {} } = context.payload as Readonly<Record<string, Members>>
    const customer = (order["customer"] ?? {}) as Members
    const found = basketProblems(context, order, ["order"])
    addressProblems(found, customer, ["order", "customer"])
    urlProblems(found, merchant_urls as Readonly<Record<string, string | null>> | undefined, ["merchant_urls"])
    check(found)
    const items = order["items"] as ReadonlyArray<Members>
    const tax = Decimal.sum(items.map((item) => Minor.read(item["tax_amount"])))
    // Assumption: the user of an intent is one of the platform's, identified by email; the order's date is today.
    const { user, ...addresses } = customer
    const kept = makeOrder(context, {
      ...order,
      customer: { type: "registered", user: upsertUser(context, user as Members).user.id, ...addresses },
      order_date: Day.fromEpochMillis(context.now),
      tax_amount: Minor.write(tax)
    })
    const { id, secret } = context.store.identify("intent")
    const intent = context.store.put(context.key, "intent", {
      id,
      payment_url: `${context.base}/pay/${id}?key=${secret}`,
      order: kept.id,
      created: timestamp(context),
      request: { order, merchant_urls, locale }
    })
    return created(intent)
  }
} satisfies Record<string, Handler>
