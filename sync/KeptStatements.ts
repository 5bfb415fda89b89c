/**
 * Keeps what the statements of each run said, as they were printed, so that they can be shown as of any earlier day whatever changed since.
 * A run that says the same of the same leaves nothing.
 */
import { Clock, Effect } from "effect"
import { zstdCompressSync } from "node:zlib"
import type { PlannedConnection } from "./model/Connection.ts"
import type { Proof } from "./model/reports/Statement.ts"
import { proveInParts } from "./reconciliation/Proof.ts"
import type { KeptStatements } from "./reports/AsOf.ts"
import * as Cover from "./reports/Cover.ts"
import { sha256, START } from "./state/chain/Entry.ts"
import { Database, type StateError, type Db } from "./state/Database.ts"
import { fastest } from "./state/Zstandard.ts"

const PARTS = ["completeness", "orders", "payments", "cover", "budgets"] as const

const said = (db: Db, proof: Proof, connection: PlannedConnection, now: number): KeptStatements => {
  const { id } = connection
  const own = <A extends { readonly connection: string }>(all: ReadonlyArray<A>) =>
    all.filter((one) => one.connection === id)
  const budget = Cover.budget(db, connection, now)
  return {
    completeness: own(proof.completeness),
    orders: own(proof.orders),
    payments: own(proof.payments),
    cover: own(proof.cover),
    budgets: budget === undefined ? [] : [budget]
  }
}

const MOVED = `SELECT EXISTS (SELECT 1 FROM ledger_was WHERE statement = (SELECT coalesce(max(id), 0) FROM statement))
  OR EXISTS (SELECT 1 FROM cover_was WHERE statement = (SELECT coalesce(max(id), 0) FROM statement))`

/** What this run says of which connections and the last one did not say; of all of them if what they are of has changed. */
const fresh = (db: Db, proof: Proof, connections: ReadonlyArray<PlannedConnection>, now: number) => {
  const isMoved = db.prepare(MOVED).pluck().get() === 1
  const last = db.prepare("SELECT digest FROM statement WHERE connection = ? ORDER BY id DESC LIMIT 1").pluck()
  return connections.flatMap((connection) => {
    const kept = said(db, proof, connection, now)
    const text = JSON.stringify(kept)
    const digest = sha256(text)
    const before = last.get(connection.id)
    const isEmpty = before === undefined && PARTS.every((part) => kept[part].length === 0)
    return isEmpty || (!isMoved && before === digest) ? [] : [{ connection: connection.id, digest, text }]
  })
}

/** The statements of a run of these connections; they are kept. */
export const prove = (connections: ReadonlyArray<PlannedConnection>): Effect.Effect<Proof, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const proof = yield* proveInParts(db, connections, now)
    const rows = yield* db.read(() => fresh(db, proof, connections, now))
    const { entry, hash } = proof.chain ?? { entry: START.n, hash: START.hash }
    if (rows.length > 0)
      yield* db.commit(() => {
        for (const { connection, digest, text } of rows) {
          const bytes = Buffer.from(text)
          const packed = zstdCompressSync(bytes, fastest())
          db.prepare(
            "INSERT INTO statement (connection, at, entry, hash, digest, size, content) VALUES (?, ?, ?, ?, ?, ?, ?)"
          ).run(connection, now, entry, hash, digest, bytes.length, packed.length < bytes.length ? packed : bytes)
        }
      })
    return proof
  })
