/**
 * Creates offers and intents for the page `/docs/checkout`, on a platform of its own, so that trying an element leaves nothing
 * among a developer's own objects.
 */
import { makeOffer } from "../resources/Offers.ts"
import { makeOrder } from "../resources/Orders.ts"
import { organisations, upsertUser } from "../resources/OrganisationsAndUsers.ts"
import { showOffer } from "../resources/CheckoutSerializers.ts"
import { intents } from "../resources/Intents.ts"
import { type Answer, type Context, created, notFound, timestamp } from "../store/Handler.ts"
import * as Day from "../../wire/Day.ts"
import type { Entity } from "../store/Store.ts"
import { DOCS_PLATFORM } from "./PublicKeys.ts"
import type { Incoming, Service } from "./Service.ts"

const URLS = { success: "", failure: "", cancel: "", notification: "" }

const ITEM = {
  item_id: "chairs",
  type: "product",
  description: "Chairs",
  category: "/furniture/chairs",
  quantity: "4",
  unit_price: 9900,
  tax_rate: "20",
  total_amount: 39600,
  tax_amount: 7920
}

const orderOf = (context: Context, customer: object) => ({
  unique_id: `docs-${context.store.id("order").slice(6, 12)}`,
  currency: "GBP",
  total_amount: 39600,
  tax_amount: 7920,
  order_date: Day.fromEpochMillis(context.now),
  items: [ITEM],
  customer
})

const userOf = (context: Context) => ({ email: "buyer@example.com", name: "A Buyer", registered: timestamp(context) })

/** An offer for a company of the directory; for an unknown one, a rejection. */
const offerFor = (context: Context, company: string, locale: string): Answer => {
  const known = context.directory.get(company, context.key) === undefined ? null : company
  const registered = timestamp(context)
  const payload = { unique_id: `docs-${company}`, registered, company: known }
  const { id: organisation } = organisations.create({ ...context, payload }).body as Entity
  const { id: user } = upsertUser(context, userOf(context)).user
  const order = makeOrder(context, orderOf(context, { type: "registered", organisation, user }))
  return created(showOffer(context)(makeOffer(context, order, { locale, urls: URLS })))
}

const intentFor = (context: Context, locale: string): Answer => {
  const { tax_amount: _, order_date: __, ...order } = orderOf(context, { user: userOf(context) })
  return intents.create({ ...context, payload: { order, merchant_urls: URLS, locale } })
}

export const demo = (service: Service, { base, method, url }: Incoming, path: string): Answer => {
  const query = new URL(url, base).searchParams
  const context = service.context(DOCS_PLATFORM, base)
  const locale = query.get("locale") ?? "en"
  switch (`${method} ${path}`) {
    case "POST /docs/checkout/offer":
      return offerFor(context, query.get("company") ?? "", locale)
    case "POST /docs/checkout/intent":
      return intentFor(context, locale)
    default:
      throw notFound()
  }
}
