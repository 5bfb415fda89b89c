/** What the books have of payments, as programs keep them that let a payment only be deleted and entered anew. */
import type { Entry, Money } from "../truth/Money.ts"
import { type Day, least, type Minor, sum } from "../Values.ts"

/** A payment as it was from some day on. */
export interface Posting {
  readonly id: string
  readonly entry: Entry
  readonly from: Day
  readonly date: Day
  readonly amount: Minor
  /** Undefined: it is on account. */
  readonly invoice: string | undefined
  /** It is what the books have now; others were deleted. */
  readonly stands: boolean
}

/** What the books took off an entry because it went back. */
const back = (money: Money, entry: Entry, day: Day): Minor =>
  sum(
    [...money.entries.values()].flatMap((one) =>
      one.reverses === entry.id && one.aside !== true ? [one.body.at(day)?.amount ?? 0n] : []
    )
  )

type Value = Pick<Posting, "date" | "amount" | "invoice">

const valueAt = (money: Money, entry: Entry, day: Day): Value | undefined => {
  const body = entry.body.at(day)
  if (body === undefined) return undefined
  const amount = body.amount + back(money, entry, day)
  return amount <= 0n ? undefined : { date: body.date, amount, invoice: body.invoice }
}

const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  a?.date === b?.date && a?.amount === b?.amount && a?.invoice === b?.invoice

/**
 * All payments that there ever were by a day. What was on account and is then given to an invoice stays the same.
 */
export const postings = (money: Money, day: Day): ReadonlyArray<Posting> =>
  [...money.entries.values()].flatMap((entry) => {
    if (entry.reverses !== undefined) return []
    const changes = [...money.entries.values()].flatMap((one) =>
      one === entry || one.reverses === entry.id ? one.body.days : []
    )
    const found: Array<Posting> = []
    let before: Value | undefined
    for (const at of [...new Set(changes)].toSorted((a, b) => a - b)) {
      const value = at > day ? undefined : valueAt(money, entry, at)
      if (at > day || isSame(value, before)) continue
      const last = found.at(-1)
      const isGiven =
        before !== undefined && before.invoice === undefined && isSame(before, { ...value!, invoice: undefined })
      before = value
      if (last?.stands === true) found.pop()
      if (last?.stands === true && !isGiven) found.push({ ...last, stands: false })
      if (value !== undefined)
        found.push({ ...value, id: isGiven ? last!.id : `${entry.id}v${found.length}`, entry, from: at, stands: true })
    }
    return found
  })

/** What an invoice asks for on a day, and can still have applied to it. */
export const roomOf = (money: Money, invoice: string, day: Day): Minor => {
  const body = money.invoices.get(invoice)?.body.at(day)
  return body === undefined || body.status !== "open"
    ? 0n
    : body.gross - least(body.gross, money.credited(invoice, day))
}

/** How much of each payment is applied to its invoice: never more than is open of it. */
export const applied = (money: Money, all: ReadonlyArray<Posting>, day: Day): ReadonlyMap<string, Minor> => {
  const left = new Map<string, Minor>()
  const given = new Map<string, Minor>()
  for (const { amount, id, invoice, stands } of all.toSorted((a, b) => a.from - b.from)) {
    if (!stands || invoice === undefined) continue
    const room = left.get(invoice) ?? roomOf(money, invoice, day)
    const part = least(amount, room)
    left.set(invoice, room - part)
    given.set(id, part)
  }
  return given
}
