/**
 * The shop's server at checkout (DP 1): from what the buyer chose in the browser to an order and its offer, or to an
 * intent, and on to the page that shows them. What comes from a browser is read and checked, and of a company nothing is
 * taken but its identifier.
 */
import { Effect, Schema, Stream, Struct } from "effect"
import { Client, pages } from "../Client.ts"
import type * as Items from "../money/Items.ts"
import type { ServiceError } from "../ServiceError.ts"
import { CompanyId, type OrderId, type UserId } from "../wire/Ids.ts"
import { type Draft, type IntentDraft, build, buildIntent } from "./OrderBuilder.ts"
import { StrictSoleTraderCreate } from "./SoleTraders.ts"

/** What `companySelection` carried, as far as it is used: a company's identifier, or what a sole trader says of itself. */
const Selection = Schema.Union([
  Schema.Struct({ type: Schema.Literal("registered-company"), id: CompanyId }),
  StrictSoleTraderCreate.mapFields(Struct.omit(["owner", "unique_id"])).mapFields(
    Struct.assign({ type: Schema.Literal("sole-trader") })
  )
])
export type Selection = typeof Selection.Type

/** What came from the browser is not a company that somebody chose. */
export class UnreadableSelection extends Schema.TaggedError<UnreadableSelection>()("UnreadableSelection", {
  why: Schema.String
}) {
  override get message(): string {
    return `the selection cannot be read: ${this.why}`
  }
}

/** Reads what the page sends of `companySelection`: JSON text, or its value. */
export const selection = (sent: unknown): Effect.Effect<Selection, UnreadableSelection> =>
  Effect.try({
    try: () => (typeof sent === "string" ? (JSON.parse(sent) as unknown) : sent),
    catch: () => new UnreadableSelection({ why: "it is not JSON" })
  }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Selection)),
    Effect.mapError((cause) =>
      cause._tag === "UnreadableSelection" ? cause : new UnreadableSelection({ why: cause.message })
    )
  )

/** Who buys, by what the platform knows of it. */
export interface Customer {
  /** The platform's own identifier of the organisation, and of the sole trader. */
  readonly unique_id: string
  /** When it registered on the platform, an ISO 8601 datetime; so for the user. */
  readonly registered: string
  readonly user: { readonly email: string; readonly name: string; readonly phone?: string }
}

const existsAlready = ({ reason }: ServiceError): boolean =>
  reason._tag === "Refused" && reason.status === 400 && reason.problems.some((one) => one.includes("unique_id"))

type SoleTrader = Extract<Selection, { readonly type: "sole-trader" }>

/** The sole trader as a company. One that the platform made before is brought up to date. */
const trader = Effect.fnUntraced(function* (unique_id: string, owner: UserId, { type: _, ...described }: SoleTrader) {
  const { soletraders } = yield* Client
  const payload = { ...described, owner, unique_id }
  return yield* soletraders.create({ payload }).pipe(
    Effect.catchIf(existsAlready, (refusal) =>
      pages((query) => soletraders.list({ query })).pipe(
        Stream.filter((one) => one.unique_id === unique_id),
        Stream.runHead,
        Effect.flatMap((known) =>
          known._tag === "None"
            ? Effect.fail(refusal)
            : soletraders.update({ params: { soletrader_id: known.value.soletrader_id }, payload })
        )
      )
    ),
    Effect.map(({ id }) => id)
  )
})

/**
 * The buyer as the service knows it: a user, who is a member of an organisation of the company that was chosen. Repeated,
 * it brings up to date what is there. The answer is the `customer` of an order.
 */
export const buyer = Effect.fn("Checkout.buyer")(function* (
  { registered, unique_id, user: person }: Customer,
  chosen: Selection
) {
  const { companies, organisations, users } = yield* Client
  const { value: user } = yield* users.create({ payload: { ...person, registered } })
  const company =
    chosen.type === "sole-trader"
      ? yield* trader(unique_id, user.id, chosen)
      : (yield* companies.get({ params: { company_id: chosen.id } })).id
  const { value: organisation } = yield* organisations.create({
    payload: { unique_id, registered, company }
  })
  yield* organisations.addUser({
    params: { organisation_id: organisation.id },
    payload: { id: user.id, role: "member" }
  })
  return {
    type: chosen.type === "sole-trader" ? ("sole-trader" as const) : ("registered" as const),
    organisation: organisation.id,
    user: user.id
  }
})

/** The order of a cart: amounts follow from quantities, prices and rates. Keep its `id`, whatever becomes of the offer. */
export const order = Effect.fn("Checkout.order")(function* (draft: Draft, basis?: Items.TaxBasis) {
  const payload = yield* Effect.fromResult(build(draft, basis))
  return yield* (yield* Client).orders.create({ payload })
})

export interface OfferOptions {
  /** `en-gb`: the language of emails and plans. */
  readonly locale: string
  /** The address of the shop to which the payment's status is sent. */
  readonly notification?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The service wants these three; the element's events have taken their place (DP 2.7). */
const EMPTY = { success: "", failure: "", cancel: "" }

/** The plans for an order. When every one is declined the buyer pays another way. */
export const offer = Effect.fn("Checkout.offer")(function* (
  id: OrderId,
  { locale, metadata = {}, notification = "" }: OfferOptions
) {
  const { offers } = yield* Client
  return yield* offers.create({ payload: { order: id, locale, metadata, urls: { ...EMPTY, notification } } })
})

/** Order and offer in one call, whose buyer says in the checkout element which company it is (DP 2.8). */
export const intent = Effect.fn("Checkout.intent")(function* (
  draft: Omit<IntentDraft, "merchant_urls"> & { readonly notification?: string },
  basis?: Items.TaxBasis
) {
  const { notification = "", ...rest } = draft
  const payload = yield* Effect.fromResult(buildIntent({ ...rest, merchant_urls: { ...EMPTY, notification } }, basis))
  return yield* (yield* Client).intents.create({ payload })
})

/** Whether anything is offered: without it the page need not show the element. */
export const isOffered = ({
  offered_payment_plans
}: {
  readonly offered_payment_plans: ReadonlyArray<{ readonly status: string }>
}): boolean => offered_payment_plans.some(({ status }) => status === "offered")
