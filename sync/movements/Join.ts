/**
 * Decides which payments of different lists are one movement of money: the books have a debit that the processor collected
 * and the bank paid out. Pure.
 *
 * A list is a connection. Payments of one list never join: two equal debits on one day stay two. Of a movement, the payment
 * in the invoice's own books leads, because it says which invoice it is for; the others follow it and are posted nowhere
 * else. What might be the same and cannot be told is a doubt: the one that is not posted yet waits for a person.
 */
import * as Day from "../../core/wire/Day.ts"

/** A payment as one list states it. */
export interface Sighting {
  readonly document: number
  readonly key: string
  readonly list: string
  /** It is in the books of the invoices' own connection. */
  readonly isOwn: boolean
  readonly currency: string
  /** In minor units. */
  readonly amount: bigint
  /** What came of it in the account's currency, where the bank exchanged it. */
  readonly got?: { readonly amount: bigint; readonly currency: string }
  readonly date: Day.Day
  /** The payer's names and ids, as they are compared; empty if unknown. */
  readonly payers: ReadonlyArray<string>
  /** The legal form beside the first of them, if one is stated: others of the same name may have another. */
  readonly form?: string
  /** In the books: other names under which lists may have what its customer pays, where a bank cut them or somebody else pays. */
  readonly under?: ReadonlyArray<string>
  /** Keys of the invoices that it is allocated to, linked to, or names. */
  readonly invoices: ReadonlyArray<string>
  /**
   * Its text alone names them, and they are other customers': a number that somebody typed wrong, where none asks for its amount or its
   * payer is a customer as well.
   */
  readonly isForeign?: boolean
  /** They are other customers', and who pays is one. */
  readonly isOthers?: boolean
  /** In the books: what the one invoice that it is for asks for, in minor units. */
  readonly asks?: bigint | undefined
  /** In the books: a part of another list's payment for several invoices is exactly this. */
  readonly inPart?: true
  /** The last day of which its list tells. */
  readonly until?: Day.Day | undefined
  /** Its own identifiers, and words of its text that may be another list's. */
  readonly ids: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** The day by which all of it had gone back. */
  readonly returned?: Day.Day
  /** It was never received. */
  readonly failed?: true
  /** It was posted on the service, whatever became of it there. */
  readonly stands: boolean
  /** Invoices that it is reported on. */
  readonly on?: ReadonlyArray<string>
  /** Invoices that it is reported on and that are marked as paid, which cannot be undone. */
  readonly closed?: ReadonlyArray<string>
}

/** Why two payments are one, or may be. */
export type JoinedBy = "answer" | "id" | "invoice" | "payer" | "late" | "doubt"

/** Whom a payment follows, by document. */
export type Joined = ReadonlyMap<number, { readonly leader: number; readonly how: JoinedBy }>

/** A person's answers: pairs of keys, in the order of the alphabet. */
export interface Answers {
  readonly same: ReadonlySet<string>
  readonly apart: ReadonlySet<string>
}

export const pair = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

const MS_PER_DAY = 86_400_000

/** JoinedBy many days later the second is. */
export const daysBetween = (first: Day.Day, second: Day.Day): number =>
  Math.round((Day.toEpochMillis(second) - Day.toEpochMillis(first)) / MS_PER_DAY)

/**
 * JoinedBy many days books may be before or after a bank or a processor. Books follow: people enter what the statement shows, and
 * a debit is confirmed some days after its charge day.
 */
const EARLIEST = -4
const LATEST = { invoice: 15, payer: 10 } as const
/** Two lists that are both near the money. */
const NEAR = { invoice: 10, payer: 4 } as const
/**
 * What names no invoice and is nothing nearer that the books have of its payer: people book late, on the day on which they do. Less than a
 * month, since what is due monthly is of one amount.
 */
export const LATE = { earliest: -10, latest: 25 } as const

