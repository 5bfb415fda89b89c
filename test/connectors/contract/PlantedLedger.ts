/** A ledger that does not exist, declared, and how a connector may read it: right, and with one mistake in it. */
import { Schema } from "effect"
import type { Connector } from "../../../connectors/Connector.ts"
import { type Json, Rest } from "../../../connectors/index.ts"
import { copy, type Subject } from "../../../connectors/testing/index.ts"
import { isSince, stamping } from "../../../connectors/testing/Staging.ts"
import type * as Day from "../../../core/wire/Day.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

export const STATUSES = { draft: "draft", scheduled: "draft", sent: "open", paid: "paid", void: "void" } as const

export interface How {
  readonly status: (fields: Json.Fields) => "draft" | "open" | "paid" | "void"
  readonly currency: (fields: Json.Fields) => string
  readonly amount: (fields: Json.Fields, path: string, currency: string) => bigint
  readonly id: (fields: Json.Fields, path: string) => string
  readonly buyer: (fields: Json.Fields) => string
  readonly swapped: boolean
  /** Whether what is open, or paid, is worked out. */
  readonly computed: boolean | "paid"
  readonly received: (fields: Json.Fields) => boolean
  readonly query: Readonly<Record<string, string>>
  readonly perMinute: number
  readonly due: (fields: Json.Fields) => Day.Day
  readonly paidOn: (fields: Json.Fields) => Day.Day
  /** What a payment names itself, and the invoice that it pays. */
  readonly own: (fields: Json.Fields) => string
  readonly pays: (fields: Json.Fields) => string
  readonly deletes: boolean
  readonly since: string | ((at: string) => Readonly<Record<string, string>>)
  readonly issued: (fields: Json.Fields) => Day.Day
  readonly kind: "payment" | "reversal"
  readonly size: number
  /** The id of the buyer. */
  readonly who: (fields: Json.Fields) => string
  /** Whether a payment is of less where a part of it was refunded, and what is paid of an invoice is left over too. */
  readonly netted: boolean
  readonly twice: boolean
}

const right: How = {
  status: (fields) => fields.meaning("status", STATUSES),
  currency: (fields) => fields.currency("currency"),
  amount: (fields, path, currency) => fields.major(path, currency),
  id: (fields, path) => fields.text(path),
  buyer: (fields) => fields.text("buyer"),
  swapped: false,
  computed: false,
  received: (fields) => fields.oneOf("status", ["received", "failed"]) === "received",
  query: {},
  perMinute: 60,
  due: (fields) => fields.day("due"),
  paidOn: (fields) => fields.day("date"),
  own: (fields) => fields.text("id"),
  pays: (fields) => fields.text("invoice"),
  deletes: true,
  since: "since",
  issued: (fields) => fields.day("date"),
  kind: "payment",
  size: 100,
  who: (fields) => fields.text("buyer_id"),
  netted: false,
  twice: false
}

const invoice =
  (how: How) =>
  (fields: Json.Fields): Json.Decoded => {
    const [id, currency] = [how.id(fields, "id"), how.currency(fields)]
    const [net, gross, paid] = ["net", "gross", "paid"].map((path) => how.amount(fields, path, currency)) as [
      bigint,
      bigint,
      bigint
    ]
    const open = how.computed === true ? gross - paid : how.amount(fields, "balance", currency)
    const status = how.status(fields)
    const days = { issued: how.issued(fields), due: how.due(fields) }
    const its = {
      kind: "invoice",
      id,
      number: id,
      status,
      party: { id: how.who(fields), name: how.buyer(fields) },
      currency,
      ...days
    } as const
    const amounts = how.swapped ? { net: gross, gross: net } : { net, gross }
    const figures = how.computed === "paid" ? { paid: status === "paid" ? gross : paid } : { open }
    const stated = status === "open" || status === "paid" ? { stated: figures } : {}
    return { documents: [{ ...its, ...amounts, ...stated }] }
  }

