/**
 * A person's decision about several attention items at once. What it would do is worked out before and shown; exactly that is
 * confirmed, by its digest, and done in one transaction or not at all.
 */
import { createHash } from "node:crypto"
import { kindOf } from "../../connectors/Document.ts"
import * as AttentionActions from "../apply/AttentionActions.ts"
import * as CoverItems from "../apply/CoverItems.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as MatchChoices from "../matching/Choices.ts"
import { isStranger } from "../matching/NotOurs.ts"
import type { Call } from "../model/Call.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import { BUYER_LOST } from "../rules/Buyers.ts"
import { FigureCounter, sentence } from "../plan/Figures.ts"
import * as Plan from "../plan/Plan.ts"
import { Surroundings, toJson } from "../plan/Surroundings.ts"
import type { Db } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"

export interface Several {
  /** Close them, have sent again what the service refused, or say of strangers' payments that they are for no invoice. */
  readonly what: "close" | "again" | "none"
  readonly ids: ReadonlyArray<number>
}

/** The most items of one decision. */
export const MOST_OF_CAUSE = 2000

/** The items that a form names, the first of them if there are too many: whose they are is asked of exactly these. */
export const namedItems = (posted: URLSearchParams): ReadonlyArray<number> => {
  const ids = (posted.get("ids") ?? "").split(" ").filter((id) => /^\d{1,15}$/.test(id))
  return [...new Set(ids.map(Number))].slice(0, MOST_OF_CAUSE)
}

/** One of the items, and the calls that its document's next plan has if it is sent again. */
export interface Foreseen {
  readonly item: AttentionStore.OpenAttention
  readonly calls: ReadonlyArray<Call>
}

export interface Foresight {
  readonly items: ReadonlyArray<Foreseen>
  /** How many of those that were named are closed by now, and how many need an answer or a choice of their own. */
  readonly closed: number
  readonly apart: number
  /** Of how many it is not known what is sent before the service has answered. */
  readonly unknown: number
  readonly calls: number
  /** What is sent again, in words; empty if nothing. */
  readonly figures: string
  readonly digest: string
}

const KINDS = /^[^/]+\/(invoice|order|buyer)\//

/** An item of which each needs its own answer; to close one about buying cover lets it be bought again. */
const needsOwn = (db: Db, item: AttentionStore.OpenAttention): boolean =>
  MatchChoices.isMatchingItem(item.rule) ||
  CoverItems.isKey(item.subject) ||
  AttentionActions.choicesOf(db, item).length > 0

/** Whether it can be decided together with others. */
const isTogether = (db: Db, what: Several["what"], item: AttentionStore.OpenAttention): boolean =>
  what === "none" ? isStranger(db, item.subject) : !needsOwn(db, item)

/** The service is asked for another buyer or offer first: what follows is not known before it answers. */
const isAskedFirst = ({ code, subject }: AttentionStore.OpenAttention): boolean =>
  kindOf(subject) === "order" || code === BUYER_LOST

/** What the decision would do as the books are now. Needs a snapshot or a transaction. */
export const foresee = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  { ids, what }: Several,
  now: number
): Foresight => {
  const around = new Surroundings(db, true)
  const figures = new FigureCounter()
  const seen = new Set<string>()
  const asked = [...new Set(ids)].toSorted((a, b) => a - b)
  const open = asked.flatMap((id) => AttentionStore.find(db, id) ?? [])
  const together = open.filter((item) => isTogether(db, what, item))
  const items = together.map((item): Foreseen => {
    const { subject } = item
    const connection = connections.find(({ id }) => subject.startsWith(`${id}/`))
    if (what !== "again" || connection === undefined || seen.has(subject) || !KINDS.test(subject) || isAskedFirst(item))
      return { item, calls: [] }
    seen.add(subject)
    const planned = Plan.planOne(db, connection, subject, { now, around })
    figures.add(planned)
    return { item, calls: planned.calls }
  })
  const digest = createHash("sha256")
    .update(toJson([what, items.map(({ calls, item: { since: _, ...item } }) => [item, calls])]))
    .digest("hex")
  return {
    items,
    closed: asked.length - open.length,
    apart: open.length - together.length,
    unknown: what === "again" ? together.filter(isAskedFirst).length : 0,
    calls: items.reduce((sum, { calls }) => sum + calls.length, 0),
    figures: sentence(figures.figures()),
    digest
  }
}

/**
 * Does what was foreseen. Needs a transaction.
 *
 * @param seen the digest of what the person was shown
 * @returns what was done; undefined if it would be something else by now, and nothing was changed
 */
export const decideTogether = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  several: Several,
  seen: string,
  now: number
): Foresight | undefined => {
  const foreseen = foresee(db, connections, several, now)
  if (foreseen.digest !== seen || foreseen.items.length === 0) return undefined
  for (const { item } of foreseen.items) {
    if (several.what === "again") AttentionActions.retry(db, item.id, now)
    else if (several.what === "none") MatchChoices.choose(db, item.subject, [], now)
    else AttentionStore.close(db, item.id, "closed by hand on the page", now)
  }
  if (several.what === "close")
    Undoable.keep(db, { kind: "items", ids: foreseen.items.map(({ item }) => item.id) }, now)
  return foreseen
}
