/**
 * Simulates, from a seed, weeks in which insured invoices may be handed over. Payments arrive and are reversed; files change,
 * are damaged or missing; a person looks, adds files, confirms (sometimes what they saw days ago) and withdraws; requests fail
 * in every way, and the process is killed at any step. Each day ends with a sync in which nothing fails.
 *
 *     node test/simulation/CollectionHistory.ts 500 FROM    so many histories, beginning with this seed
 *
 * What must hold, whatever happens:
 *
 * - nothing is handed over without a person's word, nor anything but what they were shown, with every document once
 * - nothing is handed over twice, and no declaration is sent that nobody made
 * - nothing lapses without each reminder before
 * - what is secret stands nowhere in the state file
 */
import { Effect, Layer, Redacted } from "effect"
import type { Document } from "../../connectors/Document.ts"
import type { Entity } from "../../core/sandbox/store/Store.ts"
import * as Collecting from "../../sync/collections/Collecting.ts"
import { digestOf } from "../../sync/collections/FileStore.ts"
import { Database } from "../../sync/state/Database.ts"
import { payment, reversal } from "../support/Documents.ts"
import { later, party, planning } from "../sync/Collected.ts"
import { PDF, put } from "../sync/OwnFiles.ts"
import { due } from "../sync/Covered.ts"
import { ask, open } from "../sync/InWorld.ts"
import { World } from "../sync/World.ts"
import { Dice } from "./Dice.ts"

const SORTCODE = "20-00-77"
const ACCOUNT = "87654321"

const secrets = (name: string) =>
  Redacted.make(name === "BANK_NUMBER" ? ACCOUNT : name === "BANK_SORTCODE" ? SORTCODE : "tok_visa")

const DAYS = 105
const INVOICES = ["1", "2", "3"]
const REMINDERS = [30, 14, 7, 3, 1]

const subjectOf = (id: string): string => `books/invoice/${id}`

interface HistoryReport {
  readonly found: ReadonlyArray<string>
  readonly sent: number
  readonly lapsed: number
}

class History {
  readonly #dice: Dice
  readonly world = new World({ planning: planning() })
  readonly found: Array<string> = []
  #money: Array<Document> = []
  /** What the person saw of each invoice, now or some days ago. */
  readonly #views = new Map<string, Collecting.CollectionView>()
  #n = 0

  constructor(seed: number) {
    this.#dice = Dice.of(seed, "collections")
  }

  #books(): ReadonlyArray<Document> {
    const each = INVOICES.map((id, n) =>
      due(id, { due: `2026-03-${10 + 8 * n}`, party: { ...party, id: n === 2 ? "c-2" : "c-1" } })
    )
    return [...each, ...this.#money]
  }

