/**
 * Whose invoices a payer pays beside its own, as people said. A decision adds a customer to what is known of a payer and
 * replaces nothing: the payer's own name goes on counting, and each can be taken back.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"
import { type PayerName, payerName } from "../model/PayerName.ts"

export interface Alias extends PayerName {
  readonly connection: string
  /** The payer's id, such as its account, or else its name. */
  readonly payer: string
  /** Under which its payments wait to be matched by amount. */
  readonly name: string
  /** The customer's name as the books have it. */
  readonly customer: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface Aliases {
  /** By the customer's name. */
  readonly of: ReadonlyMap<string, ReadonlyArray<Alias>>
  /** By the name under which payments wait. */
  readonly by: ReadonlyMap<string, ReadonlyArray<Alias>>
}

const NONE: Aliases = { of: new Map(), by: new Map() }

/** They come from people, so there are few. */
export const aliasesIn = (db: Db): Aliases => {
  const all = db.prepare("SELECT * FROM payer").all() as ReadonlyArray<Alias>
  return all.length === 0
    ? NONE
    : { of: Map.groupBy(all, ({ party }) => party), by: Map.groupBy(all, ({ name }) => name) }
}

/** The key under which a payer is remembered. */
export const payerOf = ({ party }: Pick<Payment, "party">): string | undefined => {
  const named = party?.id ?? party?.name
  return named === undefined ? undefined : Document.storable(named)
}

/** Names contain only letters and digits, so a text with this prefix is an id. */
const ID = "@"

/** The name under which a payer's payments wait; of one without a name, its id. */
export const waitingName = ({ party }: Pick<Payment, "party">): string => {
  const name = payerName(party?.name).party
  return name === "" && party?.id !== undefined ? `${ID}${Document.storable(party.id)}` : name
}

/** Customers whose invoices the payer of this payment pays, as people said. */
export const aliasesOf = (
  { by }: Aliases,
  connection: string,
  payment: Pick<Payment, "party">
): ReadonlyArray<Alias> => {
  if (by.size === 0) return []
  const payer = payerOf(payment)
  return by.get(waitingName(payment))?.filter((one) => one.connection === connection && one.payer === payer) ?? []
}

/** Adds a customer to what is known of a payer. */
export const add = (
  db: Db,
  connection: string,
  payment: Pick<Payment, "party">,
  { customer, now }: { readonly customer: string; readonly now: number }
): boolean => {
  const payer = payerOf(payment)
  const { form, party } = payerName(customer)
  const own = payerName(payment.party?.name)
  if (payer === undefined || party === "" || (own.party === party && own.form === form)) return false
  db.prepare("INSERT INTO payer VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    connection,
    payer,
    party,
    form,
    waitingName(payment),
    customer,
    now
  )
  return true
}

/** Puts back what was removed. */
export const restore = (db: Db, { connection, customer, form, name, party, payer, since }: Alias): void =>
  void db
    .prepare("INSERT INTO payer VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
    .run(connection, payer, party, form, name, customer, since)

/** What is known of the payers of a connection. */
export const list = (db: Db, connection: string): ReadonlyArray<Alias> =>
  db
    .prepare("SELECT * FROM payer WHERE connection = ? ORDER BY payer, customer")
    .all(connection) as ReadonlyArray<Alias>

export const remove = (
  db: Db,
  { connection, form, party, payer }: Pick<Alias, "connection" | "payer" | "party" | "form">
): boolean =>
  db
    .prepare("DELETE FROM payer WHERE connection = ? AND payer = ? AND party = ? AND form = ?")
    .run(connection, payer, party, form).changes > 0
