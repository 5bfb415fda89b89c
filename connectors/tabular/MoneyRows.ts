/**
 * Reads rows of a payments table and of a credit notes table. A negative payment is a reversal. Several rows may share one
 * id, each for another invoice, unless the settings give each row its own id.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { CreditNote, Payment, Reversal, ReversalType } from "../Document.ts"
import {
  chosen,
  type Context,
  type Decode,
  type Decoded,
  mapped,
  methodReader,
  needed,
  optional,
  Unreadable
} from "./Cells.ts"
import { PAYMENT_STATES, type PaymentState } from "./PaymentStates.ts"
import { remembered } from "./Remembered.ts"
import type { Row } from "./Row.ts"
import {
  type CreditNoteSettings,
  type PaymentSettings,
  REVERSAL_TYPES,
  type Stream,
  type StreamSettings
} from "./Streams.ts"
import { taxCheck } from "./TaxCheck.ts"

/** The number of an invoice, as the whole of a payment's text. */
const NUMBER = /^\S*\d\S*$/

/** @param hasInvoices whether the payments stand beside their invoices: nothing finds those later */
export const payments = (
  settings: PaymentSettings,
  context: Context,
  { hasInvoices = false, ownId = false }: { readonly hasInvoices?: boolean; readonly ownId?: boolean } = {}
): Decode => {
  const { at, cell } = context
  const { columns } = settings
  // Elsewhere, payments are matched by all that they say.
  const names = hasInvoices && settings.names !== undefined ? { names: settings.names } : {}
  const [id, invoice, date, amount] = [at("id"), at("invoice"), at("date"), at("amount")]
  /** Whether a row may name no invoice, to be matched later. */
  const finds = (columns.reference ?? columns.customer ?? columns.customer_id) !== undefined
  const referenceAt = at("reference")
  const invoiceOf = (row: Row): string => {
    const named = cell(row, invoice)
    if (named !== "" || !hasInvoices) return finds ? named : needed(named, columns.invoice)
    // Nothing looks for it later, where payments stand beside their invoices.
    const text = cell(row, referenceAt)
    return NUMBER.test(text) ? text : finds ? "" : needed(named, columns.invoice)
  }
  const unallocatedOf = unallocatedReader(settings, context)
  const received = receivedReader(settings, context)
  const reversed = reversedReader(settings, context)
  const returned = returnedReader(settings, context)
  return (row) => {
    const source = needed(cell(row, id), columns.id)
    const about = invoiceOf(row)
    const currency = context.currency(row)
    const value = context.money(row, amount, columns.amount, currency)
    if (value === undefined)
      throw new Unreadable("is empty, and an amount is needed; write it, or leave the row out", columns.amount)
    if (value === 0n)
      throw new Unreadable("is zero, and nothing was paid; correct it, or leave the row out", columns.amount)
    const size = value < 0n ? -value : value
    const rest = about === "" ? size : unallocatedOf(row, size, currency)
    const shared = {
      id: ownId || about === "" ? source : `${source}/${about}`,
      date: context.day(row, date, columns.date),
      ...(currency === undefined ? {} : { currency }),
      shares: rest === size ? [] : [{ invoice: about, amount: size - rest, ...names }],
      ...(rest === 0n ? {} : { unallocated: rest })
    }
    if (value < 0n) return reversed(row, shared)
    const back = returned(row, size, currency)
    return back === undefined ? received(row, shared) : withReversal(received(row, shared), back)
  }
}

/** How much of a payment is for no invoice yet, as its row says. */
const unallocatedReader = ({ columns }: PaymentSettings, { at, money }: Context) => {
  const unallocated = at("unallocated")
  return (row: Row, size: Decimal, currency: string | undefined): Decimal => {
    if (unallocated < 0) return 0n
    const written = money(row, unallocated, columns.unallocated, currency) ?? 0n
    const rest = written < 0n ? -written : written
    if (rest > size)
      throw new Unreadable(
        `is ${Currency.say(rest, currency)}, and the payment is ${Currency.say(size, currency)}; correct one of both`,
        columns.unallocated
      )
    return rest
  }
}

