/**
 * A source for simulated books: read completely each time, or by a cursor that shows what changed, as the seed decides. Pages
 * have any size, are repeated, fail, and are damaged: one record that cannot be read this time, or a page that makes no sense.
 */
import { Effect, Stream } from "effect"
import { type Connector, type Page, SourceError, Unreachable } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import { type Bookmark, connector, read } from "../sync/Source.ts"
import type { Story } from "./Story.ts"

/** How often each happens to a page. */
const RATES = { twice: 0.5, fails: 0.1, garbled: 0.05, unreadable: 0.05 } as const

const nameOf = (document: Document.Document): string => `${document.kind}/${document.id}`

const apartFromBalance = (document: Document.Document): string =>
  Document.encode(document.kind === "invoice" ? { ...document, stated: {} } : document)

interface Entry {
  readonly document: Document.Document
  readonly deleted: boolean
  readonly text: string
}

export class Feed {
  readonly connector: Connector
  readonly #story: Story
  readonly #name: string
  readonly #whole: boolean
  /** What each document's latest change was; in the order of the changes. */
  readonly #log = new Map<string, Entry & { readonly n: number }>()
  /** Documents that the source edited, voided or deleted at some time. */
  readonly touched = new Set<string>()
  /** Documents that could not be read for once. */
  readonly odd = new Set<string>()
  /** When each document was first stated: what is stated in one go has the same number. */
  readonly since = new Map<string, number>()
  #n = 0
  #pulls = 0
  #moment = 0
  /** How often a record of a page cannot be read for once, where that is more than usual. */
  unreadable = 0
  /** Nothing goes wrong any more. */
  quiet = false
  /** In the names of what happens. */
  round = 0

  /** @param name in the names of what happens, where there is more than one */
  constructor(story: Story, name = "") {
    this.#story = story
    this.#name = name
    this.#whole = story.dice(`${name}feed`).chance(0.5)
    this.connector = connector((after) => Stream.unwrap(Effect.sync(() => this.#pull(after))))
  }

  /** What the source holds from now on. Answers what changed, in words. */
  set(documents: ReadonlyArray<Document.Document>): ReadonlyArray<string> {
    const words: Array<string> = []
    const now = new Set<string>()
    this.#moment++
    for (const document of documents) {
      const name = nameOf(document)
      now.add(name)
      const text = Document.encode(document)
      const before = this.#log.get(name)
      if (before !== undefined && !before.deleted && before.text === text) continue
      if (before !== undefined) {
        // What a source says of the balance follows from other documents.
        if (before.deleted || apartFromBalance(before.document) !== apartFromBalance(document)) this.touched.add(name)
      } else this.since.set(name, this.#moment)
      words.push(before === undefined || before.deleted ? `+ ${text}` : `${before.text} → ${text}`)
      this.#write({ document, deleted: false, text })
    }
    for (const [name, entry] of this.#log) {
      if (now.has(name) || entry.deleted) continue
      this.touched.add(name)
      words.push(`- ${entry.text}`)
      this.#write({ ...entry, deleted: true })
    }
    return words
  }

  #write(entry: Entry): void {
    const name = nameOf(entry.document)
    this.#log.delete(name)
    this.#log.set(name, { ...entry, n: ++this.#n })
  }

  #pull(after: Bookmark | undefined): Stream.Stream<Page<Bookmark>, SourceError> {
    const pull = `${this.round}.${this.#name}pull.${++this.#pulls}`
    const dice = this.#story.dice(pull)
    const size = 1 + dice.below(6)
    // A cursor goes back a little, so that what was committed late is seen: some of it is delivered again.
    const from = this.#whole ? 0 : Math.max(0, (after?.page ?? 0) - dice.below(3))
    const entries = [...this.#log.values()].filter(({ deleted, n }) => n > from && !(this.#whole && deleted))
    const pages: Array<Page<Bookmark>> = []
    const failures: Array<SourceError | undefined> = []
    for (let at = 0; at === 0 || at < entries.length; at += size) {
      const last = at + size >= entries.length
      this.#page(`${pull}.${at / size + 1}`, entries.slice(at, at + size), { first: at === 0, last }, pages, failures)
      if (failures.at(-1) !== undefined) break
    }
    const failure = failures.at(-1)
    const good = Stream.fromIterable(pages)
    return failure === undefined ? good : Stream.concat(good, Stream.fail(failure))
  }

  #page(
    id: string,
    entries: ReadonlyArray<Entry & { readonly n: number }>,
    { first, last }: { readonly first: boolean; readonly last: boolean },
    pages: Array<Page<Bookmark>>,
    failures: Array<SourceError | undefined>
  ): void {
    const dice = this.#story.dice(id)
    const strikes = (what: keyof typeof RATES, words: string) =>
      dice.chance(what === "unreadable" ? Math.max(RATES[what], this.unreadable) : RATES[what]) &&
      !this.quiet &&
      this.#story.happens(`${id}.${what}`, `page ${id}: ${words}`)
    const bookmark = { page: entries.at(-1)?.n ?? this.#n }
    const part = (begins: boolean, ends: boolean) =>
      this.#whole
        ? { scan: { name: "all", ...(begins ? { begins } : {}), ...(ends ? { ends } : {}) } }
        : { scan: { name: "all" } }
    if (strikes("fails", "the source cannot be reached")) {
      failures.push(new SourceError({ connector: "memory", reason: new Unreachable({ why: "a fault" }) }))
      return
    }
    const there = entries.filter(({ deleted }) => !deleted).map(({ document, n }) => read(document, n))
    if (strikes("garbled", "an amount is no number")) {
      const bad = {
        ...read({} as Document.Document),
        document: { kind: "payment", id: "P", shares: [{ amount: 1.5 }] }
      }
      pages.push({ read: [...there, bad as never], quarantined: [], bookmark, ...part(first, last) })
      failures.push(new SourceError({ connector: "memory", reason: new Unreachable({ why: "never reached" }) }))
      return
    }
    let quarantined: Page<Bookmark>["quarantined"] = []
    const odd = dice.of(there)
    if (odd !== undefined && strikes("unreadable", `${nameOf(odd.document)} cannot be read for once`)) {
      const { document, origin, raw } = odd
      quarantined = [{ kind: document.kind, id: document.id, origin, raw, why: "cannot be read" }]
      there.splice(there.indexOf(odd), 1)
      this.odd.add(nameOf(document))
      // Somebody mends it in the source, which is a change that a cursor shows.
      this.#write({ document, deleted: false, text: Document.encode(document) })
    }
    const deleted = entries.filter((one) => one.deleted).map(({ document: { id, kind } }) => ({ kind, id }))
    const page = { read: there, quarantined, bookmark, ...(deleted.length === 0 ? {} : { deleted }) }
    // A page that is delivered twice begins its part once and ends it once.
    if (strikes("twice", "is delivered twice"))
      pages.push({ ...page, ...part(first, false) }, { ...page, ...part(false, last) })
    else pages.push({ ...page, ...part(first, last) })
    failures.push(undefined)
  }
}
