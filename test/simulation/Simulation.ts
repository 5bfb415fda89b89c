/**
 * One seed's whole history: a seller whose books change, a shop whose parcels leave and come back, a source that is read
 * with faults, a network that fails in every way at rates of its own, a machine that dies between any two steps, a
 * person who stops the program or starts it twice, clocks that go forward and back, and somebody who buys cover for
 * invoices meanwhile. What must always hold is looked at after every run, the rest once it is quiet.
 */
import { Cause } from "effect"
import { CompanyId } from "../../core/wire/Ids.ts"
import { planning } from "../support/Documents.ts"
import { openTable } from "../sync/InWorld.ts"
import { OrderWitness } from "../support/witness/Orders.ts"
import { always, violations } from "../sync/Invariants.ts"
import { alwaysWitnessed, type Watched } from "../sync/Witnessed.ts"
import { KEY, World } from "../sync/World.ts"
import { BUYER_ADDRESS, WINDOWS } from "./Collector.ts"
import { Feed } from "./Feed.ts"
import type { Dice } from "./Dice.ts"
import { type Feeds, neverDeleted, paidTooEarly, refusals, takenBack, unnamed } from "./Laws.ts"
import { Lies } from "./Lies.ts"
import { Files, isBehind } from "./Files.ts"
import { coverPlanning, Insured } from "./Insured.ts"
import { choosing, hinting, Midway } from "./Midway.ts"
import { foreign, ratesOf, wrongBy } from "./Moves.ts"
import { expected, insure, RATES, type Rates, SETTLED, strike } from "./Network.ts"
import { Names } from "./Names.ts"
import type { Outcome, SimulateOptions } from "./Outcome.ts"
import { Payer } from "./Payer.ts"
import { Runs } from "./Runs.ts"
import { counterOf, Shop } from "./Shop.ts"
import { Seller } from "./Source.ts"
import { Story } from "./Story.ts"
import { isWild, WildShop } from "./WildShop.ts"

/** What a run reads where there are two: the daemon takes one at a time, a person both, or sends without reading. */
const TURNS = [["books", "debits"], ["debits", "books"], ["books"], ["debits"], []]

const HOUR = 3_600_000

