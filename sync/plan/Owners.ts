/**
 * Plans the owner of a connection's transactions (II 2.5): an organisation or a user, created before the first transaction
 * and updated when the configuration changes. Organisations are found by `unique_id` and users by email, so every call here
 * can be repeated safely (DP 4, II 4).
 */
import { type OwnerCall, reference } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import type { Fields } from "../model/RemoteInvoice.ts"

/** What the service has of the owner: its configuration as sent, and the identifiers. */
interface Stored {
  readonly owner: string | null
  readonly remote_ids: string | null
}

export const key = (connection: string): string => `${connection}/owner`

const stored = (db: Db, connection: string): Stored | undefined =>
  db.prepare("SELECT owner, remote_ids FROM connection WHERE id = ?").get(connection) as Stored | undefined

/** The identifier on the service of an owner or member, by key. */
export const find = (db: Db, key: string): string | undefined => {
  const [connection = "", ...rest] = key.split("/")
  const ids = JSON.parse(stored(db, connection)?.remote_ids ?? "{}") as Readonly<Record<string, string>>
  return ids[rest.join("/")]
}

/** Stores an identifier; `complete` is set by the last call for this configuration of the owner. */
export const remember = (db: Db, call: OwnerCall, remote: string | undefined, complete: string | undefined): void => {
  const [connection = "", ...rest] = call.subject.split("/")
  if (remote !== undefined && call.operation !== "organisations.addUser") {
    const ids = JSON.parse(stored(db, connection)?.remote_ids ?? "{}") as Record<string, string>
    ids[rest.join("/")] = remote
    db.prepare("UPDATE connection SET remote_ids = ? WHERE id = ?").run(JSON.stringify(ids), connection)
  }
  if (complete !== undefined) db.prepare("UPDATE connection SET owner = ? WHERE id = ?").run(complete, connection)
}

/**
 * Whether a transaction of the service belongs to a connection's owner: another state file of the same account may use the
 * same invoice ids. If it cannot be known, returns true.
 *
 * @param owner as stated by the service: an identifier, the whole owner if it was requested, or nothing
 * @param id the owner's identifier, once known
 */
export const isOf = (owner: unknown, planning: Planning, id: string | undefined): boolean => {
  if (owner === null || owner === undefined) return true
  return typeof owner === "object" ? isExactly(owner, planning) : id === undefined || owner === id
}

/** Whether a complete owner, as stated by the service, is a connection's. */
export const isExactly = (owner: unknown, planning: Planning): boolean => {
  if (owner === null || typeof owner !== "object") return false
  const { email, unique_id } = owner as Readonly<Record<string, unknown>>
  return "user" in planning.owner
    ? email === planning.owner.user.email
    : unique_id === planning.owner.organisation.unique_id
}

/** A text that changes when the owner changes in the configuration. */
export const digest = ({ owner }: Planning): string => JSON.stringify(owner)

/** The calls that create or update the owner; none if it is already as the configuration says. */
export const plan = (db: Db, connection: string, planning: Planning): ReadonlyArray<OwnerCall> => {
  const { owner } = planning
  if (stored(db, connection)?.owner === digest(planning)) return []
  const about = (subject: string, reason: string) =>
    ({ kind: "owner", subject, fact: key(connection), rule: "owner", params: {}, destructive: false, reason }) as const
  if ("user" in owner) {
    const reason = `invoices of ${connection} belong to user ${owner.user.email}`
    return [{ ...about(key(connection), reason), operation: "users.create", body: owner.user as Fields }]
  }
  const { members = [], ...organisation } = owner.organisation
  const { unique_id } = organisation
  const reason = `invoices of ${connection} belong to organisation ${unique_id}`
  return [
    { ...about(key(connection), reason), operation: "organisations.create", body: organisation as Fields },
    ...members.flatMap(
      ({ role = "member", registered = organisation.registered, ...user }): ReadonlyArray<OwnerCall> => {
        const subject = `${connection}/member/${user.email}`
        return [
          {
            ...about(subject, `${user.name} is a member of ${unique_id}`),
            operation: "users.create",
            body: { ...user, registered }
          },
          {
            ...about(subject, `${user.name} is ${role} of ${unique_id}`),
            operation: "organisations.addUser",
            params: { organisation_id: reference(key(connection)) },
            body: { id: reference(subject), role }
          }
        ]
      }
    )
  ]
}
