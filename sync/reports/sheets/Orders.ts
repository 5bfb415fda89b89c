/**
 * Builds the sheet of orders: each order's total, and what is captured, voided, open and refunded on its deferred payment,
 * as last read. Next to it are the sums of the source's facts and of what was sent, so that every difference is visible.
 */
import type * as Document from "../../../connectors/Document.ts"
import * as Currency from "../../../core/money/Currency.ts"
import type { OrderSettings } from "../../model/Connection.ts"
import type { OrderFacts } from "../../model/OrderFacts.ts"
import { withParts } from "../../plan/OrderTogether.ts"
import { decodeRemote } from "../../model/Remote.ts"
import { authorised, isPaid, type RemoteOrder, sumSent } from "../../model/RemoteOrder.ts"
import { settingsOf } from "../../reconciliation/OrderStatement.ts"
import { compare } from "../../rules/OrderComparison.ts"
import * as Body from "../../state/Body.ts"
import type { Db } from "../../state/Database.ts"
import { columns, type Row, type Sheet } from "./Sheet.ts"

interface Stored {
  readonly key: string
  readonly deleted: number
  readonly body: string
  readonly remote: string | null
  readonly held: string | null
  readonly reason: string | null
  readonly why: string | null
}

/** The tracking numbers of the order's parcels, sorted by day. */
const trackingText = (facts: OrderFacts["movements"]): string | null => {
  const parcels = facts.flatMap(({ document }) => (document.kind === "fulfilment" ? [document] : []))
  const all = parcels
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .flatMap(({ tracking = [] }) => tracking.map(({ carrier, number }) => (carrier ? `${carrier} ${number}` : number)))
  return all.length === 0 ? null : all.join(", ")
}

const row = (
  db: Db,
  { connection, settings }: { readonly connection: string; readonly settings: OrderSettings },
  { body, deleted, held, key, reason, remote: id, why }: Stored
): Row => {
  const order = Body.read(body) as Document.Order
  const remote = held === null ? undefined : (decodeRemote({ subject: key, remote: id, held }) as RemoteOrder)
  const paid = remote !== undefined && isPaid(remote) ? remote : undefined
  const money = (minor: bigint | undefined) => (minor === undefined ? null : Currency.ofMinor(minor, order.currency))
  const seen = (name: "captured" | "voided" | "expired" | "open" | "refunded") =>
    money(paid === undefined ? undefined : BigInt(paid[name]))
  const its = { key, order, deleted: deleted === 1 }
  const { movements: facts, order: whole } = withParts(db, its, settings, () => remote)
  const source = paid === undefined ? undefined : compare({ movements: facts }, whole, paid, settings).source
  const sent = (taking: "capture" | "void" | "refund") =>
    money(paid === undefined ? undefined : sumSent(paid.postings, taking))
  return [
    connection,
    order.number,
    order.placed,
    deleted === 1 ? "deleted" : order.status,
    order.currency,
    order.lines.reduce((sum, { gross }) => sum + gross, 0n),
    money(paid === undefined ? undefined : authorised(paid)),
    seen("captured"),
    seen("voided"),
    seen("expired"),
    seen("open"),
    seen("refunded"),
    money(source?.captured),
    money(source?.voided),
    money(source?.refunded),
    sent("capture"),
    sent("void"),
    sent("refund"),
    remote?.status,
    paid?.id,
    why ?? reason,
    key,
    trackingText(facts)
  ]
}

export const orders = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Orders",
  columns: columns(`Connection text 12, Order text 16, Placed date 11, Status text 10, Currency text 9, Total money 14,
      Authorised money 14, Captured money 14, Voided money 14, Expired money 14, Open money 14, Refunded money 14,
      Captured (source) money 14, Voided (source) money 14, Refunded (source) money 14, Captured (sent) money 14,
      Voided (sent) money 14, Refunded (sent) money 14, Deferred payment is text 18, Deferred payment text 26,
      Waits for text 40, Document text 24, Tracking text 28`),
  currency: 4,
  *rows() {
    const statement = db.raw.prepare(
      `SELECT d.key, d.deleted, d.body, l.remote, l.held, l.reason,
          (SELECT a.why FROM attention a WHERE a.subject = d.key AND a.closed IS NULL LIMIT 1) AS why
        FROM document d LEFT JOIN ledger l ON l.subject = d.key WHERE d.key > ? AND d.key < ? ORDER BY d.key`
    )
    for (const connection of connections) {
      const settings = settingsOf(db, connection)
      const found = statement.iterate(`${connection}/order/`, `${connection}/order0`) as Iterable<Stored>
      for (const one of found) yield row(db, { connection, settings }, one)
    }
  }
})
