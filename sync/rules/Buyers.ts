/**
 * The buyers of a shop's orders: an organisation and a user of the service for each, created before its first order and
 * kept in step where the connection asks for it (DP 2.4, 2.5).
 *
 * Pure. Promises, each a property in `test/sync/Buyers.test.ts`:
 *
 *   settled      carrying out a plan leaves nothing to plan
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *
 * What a buyer is, its latest order says. Organisations are found by `unique_id` and users by email, so both may be
 * created twice without harm; after that only what differs is sent.
 */
import { advanceBuyer, type RemoteBuyer } from "../model/RemoteBuyer.ts"
import type { BuyerFacts } from "../model/BuyerFacts.ts"
import type { Buyer, Order } from "../../connectors/Document.ts"
import { type Call, reference } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import { toBeCreated } from "./OrderScope.ts"
import type { Decision } from "../model/Decision.ts"
import { differences } from "./InvoiceFields.ts"

/** In the words of a matter about an organisation or a user that is gone from the service. */
export const BUYER_LOST = "its buyer is not on the service any more"

const present = (members: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Fields

const midnight = (day: string): string => `${day}T00:00:00Z`

interface Wanted {
  readonly organisation: Fields
  readonly user: Fields
  readonly role: string
}

const wanted = ({ orders, key }: BuyerFacts, buyer: Buyer, { orders: settings = {} }: Planning): Wanted => {
  const first = orders.reduce((day, { placed }) => (placed < day ? placed : day), orders[0]!.placed)
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

/** Of two orders the one that was placed later says what the buyer is. */
const latest = (orders: ReadonlyArray<Order>): Order =>
  orders.reduce((one, other) => (`${other.placed} ${other.id}` > `${one.placed} ${one.id}` ? other : one))

const nothing = { attention: [], open: 0n }

export const reconcileBuyer = (facts: BuyerFacts, remote: RemoteBuyer | undefined, planning: Planning): Decision => {
  const { buyers = {}, create } = planning.orders ?? {}
  if (facts.orders.length === 0) return { ...nothing, calls: [], reason: "the source has no orders of this buyer" }
  if (remote === undefined && planning.orders?.buyers === undefined) {
    if (create === undefined || !facts.orders.some((order) => toBeCreated(order, planning))) {
      return { ...nothing, calls: [], reason: "T1: none of its orders is created here" }
    }
  }
  const buyer = latest(facts.orders).buyer!
  const want = wanted(facts, buyer, planning)
  const calls: Array<Call> = []
  let now = remote
  const plan = (call: Pick<Call, "operation" | "body" | "reason"> & { readonly params?: Call["params"] }) => {
    const whole: Call = { subject: facts.key, fact: facts.key, rule: "buyer", params: {}, destructive: false, ...call }
    calls.push(whole)
    now = advanceBuyer(now, whole)
  }
  const organisation_id = remote?.id ?? reference(facts.key)
  const { keep = false, payment_methods = {} } = buyers

  if (now === undefined) {
    plan({ operation: "organisations.create", body: want.organisation, reason: `orders as ${buyer.name}` })
  } else if (keep) {
    const { registered: _, ...body } = differences(want.organisation, now.organisation)
    if (Object.keys(body).length > 0) {
      const reason = `changed in the source: ${Object.keys(body).join(", ")}`
      plan({ operation: "organisations.update", params: { organisation_id }, body, reason })
    }
  }
  if (now?.user === undefined || (keep && now.user.fields["email"] !== want.user["email"])) {
    plan({ operation: "users.create", body: want.user, reason: `${want.user["name"]} orders for ${buyer.name}` })
  } else if (keep) {
    const { email: _, registered: __, ...body } = differences(want.user, now.user.fields)
    if (Object.keys(body).length > 0) {
      const reason = `its user changed in the source: ${Object.keys(body).join(", ")}`
      plan({ operation: "users.update", params: { user_id: now.user.id }, body, reason })
    }
  }
  const user = now!.user!
  if (now!.member === undefined || now!.member !== `${want.role} ${user.id}`) {
    const body = { id: user.id, role: want.role }
    const reason = `${user.fields["name"]} is ${want.role} of ${buyer.name}`
    plan({ operation: "organisations.addUser", params: { organisation_id }, body, reason })
  }
  const wishes = Object.entries(payment_methods).filter(([type, wish]) => (now!.methods[type] ?? "default") !== wish)
  // Last: a method that cannot be chosen is refused, and must keep nothing else from being told.
  if (wishes.length > 0) {
    plan({
      operation: "organisations.update",
      params: { organisation_id },
      body: {
        payment_method_config: Object.fromEntries(wishes.map(([type, preference]) => [type, { preference }]))
      },
      reason: `the connection sets ${wishes.map(([type, wish]) => `${type} ${wish}`).join(", ")}`
    })
  }
  return { ...nothing, calls }
}
