/**
 * Defines what the ledger says the service holds of one document (an invoice, an order or a buyer), and how the ledger stores
 * it, now and in older versions.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { RemoteBuyer } from "./RemoteBuyer.ts"
import type { RemoteInvoice, ReportedPayment } from "./RemoteInvoice.ts"
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
  const stored = JSON.parse(text) as Stored
  const remote = (stored.remote === undefined ? stored : current(stored)) as Remote
  if (remote.kind !== "invoice") return remote
  return { ...remote, postings: remote.postings.map((one) => ({ ...one, amount: Decimal.of(String(one.amount)) })) }
}

/** Before version 0.1, an invoice had no `kind`, and identifiers were called `remote`. */
interface Stored {
  readonly kind?: Remote["kind"]
  readonly remote?: string
  readonly postings?: ReadonlyArray<ReportedPayment & { readonly remote: string }>
  readonly user?: { readonly remote: string }
  readonly created?: { readonly offer?: { readonly remote: string } }
}

const renamed = <A extends { readonly remote: string }>({ remote: id, ...rest }: A) => ({ id, ...rest })

const current = ({ remote: id, ...stored }: Stored): unknown => {
  const { created, kind = "invoice", postings, user } = stored
  return {
    ...stored,
    kind,
    id,
    ...(kind === "invoice" && postings !== undefined ? { postings: postings.map(renamed) } : {}),
    ...(user === undefined ? {} : { user: renamed(user) }),
    ...(created?.offer === undefined ? {} : { created: { ...created, offer: renamed(created.offer) } })
  }
}
