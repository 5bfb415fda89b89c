/**
 * The moves of the simulation beyond a plain run, in one table: how often each is drawn at most, and what it is. A seed has its
 * own share of each, and half of the seeds have none of a move.
 *
 * What every history has besides: invoices, payments, reversals and credit notes that are made, edited, moved, deleted and
 * restored (`Source.ts`); orders, parcels, cancellations, returns (`Shop.ts`); payments of another source (`Payer.ts`);
 * pages that come twice, fail or are garbled (`Feed.ts`); and `RATES` in `Network.ts`: requests and answers that are lost
 * or late, errors, limits, kills, Ctrl-C, a second process, cover that is bought.
 */
import type { Dice } from "./Dice.ts"
import type { Story } from "./Story.ts"

interface Move {
  /** The highest rate that a seed can have. */
  readonly most: number
  /** What happens, and what must come of it. */
  readonly what: string
}

const table = <K extends string>(moves: Readonly<Record<K, Move>>): Readonly<Record<K, Move>> => moves

export const MOVES = table({
  // While a plan is applied, at any request:
  midway_pull: {
    most: 0.05,
    what: "the books change and are pulled, by the connection that is applied or the one that pays"
  },
  midway_decision: {
    most: 0.05,
    what: "a person gives a payment its invoices, takes that back, settles an attention item, or has it tried again"
  },
  midway_hint: {
    most: 0.05,
    what: "webhooks of the service come, and documents are read again while others of them are sent"
  },
  midway_clock: {
    most: 0.02,
    what: "the machine's clock is set, up to a day either way; what is late is still on its way"
  },
  midway_foreign: { most: 0.05, what: "a web page, an empty body or another program's JSON answers, with any status" },
  // Between a kill and the next run:
  clock_late: {
    most: 0.02,
    what: "the machine dies while a request is late on its way, and its clock is set before the next run"
  },
  hint: { most: 0.5, what: "webhooks of the service come, and single documents are read again before the next run" },
  // The source:
  unreadable: { most: 0.5, what: "records of many pages cannot be read for once, and are not taken for deleted" },
  lies: {
    most: 0.5,
    what: "a payment is lost from its page, a row is repeated, or a sum is another one, while the source's own balance says the truth: the statement names each such invoice"
  },
  // How runs are made:
  handles: { most: 0.4, what: "two handles of the library in one process sync a family of connections at once" },
  turns: { most: 0.4, what: "the daemon's turns of a family of connections come at once" },
  approval: {
    most: 0.4,
    what: "a person approves or refuses each plan, of all runs of a history, while the books move"
  },
  second_waits: { most: 0.5, what: "a second process does not fail while the file is in use, but waits for its turn" },
  // The configuration:
  renamed: { most: 0.1, what: "a connection gets another name, by `connections rename`, and at times only afterwards" },
  settings: {
    most: 0.2,
    what: "settings change that decide nothing of what is sent in the end, also while a plan is applied"
  },
  // The state file:
  disk_full: { most: 0.3, what: "the disk is full for some writes of a run" },
  file_older: {
    most: 0.05,
    what: "an older copy of the state file is put back, by backup and restore; reconcile --fix follows"
  },
  file_copied: {
    most: 0.05,
    what: "a copy of the state file that was made with cp is put back, or used beside the one that is there"
  },
  midway_file: {
    most: 0.01,
    what: "the state file is deleted, or replaced by an older copy, while a run is at work on it"
  },
  file_lost: { most: 0.05, what: "the state file is deleted; nothing is sent until reconcile --fix was run" },
  lock_removed: {
    most: 0.01,
    what: "the lock file is removed while a run is at work, and a second process is started"
  },
  // Currencies:
  foreign_fact: { most: 0.2, what: "a payment, credit note or reversal is in another currency than its invoice" },
  currency_edited: { most: 0.05, what: "an invoice's currency is edited" },
  order_currency: { most: 0.15, what: "a fact of an order is in another currency, or the order's currency is edited" },
  // Orders:
  parcel_bare: { most: 0.3, what: "a parcel or return names no lines: all that is left, or all that was shipped" },
  stated_amount: { most: 0.3, what: "a return or cancellation states an amount in place of what its lines come to" },
  fact_edited: { most: 0.3, what: "a parcel, cancellation or return is edited after it was stated" },
  fact_rekeyed: {
    most: 0.2,
    what: "a parcel or return comes under another key, is split in two, or moves to another order"
  },
  by_hand: { most: 0.2, what: "somebody captures or refunds past Daybook" },
  reopened: { most: 0.2, what: "a closed or cancelled order is opened again" },
  // Cover, in histories that have it: quotes are asked for and bought within a month's limit, beside whoever else insures.
  cover_days: {
    most: 0.6,
    what: "days pass: offers end, policies become late, another month begins; nothing is bought twice, or beyond a limit"
  },
  cover_decline: {
    most: 0.4,
    what: "the service declines a buyer from now on, or no longer, by any code: asked for again only when the cause can have changed"
  },
  cover_no: {
    most: 0.5,
    what: "a person says no to an offer: nothing is bought for this invoice when that offer ends and another comes"
  },
  cover_ahead: { most: 0.2, what: "the clock is up to forty days ahead for one run, and right again" },
  cover_foreign: {
    most: 0.3,
    what: "somebody else changes a collection that is prepared, or ends a policy: only what was shown is handed over"
  },
  cover_removed: {
    most: 0.2,
    what: "cover is removed from the configuration for one run: nothing is asked for or bought, what is covered is watched; the run after it shows what it would buy"
  },
  cover_stuck: {
    most: 0.2,
    what: "the service refuses to show one covered invoice for as long as anything fails: the others are watched"
  },
  collect_kill: {
    most: 0.3,
    what: "the machine dies around a call about a collection, a document of it, or its sending"
  },
  collect_fault: { most: 0.4, what: "such a call, or the answer to it, is lost, late or garbled" }
})

