/**
 * Odoo, version 19 and later: reads customer invoices and what they were reconciled with (payments, credit notes,
 * write-offs) over the JSON-2 API. Lists are read in the order of ids, so records removed meanwhile hide no others.
 */
import { Schema } from "effect"
import type * as Http from "../Http.ts"
import * as Odoo from "../OdooJson.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct(Odoo.fields)

const PAGE = 1000

/**
 * An invoice's own time does not change when it is paid or a payment is undone, so invoices that may still change are read
 * as well.
 */
const changedInvoices = (since: unknown) =>
  Odoo.either(
    ["write_date", ">=", since],
    ["line_ids.matched_credit_ids.create_date", ">=", since],
    ["payment_state", "in", ["not_paid", "partial", "in_payment"]]
  )

const changedReconciles = (since: unknown) =>
  Odoo.either(...["write_date", "debit_move_id.write_date", "credit_move_id.write_date"].map((of) => [of, ">=", since]))

/** Declares a list of records of a model, each with what it names: `specification` says which fields. */
const list = (
  model: string,
  specification: object,
  domain: ReadonlyArray<unknown>,
  changed: (since: unknown) => ReadonlyArray<unknown>
) =>
  ({
    path: `/json/2/${model}/web_search_read`,
    records: "records",
    size: { most: PAGE, param: "limit" },
    pagination: { by: "last id", param: "after", total: "length" },
    question: ({ limit, since, ...query }: Http.Query) => ({
      domain: [...domain, ...Odoo.domain(query), ...(since === undefined ? [] : changed(since))],
      specification,
      limit,
      order: "id asc"
    })
  }) as const

const invoices = list("account.move", Mapping.INVOICE, [["move_type", "=", "out_invoice"]], changedInvoices)
const since = { since: "since", format: Odoo.time, inclusive: true } as const
const OF_SALES = [["debit_move_id.move_id.move_type", "=", "out_invoice"]]

export const odoo = Rest.make({
  ...Odoo.declared,
  name: "odoo",
  title: "Odoo (19 and later): invoices, payments, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "complete scan",
  blindSpots: [
    "a draft that is deleted: seen when it is read again by id",
    "an edit of a payment's reference of which Odoo does not move the time: seen within a day"
  ],
  lists: [
    {
      ...invoices,
      name: "invoices",
      kind: "invoice",
      changes: since,
      several: Odoo.several,
      one: { path: invoices.path, records: "records", question: (id) => invoices.question({ ids: id, limit: 1 }) },
      decode: () => Mapping.invoice
    },
    {
      ...list("account.partial.reconcile", Mapping.RECONCILE, OF_SALES, changedReconciles),
      name: "reconciles",
      kind: "payment",
      changes: "complete scan",
      unless: since,
      decode: () => Mapping.reconcile
    }
  ]
})