/** Within this many days they may still be one: too far apart to be sure, too near to be sure of the opposite. */
export const DOUBT_DAYS = 45

const lag = (a: Sighting, b: Sighting): number =>
  a.isOwn ? daysBetween(b.date, a.date) : b.isOwn ? daysBetween(a.date, b.date) : Math.abs(daysBetween(a.date, b.date))

const isNear = (a: Sighting, b: Sighting, by: "invoice" | "payer"): boolean => {
  const days = lag(a, b)
  return a.isOwn || b.isOwn ? days >= EARLIEST && days <= LATEST[by] : days <= NEAR[by]
}

/** The invoices that it is for, as far as that can be relied on. */
const namedBy = ({ invoices, isForeign }: Sighting): ReadonlyArray<string> => (isForeign === true ? [] : invoices)

/** Whether the other list tells of the day on which the books have it: nothing nearer comes any more. */
const isTold = (a: Sighting, b: Sighting): boolean => {
  const [own, other] = a.isOwn ? [a, b] : [b, a]
  return other.until !== undefined && other.until >= own.date
}

/** Whether the books would move it away from where it is reported. */
const leavesIt = (a: Sighting, b: Sighting): boolean => {
  const [{ invoices, isOwn }, { on = [] }] = a.isOwn ? [a, b] : [b, a]
  return isOwn && on.length > 0 && !share(invoices, on)
}

/** Whether an invoice cannot have two payments like this one: it asks for less. */
const isMost = ({ amount, asks }: Sighting): boolean => asks !== undefined && amount * 2n > asks

/**
 * Whether one is what the books have late, or somewhat early: of what names no invoice, or their own where that cannot have both. In doubt
 * until the other list tells of the books' day, because something nearer may come; what is reported on that invoice is near enough.
 */
const late = (a: Sighting, b: Sighting): "invoice" | "late" | "doubt" | undefined => {
  const days = lag(a, b)
  const [own, other] = a.isOwn ? [a, b] : [b, a]
  const isNamed = share(own.invoices, other.invoices)
  if (other.isOwn || !own.isOwn || (isNamed ? !isMost(own) : namedBy(other).length > 0)) return undefined
  // Nobody books so late what had gone back by then.
  if (days < LATE.earliest || days > LATE.latest || isSpent({ a, b })) return undefined
  const isSure = isTold(a, b) && (isNamed || !leavesIt(a, b))
  return isSure || (isMost(own) && isThere({ a, b })) ? (isNamed ? "invoice" : "late") : "doubt"
}

/** How many days apart two payments are at most that may both be one of the books. */
export const BY_PAYER_DAYS = LATEST.payer - EARLIEST

/** Whether a payment of the books may be one of another list by its payer and amount, as far as their days go. */
export const isByPayer = (booked: Day.Day, paid: Day.Day): boolean => {
  const days = daysBetween(paid, booked)
  return days >= EARLIEST && days <= LATEST.payer
}

const share = (a: Iterable<string>, b: ReadonlySet<string> | ReadonlyArray<string>): boolean => {
  const has = new Set(b)
  for (const one of a) if (has.has(one)) return true
  return false
}

/** JoinedBy certain it is that two payments of different lists are one; undefined if nothing says so. */
const compare = (a: Sighting, b: Sighting, answers: Answers): JoinedBy | undefined => {
  if (a.list === b.list) return undefined
  const both = pair(a.key, b.key)
  if (answers.apart.has(both)) return undefined
  // Of a payment for several invoices it is said of one of its parts: see `Limits.ts`.
  if (answers.same.has(both)) return a.invoices.length > 1 === b.invoices.length > 1 ? "answer" : undefined
  if (a.amount !== b.amount || a.currency !== b.currency) return undefined
  const how = alike(a, b)
  return how !== undefined && (leaves(a, b) || leaves(b, a)) ? "doubt" : how
}

