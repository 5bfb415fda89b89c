/**
 * Keeps who decided what: who they are and who says so, how they showed it, when, from where, what they were shown (by its digest)
 * and what came of it. An entry is written before the decision is carried out, so that none is missing after a crash. Also keeps
 * who signed in.
 */
import { Clock, Effect } from "effect"
import { isSamePerson, type Person } from "../model/Person.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"

type Who = Pick<Person, "how" | "issuer" | "name" | "subject">

export interface Deed {
  readonly who: Who
  /** The sender's address. */
  readonly from: string
  /** `POST /plans/approve` */
  readonly deed: string
  /** The connections that it is about; none: all of them. */
  readonly connections: ReadonlyArray<string>
  /** The document, item or setting that it is about. */
  readonly about: string
  readonly digest: string | null
  /** Whether it changes what is sent. */
  readonly causes: boolean
}

const begin = (db: Db, { about, causes, connections, deed, digest, from, who }: Deed, now: number) =>
  (connections.length === 0 ? [null] : connections).map(
    (connection) =>
      db
        .prepare(
          `INSERT INTO decision (began, deed, connection, about, digest, name, subject, issuer, how, address, causes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
        )
        .run(now, deed, connection, about, digest, who.name, who.subject, who.issuer, who.how, from, causes ? 1 : 0)
        .lastInsertRowid
  )

/**
 * Carries out a decision, and keeps who made it.
 *
 * @param outcomeOf what came of it; undefined: nothing was changed
 */
export const keepDecision = <A, E, R>(
  deed: Deed,
  work: Effect.Effect<A, E, R>,
  outcomeOf: (answer: A) => string | undefined
): Effect.Effect<A, E | StateError, R | Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const ids = yield* db.hold(db.transaction(() => begin(db, deed, now)))
    const answer = yield* work
    const outcome = outcomeOf(answer)
    const ended = yield* Clock.currentTimeMillis
    yield* db.hold(
      db.transaction(() => {
        const end = db.prepare("UPDATE decision SET ended = ?, outcome = ?, causes = min(causes, ?) WHERE id = ?")
        for (const id of ids) end.run(ended, outcome ?? "refused", outcome === undefined ? 0 : 1, id)
      })
    )
    return answer
  })

export interface RecordedDecision extends Omit<Deed, "causes" | "connections" | "from" | "who">, Who {
  readonly began: number
  readonly connection: string | null
  readonly address: string
  readonly outcome: string | null
}

/** The latest decisions first. */
export const decisions = (db: Db, most: number): ReadonlyArray<RecordedDecision> =>
  db
    .prepare(
      "SELECT began, deed, connection, about, digest, name, subject, issuer, how, address, outcome FROM decision ORDER BY id DESC LIMIT ?"
    )
    .all(most) as ReadonlyArray<RecordedDecision>

/**
 * What a person decided about a connection since what was last sent of it as a whole was planned: it is part of what waits now.
 * One that has not ended may have been carried out.
 */
export const causedBy = (db: Db, connection: string, person: Who): string | undefined => {
  const since = Number(db.prepare("SELECT planned FROM sent_whole WHERE connection = ?").pluck().get(connection) ?? 0)
  const found = db
    .prepare(
      `SELECT about, subject, issuer FROM decision WHERE causes = 1 AND (connection = ? OR connection IS NULL)
        AND coalesce(ended, began + 86400000) >= ?`
    )
    .all(connection, since) as ReadonlyArray<Pick<Person, "issuer" | "subject"> & { readonly about: string }>
  return found.find((one) => isSamePerson(one, person))?.about
}

/** Everything of a connection was sent; decisions that ended before it was planned are not part of what comes next. */
export const sentWhole = (db: Db, connection: string, planned: number): void => {
  db.prepare(
    "INSERT INTO sent_whole VALUES (?, ?) ON CONFLICT DO UPDATE SET planned = max(planned, excluded.planned)"
  ).run(connection, planned)
}

export interface SignedIn extends Who {
  readonly at: number
  readonly address: string
  readonly outcome: string
}

/** How many sign-ins are kept: anybody can fail to sign in. */
const KEPT = 10_000

export const signIn = (db: Db, { address, at, how, issuer, name, outcome, subject }: SignedIn): void => {
  const { lastInsertRowid } = db
    .prepare("INSERT INTO sign_in (at, name, subject, issuer, how, address, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(at, name, subject, issuer, how, address, outcome)
  db.prepare("DELETE FROM sign_in WHERE id <= ?").run(Number(lastInsertRowid) - KEPT)
}

/** The latest first. */
export const signIns = (db: Db, most: number): ReadonlyArray<SignedIn> =>
  db
    .prepare("SELECT at, name, subject, issuer, how, address, outcome FROM sign_in ORDER BY id DESC LIMIT ?")
    .all(most) as ReadonlyArray<SignedIn>
