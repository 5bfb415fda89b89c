/**
 * What the kit needs to know of a connector: its fixtures, how its source answers, and the documents they must become.
 * And a run of it: pages folded into the documents that books would hold after them.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Connector, type Page, SourceError, type ConnectorContext, type Vault } from "../Connector.ts"
import * as Document from "../Document.ts"
import * as Pages from "../Pages.ts"
import { type Bend, quickly, simulate, type Simulated, type Source } from "./Simulator.ts"

/** One document as text: `invoice/INV-1`. */
export type Name = string

/** A source that was just opened, and what can be done to it. Whatever is left out is skipped, with its reason. */
export interface Stage {
  /** Where files are, for connectors that read such. */
  readonly folder?: string
  readonly source?: Source
  /** Of a source that is not read over HTTP: its records, which the kit edits, and what makes the source hold them. */
  readonly lists?: Source["lists"]
  readonly settle?: () => void
  /** Breaks one record, so that it cannot be read; answers what its raw text must still show. */
  readonly malform?: () => string
  /** Deletes something as the source would; answers the document that must be void or gone. */
  readonly remove?: () => Name
  /** Edits an invoice (or an order, of a source without invoices) so that the bookmark cannot see it; answers its id. */
  readonly edit?: () => string
  /**
   * Adds about so many records to what the source holds, of every list that a first reading reads, linked as in life: a
   * payment has its invoice, some have a refund. The kit then counts requests. Required of what is read over HTTP.
   */
  readonly grow?: (records: number) => void
  /** Puts an amount beyond what a double holds into a record; answers the document and its exact amount as text. */
  readonly enlarge?: () => { readonly document: Name; readonly amount: string }
  readonly close?: () => void
}

export interface Subject {
  readonly connector: Connector
  /** As a configuration writes them, `connector` left out. */
  readonly settings: unknown
  readonly environment?: Readonly<Record<string, string>>
  /** For OAuth: where tokens are given, and what the vault holds at first. */
  readonly oauth?: { readonly path: string; readonly held: string; readonly fresh: string }
  /** Where a client's id and secret give a token: what goes wrong there is not what the kit tries. */
  readonly tokens?: string
  /** Of a connector that gives files of documents: an invoice that has one, and the path where its source has it. */
  readonly file?: { readonly id: string; readonly path: string }
  /** A fresh source with the fixtures in it. */
  readonly open: () => Stage
  /** The documents of the fixtures, as `Document.encode` writes them, in any order. */
  readonly golden: ReadonlyArray<string>
  /** Fixtures that become no document, by what they show: drafts, payments that did not come. */
  readonly nothing?: ReadonlyArray<string>
  /** Checks that do not apply, each with its reason, which is printed. */
  readonly skips?: Readonly<Record<string, string>>
}

/** Where tokens are given, of a source that has such. */
export const tokensOf = ({ oauth, tokens }: Subject): string | undefined => oauth?.path ?? tokens

export type State = ReadonlyMap<Name, string>

export interface Run {
  readonly pages: ReadonlyArray<Page<unknown>>
  /** Why it ended, where it did not end well. */
  readonly error?: SourceError
  readonly asked: Simulated["asked"]
  readonly numbered: boolean
}

/** The check does not hold; says what is still wrong. */
export class Wrong extends Error {}

/** A vault in memory that notes what was saved. */
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
  /** The bookmark to go on from, as the state file keeps it. */
  readonly after?: string | undefined
  readonly bend?: Bend
  readonly vault?: Vault
  /** Reads these invoices again by id, instead. */
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
  /** Where answers are not reported, pages are. */
  const paged = (page: Page<unknown>) => {
    pages.push(page)
    if (stage.settle === undefined) return
    options.bend?.after?.(pages.length)
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

/** Of which part the documents of a state are: books know that of earlier runs as well. */
const partsOf = new WeakMap<State, ReadonlyMap<Name, string>>()

/** What books hold after these pages, from what they held before. */
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
    for (const [name, text] of state) {
      const document = Document.decode(text)
      const left = "order" in document && page.complete?.includes(document.order) === true
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
  for (const name of is.keys()) if (!should.has(name)) return `${name} should not be there`
  return undefined
}
