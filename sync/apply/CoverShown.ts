/**
 * What is bought without a word, within the limits of the configuration, was shown once: the first run with cover, or with wider
 * cover than before, buys nothing within them. It says what it would buy, and the next run buys it.
 *
 * A first sync that nobody needs to confirm (`first_sync: "send"`) buys at once. A plan that somebody saw, and sends by its digest,
 * is sent as it is.
 */
import * as Currency from "../../core/money/Currency.ts"
import { plural } from "../../core/Plural.ts"
import type { Attention } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import * as FirstSync from "../plan/FirstSync.ts"
import type { DocumentPlan, Planned } from "../plan/Plan.ts"
import { wider } from "../rules/CoverWider.ts"
import type { Db } from "../state/Database.ts"

type Covered = Pick<Connection, "firstSync" | "id" | "planning">

interface Row {
  /** What may be bought under, as text. */
  readonly settings: string
  /** What was wider in the run that showed it, in words; null: the runs since buy. */
  readonly shown: string | null
}

const rowOf = (db: Db, id: string): Row | undefined =>
  db.prepare("SELECT settings, shown FROM cover_shown WHERE connection = ?").get(id) as Row | undefined

const put = (db: Db, id: string, cover: CoverSettings, shown: string | null): void =>
  void db
    .prepare(
      "INSERT INTO cover_shown VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings, shown = excluded.shown"
    )
    .run(id, JSON.stringify(cover), shown)

/** What is wider than what was shown, in words; undefined: nothing. */
const widerThan = (row: Row | undefined, cover: CoverSettings): string | undefined => {
  if (row === undefined) return "cover is new in the configuration"
  const members = wider(JSON.parse(row.settings) as CoverSettings, cover)
  return members.length === 0 ? undefined : `${members.join(", ")} in the configuration allows more than before`
}

/**
 * Before a run plans: whether it buys nothing within the limits of a connection. Needs a transaction.
 *
 * @param goesOn it goes on with a run that sent before: what that one showed is not bought yet
 */
export const isHeld = (db: Db, { firstSync, id, planning: { cover } }: Covered, goesOn: boolean): boolean => {
  if (cover === undefined) {
    db.prepare("DELETE FROM cover_shown WHERE connection = ?").run(id)
    return false
  }
  const row = rowOf(db, id)
  if (goesOn && row?.shown != null) return true
  const isAgreed = row === undefined && firstSync === "send" && !FirstSync.hasSent(db, id)
  if (!isAgreed && widerThan(row, cover) !== undefined) return true
  put(db, id, cover, null)
  return false
}

/** The plan without what it would buy within the limits, as nobody was shown that. */
export const withoutUnshown = (planned: Planned): Planned => {
  if (planned.kind === "owner") return planned
  const calls = planned.calls.filter((call) => call.operation !== "policies.create" || call.approved !== undefined)
  return calls.length === planned.calls.length ? planned : ({ ...planned, calls, waits: true } satisfies DocumentPlan)
}

const offered = (db: Db, id: string) =>
  db
    .prepare(
      "SELECT count(*) AS count, coalesce(sum(price), 0) AS sum FROM cover WHERE connection = ? AND state = 'offered' AND may = 1"
    )
    .get(id) as { readonly count: number; readonly sum: number }

/** After a run that bought nothing of a connection: once it has something to show, what it shows may be bought. */
export const end = (db: Db, { id, planning: { cover } }: Covered): void => {
  const why = cover?.pay_with === undefined ? undefined : widerThan(rowOf(db, id), cover)
  if (cover !== undefined && why !== undefined && offered(db, id).count > 0) put(db, id, cover, why)
}

/** What the next run buys, while nothing of it was bought. */
export const wordsOf = (db: Db, { id, planning: { cover } }: Covered): Pick<Attention, "why" | "todo"> | undefined => {
  const { shown } = rowOf(db, id) ?? {}
  const { count, sum } = offered(db, id)
  if (cover === undefined || shown == null || count === 0) return undefined
  const price = Currency.say(Currency.ofMinor(BigInt(sum), cover.price.currency), cover.price.currency)
  return {
    why: `${shown}: ${plural(count, "offer")} for ${price} in all ${count === 1 ? "is" : "are"} within it; nothing was bought yet`,
    todo: "look at them with `daybook cover`; the next run buys them within cover.price, unless you reject them or narrow cover"
  }
}
