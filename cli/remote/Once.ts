/**
 * Carries out a request with an `Idempotency-Key` once: the same request with the same key gets the first answer again.
 *
 * The request is claimed in the state file before it is carried out. If the daemon is stopped in the middle, nobody knows how far
 * it got: a repetition is refused, and the caller looks first. A request that was refused is forgotten, because nothing was done.
 */
import { Clock, Effect } from "effect"
import { hash } from "node:crypto"
import * as ApiRequests from "../../sync/state/ApiRequests.ts"
import type { Db } from "../../sync/state/Database.ts"
import { json, type Reply, type Request as Asked } from "../daemon/Server.ts"

type Answer = (request: Asked) => Effect.Effect<Reply>

export const HEADER = "idempotency-key"
const LONGEST = 255

/** Their answers contain a secret, which is shown only once. */
const SECRET = /\/connect-links$/

/** What is asked, whoever asks: method, path, query and body. */
const digestOf = ({ body, method, path, query }: Asked): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${method} ${path}?${query}\n`), body]), "base64url")

const conflict = (message: string): Reply => json(409, { _tag: "Conflict", message })

const refused = (standing: "open" | "other", isRunning: boolean): Reply => {
  if (standing === "other")
    return json(422, { _tag: "Invalid", message: "Another request was made with this Idempotency-Key; use a new one." })
  return conflict(
    isRunning
      ? "This request is being carried out; ask again for its answer."
      : "This request was cut off, and may have been carried out. Look first; if it was not, send it with a new Idempotency-Key."
  )
}

const again = ({ answer, status }: ApiRequests.ApiAnswer): Reply =>
  answer === null
    ? conflict("This request was carried out, and its answer was shown once. Send another with a new Idempotency-Key.")
    : {
        status,
        headers: { "content-type": "application/json", "idempotent-replayed": "true" },
        body: answer
      }

const textOf = ({ body = "" }: Reply): string =>
  typeof body === "string" ? body : body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : ""

/**
 * @param callerOf the name of the token of a request that may be carried out, undefined if there is none
 * @param answer carries it out
 */
export const once = (
  db: Db,
  callerOf: (request: Asked) => Effect.Effect<string | undefined>,
  answer: Answer
): Answer => {
  const running = new Set<string>()
  const carryOut = (request: Asked, wanted: ApiRequests.ApiRequest) =>
    Effect.tap(answer(request), (reply) => {
      const { status } = reply
      const kept = { status, answer: SECRET.test(request.path) ? null : textOf(reply) }
      if (status >= 500 && status !== 502) return Effect.void
      return Effect.orDie(
        db.hold(
          db.transaction(() => (status < 300 ? ApiRequests.keep(db, wanted, kept) : ApiRequests.release(db, wanted)))
        )
      )
    })
  return (request) =>
    Effect.gen(function* () {
      const name = request.headers[HEADER]
      // A key that cannot be one is refused with the other parameters.
      if (request.method !== "POST" || name === undefined || name === "" || name.length > LONGEST)
        return yield* answer(request)
      const caller = yield* callerOf(request)
      if (caller === undefined) return yield* answer(request)
      const wanted = { caller, name, request: digestOf(request) }
      const id = JSON.stringify([caller, name])
      const now = yield* Clock.currentTimeMillis
      const standing = yield* Effect.orDie(db.hold(db.transaction(() => ApiRequests.claim(db, wanted, now))))
      if (standing === "open" || standing === "other") return refused(standing, running.has(id))
      if (standing !== "claimed") return again(standing)
      running.add(id)
      return yield* Effect.ensuring(
        carryOut(request, wanted),
        Effect.sync(() => void running.delete(id))
      )
    })
}