/** What went back of a payment, as its own row says. */
interface Returned {
  readonly amount: Decimal
  readonly type: ReversalType
}

const stateReader = ({ columns, statuses }: PaymentSettings): ((text: string) => PaymentState) =>
  remembered(1000, (text) => {
    const state = chosen<PaymentState>(text, PAYMENT_STATES, statuses, "received")
    if (state !== undefined) return state
    throw new Unreadable(
      `${JSON.stringify(text)} is not a state of payments (${PAYMENT_STATES.join(", ")}); map it under statuses`,
      columns.status
    )
  })

/** Why a row is not read: its state says that nothing was received. An unknown state quarantines the row when it is read. */
export const unsettled = (stream: Stream, settings: StreamSettings, { at, cell }: Context) => {
  const [status, { status: heading = "" }] = [at("status"), settings.columns as PaymentSettings["columns"]]
  if (stream !== "payments" || status < 0) return () => undefined
  const stateOf = stateReader(settings as PaymentSettings)
  return (row: Row) => {
    const text = cell(row, status)
    try {
      const state = stateOf(text)
      return state === "pending" || state === "failed" ? { heading, text } : undefined
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return undefined
    }
  }
}

/** A row may say of a payment that it was received, and that all or a part of it went back. */
const returnedReader = (settings: PaymentSettings, { at, cell, money }: Context) => {
  const { columns } = settings
  const [status, refunded] = [at("status"), at("refunded")]
  const stateOf = stateReader(settings)
  return (row: Row, size: Decimal, currency: string | undefined): Returned | undefined => {
    if (status < 0 && refunded < 0) return undefined
    const state = status < 0 ? "received" : stateOf(cell(row, status))
    const written = refunded < 0 ? undefined : money(row, refunded, columns.refunded, currency)
    const amount = written === undefined ? undefined : written < 0n ? -written : written
    if (amount !== undefined && amount > size)
      throw new Unreadable(
        `is ${Currency.say(amount, currency)}, and only ${Currency.say(size, currency)} was received; correct one of both`,
        columns.refunded
      )
    const isBack = state === "refunded" || state === "charged_back"
    if (isBack && amount === undefined && /parti|teil|deel/i.test(cell(row, status)))
      throw new Unreadable(
        `${JSON.stringify(cell(row, status))} does not say how much went back; name a column for refunded`,
        columns.status
      )
    if (!isBack && (amount === undefined || amount === 0n)) return undefined
    const back = amount === undefined || amount === 0n ? size : amount
    return { amount: back, type: state === "charged_back" ? "chargeback" : "refund" }
  }
}

/** Adds the reversal of what went back, on the payment's day: the row has no other. */
const withReversal = ({ documents, notices }: Decoded, { amount, type }: Returned): Decoded => {
  const [payment] = documents as readonly [Payment]
  const { currency, date, id, shares, unallocated = 0n } = payment
  const [share] = shares
  // What was for no invoice goes back first.
  const free = amount < unallocated ? amount : unallocated
  const ofShare = amount - free
  const reversal: Reversal = {
    kind: "reversal",
    id: `${id}/returned`,
    date,
    payment: id,
    type,
    ...(currency === undefined ? {} : { currency }),
    shares: share === undefined || ofShare === 0n ? [] : [{ ...share, amount: ofShare }],
    ...(free === 0n ? {} : { unallocated: free })
  }
  return { documents: [payment, reversal], ...(notices === undefined ? {} : { notices }) }
}

/** The members that payments and reversals have in common. */
type Shared = Pick<Payment, "id" | "date" | "currency" | "shares" | "unallocated">

