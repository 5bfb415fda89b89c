/**
 * What a receipt makes of the ledger: the remote after a call was done.
 */
import type { Day } from "../../core/wire/Day.ts"
import { type Answer, type Call, reference } from "./Call.ts"
import { advanceBuyer, type BuyerTold } from "./RemoteBuyer.ts"
import type { Fields, Told } from "./RemoteInvoice.ts"
import * as RemoteOrder from "./RemoteOrder.ts"
import type { OrderTold } from "./RemoteOrder.ts"

/** What the ledger holds of one subject: an invoice, an order or a buyer. */
export type State = Told | OrderTold | BuyerTold

const isOfOrder = ({ operation }: Call): boolean => /^(deferredPayments|orders|offers)\./.test(operation)

/**
 * The ledger after `call` was done. Apply runs this when a receipt comes in, and the properties run it as the model
 * of the service, so the two cannot differ. Undefined: the service no longer holds the transaction.
 */
export const advance = <T extends State = Told>(told: T | undefined, call: Call, answer: Answer = {}): T | undefined =>
  (call.rule === "buyer"
    ? advanceBuyer(told as BuyerTold | undefined, call, answer)
    : isOfOrder(call)
      ? RemoteOrder.advance(told as OrderTold | undefined, call, answer)
      : advanceInvoice(told as Told | undefined, call, answer)) as T | undefined

const advanceInvoice = (told: Told | undefined, call: Call, answer: Answer): Told | undefined => {
  if (call.operation === "transactions.create") {
    const fields = call.body ?? {}
    return confirm(
      {
        remote: answer.remote ?? reference(call.subject),
        status: String(fields["status"] ?? "pending"),
        insured: false,
        fields: without(fields, "status", "owner"),
        postings: []
      },
      answer
    )
  }
  if (told === undefined) return undefined
  switch (call.operation) {
    case "transactions.update": {
      const status = call.body?.["status"]
      const fields = { ...told.fields, ...without(call.body ?? {}, "status") }
      return confirm({ ...told, fields, status: typeof status === "string" ? status : told.status }, answer)
    }
    case "transactions.amend":
      return confirm({ ...told, fields: { ...told.fields, ...call.body } }, answer)
    case "transactions.matchDebtor": {
      const raw = ["debtor_name", "debtor_country", "debtor_regnum", "debtor_address"]
      return confirm({ ...told, fields: { ...without(told.fields, ...raw), ...call.body } }, answer)
    }
    case "transactions.confirm":
      return confirm({ ...told, status: "pending" }, answer)
    case "transactions.paid": {
      const date = call.body?.["paid_date"]
      return confirm(
        { ...told, status: "paid", ...(typeof date === "string" ? { paidDate: date as Day } : {}) },
        answer
      )
    }
    case "transactions.remove":
      return undefined
    case "transactions.createPayment": {
      const posting = { ...call.posting!, remote: answer.remote ?? reference(call.posting!.key) }
      return { ...told, postings: [...told.postings, posting] }
    }
    default:
      return told
  }
}

const without = (fields: Fields, ...names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Takes over what the service states where it is not what was sent. */
const confirm = ({ stated: _, ...told }: Told, answer: Answer): Told => {
  const stated = Object.entries(answer.stated ?? {}).filter(([name, value]) => value !== (told.fields[name] ?? null))
  return {
    ...told,
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(answer.insured === undefined ? {} : { insured: answer.insured }),
    ...(stated.length === 0 ? {} : { stated: Object.fromEntries(stated) })
  }
}
