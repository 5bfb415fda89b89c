/**
 * Defines what the ledger says the service holds of one document (an invoice, an order or a buyer), and how the ledger stores
 * it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { RemoteBuyer } from "./RemoteBuyer.ts"
import type { RemoteInvoice } from "./RemoteInvoice.ts"
import type { RemoteOrder } from "./RemoteOrder.ts"

export type Remote = RemoteInvoice | RemoteOrder | RemoteBuyer

/** Amounts of payments reported on an invoice are integers of 10^-8; all others are text. */
export const encodeRemote = (remote: Remote): string =>
  JSON.stringify(
    remote.kind === "invoice" && remote.postings.length > 0
      ? { ...remote, postings: remote.postings.map((one) => ({ ...one, amount: Decimal.format(one.amount) })) }
      : remote
  )

export const decodeRemote = (text: string): Remote => {
  const remote = JSON.parse(text) as Remote
  if (remote.kind !== "invoice") return remote
  return { ...remote, postings: remote.postings.map((one) => ({ ...one, amount: Decimal.of(String(one.amount)) })) }
}
