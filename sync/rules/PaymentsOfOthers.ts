/**
 * P9: payments on a transaction that somebody else reported on the service (II 2.6). They count in what is open there; nothing is
 * reported on top of them that would exceed the invoice's amount, and what they took back is not taken back again. Pure.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { dueOn, othersOn, receivedOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"

/** A posting that is to be made. */
interface Posting {
  readonly fact: string
  readonly amount: Decimal.Decimal
  readonly undo: boolean
}

/**
 * P9: what waits because with what others reported, more than the invoice's amount would have been received: it may be the same
 * money. Of a correction both halves wait, so that what is reported stands.
 */
export const heldForOthers = <A extends Posting>(
  planned: ReadonlyArray<A>,
  remote: RemoteInvoice
): ReadonlyArray<A> => {
  const others = othersOn(remote)
  if (others <= 0n) return []
  const isNew = ({ amount, undo }: Posting): boolean => !undo && amount > 0n
  const fresh = planned.filter(isNew)
  const backOf = (corrected: boolean, fact?: string): Decimal.Decimal =>
    Decimal.sum(
      planned.flatMap((one) => {
        const isCorrected = fresh.some(({ fact }) => fact === one.fact)
        return isNew(one) || isCorrected !== corrected || (corrected && one.fact !== fact) ? [] : [one.amount]
      })
    )
  let room = dueOn(remote) - receivedOn(remote) - others - backOf(false)
  const held = new Set<string>()
  for (const { amount, fact } of fresh) {
    const more = amount + backOf(true, fact)
    if (more > room) held.add(fact)
    else room -= more
  }
  return planned.filter(({ fact }) => held.has(fact))
}

interface Counted {
  readonly currency: string
  readonly held: ReadonlyArray<Posting>
  /** What the facts come to, less what this plan reports. */
  readonly wants: Decimal.Decimal
}

/** P9: what others reported on the service, and what waits because of it. Where that comes to what the facts do, it needs nobody. */
export const byOthers = (
  { key }: InvoiceFacts,
  remote: RemoteInvoice,
  { currency, held, wants }: Counted
): ReadonlyArray<Attention> => {
  const sum = othersOn(remote)
  if (sum === 0n || receivedOn(remote) + sum === wants) return []
  const list = (remote.others ?? []).map(({ amount, date, id }) => {
    const parsed = Decimal.of(amount)
    return `${Currency.say(Decimal.abs(parsed), currency)} ${parsed < 0n ? "taken back" : "received"} on ${date ?? "no day"} (${id})`
  })
  const waits = held.flatMap(({ amount, fact, undo }) =>
    undo ? [] : [`${fact} of ${Currency.say(amount, currency)} waits, which may be the same`]
  )
  return [
    {
      subject: key,
      fact: key,
      rule: "P9",
      why: [`somebody else reported on the service: ${list.join(", ")}`, ...waits].join("; "),
      todo: "find out who reported it: if the books are right, reverse it on the service; if it is, enter it in the source; then run daybook reconcile --fix"
    }
  ]
}
