/**
 * Reads rows of a payments table and of a credit notes table. A negative payment is a reversal. Several rows may share one
 * id, each for another invoice, unless the settings give each row its own id.
 */
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
import type { Row } from "./Row.ts"
import { type CreditNoteSettings, type PaymentSettings, REVERSAL_TYPES } from "./Streams.ts"

export const payments = (settings: PaymentSettings, context: Context, ownId = false): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const [id, invoice, date, amount] = [at("id"), at("invoice"), at("date"), at("amount")]
  /** Whether a row may name no invoice, to be matched later. */
  const finds = columns.reference !== undefined || columns.customer !== undefined
  const received = receivedReader(settings, context)
  const reversed = reversedReader(settings, context)
  return (row) => {
    const source = needed(cell(row, id), columns.id)
    const about = finds ? cell(row, invoice) : needed(cell(row, invoice), columns.invoice)
    const currency = context.currency(row)
    const value = context.money(row, amount, columns.amount, currency)
    if (value === undefined) throw new Unreadable("is empty; an amount is needed", columns.amount)
    if (value === 0n) throw new Unreadable("is zero; nothing was paid", columns.amount)
    const size = value < 0n ? -value : value
    const shared = {
      id: ownId || about === "" ? source : `${source}/${about}`,
      date: context.day(row, date, columns.date),
      ...(currency === undefined ? {} : { currency }),
      ...(about === "" ? { shares: [], unallocated: size } : { shares: [{ invoice: about, amount: size }] })
    }
    return value > 0n ? received(row, shared) : reversed(row, shared)
  }
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
  return (row: Row, shared: Shared): Decoded => {
    const document: Reversal = {
      kind: "reversal",
      ...shared,
      ...optional("payment", cell(row, payment)),
      type: typeOf(cell(row, type), settings),
      ...optional("providerCode", cell(row, code)),
      ...optional("details", cell(row, details))
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
  return (row) => {
    const source = needed(cell(row, id), columns.id)
    const about = needed(cell(row, invoice), columns.invoice)
    const currency = context.currency(row)
    const amount = context.money(row, gross, columns.gross, currency)
    if (amount === undefined) throw new Unreadable("is empty; an amount is needed", columns.gross)
    if (amount === 0n) throw new Unreadable("is zero; nothing was credited", columns.gross)
    const netAmount = net < 0 ? undefined : context.money(row, net, columns.net, currency)
    const positive = (value: bigint) => (value < 0n ? -value : value)
    const document: CreditNote = {
      kind: "credit_note",
      id: ownId ? source : `${source}/${about}`,
      date: context.day(row, date, columns.date),
      ...(currency === undefined ? {} : { currency }),
      shares: [
        { invoice: about, amount: positive(amount), ...(netAmount === undefined ? {} : { net: positive(netAmount) }) }
      ]
    }
    return { documents: [document] }
  }
}
