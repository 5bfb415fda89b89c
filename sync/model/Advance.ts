/**
 * Computes how a receipt changes the ledger: the remote of a document after a call was done.
 */
import type { Day } from "../../core/wire/Day.ts"
import { type Answer, FORESEEN, idOf } from "./Answer.ts"
import { type Call, type CallOf, type InvoiceCall, reference } from "./Call.ts"
import { advanceCover, edited } from "./AdvanceCover.ts"
import { advanceBuyer } from "./RemoteBuyer.ts"
import type { Fields, Json, RemoteInvoice } from "./RemoteInvoice.ts"
import type { Remote } from "./Remote.ts"
import { advanceOrder } from "./RemoteOrder.ts"

/**
 * The ledger after `call` was done. Apply runs this when a receipt arrives, and the property tests use it as their model of
 * the service, so the two cannot diverge. Undefined: the service no longer holds the transaction.
 *
 * @param at when the answer arrived, in milliseconds since the epoch; undefined for an answer that a plan predicts
 */
export const advance = (
  remote: Remote | undefined,
  call: Call,
  answer: Answer = FORESEEN,
  at?: number
): Remote | undefined => {
  switch (call.kind) {
    case "owner":
      return remote
    case "buyer":
      return advanceBuyer(remoteOf(remote, "buyer"), call, answer)
    case "invoice":
      return advanceInvoice(remoteOf(remote, "invoice"), call, answer, at)
    case "order":
      return advanceOrder(remoteOf(remote, "order"), call, answer)
  }
}

type RemoteOf<Kind extends Remote["kind"]> = Extract<Remote, { readonly kind: Kind }>

/** The document's remote, which has the same kind as the call. */
const remoteOf = <Kind extends Remote["kind"]>(remote: Remote | undefined, kind: Kind): RemoteOf<Kind> | undefined => {
  if (remote !== undefined && remote.kind !== kind) throw new RangeError(`a call for ${kind} ${remote.kind}`)
  return remote as RemoteOf<Kind> | undefined
}

/** The ledger of an invoice after `call` was done. */
export const advanceInvoice = (
  remote: RemoteInvoice | undefined,
  call: InvoiceCall,
  answer: Answer = FORESEEN,
  at?: number
): RemoteInvoice | undefined => {
  if (call.operation === "transactions.create") return invoiceCreated(call, answer)
  if (remote === undefined) return undefined
  switch (call.operation) {
    case "transactions.update": {
      const status = call.body["status"]
      const fields = { ...remote.fields, ...without(call.body, "status") }
      return confirm({ ...edited(remote), fields, status: typeof status === "string" ? status : remote.status }, answer)
    }
    case "transactions.amend":
      return confirm({ ...remote, fields: { ...remote.fields, ...call.body } }, answer)
    case "transactions.matchDebtor": {
      const raw = ["debtor_name", "debtor_country", "debtor_regnum", "debtor_address"]
      return confirm({ ...edited(remote), fields: { ...without(remote.fields, ...raw), ...call.body } }, answer)
    }
    case "transactions.confirm":
      return confirm({ ...remote, status: "pending" }, answer)
    case "transactions.paid": {
      const date = call.body["paid_date"]
      return confirm(
        { ...remote, status: "paid", ...(typeof date === "string" ? { paidDate: date as Day } : {}) },
        answer
      )
    }
    case "transactions.remove":
      return undefined
    case "transactions.createPayment": {
      const posting = { ...call.posting, id: idOf(answer) ?? reference(call.posting.key) }
      return { ...remote, postings: [...remote.postings, posting] }
    }
    default:
      return advanceCover(remote, call, answer, at)
  }
}

/** The ledger of an invoice that was created. */
export const invoiceCreated = (
  { body, subject }: CallOf<"transactions.create">,
  answer: Answer = FORESEEN
): RemoteInvoice =>
  confirm(
    {
      kind: "invoice",
      id: idOf(answer) ?? reference(subject),
      status: String(body["status"] ?? "pending"),
      insured: false,
      fields: without(body, "status", "owner"),
      postings: []
    },
    answer
  )

const without = (fields: Fields, ...names: ReadonlyArray<string>): Fields => {
  const kept: Record<string, Json> = {}
  for (const name in fields) if (!names.includes(name)) kept[name] = fields[name] as Json
  return kept
}

/** Takes over values that the service states if they differ from what was sent. */
const confirm = ({ stated: _, ...remote }: RemoteInvoice, answer: Answer): RemoteInvoice => {
  if (answer.kind !== "transaction") return remote
  const stated = Object.entries(answer.stated).filter(([name, value]) => value !== (remote.fields[name] ?? null))
  return {
    ...remote,
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(answer.insured === undefined ? {} : { insured: answer.insured }),
    ...(stated.length === 0 ? {} : { stated: Object.fromEntries(stated) })
  }
}
