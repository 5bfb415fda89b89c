/**
 * One seed's whole history: a seller whose books change, a shop whose parcels leave and come back, a source that is read
 * with faults, a network that fails in every way at rates of its own, a machine that dies between any two steps, a
 * person who stops the program or starts it twice, clocks that go forward and back, and somebody who buys cover for
 * invoices meanwhile. What must always hold is looked at after every run, the rest once it is quiet.
 */
import { Cause, Effect } from "effect"
import { existsSync } from "node:fs"
import { SourceError } from "../../connectors/Connector.ts"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import { ServiceError } from "../../core/ServiceError.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import * as Attentions from "../../sync/apply/AttentionStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Match from "../../sync/matching/Run.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { planning } from "../support/Documents.ts"
import { ask, open } from "../sync/InWorld.ts"
import { always, violations } from "../sync/Invariants.ts"
import { KEY, Killed, World, type Wrap } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import { Feed } from "./Feed.ts"
import { type Feeds, paidTooEarly, refusals, takenBack } from "./Laws.ts"
import { Payer } from "./Payer.ts"
import { counterOf, Shop } from "./Shop.ts"
import { Seller } from "./Source.ts"
import { type Happening, shorten, Story } from "./Story.ts"

/** How often each may happen at most; a seed has its own share of each. Those of pages are in `Feed.ts`. */
export const RATES = {
  lose_request: 0.3,
  lose_response: 0.3,
  late: 0.1,
  error: 0.1,
  limited: 0.1,
  garble: 0.05,
  kill: 0.5,
  interrupt: 0.3,
  second: 0.2,
  clock: 0.3,
  insure: 0.05
} as const

/** What a run reads where there are two: the daemon takes one at a time, a person both, or sends without reading. */
const TURNS = [["books", "debits"], ["debits", "books"], ["books"], ["debits"], []]

/** How long after a request its absence is believed; a late one comes before. */
const SETTLED = 5000
const HOUR = 3_600_000

type Rates = Readonly<Record<keyof typeof RATES, number>>

const NETWORK = ["lose_request", "lose_response", "late", "error", "limited", "garble"] as const

const strike = (dice: Dice, rates: Rates): Omit<Fault, "id"> | undefined => {
  const kind = NETWORK.find((one) => dice.chance(rates[one]))
  switch (kind) {
    case undefined:
      return undefined
    case "late":
      return { kind, delay_ms: dice.below(SETTLED) }
    case "error":
      return { kind: "status", status: dice.of([500, 502, 503, 504])! }
    case "limited": {
      const retry_after = dice.of([undefined, 0, 1, 45, 86_400])
      return { kind: "status", status: 429, ...(retry_after === undefined ? {} : { retry_after }) }
    }
    default:
      return { kind }
  }
}

/** Somebody buys cover for one of the transactions, if it can have any. */
const insure = async (world: World, dice: Dice): Promise<void> => {
  const transaction = dice.of([...world.service.transaction.values()])
  if (transaction === undefined) return
  const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction.id }).catch(() => undefined)
  if (quote !== undefined)
    await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" }).catch(() => undefined)
}

/** A person looks at one payment that was left open, and says which invoices it is for, or that it is for none. */
const decide = async (world: World, dice: Dice): Promise<string> => {
  const exit = await world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const { subject } = dice.of(Attentions.list(db).filter(({ rule }) => MatchChoices.isMatter(rule))) ?? {}
      if (subject === undefined) return "nothing is open"
      const found = [...MatchChoices.candidates(db, subject).map(({ invoice }) => invoice)]
      for (const one of world.documents) if (one.kind === "invoice" && dice.chance(0.2)) found.push(one.id)
      const invoices = found.slice(0, dice.below(3)).map((invoice) => ({ invoice }))
      const choice = yield* db.transaction(() => MatchChoices.choose(db, subject, invoices, 0))
      yield* Match.run
      return `${subject}: ${"why" in choice ? choice.why : choice.shares.map(([invoice]) => invoice).join(" and ")}`
    })
  )
  return exit._tag === "Success" ? exit.value : Cause.pretty(exit.cause)
}

/** A run may end early when it dies, or when source or service do not let it work. */
const expected = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.every(
    (reason) =>
      (reason._tag === "Die" && reason.defect instanceof Killed) ||
      (reason._tag === "Fail" && (reason.error instanceof ServiceError || reason.error instanceof SourceError)) ||
      reason._tag === "Interrupt"
  )

export interface Outcome {
  readonly seed: number
  /** What does not hold, in words; empty when all is well. */
  readonly found: ReadonlyArray<string>
  readonly happened: ReadonlyArray<Happening>
  readonly requests: number
  readonly kills: number
  /** Answers that said 409: somebody was quicker. */
  readonly conflicts: number
}

