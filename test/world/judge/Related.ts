/** Which money and which invoices something that Daybook says is about, as somebody reads it who knows what is true. */
import type { AttentionItem } from "../../../sync/library/Daybook.ts"
import type { Said } from "../Product.ts"
import { type Day, iso, major } from "../Values.ts"
import type { Line, Money, Movement } from "../truth/Money.ts"

export interface About {
  readonly line: Line | undefined
  readonly movement: Movement | undefined
  /** Ids of invoices. */
  readonly invoices: ReadonlySet<string>
}

/** Without what separates thousands. */
const ungrouped = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3})/g, "")

const asBanksWrite = (text: string): string =>
  text.toUpperCase().replaceAll("Ä", "AE").replaceAll("Ö", "OE").replaceAll("Ü", "UE").replaceAll("ß", "SS")

/** The item's words name an amount, a day and a payer. */
const isOf = (why: string, amount: bigint, day: number, name: string): boolean => {
  const first = asBanksWrite(name.slice(0, 10))
  const positive = amount < 0n ? -amount : amount
  const plain = ungrouped(why)
  // Other amounts and days may stand behind its own.
  const its = new RegExp(`(?<![\\d.])${escaped(major(positive))} [A-Z]{3} (received|went back) on ${iso(day)}`).test(
    plain
  )
  return its && asBanksWrite(why).includes(first)
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const names = (text: string, word: string): boolean => new RegExp(`(^|[^\\w-])${escaped(word)}($|[^\\w-])`).test(text)

export const aboutOf = (money: Money, item: Pick<AttentionItem, "subject" | "fact" | "why">): About => {
  const text = money.plain(`${item.subject} ${item.fact} ${item.why}`)
  const alike = [...money.lines.values()].filter(({ amount, day, name }) => isOf(item.why, amount, day, name))
  // Of several, the one whose text has the number that the item says it names.
  const said = /it names (\S+?),/.exec(item.why)?.[1] ?? ""
  const number = money.invoices.get(money.called.get(said) ?? said)?.body.at(Number.MAX_SAFE_INTEGER)?.number
  const line = alike.find(({ text }) => number !== undefined && text.includes(number)) ?? alike[0]
  // What an item is about comes before others that its words name.
  const own = money.plain(`${item.subject} ${item.fact}`)
  const attempt = [own, text].flatMap(
    (words) => [...money.attempts.values()].find(({ id }) => names(words, id) || words.includes(id)) ?? []
  )[0]
  const entry = [...money.entries.values()].find(({ id }) => names(text, id))
  const refunded = [...money.movements.values()].find(({ refunds }) => refunds.some(({ id }) => own.includes(id)))
  const movement =
    refunded ?? money.movements.get(attempt?.movement ?? movementOf(money, line) ?? entry?.movement ?? "")
  const invoices = new Set(movement?.for.map(({ invoice }) => invoice))
  if (/\/invoice\//.test(item.subject) || movement === undefined)
    for (const { body, id } of money.invoices.values())
      if (names(text, id) || body.days.some((day) => names(text, body.at(day)?.number ?? id))) invoices.add(id)
  return { line, movement, invoices }
}

/** What a line moved, or took back. */
const movementOf = (money: Money, line: Line | undefined): string | undefined =>
  line?.movement ?? [...money.movements.values()].find(({ died }) => line !== undefined && died?.line === line.id)?.id

/** The payments that a sentence names, by key. */
export const paymentsIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/\b(?:books|bank|debits)\/payment\/\S+/g)].map(([key]) => key.replace(/[).,:;]+$/, "")))
]

/** What a sentence about several payments says of this one: `10.00 EUR on 2026-01-02 (KEY)`. */
const saidOf = (why: string, key: string): string =>
  new RegExp(`[\\d,.]+ [A-Z]{3} on \\S+ \\(${escaped(key)}\\)`).exec(why)?.[0] ?? why

/** Which movements a payment may be, by what its key says and what the item says of it. */
export const movementsOf = (money: Money, item: Pick<AttentionItem, "why">, key: string): ReadonlySet<string> => {
  const [, connection, id = ""] = /^(\w+)\/payment\/(.*)$/.exec(key) ?? []
  const own = money.plain(`/${id}`).slice(1).split("/")[0]!
  if (connection === "books")
    return new Set([...money.entries.values()].filter((one) => one.id === own).map((one) => one.movement))
  if (connection === "debits")
    return new Set([...money.attempts.values()].filter((one) => one.id === own).map((one) => one.movement))
  const plain = ungrouped(saidOf(item.why, key))
  const lines = [...money.lines.values()].filter(
    ({ amount, day, movement = "" }) =>
      (key.includes(iso(day)) || plain.includes(iso(day))) &&
      // Of a payment for several invoices, each is told its part.
      [amount, ...(money.movements.get(movement)?.for ?? []).map((one) => one.amount)].some((one) =>
        plain.includes(major(one))
      )
  )
  const exact = lines.filter(({ amount, day }) => key.includes(`${iso(day)}:${major(amount)}`))
  return new Set((exact.length > 0 ? exact : lines).flatMap(({ movement }) => movement ?? []))
}

/** The days of the last two syncs. */
export interface Days {
  readonly now: Day
  readonly before: Day
}

/** A debit says itself, by number, which invoice it is for, and that one was there at the last sync already. */
export const isNeedless = (
  money: Money,
  { subject, why }: Pick<AttentionItem, "subject" | "why">,
  { before, now }: Days
): boolean => {
  const attempt = [...money.attempts.values()].find(({ id }) => subject.startsWith(`debits/payment/${id}`))
  if (attempt?.link === undefined || !why.includes("was not found") || before >= now) return false
  return [...money.invoices.values()].some(({ body }) =>
    [before, now].every((day) => {
      const its = body.at(day)
      return its !== undefined && its.number === attempt.link && its.status === "open" && its.garbled !== true
    })
  )
}

/** Who paid is no customer by that name, and wrote no number: nobody is asked about it before the quarter is over. */
export const isStrange = (money: Money, { customer, id }: Movement): boolean =>
  money
    .linesOf(customer)
    .some(
      ({ movement, name, text }) =>
        movement === id && money.aliases.has(name) && !/\d/.test(text.replace(/20\d\d\/\d\d/, ""))
    )

/** The differences that a statement names. */
export const differencesIn = ({ proof }: Said): string =>
  [...(proof?.completeness ?? []), ...(proof?.payments ?? [])]
    .flatMap(({ differences }) => differences.map(({ document, why }) => `${document}: ${why}`))
    .join("; ")
