/**
 * Simulates a person who hands invoices over: they put files into the folder, attach others, look, confirm and withdraw. What
 * they did is recorded, to be compared with what the service holds.
 */
import { Effect } from "effect"
import { hash } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { parseKey } from "../../connectors/Document.ts"
import * as Collecting from "../../sync/collections/Collecting.ts"
import type { Handover } from "../../sync/model/CoverSettings.ts"
import type { Fields } from "../../sync/model/RemoteInvoice.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import { PDF, put } from "../sync/OwnFiles.ts"
import { open } from "../sync/InWorld.ts"
import { SECRETS, type World } from "../sync/World.ts"
import type { Dice } from "./Dice.ts"
import type { Story } from "./Story.ts"

/** In days; short, so that a history sees windows open and close. */
export const WINDOWS = { late: 3, handover: 14 }

export const HANDOVER: Handover = {
  contact: { name: "Pat Tern", email: "pat@tern.example" },
  bank: { name: "Tern & Sons", sortcode: { env: "BANK_SORTCODE" }, number: { env: "BANK_NUMBER" } },
  documents: "invoices/{id}.pdf",
  remind: [14, 7, 3, 1],
  window_days: WINDOWS.handover
}

/** What a secret of a collection is when it leaves. */
export const ACCOUNT = {
  bank_account_sortcode: SECRETS.BANK_SORTCODE,
  bank_account_number: SECRETS.BANK_NUMBER
} as const

export const BUYER_ADDRESS = "1 Quay Street, Bristol"

export const digestOf = (content: string | Uint8Array): string => hash("sha256", content, "base64url")

/** What a person was shown, and said of it. */
export interface Word {
  readonly fields: Fields
  /** What the service had filled in itself, or others there. */
  readonly prefilled: Fields
  readonly said: Fields
  /** Type and digest of each file. */
  readonly documents: ReadonlyArray<string>
}

/** Of one invoice. */
interface Case {
  /** All that was said of it since the state file was last lost or replaced. */
  words: Array<Word>
  /** Somebody gave their word, then or before. */
  isSaid?: true
  /** The latest, unless it was taken back. */
  word?: Word | undefined
  /** What the person saw when they looked. */
  view?: Collecting.CollectionView
  /** The words that were in force as a request to hand it over left. */
  readonly left: Array<Word | undefined>
  /** Digests of whatever was the copy of the invoice. */
  readonly copies: Set<string>
  /** Digests of what a person attached as the copy, in place of the one in the folder, by the name of the file. */
  readonly attached: Map<string, string>
}

/** How often each is done about an invoice in a round. */
const OFTEN = { file: 0.15, added: 0.15, word: 0.75 }

const BROKEN = "<html>Please log in</html>"

interface Options {
  readonly world: World
  readonly story: Story
  readonly connections: () => ReadonlyArray<Connection>
}

export class Collector {
  readonly #options: Options
  readonly #cases = new Map<string, Case>()
  readonly #seen = new Set<string>()
  /** Files that are on the disk, by invoice. */
  readonly files = new Map<string, string>()
  #n = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** @param id of the invoice */
  of(id: string): Case {
    const known = this.#cases.get(id) ?? { words: [], left: [], copies: new Set(), attached: new Map() }
    this.#cases.set(id, known)
    return known
  }

  /** The state file was lost, or replaced by an older one: nothing that was said before counts any more. */
  restored(): void {
    for (const known of this.#cases.values()) {
      known.words = []
      known.word = undefined
    }
  }

  /** A request about this collection leaves. */
  leaves(method: string, path: string): void {
    const { service } = this.#options.world
    const [, id] = /^\/v1\/collections\/([^/]+)\/send$/.exec(path) ?? []
    const collection = id === undefined || method !== "PUT" ? undefined : service.collection.get(id)
    if (collection === undefined) return
    const known = this.of(invoiceOf(service, String(collection["transaction"])))
    known.left.push(known.word)
  }

  /** Between two runs. */
  async between(round: number): Promise<void> {
    const { story, world } = this.#options
    for (const subject of this.#late()) {
      const { id } = parseKey(subject)
      const name = `${round}.collect.${id}`
      const dice = story.dice(name)
      const isNew = !this.#seen.has(id) && dice.chance(0.8)
      this.#seen.add(id)
      if ((isNew || dice.chance(OFTEN.file)) && story.happens(`${name}.file`, `a file of ${id} changes`))
        this.#file(id, dice)
      if (dice.chance(OFTEN.added) && story.happens(`${name}.added`, `a person adds or removes a file of ${id}`))
        await this.#adds(subject, dice)
      for (let n = 0; n < 2; n++)
        if (dice.chance(OFTEN.word) && story.happens(`${name}.${n}`, `a person sees to ${id}`))
          story.happened.push({ id: `${round}`, what: await this.#sees(subject, dice) })
    }
    world.killAt = undefined
  }

  /** Insured invoices whose window is open, as a person is told. */
  #late(): ReadonlyArray<string> {
    const { world } = this.#options
    try {
      return open(world, "SELECT subject FROM cover WHERE status = 'late_can_handover' ORDER BY subject").map(
        ({ subject }) => String(subject)
      )
    } catch {
      // There is no state file, or it has not begun.
      return []
    }
  }

  #file(id: string, dice: Dice): void {
    const { world } = this.#options
    const path = `invoices/${id}.pdf`
    if (dice.chance(0.1)) {
      this.files.delete(id)
      return rmSync(join(world.folder, path), { force: true })
    }
    const content = dice.chance(0.1) ? BROKEN : PDF(`${id}, version ${++this.#n}`)
    // Others of the same folder are there twice: as the copy, and as what a person added.
    const text = dice.chance(0.15) ? PDF("by hand 1") : content
    put(world, path, text)
    this.files.set(id, text)
    this.of(id).copies.add(digestOf(text))
  }

