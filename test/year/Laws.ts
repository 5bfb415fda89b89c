/** What must hold on every day, whatever the script brought; each from what the service holds and what people did. */
import type { Held } from "./Account.ts"
import { isSelected, openOn, penceOf } from "./Account.ts"
import { PRICE } from "./Desk.ts"
import { type Bill, LIMITED } from "./Script.ts"

/** What people said, and what they were reminded of. */
export interface People {
  /** Offers that a person bought, by invoice. */
  readonly approved: ReadonlySet<string>
  readonly rejected: ReadonlySet<string>
  /** Invoices that a person confirmed for collection. */
  readonly confirmed: ReadonlySet<string>
  /** Reminders of the closing window, by invoice. */
  readonly reminded: ReadonlyMap<string, ReadonlySet<string>>
}

const bought = (holds: ReadonlyMap<string, Held>) =>
  [...holds.values()]
    .flatMap(({ number, policy, quote }) =>
      policy === null ? [] : [{ number, created: policy.created, price: penceOf(quote?.total_price ?? "0") }]
    )
    .toSorted((a, b) => (a.created < b.created ? -1 : 1))

/** Spent in a month, as `2026-03`. */
export const spentIn = (holds: ReadonlyMap<string, Held>, month: string): bigint =>
  bought(holds)
    .filter(({ created }) => created.startsWith(month))
    .reduce((sum, { price }) => sum + price, 0n)

/** Nothing is bought beyond what the configuration allows, unless a person bought it. */
const within = (holds: ReadonlyMap<string, Held>, { approved }: People): ReadonlyArray<string> => {
  const spent = new Map<string, bigint>()
  return bought(holds).flatMap(({ created, number, price }) => {
    const month = created.slice(0, 7)
    const sum = (spent.get(month) ?? 0n) + price
    spent.set(month, sum)
    if (approved.has(number)) return []
    if (price > PRICE.invoice) return [`${number} was bought for ${price}, more than one invoice may cost`]
    return sum > PRICE.month ? [`${number} was bought in ${month}, which came to ${sum}`] : []
  })
}

const affordable = (holds: ReadonlyMap<string, Held>, { rejected }: People) =>
  [...holds.values()]
    .filter(
      ({ number, policy, quote, status }) =>
        policy === null &&
        status === "pending" &&
        quote?.status === "offered" &&
        penceOf(quote.total_price ?? "0") <= PRICE.invoice &&
        !rejected.has(number)
    )
    .toSorted((a, b) => (`${a.due_date} ${a.number}` < `${b.due_date} ${b.number}` ? -1 : 1))

/** What is within the month's limit is bought: the first of what waits does not fit. */
const spentWell = (
  bills: ReadonlyMap<string, Bill>,
  holds: ReadonlyMap<string, Held>,
  people: People,
  day: string
): ReadonlyArray<string> => {
  const [first] = affordable(holds, people).filter((one) => openOn(one) > 0n && isSelected(one, bills.get(one.number)!))
  if (first === undefined) return []
  const spent = spentIn(holds, day.slice(0, 7))
  return spent + penceOf(first.quote?.total_price ?? "0") > PRICE.month
    ? []
    : [`the offer for ${first.number} is not bought, and only ${spent} of the month's limit is spent`]
}

/** What is selected and not due yet was asked for. */
const askedFor = (
  bills: ReadonlyMap<string, Bill>,
  holds: ReadonlyMap<string, Held>,
  day: string
): ReadonlyArray<string> =>
  [...holds.values()].flatMap((one) => {
    const bill = bills.get(one.number)!
    const isAsked = one.quote !== null || one.policy !== null || bill.buyer === LIMITED
    return one.status !== "pending" || isAsked || one.due_date < day || openOn(one) === 0n || !isSelected(one, bill)
      ? []
      : [`no quote of ${one.number} was asked for`]
  })

const REMINDERS = 5

/** What lapsed had every reminder before; what was handed over had a person's word. */
const looked = (
  holds: ReadonlyMap<string, Held>,
  { confirmed, reminded }: People,
  handed: ReadonlySet<string>
): ReadonlyArray<string> =>
  [...holds.values()].flatMap(({ number, policy }) => {
    const count = reminded.get(number)?.size ?? 0
    if (policy?.status === "lapsed" && count < REMINDERS)
      return [`${number} lapsed after ${count} reminders: ${[...(reminded.get(number) ?? [])].join(", ")}`]
    return policy !== null && handed.has(policy.id) && !confirmed.has(number)
      ? [`${number} was handed over, and nobody confirmed it`]
      : []
  })

export const broken = (
  bills: ReadonlyMap<string, Bill>,
  holds: ReadonlyMap<string, Held>,
  people: People,
  /** Policies whose collection was sent. */
  handed: ReadonlySet<string>,
  day: string
): ReadonlyArray<string> => [
  ...within(holds, people),
  ...spentWell(bills, holds, people, day),
  ...askedFor(bills, holds, day),
  ...looked(holds, people, handed)
]