export type MoveName = keyof typeof MOVES

export type MoveRates = Readonly<Record<MoveName, number>>

/** Highest rates in place of those of the table: `midway_pull=0.1`, as the command line has them. */
export const movesOf = (words: ReadonlyArray<string>): Partial<MoveRates> =>
  Object.fromEntries(
    words.map((word) => {
      const [name = "", rate = ""] = word.split("=")
      if (!(name in MOVES) || !(Number(rate) >= 0))
        throw new Error(`${word}: name a move and its rate, as in clock_late=0.5`)
      return [name, Number(rate)]
    })
  )

/** The rates of one seed. Each has dice of its own, so that one that is switched on changes no other. */
export const ratesOf = (story: Story, calm: boolean, instead: Partial<MoveRates> = {}): MoveRates =>
  Object.fromEntries(
    Object.entries(MOVES).map(([name, { most }]) => {
      const dice = story.dice(`moves.${name}`)
      return [name, calm || dice.chance(0.5) ? 0 : dice.throw() * (instead[name as MoveName] ?? most)]
    })
  ) as MoveRates

const DAY_MS = 86_400_000

/** How far a machine's clock is set wrong, in milliseconds. */
export const wrongBy = (dice: Dice): number => Math.round((dice.throw() * 2 - 1) * DAY_MS)

/** Bodies that are not the service's. */
const BODIES = [
  ["text/html", "<!doctype html><title>Not found</title><h1>404</h1>"],
  ["application/json", ""],
  ["application/json", "{}"],
  ["application/json", '{"error":{"code":"upstream","trace":"req-1"}}'],
  ["application/problem+json", '{"title":"Bad Gateway","detail":"no upstream"}'],
  ["application/json", '["ok"]'],
  ["application/json", "null"],
  ["text/plain", "no healthy upstream"]
] as const

const STATUSES = [200, 201, 400, 401, 404, 409, 422, 502] as const

/** What stands between the program and the service answers in its place; whether the service had acted. */
export interface Foreign {
  readonly kind: "foreign"
  readonly status: number
  readonly type: string
  readonly body: string
  readonly acted: boolean
}

export const foreign = (dice: Dice): Foreign => {
  const [type, body] = dice.of(BODIES)!
  return { kind: "foreign", status: dice.of(STATUSES)!, type, body, acted: dice.chance(0.5) }
}
