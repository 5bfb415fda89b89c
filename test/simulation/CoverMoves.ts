/**
 * What people, the service and the clock do about cover between the runs of a history, and what must hold then: a no stays a no
 * when its offer ends, nothing is asked for or bought without cover in the configuration, nor bought by the first run in which it
 * is back, and every window is announced.
 */
import { CAN_HANDOVER } from "../../core/sandbox/rules/States.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { key } from "../../connectors/Document.ts"
import * as CoverDecisions from "../../sync/apply/CoverDecisions.ts"
import { askedWith } from "../../sync/model/Cover.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { decodeRemote, type StoredRemote } from "../../sync/model/Remote.ts"
import * as Facts from "../../sync/plan/Facts.ts"
import { Database } from "../../sync/state/Database.ts"
import { Effect } from "effect"
import { ask, openTable } from "../sync/InWorld.ts"
import { KEY, type World } from "../sync/World.ts"
import { statusNow } from "./CollectionLaws.ts"
import { invoiceOf } from "./Collector.ts"
import type { Dice } from "./Dice.ts"
import type { MoveRates } from "./Moves.ts"
import type { Story } from "./Story.ts"

const DAY_MS = 86_400_000

interface Options {
  readonly world: World
  readonly story: Story
  readonly moves: MoveRates
  readonly connections: () => ReadonlyArray<Connection>
}

/** Calls that ask for cover, or buy it. */
const BUYING = "operation IN ('quotes.create', 'policies.create')"

/** What Daybook bought, or has seen that somebody else did. */
const KNOWN = `SELECT subject FROM cover WHERE policy IS NOT NULL UNION SELECT c.subject FROM claim c
  JOIN receipt r ON r.claim = c.id WHERE c.operation = 'policies.create' AND r.outcome = 'done'`

/** How the service refuses one transaction for good. */
const REFUSALS = [400, 403, 404, 500] as const

