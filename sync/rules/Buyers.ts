/**
 * The buyers of a shop's orders: an organisation and a user of the service for each, created before its first order and
 * kept in step where the connection asks for it (DP 2.4, 2.5).
 *
 * Pure, with the promises of `Reconcile.ts`. What a buyer is, its latest order says. Organisations are found by
 * `unique_id` and users by email, so both may be created twice without harm; after that only what differs is sent.
 */
import type { Buyer, Order } from "../../connectors/Document.ts"
import { type Answer, type Call, reference } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import { toBeCreated } from "./OrderScope.ts"
import type { Verdict } from "./Invoices.ts"
import { differences } from "./InvoiceFields.ts"

export interface BuyerSubject {
  /** `shop/buyer/B1` */
  readonly key: string
  readonly connection: string
  /** Those that the source still has. */
  readonly orders: ReadonlyArray<Order>
}

/** What the service has been told about a buyer and has confirmed, in the shape of the wire. */
export interface BuyerTold {
  readonly kind: "buyer"
  /** The organisation's identifier. */
  readonly remote: string
  readonly organisation: Fields
  readonly user?: { readonly remote: string; readonly fields: Fields }
  /** The role of which user. */
  readonly member?: string
  /** Preferences by payment method, as the service stated them or was told since. */
  readonly methods: Readonly<Record<string, string>>
}

export const isBuyer = (told: object): told is BuyerTold => "kind" in told && told.kind === "buyer"

/** The key under which a buyer's user is found; no key of a document has this sign. */
export const userKey = (buyer: string): string => `${buyer}#user`

const present = (members: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Fields

const midnight = (day: string): string => `${day}T00:00:00Z`

interface Wanted {
  readonly organisation: Fields
  readonly user: Fields
  readonly role: string
}

const wanted = ({ orders, key }: BuyerSubject, buyer: Buyer, { orders: settings = {} }: Planning): Wanted => {
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

export const reconcileBuyer = (subject: BuyerSubject, told: BuyerTold | undefined, planning: Planning): Verdict => {
  const { buyers = {}, create } = planning.orders ?? {}
  if (subject.orders.length === 0) return { ...nothing, calls: [], reason: "the source has no order of it" }
  if (told === undefined && planning.orders?.buyers === undefined) {
    if (create === undefined || !subject.orders.some((order) => toBeCreated(order, planning))) {
      return { ...nothing, calls: [], reason: "T1: none of its orders is created here" }
    }
  }
  const buyer = latest(subject.orders).buyer!
  const want = wanted(subject, buyer, planning)
  const calls: Array<Call> = []
  let now = told
  const plan = (call: Pick<Call, "operation" | "body" | "because"> & { readonly params?: Call["params"] }) => {
    const whole: Call = { subject: subject.key, fact: subject.key, rule: "buyer", params: {}, reduces: false, ...call }
    calls.push(whole)
    now = advanceBuyer(now, whole)
  }
  const organisation_id = told?.remote ?? reference(subject.key)
  const { keep = false, payment_methods = {} } = buyers

  if (now === undefined) {
    plan({ operation: "organisations.create", body: want.organisation, because: `orders as ${buyer.name}` })
  } else if (keep) {
    const { registered: _, ...body } = differences(want.organisation, now.organisation)
    if (Object.keys(body).length > 0) {
      const because = `the source says something else of it: ${Object.keys(body).join(", ")}`
      plan({ operation: "organisations.update", params: { organisation_id }, body, because })
    }
  }
  if (now?.user === undefined || (keep && now.user.fields["email"] !== want.user["email"])) {
    plan({ operation: "users.create", body: want.user, because: `${want.user["name"]} orders for ${buyer.name}` })
  } else if (keep) {
    const { email: _, registered: __, ...body } = differences(want.user, now.user.fields)
    if (Object.keys(body).length > 0) {
      const because = `the source says something else of its user: ${Object.keys(body).join(", ")}`
      plan({ operation: "users.update", params: { user_id: now.user.remote }, body, because })
    }
  }
  const user = now!.user!
  if (now!.member === undefined || now!.member !== `${want.role} ${user.remote}`) {
    const body = { id: user.remote, role: want.role }
    const because = `${user.fields["name"]} is ${want.role} of ${buyer.name}`
    plan({ operation: "organisations.addUser", params: { organisation_id }, body, because })
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
      because: `the connection wishes ${wishes.map(([type, wish]) => `${type} ${wish}`).join(", ")}`
    })
  }
  return { ...nothing, calls }
}

/** The ledger of a buyer after `call` was done. */
export const advanceBuyer = (before: BuyerTold | undefined, call: Call, answer: Answer = {}): BuyerTold => {
  const body = call.body ?? {}
  const methods = { ...before?.methods, ...answer.methods }
  if (call.operation === "organisations.create") {
    return {
      kind: "buyer",
      ...before,
      remote: answer.remote ?? reference(call.subject),
      organisation: body,
      methods
    }
  }
  if (before === undefined) throw new RangeError(`${call.operation} before its organisation is there`)
  switch (call.operation) {
    case "users.create":
      return { ...before, user: { remote: answer.remote ?? reference(userKey(call.subject)), fields: body } }
    case "users.update":
      return { ...before, user: { ...before.user!, fields: kept(before.user!.fields, body) } }
    case "organisations.addUser":
      return { ...before, member: `${body["role"]} ${answer.remote ?? body["id"]}` }
    case "organisations.update": {
      const { payment_method_config: wishes, ...members } = body
      for (const [type, wish] of Object.entries((wishes ?? {}) as Readonly<Record<string, Fields>>)) {
        methods[type] = String(wish["preference"])
      }
      return { ...before, organisation: kept(before.organisation, members), methods }
    }
    default:
      return before
  }
}

/** A member that was taken back is null on the wire and absent here. */
const kept = (before: Fields, changed: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null))
