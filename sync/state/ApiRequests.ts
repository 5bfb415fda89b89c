/**
 * Remembers requests to the HTTP interface by the name that their sender gave them (`Idempotency-Key`), with their answers. A
 * request is claimed before it is carried out, so that no crash can have it carried out twice.
 */
import type { Db } from "./Database.ts"

export interface ApiRequest {
  /** The name of the token. */
  readonly caller: string
  /** The sender's name for it. */
  readonly name: string
  /** A digest of what is asked. */
  readonly request: string
}

export interface ApiAnswer {
  readonly status: number
  /** Null: not kept, because it contained a secret. */
  readonly answer: string | null
}

/** `claimed`: carry it out. `open`: claimed before, and without an answer. `other`: another request has this name. */
export type RequestState = "claimed" | "open" | "other" | ApiAnswer

/** How long requests are remembered. Milliseconds. */
const KEPT_MS = 30 * 86_400_000

interface Row extends ApiAnswer {
  readonly request: string
  readonly isAnswered: number
}

/** Claims a request, or returns how it stands. */
export const claim = (db: Db, { caller, name, request }: ApiRequest, now: number): RequestState => {
  db.prepare("DELETE FROM api_request WHERE began < ?").run(now - KEPT_MS)
  const { changes } = db
    .prepare("INSERT INTO api_request (caller, name, request, began) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
    .run(caller, name, request, now)
  if (changes > 0) return "claimed"
  const found = db
    .prepare(
      "SELECT request, status, answer, status IS NOT NULL AS isAnswered FROM api_request WHERE caller = ? AND name = ?"
    )
    .get(caller, name) as Row
  if (found.request !== request) return "other"
  return found.isAnswered === 1 ? { status: found.status, answer: found.answer } : "open"
}

/** Stores the answer of a request that was carried out. */
export const keep = (db: Db, { caller, name }: ApiRequest, { answer, status }: ApiAnswer): void =>
  void db
    .prepare("UPDATE api_request SET status = ?, answer = ? WHERE caller = ? AND name = ?")
    .run(status, answer, caller, name)

/** Forgets a request that was refused: nothing was done. */
export const release = (db: Db, { caller, name }: ApiRequest): void =>
  void db.prepare("DELETE FROM api_request WHERE caller = ? AND name = ? AND status IS NULL").run(caller, name)
