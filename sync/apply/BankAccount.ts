/**
 * Notices that the account for recovered money is another one. The configuration only names the variables that it is read from, and
 * a person confirms a handover to an account, not to a variable. What is kept of it is a salted scrypt, which changes with the
 * account and does not say what it is.
 */
import { randomBytes, scryptSync } from "node:crypto"
import { Redacted } from "effect"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import type { Secrets } from "./NamedSecrets.ts"

const BYTES = 16

/** The accounts of marks that this process made: a scrypt is slow on purpose, and a daemon asks in every run. */
const made = new Map<string, Redacted.Redacted>()

const markOf = (account: string, salt: string): string => {
  const mark = `${salt} ${scryptSync(account, salt, BYTES).toString("base64url")}`
  made.set(mark, Redacted.make(account))
  return mark
}

const isOf = (mark: string, account: string): boolean => {
  const known = made.get(mark)
  return known === undefined
    ? markOf(account, mark.slice(0, mark.indexOf(" "))) === mark
    : Redacted.value(known) === account
}

/** The account as it is set now; undefined: it is not set whole, and a call that needs it says so. */
const accountOf = ({ planning: { cover } }: PlannedConnection, secrets: Secrets): string | undefined => {
  const { bank } = cover?.handover ?? {}
  const parts = [bank?.sortcode, bank?.number].map((one) => (one === undefined ? undefined : secrets(one.env)))
  const known = parts.flatMap((one) => (one === undefined || Redacted.value(one) === "" ? [] : [Redacted.value(one)]))
  return known.length < parts.length ? undefined : JSON.stringify(known)
}

/** Before anything is planned. A confirmation that was given for another account is void from then on. Needs a transaction. */
export const renew = (db: Db, connection: PlannedConnection, secrets: Secrets): void => {
  const { id } = connection
  const gathered = db
    .prepare("SELECT subject FROM collection_gathered WHERE subject > ? AND subject < ?")
    .pluck()
    .all(`${id}/`, `${id}0`) as ReadonlyArray<string>
  const account = gathered.length === 0 ? undefined : accountOf(connection, secrets)
  if (account === undefined) return
  const before = db.prepare("SELECT mark FROM bank_account WHERE connection = ?").pluck().get(id)
  if (typeof before === "string" && isOf(before, account)) return
  db.prepare("INSERT INTO bank_account VALUES (?, ?) ON CONFLICT DO UPDATE SET mark = excluded.mark").run(
    id,
    markOf(account, randomBytes(BYTES).toString("base64url"))
  )
  for (const subject of gathered) ChangedDocuments.touch(db, subject)
}