export interface SimulateOptions {
  readonly wrap?: Wrap | undefined
  /** What is left out of the story. */
  readonly without?: ReadonlySet<string>
  /** Nothing goes wrong in it. */
  readonly calm?: boolean
  /** Another source has payments for the seller's invoices in every seed, not in a quarter of them. */
  readonly pays?: boolean
}

export const simulate = async (
  seed: number,
  { calm = false, pays = false, without, wrap }: SimulateOptions = {}
): Promise<Outcome> => {
  const story = new Story(seed, without)
  const first = story.dice("rates")
  const rates = Object.fromEntries(
    Object.entries(RATES).map(([name, most]) => [name, calm ? 0 : first.throw() * most])
  ) as Rates
  const feed = new Feed(story)
  const debits = pays || story.dice("debits").chance(1 / 4) ? new Feed(story, "debits.") : undefined
  const byConnection: Feeds = { books: feed, ...(debits === undefined ? {} : { debits }) }
  const feeds = Object.values(byConnection)
  for (const one of feeds) one.quiet = calm
  let round = 0
  let asked = 0
  const world: World = new World({
    planning: {
      ...planning,
      creditor: { company: CompanyId.make("co-1000") },
      orders: { shipping: first.of(["value", "quantity", "first"])!, create: { category: "/goods", tax_rate: "20" } }
    },
    connector: feed.connector,
    ...(debits === undefined ? {} : { pays: debits.connector }),
    fault: (method, path) => {
      if (feed.quiet) return undefined
      const id = `${round}.request.${++asked}`
      const dice = story.dice(id)
      if (dice.chance(rates.insure) && story.tell(`${id}.insure`, `cover is bought before request ${asked}`))
        void insure(world, dice)
      if (asked === 3 && dice.chance(rates.second) && story.tell(`${id}.second`, "it is started a second time"))
        world.second({ settleAfter: SETTLED })
      const fault = strike(dice, rates)
      if (fault === undefined) return undefined
      return story.tell(id, `request ${asked}, ${method} ${path}: ${JSON.stringify(fault)}`) ? fault : undefined
    },
    ...(wrap === undefined ? {} : { wrap })
  })
  const seller = new Seller(story.dice("seller"), debits !== undefined)
  const payer = new Payer(seller.currency)
  /** The sync has found this order: a reference that changed before is nothing that it could know of. */
  const known = (id: string): boolean => {
    if (!existsSync(world.file)) return false
    const tables = open(world, "SELECT 1 FROM sqlite_schema WHERE name = 'ledger'")
    const sql = `SELECT 1 FROM ledger WHERE subject = 'books/order/${id}' AND told IS NOT NULL`
    return tables.length > 0 && open(world, sql).length > 0
  }
  const shop = new Shop(counterOf(world, known), world.connection.planning.orders?.shipping === "first")
  const found: Array<string> = []
  let kills = 0

  const change = async () => {
    const dice = story.dice(`${round}.changes`)
    for (let n = 1 + dice.below(9); n > 0; n--) {
      const id = `${round}.change.${n}`
      if (story.tell(id, "the seller's books change")) seller.change(story.dice(id))
    }
    if (dice.chance(round === 1 ? 0.6 : 0.15) && story.tell(`${round}.sale`, "the shop sells"))
      await shop.sell(story.dice(`${round}.sale`))
    for (let n = shop.documents.length === 0 ? 0 : dice.below(5); n > 0; n--) {
      const id = `${round}.shop.${n}`
      if (story.tell(id, "something happens in the shop")) shop.change(story.dice(id))
    }
    if (dice.chance(0.4) && story.tell(`${round}.taken`, "buyers take the plans that they are offered"))
      await shop.take()
    if (dice.chance(0.3) && story.tell(`${round}.accepted`, "payments are accepted")) await shop.accept()
    world.documents = [...seller.documents, ...shop.documents]
    if (debits !== undefined) {
      for (let n = 1 + dice.below(6); n > 0; n--) {
        const id = `${round}.debit.${n}`
        if (story.tell(id, "something happens to payments of the other source"))
          payer.change(story.dice(id), seller.documents)
      }
      world.payments = payer.documents
      for (const words of debits.set(world.payments)) story.happened.push({ id: `${round}`, what: words })
    }
    for (const words of feed.set(world.documents)) story.happened.push({ id: `${round}`, what: words })
    if (debits !== undefined && round > 1 && dice.chance(0.4) && story.tell(`${round}.choice`, "a person decides"))
      story.happened.push({ id: `${round}`, what: await decide(world, story.dice(`${round}.choice`)) })
    if (dice.chance(rates.clock)) {
      const by = (dice.chance(0.5) ? 1 : -1) * (1 + dice.below(30)) * HOUR
      if (story.tell(`${round}.clock`, `the clock goes ${by / HOUR} hours`)) {
        // Forward it goes as time does: what was on its way arrives. Set back, it leaves that waiting.
        if (by > 0) await world.clock.settle()
        world.clock.set(world.clock.currentTimeMillisUnsafe() + by)
      }
    }
  }

  try {
    const rounds = 3 + story.dice("rounds").below(5)
    while (++round <= rounds && found.length === 0) {
      asked = 0
      for (const one of feeds) one.round = round
      await change()
      const dice = story.dice(`${round}.run`)
      const [dies, ends] = [1 + dice.below(100), 1 + dice.below(60)]
      world.killAt =
        dice.chance(rates.kill) && story.tell(`${round}.kill`, `the machine dies before step ${dies}`)
          ? dies
          : undefined
      world.interruptAt =
        dice.chance(rates.interrupt) && story.tell(`${round}.interrupt`, `it is stopped at step ${ends}`)
          ? ends
          : undefined
      const lanes = 1 + dice.below(4)
      const concurrency = story.tell(`${round}.lanes`, `${lanes} at once`) ? lanes : 1
      const evenSo = dice.chance(0.7)
      const reads = debits === undefined ? ["books"] : dice.of(TURNS)!
      if (debits !== undefined)
        story.happened.push({ id: `${round}`, what: `reads ${reads.join(", then ") || "nothing"}` })
      const exit = await world.sync({ concurrency, settleAfter: SETTLED, evenSo, reads })
      world.interruptAt = undefined
      if (world.dead) kills++
      if (exit._tag === "Failure") {
        const said = Cause.pretty(exit.cause)
        if (!expected(exit.cause)) found.push(said)
        if (said.includes(KEY)) found.push(`an error shows the service's key: ${said}`)
      }
      found.push(...always(world), ...(await shop.always()))
    }
    for (const one of feeds) one.quiet = true
    world.killAt = undefined
    await world.clock.settle()
    // What is created now is offered, and bought, before it is quiet.
    if (found.length === 0) await world.sync({ settleAfter: SETTLED })
    await shop.take()
    await shop.accept()
    for (let n = 0; n < 2 && found.length === 0; n++) {
      const exit = await world.sync({ settleAfter: SETTLED })
      if (exit._tag === "Failure") found.push(`a quiet run fails: ${Cause.pretty(exit.cause)}`)
    }
    const requests = world.instance.journal.length
    if (found.length === 0) {
      found.push(
        ...(await violations(world)),
        ...(await shop.always()),
        ...(await shop.settled()),
        ...(await refusals(world)),
        ...takenBack(world, feed),
        ...paidTooEarly(world, byConnection)
      )
      await world.sync({ settleAfter: SETTLED })
      if (world.instance.journal.length !== requests) found.push("a further quiet run makes requests")
    }
    const conflicts = world.instance.journal.filter(({ status }) => status === 409).length
    return { seed, found, happened: story.happened, requests, kills, conflicts }
  } catch (cause) {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { seed, found: [...found, why], happened: story.happened, requests: 0, kills, conflicts: 0 }
  } finally {
    world.close()
  }
}

