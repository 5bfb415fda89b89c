/**
 * What must hold of a whole history beside what source and service say in the end: nothing is refused, nothing is taken back
 * that the source kept, and nothing is called paid too early.
 */
import { Cause, Effect } from "effect"
import { parseKey } from "../../connectors/Document.ts"
import * as Attentions from "../../sync/Attentions.ts"
import { Database } from "../../sync/Database.ts"
import { open } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import type { Feed } from "./Feed.ts"

/** Everything that is sent here is in order, so nothing of it is refused for good; and of orders nothing is left over. */
export const refusals = async (world: World): Promise<ReadonlyArray<string>> => {
  const listed = await world.life(Effect.map(Database, (db) => Attentions.list(db)))
  return listed._tag === "Failure"
    ? [Cause.pretty(listed.cause)]
    : listed.value.flatMap(({ refused, subject, why }) =>
        refused || /\/(order|buyer)\//.test(subject) ? [`${subject}: ${why}`] : []
      )
}

/** The sources, by connection. */
export type Feeds = Readonly<Record<string, Feed>>

/** What the source never took back is not taken back. */
export const takenBack = (world: World, feed: Feed): ReadonlyArray<string> => {
  const removed = "SELECT DISTINCT subject AS key FROM claim WHERE operation = 'transactions.remove'"
  const undone = "SELECT DISTINCT fact AS key FROM claim WHERE request ->> '$.posting.undo' = 1"
  return open(world, `${removed} UNION ${undone}`).flatMap(({ key }) => {
    const { connection, id, kind } = parseKey(String(key))
    // Payments for another's invoices move as more becomes known of either.
    if (connection !== world.connection.id) return []
    return feed.touched.has(`${kind}/${id}`) ? [] : [`${String(key)} was taken back, and the source never did`]
  })
}

/** There is no way back from paid: an invoice is not said to be paid while what went back of that money is being read. */
export const paidTooEarly = (world: World, feeds: Feeds): ReadonlyArray<string> => {
  const about = `SELECT a.subject, d.key, m.how FROM attention a JOIN allocation l ON l.invoice = a.subject
    JOIN document d ON d.id = l.document LEFT JOIN matching m ON m.document = d.id WHERE a.closed IS NULL AND a.rule = 'T13'`
  const told = `SELECT DISTINCT a.subject, c.fact AS key, NULL AS how FROM attention a JOIN claim c ON c.subject = a.subject
    WHERE a.closed IS NULL AND a.rule = 'T13'`
  const rows = [...open(world, about), ...open(world, told)]
  return [...Map.groupBy(rows, ({ subject }) => String(subject))].flatMap(([subject, facts]) => {
    const since = [subject, ...facts.map(({ key }) => String(key))].map((key) => {
      const { connection, id, kind } = parseKey(key)
      const feed = feeds[connection]
      return feed === undefined || feed.touched.has(`${kind}/${id}`) ? undefined : feed.since.get(`${kind}/${id}`)
    })
    const plain = facts.every(({ how }) => how === null || how === "link")
    return plain && since.every((round) => round !== undefined && round === since[0])
      ? [`${subject} was paid before all was read that its source had said by then`]
      : []
  })
}
