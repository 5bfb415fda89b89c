/**
 * Declares what the kit needs to know of a connector: its fixtures, how its source answers, and the documents expected. Also
 * runs a connector, and folds its pages into the documents that the books would then hold.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Cause, Effect, Exit, Layer, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Connector, type Limits, type Page, SourceError, type ConnectorContext, type Vault } from "../Connector.ts"
import * as Document from "../Document.ts"
import * as Pages from "../Pages.ts"
import { type Bend, quickly, simulate, type Simulated, type Source } from "./Simulator.ts"

/** A document's name: `invoice/INV-1`. */
export type Name = string

/** A newly opened source, and the ways to change it. Checks that need a missing member are skipped, with the reason. */
export interface Stage {
  /** The folder with the files, for connectors that read files. */
  readonly folder?: string
  readonly source?: Source
  /** For a source not read over HTTP: its records, which the kit edits, and how they are written to the source. */
  readonly lists?: Source["lists"]
  readonly settle?: () => void
  /** Makes one record unreadable; returns a text that must still appear in its raw text. */
  readonly malform?: () => string
  /** Deletes something in the source; returns the document that must then be void or deleted. */
  readonly remove?: () => Name
  /** Edits an invoice (or an order, if the source has no invoices) in a way that the bookmark misses; returns its id. */
  readonly edit?: () => string
  /**
   * Adds about that many records to every list that a first pull reads, linked realistically: a payment has its invoice,
   * some have a refund. The kit then counts requests. Required for sources read over HTTP.
   */
  readonly grow?: (records: number) => void
  /** Puts an amount that a double cannot hold into a record; returns the document and the exact amount as text. */
  readonly enlarge?: () => { readonly document: Name; readonly amount: string }
  readonly close?: () => void
}

export interface Subject {
  readonly connector: Connector
  /** The settings as in a configuration, without `connector`. */
  readonly settings: unknown
  readonly environment?: Readonly<Record<string, string>>
  /** For OAuth: the path of the token endpoint, and the vault's initial content. */
  readonly oauth?: { readonly path: string; readonly held: string; readonly fresh: string }
  /** The path of a token endpoint for client credentials; the kit does not make requests to it fail. */
  readonly tokens?: string
  /** For connectors that return document files: an invoice that has one, and the file's path at the source. */
  readonly file?: { readonly id: string; readonly path: string }
  /** The limits that the source documents: the connector must not declare more. */
  readonly documented?: Limits
  /** Opens a new source with the fixtures. */
  readonly open: () => Stage
  /** The documents expected from the fixtures, as `Document.encode` writes them, in any order. */
  readonly golden: ReadonlyArray<string>
  /** Fixtures that become no document, by what identifies them: drafts, failed payments. */
  readonly nothing?: ReadonlyArray<string>
  /** Amounts that the source omits when they are zero, with their list: `payments.unused`. Only these are 0 when they are missing. */
  readonly lacks?: ReadonlyArray<string>
  /** Members that decide nothing, or otherwise than the kit expects, with their list (`payments.total`), and why. */
  readonly unread?: Readonly<Record<string, string>>
  /** Checks that do not apply, each with the reason, which is printed. */
  readonly skips?: Readonly<Record<string, string>>
}

/** The lists of a source, however it is read. */
export const listsOf = ({ lists, source }: Stage): Source["lists"] => source?.lists ?? lists ?? {}

/** The path of the token endpoint, if the source has one. */
export const tokensOf = ({ oauth, tokens }: Subject): string | undefined => oauth?.path ?? tokens

export type State = ReadonlyMap<Name, string>

export interface Run {
  readonly pages: ReadonlyArray<Page<unknown>>
  /** The error with which it ended, if any. */
  readonly error?: SourceError
  readonly asked: Simulated["asked"]
  readonly numbered: boolean
}

/** A check failed; the message says what is wrong. */
export class Wrong extends Error {}

/** An in-memory vault that records what was saved. */
export const vaultOf = (held: string | undefined, saved: Array<string> = []): Vault => {
  let now = held
  return {
    read: Effect.sync(() => now),
    update: (change) =>
      Effect.suspend(() => change(now)).pipe(
        Effect.tap((text) =>
          Effect.sync(() => {
            if (text !== now) saved.push(text)
            now = text
          })
        )
      )
  }
}

export interface RunOptions {
  /** The bookmark to continue from, as the state file stores it. */
  readonly after?: string | undefined
  readonly bend?: Bend
  readonly vault?: Vault
  /** Reads these invoices again by id, instead of pulling. */
  readonly reread?: ReadonlyArray<string>
}

const codecOf = (connector: Connector) => Schema.fromJsonString(Schema.toCodecJson(connector.bookmark))

export const bookmark = (connector: Connector, page: Page<unknown>): string =>
  Schema.encodeUnknownSync(codecOf(connector) as never)(page.bookmark) as string

