/**
 * Creates orders, offers and intents on the shop's server (DP 1, 2.6 to 2.8) from what the buyer chose in the browser. What a
 * browser sends is not trusted: it is checked, and of a company only the identifier is used.
 */
import { Effect, Schema, Stream, Struct } from "effect"
import { Client, pages } from "../Client.ts"
import type * as Items from "../money/Items.ts"
import type { ServiceError } from "../ServiceError.ts"
import { CompanyId, type OrderId, type UserId } from "../wire/Ids.ts"
import { type Draft, type IntentDraft, build, buildIntent } from "./OrderBuilder.ts"
import { StrictSoleTraderCreate } from "./SoleTraders.ts"

/** The part of `companySelection` (DP 6.2) that is used: a company's identifier, or the data that a sole trader entered. */
const Selection = Schema.Union([
  Schema.Struct({ type: Schema.Literal("registered-company"), id: CompanyId }),
  StrictSoleTraderCreate.mapFields(Struct.omit(["owner", "unique_id"])).mapFields(
    Struct.assign({ type: Schema.Literal("sole-trader") })
  )
])
export type Selection = typeof Selection.Type

/** What the browser sent is not a selected company. */
export class UnreadableSelection extends Schema.TaggedError<UnreadableSelection>()("UnreadableSelection", {
  why: Schema.String
}) {
  override get message(): string {
    return `the selection cannot be read: ${this.why}`
  }
}

/** Decodes the `companySelection` that the page sends, as JSON text or as a value. Fails with `UnreadableSelection`. */
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

/** The buyer, as the platform knows it. */
export interface Customer {
  /** The platform's own identifier for the organisation and, if there is one, the sole trader. */
  readonly unique_id: string
  /** When the buyer registered on the platform: an ISO 8601 datetime, used for the organisation and the user. */
  readonly registered: string
  readonly user: { readonly email: string; readonly name: string; readonly phone?: string }
}

const existsAlready = ({ reason }: ServiceError): boolean =>
  reason._tag === "Refused" && reason.status === 400 && reason.problems.some((one) => one.includes("unique_id"))

type SoleTrader = Extract<Selection, { readonly type: "sole-trader" }>

/** Creates the sole trader (DP 2.3), or updates the one that the platform created before. Returns its company identifier. */
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
 * Creates or updates the buyer on the service: a user (II 2.3) who is a member of an organisation (DP 2.4) of the chosen
 * company. Safe to repeat. Returns the `customer` of an order. Fails with a `ServiceError`.
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

/**
 * Creates the order of a cart (DP 2.6). Amounts, in minor units, are computed from quantities, prices and tax rates. Keep its
 * `id` even if no plan is offered. Fails with `Unbuildable` before anything is sent, or with a `ServiceError`.
 */
export const order = Effect.fn("Checkout.order")(function* (draft: Draft, basis?: Items.TaxBasis) {
  const payload = yield* Effect.fromResult(build(draft, basis))
  return yield* (yield* Client).orders.create({ payload })
})

/** What an offer needs besides its order (DP 2.7). */
export interface OfferOptions {
  /** The language of emails and plans, such as `en-gb`. */
  readonly locale: string
  /** The shop's URL that receives notifications about the payment (DP 6.1). */
  readonly notification?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The schema requires these three, although the element's events have replaced them (DP 2.7). */
const EMPTY = { success: "", failure: "", cancel: "" }

/** Requests payment plans for an order (DP 2.7). If all are declined, the buyer must pay in another way. */
export const offer = Effect.fn("Checkout.offer")(function* (
  id: OrderId,
  { locale, metadata = {}, notification = "" }: OfferOptions
) {
  const { offers } = yield* Client
  return yield* offers.create({ payload: { order: id, locale, metadata, urls: { ...EMPTY, notification } } })
})

/**
 * Creates order and offer in one call (DP 2.8). The buyer names the company in the checkout element. Fails with `Unbuildable`
 * before anything is sent, or with a `ServiceError`.
 */
export const intent = Effect.fn("Checkout.intent")(function* (
  draft: Omit<IntentDraft, "merchant_urls"> & { readonly notification?: string },
  basis?: Items.TaxBasis
) {
  const { notification = "", ...rest } = draft
  const payload = yield* Effect.fromResult(buildIntent({ ...rest, merchant_urls: { ...EMPTY, notification } }, basis))
  return yield* (yield* Client).intents.create({ payload })
})

/** Whether at least one plan is offered. If not, the element should not be shown (DP 3). */
export const isOffered = ({
  offered_payment_plans
}: {
  readonly offered_payment_plans: ReadonlyArray<{ readonly status: string }>
}): boolean => offered_payment_plans.some(({ status }) => status === "offered")
