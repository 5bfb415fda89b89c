/**
 * Names what the service has twice: a process that had lost a tenant still heard that a call was done, which the one that has
 * the tenant took for lost and sent again. Nothing in the books or the ledger shows it.
 */
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { Db } from "../state/Database.ts"
import type { LateAnswer } from "../state/replication/LateAnswers.ts"
import { parseKey } from "../../connectors/Document.ts"
import * as AttentionStore from "./AttentionStore.ts"

/** The subject of a connection's items about it: they stay until a person closes them, whatever becomes of the document. */
const key = (subject: string): string => `${parseKey(subject).connection}/late`

/** Whether this is what the ledger or a receipt has for the document, or an item has named it. */
const isKnown = (db: Db, { remote, subject }: LateAnswer): boolean =>
  db
    .prepare(
      `SELECT 1 FROM ledger WHERE subject = :subject AND remote = :remote
       UNION ALL SELECT 1 FROM attention WHERE subject = :item AND fact = :item || '/' || :remote`
    )
    .get({ subject, remote, item: key(subject) }) !== undefined ||
  PastCalls.of(db, subject).some((call) => call.remote === remote)

/** What was sent in its place; null if it was not sent again. */
const another = (db: Db, { call, remote, subject }: LateAnswer): string | null => {
  const calls = PastCalls.of(db, subject)
  const mine = calls.find(({ id }) => id === call)
  const isSame = (other: PastCalls.PastCall) => other.fact === mine?.fact && other.operation === mine.operation
  const others = calls.filter((other) => other.outcome === "done" && other.remote !== remote && isSame(other))
  return others.findLast((other) => other.remote !== null)?.remote ?? null
}

/** Whether it is not known yet what became of the call. */
const isOpen = (db: Db, { call, subject }: LateAnswer): boolean =>
  db.prepare("SELECT 1 FROM claim WHERE id = ? AND subject = ? AND has_receipt = 0").get(call, subject) !== undefined

const TAKE_BACK = "take one of the two back on the service, and then close this"

/**
 * Raises an item for each answer that is news.
 *
 * @returns those that were taken in, and how many of them are news; the others wait until their calls are known
 */
export const takeIn = (
  db: Db,
  answers: ReadonlyArray<LateAnswer>,
  now: number
): { readonly taken: ReadonlyArray<LateAnswer>; readonly news: number } => {
  const taken = answers.filter((one) => !isOpen(db, one))
  const news = taken.filter((one) => !isKnown(db, one))
  for (const one of news) {
    const { remote, subject } = one
    const again = another(db, one)
    const what =
      again === null
        ? `${subject} is on the service as ${remote}, which was taken for not sent`
        : `${subject} was sent twice: the service has ${again} and ${remote}`
    const item = {
      subject: key(subject),
      fact: `${key(subject)}/${remote}`,
      rule: "I4",
      why: `${what}. A process sent it after another had taken over`,
      todo:
        again === null
          ? "look at it on the service before anything more is sent for it, and then close this"
          : TAKE_BACK
    } as const
    AttentionStore.announce(db, key(subject), [...AttentionStore.list(db, key(subject)), item], now)
  }
  return { taken, news: news.length }
}
