/**
 * Serializes organisations, users, transactions, quotes, policies, collections and documents, including what `expand` puts in
 * place of an identifier (DP 4, note 4).
 *
 * An expanded object keeps its own identifiers: only one level is expanded.
 */
import { company } from "../store/Directory.ts"
import { type Context, expand } from "../store/Handler.ts"
import { policyStatus, quoteStatus } from "./Insurance.ts"
import type { Kept } from "../store/Json.ts"
import { methodsOf } from "./PaymentMethods.ts"
import type { Entity, Kind } from "../store/Store.ts"

export type View = Readonly<Record<string, unknown>>
type Show = (context: Context) => (entity: Entity) => View

/** Resolves the identifier in a member; undefined if it refers to nothing. */
type Resolve = (context: Context, id: string) => unknown

const one =
  (kind: Kind, show: () => Show): Resolve =>
  (context, id) => {
    const found = context.mine[kind].get(id)
    return found === undefined ? undefined : show()(context)(found)
  }

export const companyOf: Resolve = (context, id) => {
  const listed = context.directory.get(id, context.key)
  return listed === undefined ? undefined : company(listed, context.base)
}

const user = one("user", () => showUser)
const organisation = one("organisation", () => showOrganisation)
const owner: Resolve = (context, id) => user(context, id) ?? organisation(context, id)
const transaction = one("transaction", () => showTransaction)
const quote = one("quote", () => showQuote)
const policy = one("policy", () => showPolicy)
const collection = one("collection", () => showCollection)

/** The members of each resource that hold identifiers. */
const EXPANDS = {
  transaction: { owner, debtor: companyOf, creditor: companyOf, policy, quote },
  quote: { transaction, client: companyOf, policy },
  policy: { quote, collection },
  collection: { policy },
  document: { policy },
  soletrader: { owner: user },
  user: { company: companyOf },
  organisation: { company: companyOf }
} satisfies Record<string, Readonly<Record<string, Resolve>>>

/** A resource's body, with the identifiers in `expand` resolved. */
export const expanded = (context: Context, resource: keyof typeof EXPANDS, body: View): View => {
  const { expand: names, ...query } = context.query
  if (names === undefined) return body
  const plain = { ...context, query }
  const members: Readonly<Record<string, Resolve>> = EXPANDS[resource]
  return expand(
    context,
    body,
    Object.fromEntries(Object.entries(members).map(([name, resolve]) => [name, (id: string) => resolve(plain, id)]))
  )
}

export const membersOf = (context: Context, organisation: string): ReadonlyArray<Entity> =>
  context.mine.membership.by(organisation)

export const showMember = (context: Context) => (membership: Entity) => ({
  id: membership["user"],
  email: context.mine.user.get(String(membership["user"]))?.["email"] ?? null,
  role: membership["role"]
})

export const showOrganisation = (context: Context) => (organisation: Entity) => ({
  ...organisation,
  payment_method_config: methodsOf(organisation["payment_method_config"]),
  has_purchased_policy: context.mine.policy.by(organisation.id, "owner").length > 0,
  users: membersOf(context, organisation.id).map(showMember(context))
})

export const membershipsOf = (context: Context, user: string): ReadonlyArray<Entity> =>
  context.mine.membership.by(user, "user")

export const showUserMembership = (membership: Entity) => ({ id: membership["organisation"], role: membership["role"] })

export const showUser = (context: Context) => (user: Entity) => ({
  ...user,
  organisations: membershipsOf(context, user.id).map(showUserMembership)
})

export const showTransaction: Show = (context) => (entity) =>
  expanded(context, "transaction", {
    url: `${context.base}/v1/transactions/${entity.id}`,
    ...entity,
    payments: context.mine.payment.by(entity.id).map(({ amount, date, id }) => ({ id, date, amount })),
    referral_url: `${context.base}/referral/${entity["transaction_key"]}`
  })

/**
 * The text of a transaction, kept until it or a payment of it changes: nothing else is in it but the address of the request.
 * Returns undefined if the transaction does not exist.
 */
export const transactionText = (context: Context, id: string): View | Kept | undefined => {
  const { base, mine, query } = context
  if (query["expand"] === undefined) return mine.transaction.shown(id, base, showTransaction(context))
  const found = mine.transaction.get(id)
  return found === undefined ? undefined : showTransaction(context)(found)
}

export const showQuote: Show = (context) => (entity) =>
  expanded(context, "quote", {
    url: `${context.base}/v1/quotes/${entity.id}`,
    ...entity,
    status: quoteStatus(context, entity)
  })

export const showPolicy: Show = (context) => (entity) => {
  const { created, id, loss_payee, number, quote, recovered_amount } = entity
  return expanded(context, "policy", {
    url: `${context.base}/v1/policies/${id}`,
    id,
    number,
    quote,
    status: policyStatus(context, entity),
    created,
    documents: [
      { category: "policy", url: `${context.base}/documents/${id}/policy.pdf` },
      { category: "general_conditions", url: `${context.base}/documents/${id}/general-conditions.pdf` }
    ],
    collection: context.mine.collection.by(id)[0]?.id ?? null,
    loss_payee,
    ...(recovered_amount === undefined ? {} : { recovered_amount })
  })
}

export const showCollection: Show = (context) => (entity) => {
  const { transaction: _, ...collection } = entity
  return expanded(context, "collection", { url: `${context.base}/v1/collections/${entity.id}`, ...collection })
}

export const showDocument: Show = (context) => (entity) => {
  const { content: _, media: __, name, transaction: ___, ...document } = entity
  return expanded(context, "document", {
    url: `${context.base}/v1/collectiondocuments/${entity.id}`,
    ...document,
    file: `${context.base}/documents/${entity.id}/${encodeURIComponent(String(name))}`
  })
}