const payment =
  (how: How) =>
  (fields: Json.Fields): Json.Decoded => {
    const [id, currency] = [how.own(fields), how.currency(fields)]
    const refunded = how.amount(fields, "refunded", currency)
    const amount = how.amount(fields, "amount", currency) - (how.netted ? refunded : 0n)
    const back = { kind: "reversal", id: `${id}/back` } as const
    if (!how.received(fields))
      return { documents: [], ...(how.deletes ? { deleted: [{ kind: "payment", id }, back] } : {}) }
    const invoice = how.pays(fields)
    const its = { date: how.paidOn(fields), currency }
    const paid = {
      ...{ id, ...its, shares: [{ invoice, amount }] },
      ...(how.twice ? { unallocated: amount } : {})
    }
    if (how.kind === "reversal") return { documents: [{ kind: "reversal", ...paid, type: "refund" }] }
    const refund = { ...back, payment: id, ...its, shares: [{ invoice, amount: refunded }], type: "refund" } as const
    return { documents: [{ kind: "payment", ...paid }, ...(refunded === 0n ? [] : [refund])] }
  }

export const of = (change: Partial<How>): Connector => {
  const how = { ...right, ...change }
  const list = (name: string) =>
    ({
      ...{ name, path: `/${name}`, records: name, query: how.query, size: { most: how.size, param: "limit" } },
      pagination: { by: "page", param: "page", total: "total" },
      changes: { since: how.since, inclusive: true }
    }) as const
  return Rest.make({
    ...{
      name: "ledger",
      title: "A ledger that does not exist",
      kinds: ["invoice", how.kind, "reversal"],
      deletions: "status",
      blindSpots: []
    },
    settings: Schema.Struct({ key: Rest.secret("KEY") }),
    limits: { perMinute: how.perMinute, atOnce: 1 },
    overlapSeconds: 60,
    base: () => "https://ledger.example",
    authorise: Rest.bearer(({ key }: { readonly key: { readonly env: string } }) => key),
    lists: [
      { ...list("invoices"), kind: "invoice", decode: () => invoice(how) },
      { ...list("payments"), kind: how.kind, decode: () => payment(how) }
    ]
  } as never) as Connector
}

const AT = "2026-02-01T09:00:00Z"
const record = (id: string, status: string, gross: string, paid: string, balance: string) => ({
  ...{
    id,
    status,
    currency: "GBP",
    net: gross === "0.00" ? gross : Decimal.format(Decimal.of(gross) - Decimal.of("20"), 2)
  },
  ...{
    gross,
    paid,
    balance,
    buyer: "Harbour Tea Ltd",
    buyer_id: "c-7",
    date: "2026-01-31",
    due: "2026-03-02",
    updated: AT
  }
})
const INVOICES = [
  record("101", "sent", "120.00", "50.00", "70.00"),
  record("102", "paid", "60.00", "60.00", "0.00"),
  record("103", "void", "60.00", "0.00", "0.00")
]
const money = (id: string, of: string, amount: string, refunded = "0.00") => ({
  id,
  invoice: of,
  status: "received",
  currency: "GBP",
  amount,
  refunded,
  date: "2026-02-03",
  updated: AT
})
const PAYMENTS = [money("201", "101", "60.00", "10.00"), money("202", "102", "60.00")]

/** @param payments what becomes of their amounts */
export const subjectOf = (
  connector: Connector,
  currency = "GBP",
  payments: (amount: string) => unknown = (amount) => amount
): Subject => ({
  connector,
  settings: { key: { env: "KEY" } },
  environment: { KEY: "sample-secret" },
  documented: { perMinute: 60, page: 100 },
  golden: [],
  open: () => {
    const all = { invoices: copy(INVOICES), payments: copy(PAYMENTS) }
    for (const one of [...all.invoices, ...all.payments]) one.currency = currency
    for (const one of all.payments) Object.assign(one, { amount: payments(one.amount) })
    const stamp = stamping("updated")
    return {
      source: {
        lists: {
          invoices: { records: all.invoices, id: "id", stamp },
          payments: { records: all.payments, id: "id", stamp }
        },
        answer: ({ path, query }, paging) => {
          const name = path.slice(1) as keyof typeof all
          const found = all[name].filter(({ updated }) => isSince(updated, query.get("since")))
          const { records } = paging.numbered(found, Number(query.get("page") ?? 1), query.get("limit"))
          return { body: { [name]: records, total: found.length } }
        }
      }
    }
  }
})
