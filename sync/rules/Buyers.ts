/**
 * Plans the buyers of a shop's orders: an organisation and a user on the service for each, created before the buyer's first
 * order and updated if the connection asks for it (DP 2.4, 2.5).
 *
 * Pure. Guarantees, each a property in `test/sync/rules/Buyers.test.ts`:
 *
 *   settled      nothing is left to plan after a plan was carried out
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *
 * A buyer is described by its latest order. Organisations are found by `unique_id` and users by email, so creating either
 * twice does no harm; after that, only differences are sent.
 */
import { type RemoteBuyer, userKey } from "../model/RemoteBuyer.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import type { Buyer, Order } from "../../connectors/Document.ts"
import { type BuyerCall, reference } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields, Json } from "../model/RemoteInvoice.ts"
import { toBeCreated } from "./OrderScope.ts"
import type { Decision } from "../model/Decision.ts"
import { differences } from "./InvoiceFields.ts"

/** Code of an attention item about an organisation or user that is gone from the service. */
export const BUYER_LOST = "buyer_lost"

const present = (members: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Fields

const midnight = (day: string): string => `${day}T00:00:00Z`

interface Wanted {
  readonly organisation: Fields
  readonly user: Fields
  readonly role: string
}

const wanted = ({ orders, key }: BuyerFacts, buyer: Buyer, { orders: settings = {} }: Planning): Wanted => {
  const [first = ""] = orders.map(({ placed }): string => placed).toSorted()
  const registered = midnight(buyer.registered ?? first)
  const company =
    buyer.company === undefined
      ? { company_name: buyer.name, company_country: buyer.country, company_regnum: buyer.regnum }
      : { company: buyer.company }
  return {
    organisation: present({
      unique_id: buyer.id === undefined ? key : `${settings.buyers?.prefix ?? ""}${buyer.id}`,
      registered,
      name: buyer.name,
      ...company
    }),
    user: present({ email: buyer.email, name: buyer.contact ?? buyer.name, registered, phone: buyer.phone }),
    role: settings.buyers?.role ?? "member"
  }
}

/** The order that was placed last: it describes the buyer. */
const latest = (orders: ReadonlyArray<Order>): Order | undefined =>
  orders.reduce<Order | undefined>(
    (one, other) => (one === undefined || `${other.placed} ${other.id}` > `${one.placed} ${one.id}` ? other : one),
    undefined
  )

const nothing = { attention: [], open: 0n }

/** Fields that all calls of one buyer have in common. */
const about = ({ key }: BuyerFacts) =>
  ({ kind: "buyer", subject: key, fact: key, rule: "buyer", destructive: false }) as const

type About = ReturnType<typeof about>

export const reconcileBuyer = (
  facts: BuyerFacts,
  remote: RemoteBuyer | undefined,
  planning: Planning
): Decision<BuyerCall> => {
  const { buyers = {}, create } = planning.orders ?? {}
  const buyer = latest(facts.orders)?.buyer
  if (buyer === undefined) return { ...nothing, calls: [], reason: "the source has no orders of this buyer" }
  if (remote === undefined && planning.orders?.buyers === undefined) {
    if (create === undefined || !facts.orders.some((order) => toBeCreated(order, planning))) {
      return { ...nothing, calls: [], reason: "T1: none of its orders is created here" }
    }
  }
  const { keep = false, payment_methods = {} } = buyers
  const [its, want] = [about(facts), wanted(facts, buyer, planning)]
  const params = { organisation_id: remote?.id ?? reference(facts.key) }
  const user = userOf(its, want.user, remote?.user, { buyer, keep })
  const calls = [
    organisation(its, want.organisation, remote, { buyer, keep }),
    user.call,
    remote?.member === `${want.role} ${user.id}`
      ? undefined
      : ({
          ...its,
          operation: "organisations.addUser",
          params,
          body: { id: user.id, role: want.role },
          reason: `${user.name} is ${want.role} of ${buyer.name}`
        } as const),
    // Last: a method that cannot be chosen is rejected, and that must not keep anything else from being sent.
    methods(its, params, payment_methods, remote?.methods ?? {})
  ]
  return { ...nothing, calls: calls.filter((call) => call !== undefined) }
}

interface Circumstances {
  readonly buyer: Buyer
  /** Whether the source's later changes are sent. */
  readonly keep: boolean
}

const organisation = (
  its: About,
  want: Fields,
  remote: RemoteBuyer | undefined,
  { buyer, keep }: Circumstances
): BuyerCall | undefined => {
  if (remote === undefined)
    return { ...its, operation: "organisations.create", params: {}, body: want, reason: `orders as ${buyer.name}` }
  if (!keep) return undefined
  const { registered: _, ...body } = differences(want, remote.organisation)
  if (Object.keys(body).length === 0) return undefined
  const reason = `changed in the source: ${Object.keys(body).join(", ")}`
  return { ...its, operation: "organisations.update", params: { organisation_id: remote.id }, body, reason }
}

type UserCall = Extract<BuyerCall, { readonly operation: "users.create" | "users.update" }>

/** The user as it is after its call, and the call, if one is needed. */
const userOf = (
  its: About,
  want: Fields,
  before: RemoteBuyer["user"],
  { buyer, keep }: Circumstances
): { readonly call?: UserCall; readonly id: string; readonly name: Json | undefined } => {
  const { name } = want
  if (before === undefined || (keep && before.fields["email"] !== want["email"])) {
    const reason = `${name} orders for ${buyer.name}`
    const call = { ...its, operation: "users.create", params: {}, body: want, reason } as const
    return { call, id: reference(userKey(its.subject)), name }
  }
  const { fields, id } = before
  if (!keep) return { id, name: fields["name"] }
  const { email: _, registered: __, ...body } = differences(want, fields)
  if (Object.keys(body).length === 0) return { id, name: fields["name"] }
  const reason = `its user changed in the source: ${Object.keys(body).join(", ")}`
  return { call: { ...its, operation: "users.update", params: { user_id: id }, body, reason }, id, name }
}

/** Sets payment methods whose preference differs from the connection's setting. */
const methods = (
  its: About,
  params: { readonly organisation_id: string },
  wanted: Readonly<Record<string, string>>,
  held: RemoteBuyer["methods"]
): BuyerCall | undefined => {
  const wishes = Object.entries(wanted).filter(([type, wish]) => (held[type] ?? "default") !== wish)
  if (wishes.length === 0) return undefined
  return {
    ...its,
    operation: "organisations.update",
    params,
    body: {
      payment_method_config: Object.fromEntries(wishes.map(([type, preference]) => [type, { preference }]))
    },
    reason: `the connection sets ${wishes.map(([type, wish]) => `${type} ${wish}`).join(", ")}`
  }
}