  /** Undefined where the file is in use, or not there. */
  async #person<A>(act: (db: Database["Service"], now: number) => A): Promise<A | undefined> {
    const { world } = this.#options
    world.killAt = undefined
    world.fullAt = undefined
    const now = world.clock.currentTimeMillisUnsafe()
    const done = await world.life(Effect.flatMap(Database, (db) => db.transaction(() => act(db, now))))
    return done._tag === "Success" ? done.value : undefined
  }

  get #connection(): Connection {
    return this.#options.connections()[0]!
  }

  async #adds(subject: string, dice: Dice): Promise<void> {
    const name = `file-${dice.below(2)}.pdf`
    const bytes = Buffer.from(PDF(`by hand ${dice.below(3)}`))
    const type = dice.of(["proof_delivery", "other", "correspondence", "invoice"])!
    const { id } = parseKey(subject)
    const isRemoved = dice.chance(0.3)
    const refused = await this.#person(
      (db, now) =>
        (isRemoved
          ? Collecting.detach(db, this.#connection, subject, name, "Pat", now)
          : Collecting.attach(db, this.#connection, subject, { name, type, bytes, who: "Pat" }, now)
        )?.why ?? ""
    )
    const { attached, copies } = this.of(id)
    if (!isRemoved && type === "invoice") copies.add(digestOf(bytes))
    if (refused !== "") return
    if (!isRemoved && type === "invoice") attached.set(name, digestOf(bytes))
    else attached.delete(name)
  }

  /** Looks, gives their word, or takes it back. Answers what came of it. */
  async #sees(subject: string, dice: Dice): Promise<string> {
    const known = this.of(parseKey(subject).id)
    const does = dice.of(["looks", "confirms", "confirms", "confirms", "confirms", "confirms", "withdraws"])
    const seen = await this.#person((db, now) => Collecting.look(db, this.#connection, subject, now))
    const view = dice.chance(0.3) ? known.view : seen
    if (seen !== undefined && !("why" in seen)) known.view = seen
    if (does === "withdraws") {
      const refused = await this.#person(
        (db, now) => Collecting.withdraw(db, this.#connection, subject, "Pat", now)?.why ?? ""
      )
      if (refused === "") known.word = undefined
      return `${subject} is taken back${refused === "" ? "" : `, but ${refused}`}`
    }
    if (does === "looks" || view === undefined || "why" in view) return `${subject} is looked at`
    const said = dice.chance(0.3) ? { disputed: true, reasons: `they say so ${++this.#n}` } : { disputed: false }
    const declared = { confirm_correct: dice.chance(0.9), collections_terms_acceptance: dice.chance(0.9) }
    return this.#confirms(subject, view, said, declared)
  }

  /** For whatever is ready. */
  async lastWord(): Promise<void> {
    const declared = { confirm_correct: true, collections_terms_acceptance: true }
    for (const subject of this.#late()) {
      const view = await this.#person((db, now) => Collecting.look(db, this.#connection, subject, now))
      if (view === undefined || "why" in view) continue
      await this.#confirms(subject, view, { disputed: false }, declared)
    }
  }

  async #confirms(
    subject: string,
    view: Collecting.CollectionView,
    said: Collecting.ConfirmationFields,
    declared: Pick<Collecting.Confirmation, "confirm_correct" | "collections_terms_acceptance">
  ): Promise<string> {
    const known = this.of(parseKey(subject).id)
    const answer = await this.#person((db, now) =>
      Collecting.confirm(db, this.#connection, subject, { who: "Pat", digest: view.digest, ...said, ...declared }, now)
    )
    if (answer === undefined || "why" in answer)
      return `${subject} is confirmed, but ${answer?.why ?? "nobody hears it"}`
    const documents = view.documents.map(({ digest, type }) => `${type} ${digest}`)
    const { fields, prefilled } = view
    known.word = { fields, prefilled, said: { ...said }, documents: [...new Set(documents)].toSorted() }
    known.words.push(known.word)
    known.isSaid = true
    return `${subject} is confirmed`
  }
}

/** The invoice of the source that a transaction is of. */
export const invoiceOf = (service: World["service"], transaction: string): string => {
  const unique_id = service.transaction.get(transaction)?.["unique_id"]
  return typeof unique_id === "string" && unique_id.includes("/") ? parseKey(unique_id).id : transaction
}