const receivedReader = (settings: PaymentSettings, { at, cell }: Context) => {
  const { columns } = settings
  const [type, methodAt, reference] = [at("type"), at("method"), at("reference")]
  const [customer, customerId] = [at("customer"), at("customer_id")]
  const methodOf = methodReader(settings.methods, columns.method)
  return (row: Row, shared: Shared): Decoded => {
    const kind = cell(row, type)
    const said = mapped(settings.types, kind) ?? kind.toLowerCase()
    if (said === "refund" || said === "chargeback") {
      throw new Unreadable(
        `says ${JSON.stringify(kind)}, but the amount is positive; money that went back is negative (or map it to settlement under types)`,
        columns.type
      )
    }
    const { method, notice } = methodOf(cell(row, methodAt))
    const party = { ...optional("id", cell(row, customerId)), ...optional("name", cell(row, customer)) }
    const document: Payment = {
      kind: "payment",
      ...shared,
      ...optional("reference", cell(row, reference)),
      ...(Object.keys(party).length === 0 ? {} : { party }),
      ...(method === undefined ? {} : { method })
    }
    return notice === undefined ? { documents: [document] } : { documents: [document], notices: [notice] }
  }
}

const reversedReader = (settings: PaymentSettings, { at, cell }: Context) => {
  const [type, payment, code, details] = [at("type"), at("payment"), at("provider_code"), at("details")]
  const [reference, status] = [at("reference"), at("status")]
  const stateOf = stateReader(settings)
  /** What the row's type says, or else its state. */
  const typeIn = (row: Row): ReversalType => {
    const said = cell(row, type)
    const state = said !== "" || status < 0 ? "received" : stateOf(cell(row, status))
    return state === "refunded" ? "refund" : state === "charged_back" ? "chargeback" : typeOf(said, settings)
  }
  return (row: Row, shared: Shared): Decoded => {
    const document: Reversal = {
      kind: "reversal",
      ...shared,
      ...optional("payment", cell(row, payment)),
      type: typeIn(row),
      ...optional("providerCode", cell(row, code)),
      // The payer's text is what a bank says of money that went back.
      ...optional("details", cell(row, details) || cell(row, reference))
    }
    return { documents: [document] }
  }
}

const typeOf = (text: string, { columns, types }: PaymentSettings): ReversalType => {
  const type = chosen<ReversalType | "settlement">(text, REVERSAL_TYPES, types, "unknown")
  if (type === undefined || type === "settlement") {
    throw new Unreadable(
      `${JSON.stringify(text)} is not a reversal type (${REVERSAL_TYPES.join(", ")}); map it under types`,
      columns.type
    )
  }
  return type
}

export const creditNotes = (settings: CreditNoteSettings, context: Context, ownId = false): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const [id, invoice, date, gross, net] = [at("id"), at("invoice"), at("date"), at("gross"), at("net")]
  const check = taxCheck(columns, context)
  return (row) => {
    const source = needed(cell(row, id), columns.id)
    const about = needed(cell(row, invoice), columns.invoice)
    const currency = context.currency(row)
    const amount = context.money(row, gross, columns.gross, currency)
    if (amount === undefined)
      throw new Unreadable("is empty, and an amount is needed; write it, or leave the row out", columns.gross)
    if (amount === 0n)
      throw new Unreadable("is zero, and nothing was credited; correct it, or leave the row out", columns.gross)
    const netAmount = net < 0 ? undefined : context.money(row, net, columns.net, currency)
    check(row, { net: netAmount, gross: amount, currency })
    const positive = (value: bigint) => (value < 0n ? -value : value)
    const document: CreditNote = {
      kind: "credit_note",
      id: ownId ? source : `${source}/${about}`,
      date: context.day(row, date, columns.date),
      ...(currency === undefined ? {} : { currency }),
      shares: [
        {
          invoice: about,
          amount: positive(amount),
          ...(netAmount === undefined ? {} : { net: positive(netAmount) }),
          ...(settings.names === undefined ? {} : { names: settings.names })
        }
      ]
    }
    return { documents: [document] }
  }
}