  #person<A>(act: (db: Database["Service"], now: number) => A): A {
    const { world } = this
    return Effect.runSync(
      Effect.gen(function* () {
        const db = yield* Database
        return yield* db.transaction(() => act(db, world.clock.currentTimeMillisUnsafe()))
      }).pipe(Effect.provide(Layer.fresh(Database.layer({ file: world.file, mode: "write" }))))
    )
  }

  /** One thing that happens, on a day or between two tries of one. */
  #happens(): void {
    const dice = this.#dice
    const id = dice.of(INVOICES)!
    const { connection } = this.world
    const subject = subjectOf(id)
    switch (dice.below(9)) {
      case 0:
        return this.#paid(id)
      case 1:
        return put(this.world, `invoices/INV-${id}.pdf`, dice.chance(0.2) ? "<html>" : PDF(`version ${++this.#n}`))
      case 2:
        return void this.#person((db, now) =>
          Collecting.attach(
            db,
            connection,
            subject,
            {
              name: `file-${dice.below(2)}.pdf`,
              type: dice.of(["proof_delivery", "other", "invoice"])!,
              bytes: Buffer.from(PDF(`by hand ${dice.below(3)}`)),
              who: "Pat"
            },
            now
          )
        )
      case 3:
        return void this.#person((db, now) =>
          Collecting.detach(db, connection, subject, `file-${dice.below(2)}.pdf`, "Pat", now)
        )
      case 4:
        return void this.#person((db, now) => Collecting.withdraw(db, connection, subject, "Pat", now))
      case 5:
      case 6: {
        const view = this.#person((db, now) => Collecting.look(db, connection, subject, now))
        if (!("why" in view)) this.#views.set(subject, view)
        return
      }
      default:
        return this.#confirms(subject)
    }
  }

  #paid(id: string): void {
    const dice = this.#dice
    if (!dice.chance(0.4)) return
    const name = `P${++this.#n}`
    const day = new Date(this.world.clock.currentTimeMillisUnsafe()).toISOString().slice(0, 10)
    const amount = dice.chance(0.15) ? "1200.00" : `${1 + dice.below(80)}.00`
    this.#money.push(payment(name, { [id]: amount }, day))
    if (dice.chance(0.3))
      this.#money.push(reversal(`R${this.#n}`, { [id]: amount }, "error", { payment: name, date: day }))
  }

  /** Gives their word for what they see, or saw. */
  #confirms(subject: string): void {
    const { connection } = this.world
    const dice = this.#dice
    this.#person((db, now) => {
      const view = dice.chance(0.6) ? Collecting.look(db, connection, subject, now) : this.#views.get(subject)
      if (view === undefined || "why" in view) return
      const disputed = dice.chance(0.3)
      Collecting.confirm(
        db,
        connection,
        subject,
        {
          who: "Pat",
          digest: view.digest,
          disputed,
          ...(disputed ? { reasons: `they say so ${++this.#n}` } : {}),
          confirm_correct: dice.chance(0.9),
          collections_terms_acceptance: dice.chance(0.9)
        },
        now
      )
    })
  }

  #trouble(): void {
    const dice = this.#dice
    const { instance } = this.world
    for (let n = dice.below(3); n > 0; n--) {
      const kind = dice.of(["lose_request", "lose_response", "garble", "status"] as const)!
      const path = dice.of(["/v1/collections", "/v1/collectiondocuments", "/v1/transactions", "/v1/policies"])!
      instance.faults.add({
        kind,
        path,
        skip: dice.below(3),
        times: 1,
        ...(kind === "status" ? { status: dice.of([500, 502, 429])!, retry_after: 1 } : {})
      })
    }
  }

  async #day(): Promise<void> {
    const dice = this.#dice
    const { world } = this
    for (let n = dice.below(4); n > 0; n--) this.#happens()
    world.documents = this.#books()
    if (dice.chance(0.4)) {
      this.#trouble()
      if (dice.chance(0.4)) world.killAt = 1 + dice.below(40)
      await world.sync({ secrets })
      world.killAt = undefined
      await world.clock.settle()
      world.instance.faults.clear()
      if (dice.chance(0.3)) this.#happens()
    }
    const exit = await world.sync({ secrets })
    if (exit._tag === "Failure") this.found.push(`a sync without a fault fails: ${String(exit.cause)}`)
    if (dice.chance(0.1)) await this.#moves()
  }

  /** What was handed over comes to something. */
  async #moves(): Promise<void> {
    const policy = [...this.world.service.policy.values()].find(({ status }) => status === "under_collection")
    if (policy === undefined) return
    const status = this.#dice.of(["claim_submitted", "recovery_underway", "not_collectable_dispute"])
    await ask(this.world, "PUT", `/sandbox/policies/${policy.id}/status`, { status, recovered: "10" }).catch(() => {})
  }

  async run(): Promise<HistoryReport> {
    const { world } = this
    for (const id of INVOICES) if (id !== "3") put(world, `invoices/INV-${id}.pdf`, PDF("the invoice"))
    world.documents = this.#books()
    await world.sync({ secrets })
    for (let day = 0; day < DAYS; day++) {
      later(world, 1)
      await this.#day()
    }
    const before = world.changes
    await world.sync({ secrets })
    if (world.changes !== before) this.found.push("a further sync changes something")
    const collections = [...world.service.collection.values()]
    for (const collection of collections) this.found.push(...judged(world, collection))
    this.found.push(...unspoken(world), ...sentTwice(world), ...unreminded(world), ...leaked(world))
    return {
      found: this.found,
      sent: collections.filter(({ sent }) => sent !== null).length,
      lapsed: open(world, "SELECT 1 FROM cover WHERE status = 'lapsed'").length
    }
  }
}

interface Shown {
  readonly fields: Readonly<Record<string, unknown>>
  readonly said: Readonly<Record<string, unknown>>
  readonly documents: ReadonlyArray<{ readonly type: string; readonly digest: string }>
}

