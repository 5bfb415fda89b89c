/**
 * Short histories that together make every kind of call of a sync. Each has stages with a run after each of them, and must end
 * in the same state whatever happened on the way.
 */
import type { Document, Order } from "../../connectors/Document.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import type { Operation } from "../../sync/model/Call.ts"
import type { Planning } from "../../sync/model/Connection.ts"
import { creditNote, invoice, payment, planning, reversal } from "../support/Documents.ts"
import { cancellation, order, parcel, returned } from "../support/Orders.ts"
import { covering, declinedBy, due } from "../sync/Covered.ts"
import { ask } from "../sync/InWorld.ts"
import { back, BAKERY, received } from "../sync/Paying.ts"
import { buyer as bakery, checkout, create, fresh } from "../sync/Shop.ts"
import type { World } from "../sync/World.ts"

export interface Scenario {
  readonly name: string
  readonly planning?: Planning
  /** A second connection pays: what its source says is `world.payments`. */
  readonly pays?: true
  /** What happens before each run, and what the source then says. */
  readonly stages: ReadonlyArray<(world: World) => Promise<ReadonlyArray<Document>>>
}

/** Every operation there is; the compiler keeps it whole. */
type Collecting = Extract<Operation, `collection${string}`>

export const OPERATIONS = Object.keys({
  "organisations.create": true,
  "organisations.addUser": true,
  "organisations.update": true,
  "users.create": true,
  "users.update": true,
  "transactions.create": true,
  "transactions.update": true,
  "transactions.amend": true,
  "transactions.confirm": true,
  "transactions.paid": true,
  "transactions.remove": true,
  "transactions.matchDebtor": true,
  "transactions.createPayment": true,
  "deferredPayments.get": true,
  "deferredPayments.capture": true,
  "deferredPayments.void": true,
  "deferredPayments.refund": true,
  "offers.create": true,
  "orders.create": true,
  "orders.get": true,
  "orders.list": true,
  "orders.update": true,
  "quotes.create": true,
  "policies.create": true
} satisfies Record<Exclude<Operation, Collecting | "orders.putDocument">, true>)

const says =
  (...documents: ReadonlyArray<Document>) =>
  async () =>
    documents

/** Somebody buys cover for the invoice with this number. */
const insure = async (world: World, number: string): Promise<void> => {
  const transaction = [...world.service.transaction.values()].find((one) => one["number"] === number)
  const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction!.id })
  await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" })
}

const buyer = CompanyId.make("co-1001")
const known = { id: "c1", name: "Harbour Lane Bakery", company: buyer }

/** A shop's order, checked out once for each world; how the shop carries it differs. */
const sold = (carry: "payment" | "order" | "number") => {
  const made = new WeakMap<World, Order>()
  return async (world: World, status = "accepted"): Promise<Order> => {
    const before = made.get(world)
    if (before !== undefined) return before
    const { deferredPayment: _, ...bare } = order()
    const id = await checkout(world, bare, status)
    const carried =
      carry === "payment"
        ? { deferredPayment: id }
        : carry === "order"
          ? { serviceOrder: String(world.service.deferred_payment.get(id)!["order"]) }
          : {}
    const whole = { ...bare, ...carried }
    made.set(world, whole)
    return whole
  }
}

const parcels = [
  parcel("1", { chairs: "2", lamps: "1" }, "2026-03-02"),
  parcel("2", { chairs: "2" }, "2026-03-03"),
  parcel("3", { lamps: "2" }, "2026-03-05")
]

const shop = (
  name: string,
  carry: "payment" | "order" | "number",
  planning: Planning,
  stages?: readonly [from: number, to: number]
): Scenario => {
  const bought = sold(carry)
  const all: Scenario["stages"] = [
    async (world) => [await bought(world, "pending_review"), parcels[0]!],
    async (world) => {
      const one = await bought(world)
      const [payment] = world.service.deferred_payment.values()
      if (payment!["status"] !== "accepted")
        await ask(world, "PUT", `/sandbox/deferred_payments/${payment!.id}/status`, { status: "accepted" })
      return [one, parcels[0]!]
    },
    async (world) => [
      { ...(await bought(world)), number: "SHOP-1b" },
      parcels[0]!,
      parcels[1]!,
      cancellation("4", { rug: "1" })
    ],
    async (world) => [
      { ...(await bought(world)), number: "SHOP-1b", status: "closed" },
      ...parcels,
      cancellation("4", { rug: "1" }),
      returned("5", { chairs: "1" })
    ]
  ]
  return { name, planning, stages: all.slice(...(stages ?? [])) }
}

const renamed = fresh({
  buyer: { ...bakery, name: "Corner Bakery & Sons Ltd", contact: "Anna", phone: "+44 20 7946 0000" }
})

/** The buyer takes the first plan, once. */
const takePlan = async (world: World): Promise<void> => {
  const [offer] = world.service.offer.values()
  if (offer === undefined || world.service.deferred_payment.size > 0) return
  const [plan] = offer["offered_payment_plans"] as ReadonlyArray<{ readonly id: string }>
  await ask(world, "POST", `/sandbox/offers/${offer.id}/plans/${plan!.id}/accept`, {})
}

const created: Scenario = {
  name: "an order that the service does not know: its buyer, the order and an offer are brought there",
  planning: { ...planning, orders: { create, buyers: { keep: true } } },
  stages: [
    says(fresh(), parcels[0]!),
    says(renamed, parcels[0]!),
    async (world) => {
      await takePlan(world)
      return [renamed, parcels[0]!]
    },
    says({ ...renamed, number: "SHOP-1b", status: "closed" }, ...parcels, returned("5", { chairs: "1" }))
  ]
}

