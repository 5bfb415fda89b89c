/**
 * Allocates what belongs to one group of lettered lines. With one invoice all of it is that invoice's; with several, only a
 * group that is settled to zero is shared out, oldest first: then each invoice is settled in full, whatever the order. Otherwise
 * only a text that names an invoice of the group allocates.
 */
import { min, type Decimal } from "../../../core/money/Decimal.ts"
import type { Share } from "../Share.ts"
import type { Group } from "./Groups.ts"
import type { Item } from "./Item.ts"

const orderOf = (one: Item): string => `${one.day}${one.amount > 0n ? 0 : 1}`

const chronological = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.length < 2
    ? items
    : items.toSorted((a, b) => {
        const [one, other] = [orderOf(a), orderOf(b)]
        return one < other ? -1 : one > other ? 1 : a.line - b.line
      })

interface Open {
  readonly id: string
  readonly ref: string
  left: bigint
}

const opensOf = (items: ReadonlyArray<Item>): Array<Open> => {
  const found = new Map<string, Open>()
  const asking = items.filter(({ isAsking }) => isAsking)
  if (asking.length > 1) asking.sort((a, b) => (a.issued < b.issued ? -1 : 1))
  for (const item of asking) {
    const id = item.piece
    const open = found.get(id) ?? { id, ref: item.ref, left: 0n }
    open.left += item.amount
    found.set(id, open)
  }
  return [...found.values()]
}

/** The payment that a reversal takes back: the latest of the same amount that was not taken back before. */
const reversed = (reversal: Item, before: ReadonlyArray<Item>, taken: ReadonlySet<Item>): Item | undefined =>
  before.findLast((one) => one.role === "payment" && one.amount === -reversal.amount && !taken.has(one))

/** Takes from the invoices in turn; what is more than all of them goes to the last, if it may. */
const share = (opens: ReadonlyArray<Open>, whole: Decimal, toLast: boolean): ReadonlyArray<Share> => {
  const parts = new Map<string, bigint>()
  let rest = whole
  for (const open of opens) {
    const part = open.left > 0n ? min(open.left, rest) : 0n
    if (part <= 0n) continue
    open.left -= part
    rest -= part
    parts.set(open.id, part)
  }
  const last = opens.at(-1)
  if (rest > 0n && toLast && last !== undefined) {
    last.left -= rest
    parts.set(last.id, (parts.get(last.id) ?? 0n) + rest)
  }
  return [...parts].map(([invoice, amount]) => ({ invoice, amount }))
}

/** Gives back, to those that got the most last. */
const giveBack = (opens: ReadonlyArray<Open>, shares: ReadonlyArray<Share>): void => {
  for (const { amount, invoice } of shares) {
    const open = opens.find(({ id }) => id === invoice)
    if (open !== undefined) open.left += amount
  }
}

const namedIn = ({ label }: Item, opens: ReadonlyArray<Open>): ReadonlyArray<Open> => {
  const words = new Set(label.split(/[\s,;()]+/))
  return opens.filter(({ ref }) => ref !== "" && words.has(ref))
}

export const allocate = ({ items, sum }: Group): void => {
  const opens = opensOf(items)
  const [only] = opens
  const isClear = only !== undefined && (opens.length === 1 || sum === 0n)
  const taken = new Set<Item>()
  const before: Array<Item> = []
  for (const item of chronological(items)) {
    if (item.isAsking || item.role === "moved" || item.role === "charge") continue
    if (item.amount < 0n) {
      before.push(item)
      // What the text names comes first; where nothing else is certain, it alone.
      const named = opens.length === 1 ? [] : namedIn(item, opens)
      if (isClear)
        item.shares = share([...named, ...opens.filter((one) => !named.includes(one))], -item.amount, sum >= 0n)
      else if (named.length === 1) item.shares = share(named, -item.amount, false)
    } else if (item.role !== "opening") {
      item.reverses = reversed(item, before, taken)
      if (item.reverses !== undefined) taken.add(item.reverses)
      const back = item.reverses?.shares ?? []
      item.shares =
        back.length > 0 ? back : isClear && opens.length === 1 ? [{ invoice: only.id, amount: item.amount }] : []
      giveBack(opens, item.shares)
    }
  }
}