export const simulate = async (
  seed: number,
  {
    calm = false,
    cover: covers = false,
    lies: lie = false,
    moves: instead,
    pays = false,
    without,
    wrap
  }: SimulateOptions = {}
): Promise<Outcome> => {
  const story = new Story(seed, without)
  const first = story.dice("rates")
  const rates = Object.fromEntries(
    Object.entries(RATES).map(([name, most]) => [name, calm ? 0 : first.throw() * most])
  ) as Rates
  const moves = ratesOf(story, calm, instead)
  const feed = new Feed(story)
  const debits = pays || story.dice("debits").chance(1 / 4) ? new Feed(story, "debits.") : undefined
  const byConnection: Feeds = { books: feed, ...(debits === undefined ? {} : { debits }) }
  const feeds = Object.values(byConnection)
  for (const one of feeds) {
    one.quiet = calm
    one.unreadable = moves.unreadable
  }
  let round = 0
  let asked = 0
  /** The machine's clock is set by so much before the next run, whatever is on its way. */
  let wrong = 0
  const seller: Seller = new Seller(
    story.dice("seller"),
    debits !== undefined,
    moves,
    covers ? BUYER_ADDRESS : undefined
  )
  let insured: Insured | undefined
  const world: World = new World({
    planning: {
      ...planning,
      ...(covers ? coverPlanning(story.dice("cover"), seller.currency) : {}),
      creditor: { company: CompanyId.make("co-1000") },
      orders: { shipping: first.of(["value", "quantity", "first"])!, create: { category: "/goods", tax_rate: "20" } }
    },
    connector: feed.connector,
    ...(covers ? { windows: WINDOWS } : {}),
    ...(debits === undefined ? {} : { pays: debits.connector }),
    leaves: (method, path) => insured?.leaves(method, path),
    fault: (method, path) => {
      if (feed.quiet) return undefined
      const id = `${round}.request.${++asked}`
      const dice = story.dice(id)
      if (dice.chance(rates.insure) && story.happens(`${id}.insure`, `cover is bought before request ${asked}`))
        void insure(world, dice)
      if (asked === 3 && dice.chance(rates.second) && story.happens(`${id}.second`, "it is started a second time"))
        world.second({ settleAfter: SETTLED, guarded: true }, { shares: runs.mayWait(id) })
      midway.request(id)
      if (
        dice.chance(moves.clock_late) &&
        story.happens(`${id}.late`, `the machine dies while request ${asked} is late`)
      ) {
        world.killAt = world.steps.length + 1
        wrong = wrongBy(dice)
        return { kind: "late", delay_ms: SETTLED - 1 }
      }
      const struck = insured?.strikes(id, method, path)
      if (struck !== undefined) return struck
      const fault = dice.chance(moves.midway_foreign) ? foreign(dice) : strike(dice, rates)
      if (fault === undefined) return undefined
      return story.happens(id, `request ${asked}, ${method} ${path}: ${JSON.stringify(fault)}`) ? fault : undefined
    },
    ...(wrap === undefined ? {} : { wrap })
  })
  const payer = new Payer(seller.currency)
  /** The sync has found this order: a reference that changed before is nothing that it could know of. */
  const known = (id: string): boolean => {
    const sql = `SELECT 1 FROM ledger WHERE subject = 'books/order/${id}' AND held IS NOT NULL`
    return openTable(world, "ledger", sql).length > 0
  }
  const states = lie || story.dice("stated").chance(1 / 2)
  // Without --lies, histories with payments of another source are as they always were: mutants are caught by their seeds.
  const mostLies = lie && !calm ? Math.max(0.25, moves.lies) : debits === undefined ? moves.lies : 0
  const lies = new Lies(story, states, mostLies)
  const shipping = world.connection.planning.orders!.shipping!
  const shop = new Shop(counterOf(world, known), shipping)
  const witness = new OrderWitness(world.connection.id, shipping)
  const wild: WildShop = new WildShop(world, moves, (order, amount, stated) => {
    witness.byHand(order, amount, stated)
    // Whatever becomes of it in the same round.
    witness.see(wild.documents)
  })
  const files = new Files(world, story, moves)
  const watched = (): Watched => ({
    witness,
    payments: new Map([...shop.payments, ...wild.watched.payments]),
    byHand: wild.watched.byHand
  })
  const names: Names = new Names(world, story, moves)
  const runs: Runs = new Runs(world, story, moves, names)
  insured = await Insured.begin(world, story, moves, () => names.connections)
  const found: Array<string> = []
  let kills = 0

  /** The sources hold from now on what seller, shop and payer say. */
  const publish = () => {
    world.documents = [...lies.delivers(seller.documents), ...shop.documents, ...wild.documents]
    witness.see(world.documents)
    if (debits !== undefined) world.payments = payer.documents
    const words = [...feed.set(world.documents), ...(debits?.set(world.payments) ?? [])]
    for (const what of words) story.happened.push({ id: `${round}`, what })
  }
  /** The ledger may lack what was sent: its file was lost, or two were at work on it without its lock. */
  const isTold = () => files.lost || midway.lockRemoved
  const people = {
    decide: (id: string) => runs.decide(id),
    connections: () => names.connections,
    plan: (dice: Dice) => names.midway(dice),
    accepted: (order: string) => witness.accepted(order)
  }
  const midway = new Midway(world, story, moves, { files, people }, (dice) => {
    for (let n = 1 + dice.below(3); n > 0; n--) seller.change(dice)
    if (shop.documents.length > 0 && dice.chance(0.3)) shop.change(dice)
    if (debits !== undefined) for (let n = dice.below(3); n > 0; n--) payer.change(dice, seller.documents)
    publish()
  })

  const rounds = 3 + story.dice("rounds").below(5)

  const change = async () => {
    const dice = story.dice(`${round}.changes`)
    // What is insured mostly stays unpaid where it becomes late.
    for (let n = round > rounds ? dice.below(2) : 1 + dice.below(9); n > 0; n--) {
      const id = `${round}.change.${n}`
      if (story.happens(id, "the seller's books change")) seller.change(story.dice(id))
    }
    if (
      insured !== undefined &&
      round <= rounds &&
      story.happens(`${round}.issued`, "invoices that may be insured are issued")
    )
      seller.issue(story.dice(`${round}.issued`).below(round === 1 ? 6 : 3))
    if (dice.chance(round === 1 ? 0.6 : 0.15) && story.happens(`${round}.sale`, "the shop sells"))
      await shop.sell(story.dice(`${round}.sale`))
    for (let n = shop.documents.length === 0 ? 0 : dice.below(5); n > 0; n--) {
      const id = `${round}.shop.${n}`
      if (story.happens(id, "something happens in the shop")) shop.change(story.dice(id))
    }
    if (wild.isOpen) {
      const id = `${round}.wild`
      if (dice.chance(round === 1 ? 1 : 0.2) && story.happens(id, "the other shop sells"))
        await wild.sell(story.dice(id))
      for (let n = dice.below(5); n > 0; n--) {
        if (!story.happens(`${id}.${n}`, "something happens in the other shop")) continue
        story.happened.push({ id: `${id}`, what: await wild.change(story.dice(`${id}.${n}`)) })
      }
    }
    if (dice.chance(0.4) && story.happens(`${round}.taken`, "buyers take the plans that they are offered"))
      await shop.take()
    if (dice.chance(0.3) && story.happens(`${round}.accepted`, "payments are accepted")) await shop.accept()
    if (debits !== undefined) {
      for (let n = 1 + dice.below(6); n > 0; n--) {
        const id = `${round}.debit.${n}`
        if (story.happens(id, "something happens to payments of the other source"))
          payer.change(story.dice(id), seller.documents)
      }
    }
    publish()
    if (debits !== undefined && round > 1 && dice.chance(0.4) && story.happens(`${round}.choice`, "a person decides")) {
      const chosen = await world.life(choosing(world, story.dice(`${round}.choice`)))
      story.happened.push({
        id: `${round}`,
        what: chosen._tag === "Success" ? chosen.value : Cause.pretty(chosen.cause)
      })
    }
    const hint = story.dice(`${round}.hint`)
    if (round > 1 && hint.chance(moves.hint) && story.happens(`${round}.hint`, "webhooks of the service come"))
      await world.life(hinting(hint.of(world.connections)!, hint))
    if (round > 1 && runs.asks) await world.life(runs.decide(`${round}`))
    if (wrong !== 0) world.clock.set(world.clock.currentTimeMillisUnsafe() + wrong)
    else if (dice.chance(rates.clock)) {
      const by = (dice.chance(0.5) ? 1 : -1) * (1 + dice.below(30)) * HOUR
      if (story.happens(`${round}.clock`, `the clock goes ${by / HOUR} hours`)) {
        // Forward it goes as time does: what was on its way arrives. Set back, it leaves that waiting.
        if (by > 0) await world.clock.settle()
        world.clock.set(world.clock.currentTimeMillisUnsafe() + by)
      }
    }
    wrong = 0
    if (round > 1) await insured?.between(round, round - rounds)
  }

  try {
    while (++round <= rounds + (insured?.more ?? 0) && found.length === 0) {
      asked = 0
      for (const one of feeds) one.round = round
      await change()
      await files.between(round)
      insured?.restored(files.replaced)
      found.push(...(await names.between(round)))
      const dice = story.dice(`${round}.run`)
      const [dies, ends] = [1 + dice.below(100), 1 + dice.below(60)]
      world.killAt =
        dice.chance(rates.kill) && story.happens(`${round}.kill`, `the machine dies before step ${dies}`)
          ? dies
          : undefined
      world.interruptAt =
        dice.chance(rates.interrupt) && story.happens(`${round}.interrupt`, `it is stopped at step ${ends}`)
          ? ends
          : undefined
      const lanes = 1 + dice.below(4)
      const concurrency = story.happens(`${round}.lanes`, `${lanes} at once`) ? lanes : 1
      const evenSo = dice.chance(0.7)
      const reads = debits === undefined ? ["books"] : dice.of(TURNS)!
      if (debits !== undefined)
        story.happened.push({ id: `${round}`, what: `reads ${reads.join(", then ") || "nothing"}` })
      const full = 1 + dice.below(80)
      world.fullAt =
        dice.chance(moves.disk_full) && story.happens(`${round}.full`, `the disk is full from step ${full} on`)
          ? [full, full + 1 + dice.below(6)]
          : undefined
      const ended = await runs.go({ round, concurrency, evenSo, reads }, () => !midway.lockRemoved)
      world.interruptAt = undefined
      world.fullAt = undefined
      insured?.restored(files.replaced)
      if (world.dead) kills++
      for (const exit of [ended, ...world.ends]) {
        if (exit._tag === "Success" || (isTold() && isBehind(exit.cause))) continue
        const said = Cause.pretty(exit.cause)
        const taken = { lock: midway.lockRemoved, file: files.moved || world.dead, machine: world.dead }
        if (!expected(exit.cause, taken)) found.push(said)
        if (said.includes(KEY)) found.push(`an error shows the service's key: ${said}`)
      }
      if (ended._tag === "Failure" && isTold() && isBehind(ended.cause)) await files.mend()
      found.push(...runs.found, ...always(world), ...alwaysWitnessed(world, watched()), ...(await shop.always()))
      found.push(...neverDeleted(world, byConnection))
      found.push(...(insured?.always(files.lost) ?? []))
      if (insured?.isCalm(round, round - rounds) === true) {
        for (const one of feeds) one.quiet = true
        world.killAt = undefined
        const calmly = await runs.quiet()
        if (calmly._tag === "Failure" && isTold() && isBehind(calmly.cause)) await files.mend()
        if (calmly._tag === "Success" && !files.lost && (await insured.announced()).length > 0) {
          // What this one has changed on the service, the next one reads.
          await runs.quiet()
          found.push(...(await insured.announced()))
        }
        for (const one of feeds) one.quiet = calm
      }
    }
    for (const one of feeds) one.quiet = true
    world.killAt = undefined
    insured?.settle()
    // The machine's clock is right. The service states its time in whole seconds: what has just ended is over by that, too.
    world.time.setRight(2000)
    await world.clock.settle()
    // What was done by hand is in no statement before the service was read.
    if (isTold() || wild.watched.byHand.size > 0) {
      await runs.quiet()
      await files.mend()
    }
    if (found.length === 0) await runs.quiet() // What is created now is offered, and bought, before it is quiet.
    await shop.take()
    await shop.accept()
    for (let n = 0; n < 2 && found.length === 0; n++) {
      const exit = await runs.quiet()
      if (exit._tag === "Failure") found.push(`a quiet run fails: ${Cause.pretty(exit.cause)}`)
    }
    if (insured !== undefined && found.length === 0) found.push(...(await insured.announced()))
    await insured?.lastWord()
    if (insured !== undefined) await runs.quiet()
    const requests = world.instance.journal.length
    if (found.length === 0) {
      const late = await shop.tooLate(feed.odd)
      const isLate = (one: string) =>
        [...late].some((name) => one.startsWith(`${world.connection.id}/order/${name}: its return`))
      found.push(
        ...(await violations(world, watched(), files.lost)),
        ...(await shop.always()),
        // What an order's ledger lost with the file needs a person, and the witness looks at it.
        ...(files.lost ? [] : await shop.settled(late)),
        ...(await refusals(world)).filter(
          (one) =>
            !isWild(one) && !files.lost && !isLate(one) && !shop.isTooLate(one) && insured?.isHidden(one) !== true
        ),
        ...(await unnamed(world, lies.standing)),
        ...takenBack(world, feed),
        ...(insured?.quiet(feed, files.lost) ?? []),
        // What was sent from a file that is lost is not known.
        ...(files.lost ? [] : paidTooEarly(world, byConnection))
      )
      await runs.quiet()
      if (world.instance.journal.length !== requests) found.push("a further quiet run makes requests")
    }
    const conflicts = world.instance.journal.filter(({ status }) => status === 409).length
    const handedOver = insured?.sent ?? 0
    return { seed, found, happened: story.happened, requests, kills, conflicts, lies: lies.standing.length, handedOver }
  } catch (cause) {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return {
      seed,
      found: [...found, why],
      happened: story.happened,
      requests: 0,
      kills,
      conflicts: 0,
      lies: 0,
      handedOver: 0
    }
  } finally {
    world.close()
  }
}