export class CoverMoves {
  readonly #options: Options
  /** Invoices to whose offer a person said no, as they were, and the last call before that. */
  readonly #refused = new Map<string, { readonly asked: string; readonly after: number }>()
  /** Cover is not in the configuration since this call. */
  #removed: { readonly after: number; readonly planning: Connection["planning"] } | undefined
  /** Cover came back to the configuration, and the state file knows that there was none: the last call and run before that. */
  #back: { readonly after: number; readonly run: number } | undefined
  /** The service refuses to show this transaction, with this status. */
  #stuck: { readonly path: string; readonly status: number } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  #happens(move: keyof MoveRates & `cover_${string}`, round: number, what: string): Dice | undefined {
    const { moves, story } = this.#options
    const dice = story.dice(`${round}.${move}`)
    return dice.chance(moves[move]) && story.happens(`${round}.${move}`, what) ? dice : undefined
  }

  /** What really happened, so that a test sees that each can. */
  #did(move: keyof MoveRates & `cover_${string}`, what: string): void {
    this.#options.story.happened.push({ id: move, what })
  }

  /** Between two runs. */
  async between(round: number, isLate: boolean): Promise<void> {
    const { world } = this.#options
    const no = this.#happens("cover_no", round, "a person says no to an offer")
    if (no !== undefined) await this.#refuses(no)
    this.#clock(round)
    const stuck = this.#happens("cover_stuck", round, "the service refuses to show a covered invoice from now on")
    const policy = stuck?.of([...world.service.policy.values()])
    if (stuck !== undefined && policy !== undefined)
      this.#stuck = { path: `/v1/transactions/${String(policy["transaction"])}`, status: stuck.of(REFUSALS)! }
    const foreign = this.#happens("cover_foreign", round, "somebody else changes what the service has of cover")
    if (foreign !== undefined) await this.#foreign(foreign, isLate)
    this.#configuration(round)
  }

  /** This machine's clock is ahead for one run, and the service's is right. */
  #clock(round: number): void {
    const { world } = this.#options
    const now = world.clock.currentTimeMillisUnsafe()
    if (world.time.ahead !== 0) return this.#setRight()
    const dice = this.#happens("cover_ahead", round, "the clock is days ahead, for one run")
    if (dice === undefined) return
    world.time.ahead = (2 + dice.below(40)) * DAY_MS
    world.clock.set(now + world.time.ahead)
    this.#did("cover_ahead", `it is ${world.time.ahead / DAY_MS} days ahead`)
  }

  #setRight(): void {
    this.#options.world.time.setRight()
  }

  /** Cover leaves the configuration, or is in it again. */
  #configuration(round: number): void {
    if (this.#removed !== undefined) return this.#configured()
    if (this.#happens("cover_removed", round, "cover is removed from the configuration") === undefined) return
    const { connection } = this.#options.world
    const { cover: _, ...planning } = connection.planning
    this.#removed = { planning: connection.planning, after: this.#lastCall() }
    this.#setPlanning(planning)
    this.#did("cover_removed", "the configuration has no cover")
  }

  #setPlanning(planning: Connection["planning"]): void {
    const { connection, connections } = this.#options.world
    for (const one of new Set([connection, ...connections]))
      if (one.id === connection.id) Object.assign(one, { planning })
  }

  #lastCall(): number {
    const [row] = openTable(this.#options.world, "claim", "SELECT max(id) AS id FROM claim")
    return Number(row?.["id"] ?? 0)
  }

  async #refuses(dice: Dice): Promise<void> {
    const { connections, world } = this.#options
    const rows = openTable(world, "cover", "SELECT subject FROM cover WHERE state = 'offered' ORDER BY subject")
    const subject = dice.of(rows.map((row) => String(row["subject"])))
    const [connection] = connections()
    if (subject === undefined || connection === undefined) return
    world.killAt = undefined
    world.fullAt = undefined
    const now = world.clock.currentTimeMillisUnsafe()
    const done = await world.life(
      Effect.flatMap(Database, (db) =>
        db.transaction(() => {
          const digest = CoverDecisions.offerOf(db, connection, subject, now)?.digest ?? ""
          const choice = { decision: "reject", digest, who: "Pat" } as const
          if (CoverDecisions.decide(db, connection, subject, choice, now) !== undefined) return undefined
          return askedWith(Facts.remoteInvoice(db, subject)!.fields)
        })
      )
    )
    const asked = done._tag === "Success" ? done.value : undefined
    if (asked === undefined) return
    // Its end comes sooner than the month after which offers end by themselves.
    const id = openTable(world, "cover", `SELECT quote FROM cover WHERE subject = '${subject}'`)[0]?.["quote"]
    const quote = world.service.quote.get(String(id))
    if (quote !== undefined && dice.chance(0.7))
      world.instance.service.store.put(KEY, "quote", { ...quote, valid_until: new Date(now - 1).toISOString() })
    this.#refused.set(subject, { asked, after: this.#lastCall() })
    this.#did("cover_no", `the offer for ${subject} is rejected`)
  }

  /** Of a collection that is prepared, a field; before, a policy that ends. */
  async #foreign(dice: Dice, isLate: boolean): Promise<void> {
    const { world } = this.#options
    const begun = dice.of([...world.service.collection.values()].filter(({ sent }) => sent === null))
    if (begun !== undefined) {
      const change = dice.of([
        { debtor_contact_name: `Sam ${dice.below(100)}` },
        { debtor_contact_email: `sam${dice.below(100)}@example.com` }
      ])
      return this.#others(ask(world, "PATCH", `/v1/collections/${begun.id}`, change))
    }
    const policy = isLate ? undefined : dice.of([...world.service.policy.values()])
    if (policy === undefined) return
    await this.#others(ask(world, "PUT", `/sandbox/policies/${policy.id}/status`, { status: "cancelled" }))
  }

  /** The service may not let others do that now. */
  async #others(change: Promise<unknown>): Promise<void> {
    const done = await change.catch(() => undefined)
    if (done !== undefined) this.#did("cover_foreign", "the service has something else")
  }

  /** What befalls a request because the service refuses one transaction. */
  strikes(method: string, path: string): { readonly kind: "status"; readonly status: number } | undefined {
    const stuck = this.#stuck
    if (stuck === undefined || method !== "GET" || path !== stuck.path) return undefined
    this.#did("cover_stuck", `${path} answers ${stuck.status}`)
    return { kind: "status", status: stuck.status }
  }

  /** A refusal because somebody covered the invoice that the service does not show. */
  isHidden(refusal: string): boolean {
    return this.#stuck !== undefined && /Transaction is (already )?insured/.test(refusal)
  }

  /** The configuration is as it was in the beginning, and the clock is right. */
  settle(): void {
    this.#configured()
    this.#setRight()
  }

  #configured(): void {
    const { story, world } = this.#options
    this.#back = undefined
    if (this.#removed === undefined) return
    this.#setPlanning(this.#removed.planning)
    this.#removed = undefined
    // Whoever approves every plan has seen what it buys.
    const isSeen = story.happened.some(({ id }) => id === "approval")
    if (isSeen || openTable(world, "cover_shown", "SELECT 1 FROM cover_shown").length > 0) return
    const [row] = openTable(world, "run", "SELECT max(id) AS id FROM run")
    this.#back = { after: this.#lastCall(), run: Number(row?.["id"] ?? 0) }
  }

  /** @param lost the state file was lost or replaced: what a person said may be gone with it */
  always(lost: boolean): ReadonlyArray<string> {
    return lost ? [] : [...this.#boughtAfterNo(), ...this.#boughtWithout(), ...this.#boughtUnshown()]
  }

  #boughtUnshown(): ReadonlyArray<string> {
    const { world } = this.#options
    if (this.#back === undefined) return []
    const { after, run } = this.#back
    const sql = `SELECT subject FROM claim WHERE operation = 'policies.create' AND request ->> '$.approved' IS NULL
      AND id > ${after} AND run = (SELECT min(id) FROM run WHERE id > ${run})`
    return openTable(world, "claim", sql).map(
      ({ subject }) =>
        `cover came back, and was bought for ${String(subject)} before anybody was shown that it would be`
    )
  }

  #boughtAfterNo(): ReadonlyArray<string> {
    const { world } = this.#options
    return [...this.#refused].flatMap(([subject, { after, asked }]) => {
      const [held] = openTable(
        world,
        "ledger",
        `SELECT subject, remote, held FROM ledger WHERE subject = '${subject}' AND held IS NOT NULL`
      )
      const now = held === undefined ? undefined : decodeRemote(held as unknown as StoredRemote)
      // The invoice says otherwise.
      if (now?.kind !== "invoice" || askedWith(now.fields) !== asked) {
        this.#refused.delete(subject)
        return []
      }
      const sql = `SELECT 1 FROM claim WHERE subject = '${subject}' AND ${BUYING} AND id > ${after}`
      return openTable(world, "claim", sql).length === 0
        ? []
        : [`cover was asked for or bought for ${subject}, and a person had said no`]
    })
  }

  #boughtWithout(): ReadonlyArray<string> {
    const { world } = this.#options
    if (this.#removed === undefined) return []
    const sql = `SELECT DISTINCT subject FROM claim WHERE id > ${this.#removed.after} AND ${BUYING}`
    return openTable(world, "claim", sql).map(
      ({ subject }) => `cover was asked for without cover in the configuration: ${String(subject)}`
    )
  }

  /** Once a run was quiet: whoever could be handed over was announced, and what lapsed was said. */
  async announced(): Promise<ReadonlyArray<string>> {
    const { service } = this.#options.world
    const { world } = this.#options
    const told = new Set(
      openTable(world, "attention", "SELECT subject FROM attention WHERE rule LIKE 'H%'").map(({ subject }) => subject)
    )
    const known = new Set(openTable(world, "cover", KNOWN).map(({ subject }) => subject))
    return [...service.policy.values()].flatMap((policy) => {
      const id = invoiceOf(service, String(policy["transaction"]))
      const subject = key(world.connection.id, "invoice", id)
      const status = statusNow(world, policy)
      const isSent = service.collection.by(policy.id).some(({ sent }) => sent !== null)
      const isAbout = status === CAN_HANDOVER || status === "lapsed"
      if (!isAbout || isSent || !known.has(subject) || told.has(subject) || !this.#isOpen(policy["transaction"], id))
        return []
      return [`${subject} is ${status}, and nobody was told`]
    })
  }

  #isOpen(transaction: unknown, id: string): boolean {
    const { documents, service } = this.#options.world
    const held = service.transaction.get(String(transaction))
    const received = Decimal.sum(
      service.payment.by(String(transaction)).map(({ amount }) => Decimal.of(String(amount)))
    )
    const invoice = documents.find((one) => one.kind === "invoice" && one.id === id)
    return (
      held?.["status"] !== "paid" &&
      received < Decimal.of(String(held?.["gross_amount"])) &&
      invoice?.kind === "invoice" &&
      invoice.status === "open"
    )
  }
}
