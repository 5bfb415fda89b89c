/**
 * What needs attention about the cover of a whole connection: why nothing is bought, and lists of buyers that name nobody. Such
 * an item belongs to the connection, so that it stays for as long as it is true, whatever becomes of the invoice that began it.
 */
import { parseKey } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Attention } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import type { Invoice } from "../../connectors/Document.ts"
import { mayNameBuyer } from "../model/PartyName.ts"
import type { Rule } from "../model/Rule.ts"
import * as PurchaseBlocks from "../plan/PurchaseBlocks.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as CoverShown from "./CoverShown.ts"
import * as AttentionStore from "./AttentionStore.ts"

/** The subject of a connection's items about cover. */
export const key = (connection: string): string => `${connection}/cover`

export const isKey = (subject: string): boolean => /^[^/]+\/cover$/.test(subject)

const item = (connection: string, fact: string, rule: Rule, why: string, todo: string): Attention => ({
  subject: key(connection),
  fact: `${key(connection)}/${fact}`,
  rule,
  why,
  todo
})

/** Q8, Q10: why nothing is bought. */
const blockItem = (db: Db, { id, planning }: Connection, now: number): ReadonlyArray<Attention> => {
  const block = planning.cover === undefined ? undefined : PurchaseBlocks.blocked(db, id, planning.cover, now)
  if (block === undefined) return []
  const { by, why } = block
  const until = "`daybook attention retry`: until then nothing is bought"
  switch (by) {
    case "payment":
      return [
        item(id, by, "Q8", `no cover is bought: ${why}`, `put the payment method right (cover.pay_with), then ${until}`)
      ]
    case "spent":
      return [
        item(
          id,
          by,
          "Q10",
          `no cover is bought: ${why}`,
          `compare the policies of this month on the service with cover.price.per_month; if there is room for more, ${until}`
        )
      ]
    case "clock":
      return [
        item(id, by, "Q10", `no cover is bought: ${why}`, "set this machine's clock; the next sync goes on by itself")
      ]
  }
}

/** Q4: what is bought from the next run on, under cover that is new or wider. */
const shownItem = (db: Db, connection: Connection): ReadonlyArray<Attention> => {
  const words = CoverShown.wordsOf(db, connection)
  return words === undefined ? [] : [item(connection.id, "shown", "Q4", words.why, words.todo)]
}

/** H1: covered invoices that the service does not show: nobody hears of their windows. */
const unreadItems = (db: Db, connection: string): ReadonlyArray<Attention> =>
  (
    db
      .prepare("SELECT subject, since, why FROM cover_unread WHERE subject > ? AND subject < ? ORDER BY subject")
      .all(`${connection}/`, `${connection}0`) as ReadonlyArray<{
      readonly subject: string
      readonly since: number
      readonly why: string
    }>
  ).map(({ since, subject, why }) =>
    item(
      connection,
      `unread/${subject}`,
      "H1",
      `${subject} is covered, and has not been read on the service since ${Day.fromEpochMillis(since)}: ${why}. Its deadlines are not known`,
      "look at it on the service, or ask the service's operator; each sync tries again"
    )
  )

/** Entries of `buyers` and `except` that fit no buyer in the books: often a name that is written in another way. */
const unknownBuyers = (db: Db, { id, planning }: Connection): ReadonlyArray<string> => {
  const entries = new Set(
    (planning.cover?.select ?? []).flatMap(({ buyers = [], except = [] }) => [...buyers, ...except])
  )
  if (entries.size === 0) return []
  const bodies = db
    .prepare(
      `SELECT max(body) FROM document WHERE key > ? AND key < ? AND deleted = 0
        GROUP BY ${["id", "name", "regnum", "vat", "company"].map((member) => Body.at("invoice", `party.${member}`)).join(", ")}`
    )
    .pluck()
    .iterate(`${id}/invoice/`, `${id}/invoice0`) as Iterable<string>
  for (const body of bodies) {
    const { party } = Body.read(body) as Invoice
    for (const entry of entries) if (mayNameBuyer(entry, party)) entries.delete(entry)
    if (entries.size === 0) break
  }
  return [...entries]
}

/** Brings the connection's items up to date. */
export const renew = (db: Db, connection: Connection, now: number): void => {
  const { id } = connection
  const items = [
    ...blockItem(db, connection, now),
    ...shownItem(db, connection),
    ...unreadItems(db, id),
    ...unknownBuyers(db, connection).map((entry) =>
      item(
        id,
        `select/${entry}`,
        "Q1",
        `cover.select names ${JSON.stringify(entry)}, and no buyer in the books has that id, number or name`,
        "correct the entry in the configuration, or remove it"
      )
    )
  ]
  if (items.length > 0 || AttentionStore.list(db, key(id)).length > 0)
    AttentionStore.update(db, key(id), items, undefined, now)
}

/** The connection of an item, if it is one of these. */
export const connectionOf = (subject: string): string | undefined =>
  isKey(subject) ? parseKey(subject).connection : undefined
