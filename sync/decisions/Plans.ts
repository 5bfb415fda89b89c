/**
 * A person's decision about a plan that waits: within what they may approve, and, where the connection asks for another person
 * (`"approve": { "by": "another" }`), by somebody who did not cause the plan; by two of them above an amount. All of it is bound to
 * the digest of what was shown. The page, the HTTP interface, the command and the library all decide here.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { AmountsByCurrency } from "../plan/Figures.ts"
import type { Connection } from "../model/Connection.ts"
import { isSamePerson, isShared, type Person } from "../model/Person.ts"
import * as Approvals from "../plan/Approvals.ts"
import type { Db } from "../state/Database.ts"
import { causedBy } from "./Recorded.ts"
import * as Undoable from "../state/Undoable.ts"

/** Who decides: a person, or undefined for a name that was typed at the command line or given to the library. */
export type Decider = Person | undefined

/** Decided; or the plan is another one now (false); or why not, or not yet. */
export type PlanDecision = boolean | { readonly why: string; readonly isKept?: true }

/** The first sum that is above a limit. */
const above = (moved: AmountsByCurrency, limits: AmountsByCurrency, others: "free" | "forbidden") =>
  [...moved].find(([code, sum]) => {
    const limit = limits.get(code)
    return limit === undefined ? others === "forbidden" && sum > 0n : sum > limit
  })

const isKnown = (person: Decider): person is Person =>
  person !== undefined && !isShared(person) && !(person.how === "token" && person.issuer === "token")

/** Why this person cannot approve this plan; undefined: they can. */
const refusal = (
  db: Db,
  { approving, id }: Pick<Connection, "approving" | "id">,
  moved: AmountsByCurrency | undefined,
  person: Decider
): string | undefined => {
  if (person?.upTo !== undefined) {
    const most = moved === undefined ? undefined : above(moved, person.upTo, "forbidden")
    if (moved === undefined) return "it is not known how much this plan moves; it is made again with the next change"
    if (most !== undefined)
      return `this plan moves ${Currency.say(most[1], most[0])}, which is more than you may approve`
  }
  if (approving === undefined) return undefined
  if (!isKnown(person))
    return `plans of ${id} are approved by somebody other than who caused them: sign in on the page with an account of your own`
  const cause = causedBy(db, id, person)
  return cause === undefined
    ? undefined
    : `this plan follows from your own decision (${cause}): somebody else has to approve it`
}

/** Who approved the plan that waits, where it needs one more. */
export const firstVoices = (db: Db, { connection, digest }: Pick<Approvals.Word, "connection" | "digest">) =>
  db
    .prepare("SELECT name FROM approval_voice WHERE connection = ? AND digest = ? ORDER BY given")
    .pluck()
    .all(connection, digest) as ReadonlyArray<string>

/** Keeps an approval as one of two. Returns the names of all who approved the same. */
const voices = (db: Db, word: Approvals.Word, person: Person, now: number): ReadonlyArray<string> => {
  const part = word.documents == null ? null : JSON.stringify(word.documents)
  db.prepare(
    `INSERT INTO approval_voice (connection, digest, subject, issuer, name, given, part) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET name = excluded.name, given = excluded.given, part = excluded.part`
  ).run(word.connection, word.digest, person.subject, person.issuer, person.name, now, part)
  const all = db
    .prepare(
      "SELECT name, subject, issuer FROM approval_voice WHERE connection = ? AND digest = ? AND part IS ? ORDER BY given"
    )
    .all(word.connection, word.digest, part) as ReadonlyArray<Pick<Person, "issuer" | "name" | "subject">>
  return all.filter((one, n) => all.findIndex((other) => isSamePerson(one, other)) === n).map(({ name }) => name)
}

/** Needs a transaction. */
export const decide = (
  db: Db,
  connection: Pick<Connection, "approving" | "id"> | undefined,
  word: Approvals.Word,
  person: Decider,
  now: number
): PlanDecision => {
  const waiting = Approvals.of(db, word.connection)
  if (waiting?.digest !== word.digest || waiting.decision !== null) return false
  if (word.decision === "rejected") {
    const done = Approvals.decide(db, word, now)
    if (done) Undoable.keep(db, { kind: "plan", connection: word.connection }, now)
    return done
  }
  const moved = Approvals.movedBy(db, word.connection)
  const why = refusal(db, connection ?? { id: word.connection }, moved, person)
  if (why !== undefined) return { why }
  const { twoAbove } = connection?.approving ?? {}
  if (twoAbove === undefined || person === undefined) return Approvals.decide(db, word, now)
  const large = moved === undefined ? (["", 0n] as const) : above(moved, twoAbove, "free")
  if (large === undefined) return Approvals.decide(db, word, now)
  const names = voices(db, word, person, now)
  if (names.length >= 2) return Approvals.decide(db, { ...word, who: names.join(" and ") }, now)
  const sum = large[0] === "" ? "" : `, because it moves ${Currency.say(large[1], large[0])}`
  return { why: `your approval is kept; this plan needs a second person${sum}`, isKept: true }
}
