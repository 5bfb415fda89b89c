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
const changed = (since: unknown) =>
  Odoo.either(
    ["write_date", ">=", since],
    ["line_ids.matched_credit_ids.create_date", ">=", since],
    ["payment_state", "in", ["not_paid", "partial", "in_payment"]]
  )

/** Declares a list of records of a model. */
const list = (model: string, fields: ReadonlyArray<string>, domain: ReadonlyArray<unknown> = []) =>
  ({
    path: `/json/2/${model}/search_read`,
    size: { most: PAGE, param: "limit" },
    pagination: { by: "last id", param: "after" },
    question: ({ limit, since, ...query }: Http.Query) => ({
      domain: [...domain, ...Odoo.domain(query), ...(since === undefined ? [] : changed(since))],
      fields,
      limit,
      order: "id asc"
    })
  }) as const

const SALES = [["move_type", "=", "out_invoice"]]
const invoices = list("account.move", Mapping.INVOICE, SALES)
const lines = {
  ...list("account.move.line", Mapping.LINE),
  by: "ids",
  param: "ids",
  key: "id",
  pagination: { by: "none" }
} as const

export const odoo = Rest.make({
  ...Odoo.declared,
  name: "odoo",
  title: "Odoo (19 and later): invoices, payments, credit notes",
  settings: Settings,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "complete scan",
  blindSpots: ["a draft that is deleted: seen when it is read again by id"],
  lists: [
    {
      ...invoices,
      name: "invoices",
      kind: "invoice",
      changes: { since: "since", format: Odoo.time, inclusive: true },
      several: Odoo.several,
      one: { path: invoices.path, question: (id) => invoices.question({ ids: id, limit: 1 }) },
      children: {
        partner: {
          ...list("res.partner", Mapping.PARTNER),
          by: "ids",
          param: "ids",
          key: "id",
          whose: "commercial_partner_id.0",
          pagination: { by: "none" }
        }
      },
      decode: () => Mapping.invoice
    },
    {
      ...list("account.partial.reconcile", Mapping.RECONCILE, [
        ["debit_move_id.move_id.move_type", "=", "out_invoice"]
      ]),
      name: "reconciles",
      kind: "payment",
      changes: "complete scan",
      children: {
        debit: { ...lines, whose: "debit_move_id.0" },
        credit: { ...lines, whose: "credit_move_id.0" }
      },
      decode: () => Mapping.reconcile
    }
  ]
})