/** Payments of another source, as it states them before a run. */
const debits =
  (payments: ReadonlyArray<Document>, ...documents: ReadonlyArray<Document>): Scenario["stages"][number] =>
  async (world) => {
    world.payments = payments
    return documents
  }

const paid: Scenario = {
  name: "invoices that another source pays: by link, reference and amount, moved, charged back, and charged back no more",
  pays: true,
  stages: [
    debits(
      [
        received("D1", { link: "I1" }),
        received("D2", { amount: "50.00", reference: "for INV-2" }),
        received("D3", { ...BAKERY, amount: "15.50" })
      ],
      invoice(),
      invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
      invoice({ id: "I3", number: "INV-3", gross: "15.50" }),
      invoice({ id: "I4", number: "INV-4", gross: "9.00" })
    ),
    debits(
      [
        received("D1", { link: "INV-4", amount: "9.00" }),
        received("D2", { amount: "50.00", reference: "for INV-2" }),
        back("B1", "D2", { amount: "50.00" }),
        received("D3", { ...BAKERY, amount: "15.50" }),
        received("D4", { ...BAKERY, amount: "7.00" }),
        received("D5", { amount: "120.00", reference: "INV 1 and INV 5" })
      ],
      invoice(),
      invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
      invoice({ id: "I4", number: "INV-4", gross: "9.00" })
    ),
    debits(
      [
        received("D1", { link: "INV-4", amount: "9.00" }),
        received("D2", { amount: "50.00", reference: "for INV-2" }),
        received("D4", { ...BAKERY, amount: "7.00" }),
        received("D5", { amount: "120.00", reference: "INV 1 and INV 5" }),
        received("D6", { amount: "30.00", reference: "INV-2, the rest" })
      ],
      invoice(),
      invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
      invoice({ id: "I4", number: "INV-4", gross: "9.00" })
    )
  ]
}

const member = { email: "ada@example.com", name: "Ada", role: "admin" } as const

export const SCENARIOS: ReadonlyArray<Scenario> = [
  {
    name: "invoices of an organisation with a member: paid, moved, credited, voided, taken back",
    planning: {
      owner: { organisation: { unique_id: "seller", registered: "2020-01-01T00:00:00Z", members: [member] } }
    },
    stages: [
      says(
        invoice(),
        invoice({ id: "I2", number: "INV-2", gross: "80.00" }),
        invoice({ id: "I3", number: "INV-3", gross: "15.50" }),
        payment("P1", "120.00"),
        payment("P2", { I2: "50.00" }),
        payment("P3", { I2: "10.00" }, "2026-01-12"),
        reversal("R1", { I2: "50.00" }, "error", { payment: "P2" })
      ),
      says(
        invoice(),
        invoice({ id: "I2", number: "INV-2", gross: "80.00", due: "2026-02-15" }),
        invoice({ id: "I3", number: "INV-3", gross: "15.50", status: "void" }),
        payment("P1", "120.00"),
        payment("P2", { I2: "50.00" }),
        payment("P3", { I2: "20.00" }, "2026-01-12"),
        reversal("R1", { I2: "50.00" }, "error", { payment: "P2" }),
        payment("P4", { I2: "55.00" }, "2026-01-25"),
        creditNote("C1", { I2: "5.00" }),
        invoice({ id: "I4", number: "INV-4", gross: "7.25" }),
        payment("P5", { I4: "1.25" })
      )
    ]
  },
  {
    name: "invoices of a user: drafts, cover, amendments, a company that is found later",
    planning: {
      owner: { user: { email: "ann@example.com", name: "Ann", registered: "2020-01-01T00:00:00Z" } },
      creditor: { company: CompanyId.make("co-1000") },
      scope: { drafts: true }
    },
    stages: [
      says(
        invoice({ party: known, status: "draft" }),
        invoice({ id: "I2", number: "INV-2", party: known, net: "50.00", gross: "60.00" }),
        invoice({ id: "I3", number: "INV-3", status: "draft" })
      ),
      async (world) => {
        if (world.service.policy.size === 0) {
          await insure(world, "INV-1")
          await insure(world, "INV-2")
        }
        return [
          invoice({ party: known }),
          invoice({ id: "I2", number: "INV-2", party: known, net: "41.67", gross: "50.00", due: "2026-02-10" }),
          invoice({ id: "I3", number: "INV-3", party: known })
        ]
      },
      says(
        invoice({ party: known }),
        payment("P1", "120.00"),
        invoice({ id: "I2", number: "INV-2", party: known, net: "41.67", gross: "50.00", due: "2026-02-10" }),
        payment("P2", { I2: "50.00" }),
        reversal("R2", { I2: "50.00" }, "chargeback", { payment: "P2" }),
        payment("P3", { I2: "50.00" }, "2026-02-01")
      )
    ]
  },
  shop("an order that is known by its deferred payment: captured, voided, refunded, renamed", "payment", planning),
  shop("an order that is known by the service's order", "order", planning, [0, 2]),
  shop("an order that is known by its reference", "number", { ...planning, orders: { link: "unique_id" } }, [0, 2]),
  created,
  paid,
  {
    name: "invoices that are insured: quoted, bought within the month, declined, changed while their offer waits",
    planning: covering({ price: { currency: "GBP", per_month: "50.00" } }),
    stages: [
      says(due("1"), due("2", { due: "2026-04-05" }), due("3", { due: "2026-04-10" }), declinedBy("4", "buyer-sector")),
      says(
        due("1"),
        payment("P1", { 1: "1200.00" }),
        due("2", { due: "2026-04-07" }),
        due("3", { due: "2026-04-12" }),
        declinedBy("4", "buyer-sector")
      )
    ]
  }
]
