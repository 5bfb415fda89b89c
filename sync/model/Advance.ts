/**
 * What a receipt makes of the ledger: the remote after a call was done.
 */
import type { Day } from "../../core/wire/Day.ts"
import { type Answer, type Call, reference } from "./Call.ts"
import { advanceBuyer, type RemoteBuyer } from "./RemoteBuyer.ts"
import type { Fields, RemoteInvoice } from "./RemoteInvoice.ts"
import type { Remote } from "./Remote.ts"
import { advanceOrder, type RemoteOrder } from "./RemoteOrder.ts"

const isOfOrder = ({ operation }: Call): boolean => /^(deferredPayments|orders|offers)\./.test(operation)

/**
 * The ledger after `call` was done. Apply runs this when a receipt comes in, and the properties run it as the model
 * of the service, so the two cannot differ. Undefined: the service no longer holds the transaction.
 */
export const advance = <T extends Remote = RemoteInvoice>(
  remote: T | undefined,
  call: Call,
  answer: Answer = {}
): T | undefined =>
  (call.rule === "buyer"
    ? advanceBuyer(remote as RemoteBuyer | undefined, call, answer)
    : isOfOrder(call)
      ? advanceOrder(remote as RemoteOrder | undefined, call, answer)
      : advanceInvoice(remote as RemoteInvoice | undefined, call, answer)) as T | undefined

const advanceInvoice = (remote: RemoteInvoice | undefined, call: Call, answer: Answer): RemoteInvoice | undefined => {
  if (call.operation === "transactions.create") {
    const fields = call.body ?? {}
    return confirm(
      {
        kind: "invoice",
        id: answer.id ?? reference(call.subject),
        status: String(fields["status"] ?? "pending"),
        insured: false,
        fields: without(fields, "status", "owner"),
        postings: []
      },
      answer
    )
  }
  if (remote === undefined) return undefined
  switch (call.operation) {
    case "transactions.update": {
      const status = call.body?.["status"]
      const fields = { ...remote.fields, ...without(call.body ?? {}, "status") }
      return confirm({ ...remote, fields, status: typeof status === "string" ? status : remote.status }, answer)
    }
    case "transactions.amend":
      return confirm({ ...remote, fields: { ...remote.fields, ...call.body } }, answer)
    case "transactions.matchDebtor": {
      const raw = ["debtor_name", "debtor_country", "debtor_regnum", "debtor_address"]
      return confirm({ ...remote, fields: { ...without(remote.fields, ...raw), ...call.body } }, answer)
    }
    case "transactions.confirm":
      return confirm({ ...remote, status: "pending" }, answer)
    case "transactions.paid": {
      const date = call.body?.["paid_date"]
      return confirm(
        { ...remote, status: "paid", ...(typeof date === "string" ? { paidDate: date as Day } : {}) },
        answer
      )
    }
    case "transactions.remove":
      return undefined
    case "transactions.createPayment": {
      const posting = { ...call.posting!, id: answer.id ?? reference(call.posting!.key) }
      return { ...remote, postings: [...remote.postings, posting] }
    }
    default:
      return remote
  }
}

const without = (fields: Fields, ...names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Takes over what the service states where it is not what was sent. */
const confirm = ({ stated: _, ...remote }: RemoteInvoice, answer: Answer): RemoteInvoice => {
  const stated = Object.entries(answer.stated ?? {}).filter(([name, value]) => value !== (remote.fields[name] ?? null))
  return {
    ...remote,
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(answer.insured === undefined ? {} : { insured: answer.insured }),
    ...(stated.length === 0 ? {} : { stated: Object.fromEntries(stated) })
  }
}
