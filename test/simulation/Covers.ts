/**
 * Cover in a simulated history: its settings, what time and the service change, and properties of what was bought. The limits
 * are low, so that months reach them and offers wait.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import { REJECTIONS } from "../../core/sandbox/rules/Rejections.ts"
import type { CoverSettings } from "../../sync/model/CoverSettings.ts"
import { parseKey } from "../../connectors/Document.ts"
import { open } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import { existsSync } from "node:fs"
import type { Dice } from "./Dice.ts"
import type { Feed } from "./Feed.ts"
import type { MoveRates } from "./Moves.ts"
import type { Story } from "./Story.ts"

const DAY_MS = 86_400_000

/** Before most invoices of the seller are due. */
export const BEGINS = Date.UTC(2026, 0, 6, 9)

export const coverOf = (dice: Dice, currency: string): CoverSettings => ({
  select: [dice.chance(0.3) ? { min: "20.00" } : {}],
  price: {
    currency,
    per_month: dice.of(["2", "4", "7", "1000"])!,
    ...(dice.chance(0.4) ? { per_invoice: dice.of(["0.5", "3"])! } : {}),
    ...(dice.chance(0.3) ? { of_net: "0.03" } : {})
  },
  pay_with: { env: "COVER_PAYMENT" },
  ...(dice.chance(0.2) ? { approve: "never" as const } : {})
})

/** The service changes its mind about a company. Answers what it says now. */
const decline = (world: World, dice: Dice): string => {
  const company = world.instance.service.directory.any("co-1001")!
  const code = dice.chance(0.3) ? undefined : dice.of(Object.keys(REJECTIONS))!
  company.decision = code === undefined ? null : { code, params: REJECTIONS[code]!.params }
  return `${company.name} is ${code === undefined ? "covered" : `declined: ${code}`}`
}

const money = (value: unknown): Decimal.Decimal => Decimal.of(String(value))

/**
 * Nothing is bought twice, dearer than what a person wrote down, or beyond the month's limit.
 *
 * @param ours quotes that were bought, kept from look to look: a state file that was lost forgets them, the service does not
 */
export const bought = (world: World, { price }: CoverSettings, ours: Set<string>): ReadonlyArray<string> => {
  if (!existsSync(world.file) || open(world, "SELECT 1 FROM sqlite_schema WHERE name = 'cover'").length === 0) return []
  const claims = open(
    world,
    "SELECT request ->> '$.body.quote' AS quote FROM claim c JOIN receipt r ON r.claim = c.id WHERE operation = 'policies.create' AND r.outcome = 'done'"
  )
  for (const { quote } of claims) ours.add(String(quote))
  const found: Array<string> = []
  const months = new Map<string, Decimal.Decimal>()
  const byTransaction = new Map<string, number>()
  for (const { transaction } of world.service.policy.values()) {
    const id = String(transaction)
    const n = (byTransaction.get(id) ?? 0) + 1
    byTransaction.set(id, n)
    if (n > 1) found.push(`${id} was insured ${n} times`)
  }
  for (const id of ours) {
    const quote = world.service.quote.get(id)
    const policy = quote === undefined ? undefined : world.service.policy.get(String(quote["policy"]))
    if (quote === undefined || policy === undefined) {
      found.push(`${id} was bought, and the service has no policy of it`)
      continue
    }
    const total = money(quote["total_price"])
    if (price.per_invoice !== undefined && total > Decimal.of(price.per_invoice))
      found.push(`${id} costs ${Decimal.format(total)}, more than ${price.per_invoice} for one invoice`)
    const month = String(policy["created"]).slice(0, 7)
    months.set(month, (months.get(month) ?? 0n) + total)
  }
  for (const [month, sum] of months)
    if (sum > Decimal.of(price.per_month))
      found.push(`${Decimal.format(sum)} were spent in ${month}, more than ${price.per_month}`)
  return found
}

/** What a credit note changes of an invoice. */
const CREDITED = ["net_amount", "gross_amount", "scheduled_payments", "metadata"]

/** An edit expires an offer: none is made of an invoice that its source never touched, but for what is credited on it. */
export const needless = (world: World, feed: Feed): ReadonlyArray<string> =>
  open(
    world,
    `SELECT c.subject, c.reason, c.request ->> '$.body' AS body FROM claim c WHERE operation = 'transactions.update'
      AND EXISTS (SELECT 1 FROM claim q WHERE q.subject = c.subject AND q.operation = 'quotes.create' AND q.id < c.id)`
  ).flatMap(({ body, reason, subject }) => {
    const { connection, id } = parseKey(String(subject))
    const credits = [...feed.since.keys()].some((one) => one.startsWith("credit_note/"))
    const isCredited = credits && Object.keys(JSON.parse(String(body))).every((name) => CREDITED.includes(name))
    return connection !== world.connection.id || feed.touched.has(`invoice/${id}`) || isCredited
      ? []
      : [
          `${String(subject)} was edited after a quote was asked for, and its source never changed it: ${String(reason)}`
        ]
  })

interface Between {
  readonly world: World
  readonly story: Story
  readonly moves: MoveRates
  readonly round: number
}

/** What becomes of cover by itself between two runs. */
export const daysPass = async ({ moves, round, story, world }: Between): Promise<void> => {
  const dice = story.dice(`${round}.cover`)
  if (dice.chance(moves.cover_decline) && story.happens(`${round}.decline`, "the service changes its mind"))
    story.happened.push({ id: `${round}`, what: decline(world, dice) })
  // Mostly few, so that a month sees several of the history's purchases.
  const days = 1 + dice.below(dice.chance(0.7) ? 3 : 25)
  if (!dice.chance(moves.cover_days) || !story.happens(`${round}.days`, `${days} days pass`)) return
  await world.clock.settle()
  world.clock.set(world.clock.currentTimeMillisUnsafe() + days * DAY_MS)
}
