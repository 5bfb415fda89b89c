/**
 * Many orders by chance at one desk, so that one sync serves all of them: what happens to each, and to the state file
 * and the settings that they share.
 */
import type { Program } from "../crash/Program.ts"
import { Dice } from "../simulation/Dice.ts"
import { Desk } from "./Desk.ts"
import { Life } from "./Life.ts"
import { draw, meanwhile, MOVES } from "./Moves.ts"
import { Service } from "./Service.ts"
import type { Storefront } from "./Storefront.ts"
import { play, type Plot } from "./Tale.ts"

export interface Survey {
  readonly orders: number
  readonly moves: number
  readonly syncs: number
  /** Orders of which a person was told something. */
  readonly odd: number
  /** Orders whose exported sums were compared. */
  readonly exported: number
  readonly found: ReadonlyArray<string>
  /** How often each move was made. */
  readonly drawn: ReadonlyMap<string, number>
}

const ROUNDS = 5
/** Draws until a move can happen. */
const TRIES = 4
/** Syncs in which nothing happens, at the end. */
const QUIET = 2

/** What happens to all orders of a desk at once. */
type Event = "nothing" | "settings" | "lost" | "restored"

const EVENTS: ReadonlyArray<Event> = ["nothing", "nothing", "settings", "lost", "restored"]

interface Drawing {
  /** Orders are created by Daybook. */
  readonly creates: boolean
  readonly moves: (name: string) => void
}

const plot = (dice: Dice, { creates, moves }: Drawing): Plot =>
  async function* (tale) {
    const life = tale as Life
    if (creates) {
      life.addOrder()
      life.creates = true
      life.accepted = false
    } else {
      const pending = dice.chance(0.2)
      const { payment } = await life.sell(pending ? { status: "pending_review" } : {})
      life.payment = payment
      life.accepted = !pending
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = dice.below(3); n > 0; n--) {
        for (let tries = 0; tries < TRIES; tries++) {
          const move = draw(MOVES, dice)
          if (!(await move.act(life, dice))) continue
          moves(move.name)
          break
        }
      }
      await meanwhile(life, dice)
      life.ready()
      yield
    }
    for (let n = 0; n < QUIET; n++) {
      life.ready()
      yield
    }
  }

export interface Setting {
  readonly url: string
  /** Of the service, for this desk alone. */
  readonly key: string
  /** The shop that it reads; files unless given. */
  readonly front?: Storefront
  readonly seed: number
  readonly orders: number
}

export const world = async (program: Program, { orders, seed, ...where }: Setting): Promise<Survey> => {
  const { key, url } = where
  const dice = Dice.of(seed, "desk")
  const desk = new Desk(program, where)
  const service = new Service(url, key)
  const creates = dice.chance(0.25)
  const settings = creates ? { create: { category: "/home" } } : { link: "unique_id" }
  desk.settings(settings)
  const drawn = new Map<string, number>()
  const lives = Array.from({ length: orders }, (_, n) => new Life(`${seed}-${n}`, desk, service))
  const event = dice.of(EVENTS)!
  // There is nothing to copy before the first sync.
  const at = (event === "restored" ? 2 : 1) + dice.below(ROUNDS - 3)
  for (const life of lives) life.traceless = event === "lost" || event === "restored"
  let syncs = 0

  const lenient = (what: string) => {
    for (const life of lives) {
      life.lenient = true
      life.statuses = [0, 1, 3, 4]
      life.say(what)
    }
  }
  const before = async () => {
    if (event === "settings" && syncs === at) {
      desk.settings({ ...settings, shipping: "quantity" })
      lenient("shipping goes by quantity from now on")
      for (const life of lives) if (!life.begun) life.slack = 1000
    }
    if (event === "lost" && syncs === at) {
      desk.keepState()
      desk.loseState()
      lenient("the state file is lost")
    }
    if (event === "lost" && syncs === at + 1) {
      desk.putStateBack()
      for (const life of lives) life.say("it was found again")
    }
    if (event === "restored" && syncs === at - 1) desk.keepState()
    if (event === "restored" && syncs === at + 1) {
      desk.putStateBack()
      lenient(`the state file of before sync ${at} is put back`)
    }
  }
  const after = async ({ status }: { readonly status: number | null }) => {
    syncs++
    if (status !== 4 || event !== "restored") return
    await desk.run("reconcile", "--fix", "--json")
    for (const life of lives) life.fixed = life.figures
  }

  await play(
    desk,
    lives.map((life) => [
      life,
      plot(Dice.of(seed, life.name), { creates, moves: (name) => drawn.set(name, (drawn.get(name) ?? 0) + 1) })
    ]),
    { before, after }
  )

  if (creates)
    for (const life of lives) {
      const { number } = life.order
      const there = (await service.orders(number)).length
      const wanted = life.orders.filter((one) => one.number === number).length
      if (there > wanted) life.found.push(`${life.name}: it is on the service ${there} times`)
    }
  const found = lives.flatMap(({ found, log }) =>
    found.length === 0 ? [] : [...found.slice(0, 3), ...log.map((one) => `    ${one}`)]
  )
  return {
    orders,
    moves: [...drawn.values()].reduce((sum, n) => sum + n, 0),
    syncs,
    odd: lives.filter(({ odd }) => odd).length,
    exported: lives.reduce((sum, { inSheet }) => sum + inSheet, 0),
    found,
    drawn
  }
}
