/**
 * Binds a state file to one service and one account there, so that sandbox and live never mix.
 *
 * The address must stay what it was. Of the account the file remembers a fingerprint of the key. A key that changed
 * may be a new one of the same account: then the account must still show an owner that was created before.
 */
import { createHmac, randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { Client } from "../../core/Client.ts"
import type { OrganisationId, UserId } from "../../core/wire/Ids.ts"
import type { Reason, ServiceError } from "../../core/ServiceError.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, StateError } from "../state/Database.ts"
import * as Guards from "../plan/Guards.ts"
import * as Owners from "../plan/Owners.ts"

type Db = Database["Service"]

interface Bound {
  readonly service: string | null
  /** `salt:fingerprint` */
  readonly account: string | null
}

const bound = (db: Db): Bound => db.prepare("SELECT service, account FROM state").get() as Bound

/** Why these books do not belong to that service, or undefined. Reads only. */
export const otherService = (db: Db, url: string): StateError | undefined => {
  const { service } = bound(db)
  if (service === null || service === url) return undefined
  return new StateError({
    kind: "other service",
    file: db.file,
    why: `it belongs to ${service}, and the configuration names ${url}; nothing was sent. Name another file with --state, or correct service.url`
  })
}

const fingerprint = (salt: string, key: Redacted.Redacted): string =>
  `${salt}:${createHmac("sha256", salt).update(Redacted.value(key)).digest("base64url")}`

/**
 * Binds the file at its first use; refuses another service or account later. At its first use it looks whether the
 * service knows these books already: then another state file was lost, and nothing is sent from this one (`Guards.ts`).
 *
 * @param connections whose invoices it asks for, one of each
 * @returns why the service cannot be asked: the file is not bound yet, and nothing may be sent
 */
export const bind = Effect.fn("Account.bind")(function* (
  url: string,
  key: Redacted.Redacted,
  connections: ReadonlyArray<Pick<Connection, "id" | "planning">> = []
): Effect.fn.Return<Reason | undefined, StateError | ServiceError, Database | Client> {
  const db = yield* Database
  const before = yield* db.read(() => bound(db))
  const other = otherService(db, url)
  if (other !== undefined) return yield* other
  const salt = before.account?.split(":")[0] ?? randomBytes(12).toString("base64url")
  const now = fingerprint(salt, key)
  if (before.account === now) return undefined
  if (before.account !== null) yield* sameAccount(db)
  const asked = before.account === null ? yield* Effect.result(stranger(db, connections)) : undefined
  if (asked?._tag === "Failure") {
    if (asked.failure._tag === "ServiceError") return asked.failure.reason
    return yield* asked.failure
  }
  const known = asked?.success
  yield* db.transaction(() => {
    db.prepare("UPDATE state SET service = ?, account = ?").run(url, now)
    if (known !== undefined) Guards.doubt(db.raw, `the service has ${known} already, of which it has never heard`)
  })
  return undefined
})

/** An invoice of these books that is on the service, though this file has told it nothing yet. */
const stranger = (
  db: Db,
  connections: ReadonlyArray<Pick<Connection, "id" | "planning">>
): Effect.Effect<string | undefined, StateError | ServiceError, Database | Client> =>
  Effect.gen(function* () {
    const { transactions } = yield* Client
    const first = "SELECT key FROM document WHERE key > ? AND key < ? ORDER BY key LIMIT 1"
    for (const { id, planning } of connections) {
      const [from, to] = [`${id}/invoice/`, `${id}/invoice0`]
      const unique_id = yield* db.read(() => db.prepare(first).pluck().get(from, to) as string | undefined)
      // Before anything was read, any of the first page will do.
      const query = { expand: "owner", ...(unique_id === undefined ? {} : { unique_id }) }
      const { results } = yield* transactions.list({ query })
      const there = results.flatMap(({ owner, unique_id: key }) =>
        key?.startsWith(from) === true && Owners.isOf(owner, planning, undefined) ? [key] : []
      )
      const known = db.prepare("SELECT 1 FROM ledger WHERE subject = ? AND remote IS NOT NULL")
      const [unknown] = yield* db.read(() => there.filter((key) => known.get(key) === undefined))
      if (unknown !== undefined) return unknown
    }
    return undefined
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
            why: `the service's key changed, and its account does not show ${owner}, which these books created; nothing was sent. Use the account's own key, or name another file with --state`
          })
        )
      })
    )
  })

/** The identifier of an owner that these books created. */
const anyOwner = (db: Db): string | undefined => {
  const ids = db.prepare("SELECT id FROM connection ORDER BY id").pluck().all() as ReadonlyArray<string>
  return ids.map((id) => Owners.find(db, Owners.key(id))).find((owner) => owner !== undefined)
}
