/**
 * O8: which invoices and credit notes of the books are attached to an order on the service, after the capture, void or refund that they
 * belong to. Pure: it looks at what the service has confirmed, never at what is planned.
 */
import type { Attention, OrderCall } from "../model/Call.ts"
import type { CoverDocument } from "../model/Cover.ts"
import type { OrderPaperType } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import { orderAttention, uuid } from "./OrderAttention.ts"
import { say } from "./PostingKinds.ts"

/** An invoice or a credit note of the books that is for an order. */
export interface OrderPaper {
  /** The document's key in the books. */
  readonly key: string
  readonly type: OrderPaperType
  readonly id: string
  /** What people call it; a credit note has only its id. */
  readonly number: string
  readonly currency: string
  /** Minor units. */
  readonly amount: bigint
  /** Of a credit note: the invoices that it is about. */
  readonly of?: ReadonlyArray<string>
  /** Its file, once it was read. */
  readonly file?: CoverDocument
}

const sum = (all: ReadonlyArray<bigint>): bigint => all.reduce((total, one) => total + one, 0n)

const givenUp = ({ refunded, voided }: RemoteOrder): bigint => BigInt(refunded) + BigInt(voided)

/** What documents of each type may be about. */
const wholesOf = (remote: RemoteOrder) => ({ invoice: BigInt(remote.captured), credit_note: givenUp(remote) })

/** What of it those that are attached do not account for. */
const roomsOf = (remote: RemoteOrder) => {
  const left = (type: OrderPaperType) =>
    wholesOf(remote)[type] -
    sum((remote.documents ?? []).flatMap((one) => (one.type === type ? [BigInt(one.amount)] : [])))
  return { invoice: left("invoice"), credit_note: left("credit_note") }
}

/** Whether its documents account for all of it, so that no other one is looked for. */
export const hasAllPapers = (remote: RemoteOrder): boolean => Object.values(roomsOf(remote)).every((room) => room <= 0n)

/**
 * O8: those whose time has come and that are not there yet, invoices first. Each has to fit into what was captured (invoices) or given up
 * (credit notes) and that no other one accounts for; of an order that is settled, it need not fit whole: some was paid otherwise.
 *
 * @param cents how far amounts may be apart by rounding, in minor units
 */
export const papersDue = (
  papers: ReadonlyArray<OrderPaper>,
  remote: RemoteOrder,
  isSettled: () => boolean,
  cents: bigint
): ReadonlyArray<OrderPaper> => {
  if (!isPaid(remote) || remote.order === undefined) return []
  const held = remote.documents ?? []
  const due: Array<OrderPaper> = []
  const [all, rooms] = [wholesOf(remote), roomsOf(remote)]
  for (const type of ["invoice", "credit_note"] as const) {
    let room = rooms[type]
    for (const paper of papers) {
      const isThere =
        held.some((one) => one.fact === paper.key || (one.type === type && one.digest === paper.file?.digest)) ||
        due.some((one) => one.type === type && one.file !== undefined && one.file.digest === paper.file?.digest)
      if (paper.type !== type || paper.currency !== remote.currency || isThere) continue
      const isEarly = paper.of?.every(
        (key) => ![...held.map(({ fact }) => fact), ...due.map((one) => one.key)].includes(key)
      )
      const fits = paper.amount <= room + cents || (room > 0n && isSettled())
      if (isEarly === true || !fits || all[type] === 0n) continue
      due.push(paper)
      room -= paper.amount
    }
  }
  return due
}

export const WORDS: Readonly<Record<OrderPaperType, string>> = { invoice: "invoice", credit_note: "credit note" }

const reasonOf = (type: OrderPaperType, remote: RemoteOrder): string =>
  type === "invoice"
    ? `${say(BigInt(remote.captured), remote)} was captured`
    : `${say(givenUp(remote), remote)} was refunded or voided`

/** The calls that attach them: each under a key of its own, by which the service knows one that comes a second time. */
export const attaching = (
  facts: Pick<OrderFacts, "connection" | "key">,
  remote: RemoteOrder,
  due: ReadonlyArray<OrderPaper>
): ReadonlyArray<OrderCall> =>
  due.flatMap(({ amount, file, key, number, type }) =>
    file === undefined || remote.order === undefined
      ? []
      : [
          {
            kind: "order",
            subject: facts.key,
            fact: key,
            rule: "O8",
            destructive: false,
            operation: "orders.putDocument",
            params: { order_id: remote.order },
            body: { doc_type: type, amount: `${amount}`, description: `${file.name} sha256 ${file.digest}` },
            document: file,
            key: uuid([facts.connection, facts.key, remote.order, type, file.digest].join("\n")),
            reason: `${WORDS[type]} ${number}, ${say(amount, remote)}, is attached: ${reasonOf(type, remote)}`
          }
        ]
  )

/** What could not be had. */
export const paperItems = (facts: Pick<OrderFacts, "key">, problems: ReadonlyArray<string>): ReadonlyArray<Attention> =>
  problems.map((why) =>
    orderAttention(
      facts,
      "O8",
      `it cannot be attached to the order: ${why}`,
      "it is tried again: each run, or of a source each day"
    )
  )