/** Whether the books would move it away from an invoice that is marked as paid: a person is asked first. */
const leaves = (books: Sighting, { closed = [] }: Sighting): boolean =>
  books.isOwn && closed.length > 0 && !share(books.invoices, closed)

const isSamePayer = (a: Sighting, b: Sighting): boolean => {
  const [name] = a.payers
  const areApart = name === b.payers[0] && (a.form ?? "") !== "" && (b.form ?? "") !== "" && a.form !== b.form
  return share(areApart ? a.payers.filter((one) => one !== name) : a.payers, b.payers)
}

/** Of the same amount. */
const alike = (a: Sighting, b: Sighting): JoinedBy | undefined => {
  // What books enter after a debit failed is what replaced it.
  if ((a.failed ?? b.failed) === true && isSpent({ a, b })) return undefined
  if (share(a.ids, b.words) || share(b.ids, a.words) || share(a.ids, b.ids)) return "id"
  const days = Math.abs(daysBetween(a.date, b.date))
  const isNamed = share(a.invoices, b.invoices)
  if (isNamed && a.isOthers !== true && b.isOthers !== true) {
    if (isNear(a, b, "invoice")) return "invoice"
    return late(a, b) ?? (days <= DOUBT_DAYS ? "doubt" : undefined)
  }
  if (!isSamePayer(a, b)) return isNamed && days <= DOUBT_DAYS ? "doubt" : undefined
  if (!isNamed && (a.inPart ?? b.inPart) === true) return undefined
  if (!isNear(a, b, "payer")) return late(a, b)
  // The text of one names another invoice of the same payer, or something nearer may come.
  const isOther = namedBy(a).length > 0 && namedBy(b).length > 0
  return isOther || (leavesIt(a, b) && !isTold(a, b)) ? "doubt" : "payer"
}

const ORDER: ReadonlyArray<JoinedBy> = ["answer", "id", "invoice", "payer", "late", "doubt"]

/** What had gone back before the other's day is that other only if nothing else is. */
const isSpent = ({ a, b }: Pick<Edge, "a" | "b">): boolean =>
  (a.returned !== undefined && a.returned < b.date) || (b.returned !== undefined && b.returned < a.date)

/** Whether the books have it where it is reported already: of payments that nothing else tells apart, it is this one, and nothing moves. */
const isThere = ({ a, b }: Pick<Edge, "a" | "b">): boolean =>
  share(a.invoices, b.on ?? []) || share(b.invoices, a.on ?? [])

/**
 * Which of several a payment is first. Nobody books what has not come in: books some days before the day on which a payment came that
 * names the invoice are sooner what came on their day and names none, and if they are still earlier, sooner anything else.
 */
const rank = (edge: Edge): number => {
  const { a, b, days, how } = edge
  const at = ORDER.indexOf(how)
  if (at <= ORDER.indexOf("id")) return at
  const isBefore = lag(a, b) < 0
  const first = how === "invoice" && isBefore ? 1.2 : how !== "payer" ? 0 : isThere(edge) ? -0.5 : days > 0 ? 0.5 : 0
  return at + first + (isSpent(edge) ? ORDER.length : 0) + (lag(a, b) < EARLIEST ? 2 * ORDER.length : 0)
}

interface Edge {
  readonly how: JoinedBy
  readonly days: number
  readonly a: Sighting
  readonly b: Sighting
}

const edges = (sightings: ReadonlyArray<Sighting>, answers: Answers): ReadonlyArray<Edge> => {
  const found: Array<Edge> = []
  for (const [n, a] of sightings.entries())
    for (const b of sightings.slice(n + 1)) {
      const how = compare(a, b, answers)
      if (how !== undefined) found.push({ how, days: Math.abs(daysBetween(a.date, b.date)), a, b })
    }
  const key = ({ a, b }: Edge) => pair(a.key, b.key)
  return found.sort((x, y) => rank(x) - rank(y) || x.days - y.days || (key(x) < key(y) ? -1 : 1))
}