/** Runs the connector against a stage. Fails only with `Wrong`. */
export const run = async (subject: Subject, stage: Stage, options: RunOptions = {}): Promise<Run> => {
  const { connector } = subject
  const settings = await Effect.runPromise(
    Schema.decodeUnknownEffect(connector.settings as Schema.Codec<unknown>)(subject.settings).pipe(
      Effect.mapError((error) => new Wrong(`its own settings do not fit its schema: ${error.message}`))
    )
  )
  const surroundings: ConnectorContext = {
    folder: stage.folder ?? ".",
    environment: subject.environment ?? {},
    vault: options.vault ?? vaultOf(subject.oauth?.held)
  }
  const simulated = stage.source === undefined ? undefined : simulate(stage.source, options.bend)
  const pages: Array<Page<unknown>> = []
  stage.settle?.()
  /** For sources that report no answers, pages are reported. */
  const paged = (page: Page<unknown>) => {
    pages.push(page)
    if (stage.settle === undefined) return
    options.bend?.after?.(pages.length, "")
    stage.settle()
  }
  const after =
    options.after === undefined
      ? undefined
      : (Schema.decodeUnknownSync(codecOf(connector) as never)(options.after) as unknown)
  const stream: Stream.Stream<Page<unknown>, SourceError, never> = Stream.suspend(() =>
    options.reread === undefined
      ? connector.pull(settings, after, surroundings)
      : Stream.map(
          connector.reread?.(settings, options.reread, surroundings) ?? Stream.empty,
          (page): Page<unknown> => ({ ...page, bookmark: undefined })
        )
  ).pipe(Stream.provide(Layer.merge(NodeFileSystem.layer, simulated?.layer ?? FetchHttpClient.layer)))
  const exit = await Effect.runPromise(
    Effect.exit(quickly(Stream.runForEach(stream, (page) => Effect.sync(() => paged(page)))))
  )
  const wrong = simulated?.wrong()
  if (wrong !== undefined)
    throw wrong instanceof Wrong ? wrong : new Wrong(String(wrong instanceof Error ? wrong.message : wrong))
  for (const page of pages) {
    const problem = Pages.problem(page)
    if (problem !== undefined) throw new Wrong(`${problem.where}: ${problem.why}`)
  }
  const asked = simulated?.asked ?? []
  const numbered = simulated?.numbered() ?? false
  if (Exit.isSuccess(exit)) return { pages, asked, numbered }
  const error = Cause.squash(exit.cause)
  if (error instanceof SourceError) return { pages, asked, numbered, error }
  throw new Wrong(`it threw instead of failing with a SourceError: ${error instanceof Error ? error.message : error}`)
}

export const nameOf = ({ id, kind }: { readonly id: string; readonly kind: string }): Name => `${kind}/${id}`

/** The part that each document of a state belongs to: the books know this for documents of earlier runs as well. */
const partsOf = new WeakMap<State, ReadonlyMap<Name, string>>()

/** What the books hold after these pages, given what they held before. */
export const fold = (pages: ReadonlyArray<Page<unknown>>, before: State = new Map()): Map<Name, string> => {
  const state = new Map(before)
  const seen = new Map<string, Set<Name>>()
  const parts = new Map<Name, string>(partsOf.get(before))
  let part = ""
  for (const page of pages) {
    part = page.scan?.name ?? part
    if (page.scan?.begins) seen.set(part, new Set())
    for (const { document } of page.read) {
      state.set(nameOf(document), Document.encode(document))
      parts.set(nameOf(document), part)
      seen.get(part)?.add(nameOf(document))
    }
    for (const deleted of page.deleted ?? []) state.delete(nameOf(deleted))
    for (const [name, text] of page.complete === undefined ? [] : state) {
      const document = Document.decode(text)
      const of = "order" in document ? [document.order] : "shares" in document ? document.shares : []
      const left = of.some((one) => page.complete?.includes(typeof one === "string" ? one : one.invoice) === true)
      if (left && !page.read.some((one) => nameOf(one.document) === name)) state.delete(name)
    }
    const there = seen.get(part)
    if (page.scan?.ends && there !== undefined && page.quarantined.length === 0) {
      for (const [name, of] of parts) if (of === part && !there.has(name)) state.delete(name)
    }
  }
  partsOf.set(state, parts)
  return state
}

/** The first difference between two states, in words. */
export const difference = (is: State, should: State): string | undefined => {
  for (const [name, text] of should) {
    const held = is.get(name)
    if (held === undefined) return `${name} is missing`
    if (held !== text) return `${name} is\n  ${held}\nand should be\n  ${text}`
  }
  for (const [name, text] of is) if (!should.has(name)) return `${name} should not be there:\n  ${text}`
  return undefined
}