/** What was handed over is what a person was shown when they gave their word, their latest. */
const judged = (world: World, collection: Entity): ReadonlyArray<string> => {
  if (collection["sent"] === null) return []
  const key = String(world.service.transaction.get(String(collection["transaction"]))?.["unique_id"])
  const [claim] = open(
    world,
    `SELECT request ->> '$.declaration.decision' AS decision FROM claim WHERE operation = 'collections.send' AND subject = '${key}' ORDER BY id DESC LIMIT 1`
  )
  const [word] = open(world, `SELECT * FROM cover_decision WHERE id = ${Number(claim?.["decision"] ?? 0)}`)
  if (word?.["decision"] !== "confirmed" || word["subject"] !== key) return [`${key} was handed over without a word`]
  const { documents, fields, said } = JSON.parse(String(word["shown"])) as Shown
  const wrong = Object.entries({ ...fields, ...said, confirm_correct: true, collections_terms_acceptance: true })
    .filter(([, value]) => typeof value !== "object")
    .filter(([name, value]) => collection[name] !== value)
    .map(([name, value]) => `${key} was handed over with ${name} ${String(collection[name])}, not ${String(value)}`)
  const there = [...world.service.document.values()]
    .filter(({ policy }) => policy === collection["policy"])
    .map(({ content, type }) => `${type} ${digestOf(Buffer.from(String(content), "base64"))}`)
  const shown = documents.map(({ digest, type }) => `${type} ${digest}`)
  const same = JSON.stringify(there.toSorted()) === JSON.stringify(shown.toSorted())
  return same
    ? wrong
    : [...wrong, `${key} was handed over with ${there.join(", ")}, and ${shown.join(", ")} were shown`]
}

/** Each declaration names a person's word for just that, from before. */
const unspoken = (world: World): ReadonlyArray<string> =>
  open(
    world,
    `SELECT c.id, c.subject FROM claim c
      LEFT JOIN cover_decision d ON d.id = c.request ->> '$.declaration.decision' AND d.decision = 'confirmed'
        AND d.subject = c.subject AND d.decided <= c.claimed AND d.digest = c.request ->> '$.declaration.shown'
      WHERE d.id IS NULL AND (c.operation = 'collections.send' OR c.request ->> '$.body.confirm_correct' = 1
        OR c.request ->> '$.body.collections_terms_acceptance' = 1)`
  ).map(({ id, subject }) => `call ${String(id)} of ${String(subject)} declares what nobody said`)

const sentTwice = ({ instance }: World): ReadonlyArray<string> => {
  const paths = instance.journal.filter(({ acted, method }) => acted && method === "PUT").map(({ path }) => path)
  const sends = paths.filter((path) => path.endsWith("/send"))
  return sends.filter((path, n) => sends.indexOf(path) !== n).map((path) => `${path} twice`)
}

/** Whatever lapsed was announced on each of the days before. */
const unreminded = (world: World): ReadonlyArray<string> =>
  open(world, "SELECT subject FROM cover WHERE status = 'lapsed'").flatMap(({ subject }) => {
    const said = open(world, `SELECT why FROM attention WHERE rule = 'H2' AND subject = '${String(subject)}'`)
    return REMINDERS.filter((days) => {
      const words = days === 1 ? ": at most one day is left" : `: at most ${days} days are left`
      return !said.some(({ why }) => String(why).endsWith(words))
    }).map((days) => `${String(subject)} lapsed, and nobody heard that ${days} days were left`)
  })

const leaked = (world: World): ReadonlyArray<string> => {
  const kept = JSON.stringify(
    ["claim", "receipt", "ledger", "attention", "cover_decision", "cover_event"].map((name) =>
      open(world, `SELECT * FROM ${name}`)
    )
  )
  return [SORTCODE, ACCOUNT]
    .filter((secret) => kept.includes(secret))
    .map(
      (secret) =>
        `${secret} is in the state file: …${kept.slice(Math.max(0, kept.indexOf(secret) - 700), kept.indexOf(secret) + 20)}`
    )
}

/** One history. */
export const collectionHistory = async (seed: number): Promise<HistoryReport> => {
  const history = new History(seed)
  try {
    return await history.run()
  } finally {
    history.world.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  const [count = 100, from = 1] = process.argv.slice(2).map(Number)
  let [sent, lapsed, wrong] = [0, 0, 0]
  for (let seed = from; seed < from + count; seed++) {
    const report = await collectionHistory(seed)
    sent += report.sent
    lapsed += report.lapsed
    if (report.found.length > 0) wrong++
    for (const one of report.found) console.log(`seed ${seed}: ${one}`)
  }
  console.log(`${count} histories: ${sent} handed over, ${lapsed} lapsed, ${wrong} with something wrong`)
  process.exitCode = wrong === 0 ? 0 : 1
}