/** Whom the others of a movement follow: the books, else what says most about its invoice, else the first by key. */
const leads = (a: Sighting, b: Sighting): number =>
  Number(b.isOwn) - Number(a.isOwn) ||
  Number(b.invoices.length > 0) - Number(a.invoices.length > 0) ||
  Number(b.stands) - Number(a.stands) ||
  (a.key < b.key ? -1 : 1)

/** Whether each list has at most one payment in the union of two movements. */
const fits = (one: ReadonlyArray<Sighting>, other: ReadonlyArray<Sighting>, answers: Answers): boolean =>
  one.every((a) => other.every((b) => a.list !== b.list && !answers.apart.has(pair(a.key, b.key))))

export const join = (sightings: ReadonlyArray<Sighting>, answers: Answers): Joined => {
  const all = sightings.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const movement = new Map<number, Array<Sighting>>(all.map((one) => [one.document, [one]]))
  const how = new Map<number, JoinedBy>()
  const doubts: Array<Edge> = []
  const thirds: Array<Edge> = []
  for (const edge of edges(all, answers)) {
    const { a, b } = edge
    const [one, other] = [movement.get(a.document) ?? [], movement.get(b.document) ?? []]
    if (one === other || !fits(one, other, answers)) continue
    if (edge.how === "doubt") {
      doubts.push(edge)
      continue
    }
    if ((edge.how === "payer" || edge.how === "late") && one.length + other.length > 2) {
      thirds.push(edge)
      continue
    }
    const whole = [...one, ...other]
    for (const each of whole) movement.set(each.document, whole)
    for (const each of [a, b]) if (!how.has(each.document)) how.set(each.document, edge.how)
  }
  const joined = new Map<number, { leader: number; how: JoinedBy }>()
  for (const whole of new Set(movement.values())) {
    const [leader, ...others] = whole.toSorted(leads)
    for (const each of others)
      joined.set(each.document, { leader: leader?.document ?? 0, how: how.get(each.document) ?? "payer" })
  }
  for (const { a, b } of thirds) waitBehind(a, b, movement, joined)
  for (const { a, b } of doubts) wait(a, b, movement, joined)
  return joined
}

/**
 * Two lists that state a movement are enough: a third that only its payer and amount connect with it may be another payment of theirs,
 * and waits.
 */
const waitBehind = (
  a: Sighting,
  b: Sighting,
  movement: ReadonlyMap<number, ReadonlyArray<Sighting>>,
  joined: Map<number, { leader: number; how: JoinedBy }>
): void => {
  const [third, other] = movement.get(a.document)?.length === 1 ? [a, b] : [b, a]
  if (movement.get(third.document)?.length !== 1 || third.stands || joined.has(third.document)) return
  joined.set(third.document, { leader: joined.get(other.document)?.leader ?? other.document, how: "doubt" })
}

/** Of two that may be one, the one that does not stand yet waits; what stands stays. Each causes one doubt at most. */
const wait = (
  a: Sighting,
  b: Sighting,
  movement: ReadonlyMap<number, ReadonlyArray<Sighting>>,
  joined: Map<number, { leader: number; how: JoinedBy }>
): void => {
  const isAlone = (one: Sighting) => movement.get(one.document)?.length === 1 && !joined.has(one.document)
  const isDoubted = (one: Sighting) =>
    [...joined.values()].some(({ how, leader }) => how === "doubt" && leader === one.document)
  const isFree = (one: Sighting) => isAlone(one) && !isDoubted(one)
  if (!isFree(a) || !isFree(b) || (a.stands && b.stands)) return
  const [first, second] = [a, b].toSorted((x, y) => Number(y.stands) - Number(x.stands) || leads(x, y))
  if (first === undefined || second === undefined) return
  joined.set(second.document, { leader: first.document, how: "doubt" })
}