/** What a history failed of; anything at all unless said otherwise. */
export type Fails = (found: ReadonlyArray<string>) => boolean

/** The effect that nobody forgives: something was done twice. */
export const isDouble: Fails = (found) => found.some((what) => /twice| [2-9] times|out of balance/.test(what))

/** The first of these many seeds that a program with a mistake fails on. */
export const catches = async (seeds: number, wrap: Wrap, fails: Fails = isDouble): Promise<number | undefined> => {
  for (let seed = 1; seed <= seeds; seed++) if (fails((await simulate(seed, { wrap })).found)) return seed
  return undefined
}

/** The shortest story of a seed that still fails, in words, and what does not hold in it. */
export const shortest = async (
  seed: number,
  wrap?: Wrap,
  fails: Fails = (found) => found.length > 0,
  pays = false
): Promise<ReadonlyArray<string>> => {
  const whole = await simulate(seed, { wrap, pays })
  if (!fails(whole.found)) return whole.found
  const left = new Map(whole.happened.map((one) => [one.id, one]))
  const without = await shorten([...left.values()], async (without) =>
    fails((await simulate(seed, { wrap, without, pays })).found)
  )
  const { found, happened } = await simulate(seed, { wrap, without, pays })
  return [...happened.map(({ id, what }) => `${id}: ${what}`), ...found.map((what) => `→ ${what}`)]
}
