/**
 * A shop with orders in files, its buyers' checkouts on a sandbox of its own, and the real command between them. What the
 * service holds is read from the service itself, in minor units.
 */
import { api, checkout } from "./Checkout.ts"
import { desk, lines, ofType, type Ran, service } from "./Cli.ts"
import { type FactKind, type ListedFact, orderFiles } from "../world/views/OrderFiles.ts"
import { GO_ON } from "./GoOn.ts"

export interface Sold {
  readonly id: string
  readonly number?: string
  readonly status?: "open" | "closed" | "cancelled"
  readonly payment?: string
  readonly order?: string
}

export interface Left {
  readonly id: string
  readonly of: string
  /** Number of chairs; by default all that are left. */
  readonly chairs?: number
  readonly day?: number
}

const BUYER = { buyer: "Bakery Ltd", buyer_company: "co-1000", email: "ann@example.com", category: "/home", tax: "20" }

const viewOf = (of: string) => orderFiles(["deferred_payment", "service_order", ...Object.keys(BUYER)], of)

/** The amount of four chairs: 100.00. */
export const ALL = 10_000

export interface Books {
  readonly orders?: ReadonlyArray<Sold>
  readonly parcels?: ReadonlyArray<Left>
  readonly cancellations?: ReadonlyArray<Left>
  readonly returns?: ReadonlyArray<Left>
}

const factsOf = (kind: FactKind, facts: ReadonlyArray<Left> = []): ReadonlyArray<ListedFact> =>
  facts.map(({ chairs, day = 2, id, of }) => ({
    ...{ kind, id, order: of, date: `2026-03-${String(day).padStart(2, "0")}` },
    goods: chairs === undefined ? {} : { chairs }
  }))

export type Hand = "capture" | "void" | "refund"

/** @param settings the connection's `orders`; with a second one, there is a second connection */
export const shop = async (...settings: ReadonlyArray<object>) => {
  const there = await service()
  const ids = settings.map((_, n) => ["shop", "second"][n]!)
  const configured = (orders: ReadonlyArray<object>) =>
    JSON.stringify({
      service: { url: there.url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
      connections: ids.map((id, n) => ({
        id,
        source: viewOf(n === 0 ? "" : `${id}-`).source,
        orders: orders[n],
        first_sync: "send",
        owner: { organisation: { unique_id: "shop", name: "Shop", registered: "2024-01-01T00:00:00Z" } }
      }))
    })
  const here = desk({ "daybook.config.json": configured(settings) })
  const write = ({ cancellations, orders = [], parcels, returns }: Books, of = "") => {
    const listed = orders.map(({ id, number = `N-${id}`, order = "", payment = "", status = "open" }) => ({
      ...{ id, number, placed: "2026-03-01", status, currency: "GBP" },
      lines: [{ id: "chairs", quantity: 4, gross: ALL }],
      more: { deferred_payment: payment, service_order: order, ...BUYER }
    }))
    const facts = [
      ...factsOf("parcel", parcels),
      ...factsOf("cancellation", cancellations),
      ...factsOf("return", returns)
    ]
    for (const [name, text] of Object.entries(viewOf(of).files(listed, facts))) here.write(name, text)
  }
  for (const n of ids.keys()) write({}, n === 0 ? "" : `${ids[n]}-`)
  const attention = (ran: Ran) => ofType(ran, "attention").map(({ document, why }) => `${document}: ${why}`)
  return {
    there,
    here,
    write,
    configure: (...orders: ReadonlyArray<object>) => here.write("daybook.config.json", configured(orders)),
    /** Whether the last statement names a difference for which there is no attention item. */
    differs: async (): Promise<boolean> => {
      const ran = await here.run("sync", ...GO_ON, "--json")
      return ofType(ran, "orders").some(({ differences }) => (differences as ReadonlyArray<unknown>).length > 0)
    },
    /** Runs `sync`; returns what needs attention. */
    sync: async (): Promise<ReadonlyArray<string>> => {
      const ran = await here.run("sync", ...GO_ON, "--json")
      if (ran.status !== 0 && ran.status !== 3)
        throw new Error(`sync ended with ${ran.status}: ${ran.stderr}${ran.stdout}`)
      lines(ran)
      return attention(ran)
    },
    /** A buyer's checkout without Daybook. */
    sell: (number: string, status = "accepted", company?: string) =>
      checkout(there, number, ALL, status, "GBP", company),
    /** A change by somebody with the key, without Daybook. */
    byHand: (payment: string, what: Hand, amount: number) =>
      api(there.url, "POST", `/v1/payment/deferred_payments/${payment}/${what}`, { amount }),
    move: (payment: string, status: string) => there.control("PUT", `deferred_payments/${payment}/status`, { status }),
    ask: (method: string, path: string, body?: unknown) => api(there.url, method, path, body),
    /** The amounts captured, voided, refunded and open on the service. */
    holds: async (payment: string) => {
      const one = await api(there.url, "GET", `/v1/payment/deferred_payments/${payment}`)
      const n = (name: string) => Number(one[name])
      return {
        captured: n("protected_captures") + n("unprotected_captures"),
        voided: n("voided_authorisation"),
        refunded: n("refunds"),
        open: n("authorisation")
      }
    },
    /** Requests about deferred payments and orders from there on, including reads. */
    asked: async (since = 0) => {
      const journal = await there.control<
        ReadonlyArray<{ readonly n: number; readonly method: string; readonly path: string }>
      >("GET", `requests?since=${since}`)
      return {
        last: journal.at(-1)?.n ?? since,
        requests: journal
          .filter(({ path }) => path.startsWith("/v1/payment"))
          .map(({ method, path }) => `${method} ${path}`)
      }
    }
  }
}

export type Shop = Awaited<ReturnType<typeof shop>>

/** The expected amounts of a payment; members that are not given are zero, and the rest is open. */
export const holding = ({
  captured = 0,
  refunded = 0,
  total = ALL,
  voided = 0
}: {
  readonly captured?: number
  readonly refunded?: number
  readonly total?: number
  readonly voided?: number
} = {}) => ({ captured, voided, refunded, open: total - captured - voided })
