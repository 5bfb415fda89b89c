/**
 * Binds a state file to one service and one account there, so that sandbox and live data never mix.
 *
 * The service's address must stay the same. For the account, the file stores a fingerprint of the key. A changed key may be a
 * new one of the same account: in that case the account must still have an owner that was created before.
 */
import { createHmac, randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { Client } from "../../core/Client.ts"
import type { OrganisationId, UserId } from "../../core/wire/Ids.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { Database, StateError, type Db } from "../state/Database.ts"
import { bound, otherService } from "./BoundService.ts"
import * as Owners from "../plan/Owners.ts"

const fingerprint = (salt: string, key: Redacted.Redacted): string =>
  `${salt}:${createHmac("sha256", salt).update(Redacted.value(key)).digest("base64url")}`

/** Binds the file at its first use; later rejects another service or account. */
export const bind = Effect.fn("Account.bind")(function* (
  url: string,
  key: Redacted.Redacted
): Effect.fn.Return<void, StateError | ServiceError, Database | Client> {
  const db = yield* Database
  const before = yield* db.read(() => bound(db))
  const other = otherService(db, url)
  if (other !== undefined) return yield* other
  const salt = before.account?.split(":")[0] ?? randomBytes(12).toString("base64url")
  const now = fingerprint(salt, key)
  if (before.account === now) return
  if (before.account !== null) yield* sameAccount(db)
  yield* db.transaction(() => db.prepare("UPDATE state SET service = ?, account = ?").run(url, now))
})

const sameAccount = (db: Db): Effect.Effect<void, StateError | ServiceError, Client> =>
  Effect.gen(function* () {
    const client = yield* Client
    const owner = yield* db.read(() => anyOwner(db))
    if (owner === undefined) return
    const read: Effect.Effect<unknown, ServiceError> = owner.startsWith("user-")
      ? client.users.get({ params: { user_id: owner as UserId }, query: {} })
      : client.organisations.get({ params: { organisation_id: owner as OrganisationId }, query: {} })
    yield* read.pipe(
      Effect.catch((error): Effect.Effect<never, StateError | ServiceError> => {
        if (error.reason._tag !== "NotFound") return Effect.fail(error)
        return Effect.fail(
          new StateError({
            kind: "other service",
            file: db.file,
            why: `the service key changed, and its account does not have ${owner}, which these books created; nothing was sent. Use the key of the original account, or name another state file with --state`
          })
        )
      })
    )
  })

/** The identifier of any owner that these books created. */
const anyOwner = (db: Db): string | undefined => {
  const ids = db.prepare("SELECT id FROM connection ORDER BY id").pluck().all() as ReadonlyArray<string>
  return ids.map((id) => Owners.find(db, Owners.key(id))).find((owner) => owner !== undefined)
}
