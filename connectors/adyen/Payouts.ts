/**
 * Maps a batch of Adyen's settlement details report to payouts: one for each currency that it pays out. Pure.
 *
 * Every row moves the balance by its net amount, less what a payout takes: `MerchantPayout`. What is left of a batch goes into the
 * next one, as `Balancetransfer` in both.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { PayoutItem } from "../Document.ts"
import * as Json from "../Json.ts"
import { type Entry, itemsOf } from "../PayoutItems.ts"

const PAYOUT = "MerchantPayout"

const PARTS: Readonly<Record<string, PayoutItem["part"]>> = {
  Settled: "collected",
  SettledInInstallments: "collected",
  SettledReversed: "failures",
  Refunded: "refunds",
  RefundedInInstallments: "refunds",
  RefundedReversed: "refunds",
  Chargeback: "chargebacks",
  ChargebackReversed: "chargebacks",
  SecondChargeback: "chargebacks",
  SecondChargebackReversed: "chargebacks",
  Fee: "fees",
  MiscCosts: "fees",
  PaymentCost: "fees",
  InvoiceDeduction: "fees",
  AuthorisationSchemeFee: "fees",
  Balancetransfer: "adjustments",
  DepositCorrection: "adjustments",
  ReserveAdjustment: "adjustments",
  ManualCorrected: "adjustments",
  MatchedStatement: "adjustments",
  AdvancementCommissioned: "adjustments",
  BankInstructionReturned: "adjustments",
  MerchantPayin: "adjustments",
  PaidOut: "adjustments",
  PaidOutReversed: "adjustments"
}

/** Columns of Adyen's fees; a report with few columns lacks them, and nets are then what is known. */
const FEES = ["Commission (NC)", "Markup (NC)", "Scheme Fees (NC)", "Interchange (NC)"]
/** What is kept of a row: a batch may have many thousands. */
const KEPT = [
  "Type",
  "Creation Date",
  "Modification Reference",
  "Batch Number",
  "Net Currency",
  "Net Debit (NC)"
].concat("Net Credit (NC)", FEES)

/** The rows of a batch by currency; those of another batch than the one that is paid out do not occur in a report. */
export const groups = (rows: ReadonlyArray<Json.Members>): ReadonlyArray<Json.Members> =>
  [...Map.groupBy(rows, (row) => `${Json.nameOf(row["Batch Number"]) ?? ""}/${Json.nameOf(row["Net Currency"]) ?? ""}`)]
    .filter(([, its]) => its.some((row) => row["Type"] === PAYOUT))
    .map(([id, its]) => ({
      id,
      rows: its.map((row) => Object.fromEntries(KEPT.flatMap((name) => (name in row ? [[name, row[name]]] : []))))
    }))

/** The amount in a cell, which may be empty. */
const cell = (row: Json.Fields, column: string, currency: string): Decimal.Decimal =>
  row.maybe(column) === undefined ? 0n : row.major(column, currency)

const netOf = (row: Json.Fields, currency: string): Decimal.Decimal =>
  cell(row, "Net Credit (NC)", currency) - cell(row, "Net Debit (NC)", currency)

/** A row's amount before fees, and its fees. */
const entriesOf = (row: Json.Fields, currency: string): ReadonlyArray<Entry> => {
  const [name, part] = [row.text("Type"), row.meaning("Type", PARTS, "type")]
  const fees = Decimal.sum(FEES.map((column) => cell(row, column, currency)))
  const net = netOf(row, currency)
  if (part === "fees") return [{ part, name, amount: net }]
  return [
    { part, name, amount: net + fees },
    { part: "fees", name: `fees of ${name}`, amount: -fees }
  ]
}

/** One batch in one currency, with its rows. */
export const payout = (batch: Json.Fields): Json.Decoded => {
  const rows = batch.list("rows")
  const isPaid = (row: Json.Fields) => row.maybe("Type") === PAYOUT
  const paid = rows.filter(isPaid)
  const [first] = paid
  if (first === undefined) return { documents: [] }
  const currency = first.currency("Net Currency")
  const references = paid.flatMap((row) => row.maybe("Modification Reference") ?? [])
  return {
    documents: [
      {
        kind: "payout",
        id: batch.text("id"),
        date: first.day("Creation Date"),
        currency,
        amount: -Decimal.sum(paid.map((row) => netOf(row, currency))),
        status: "paid",
        by: "Adyen",
        ...(references.length === 0 ? {} : { references }),
        items: itemsOf(rows.filter((row) => !isPaid(row)).flatMap((row) => entriesOf(row, currency)))
      }
    ]
  }
}
