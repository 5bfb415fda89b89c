/** Which connections a request of the page or of the HTTP interface is about. */
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Db } from "../state/Database.ts"
import type { Whose } from "./ConnectionLocks.ts"
import { question } from "./Movements.ts"
import { namedItems } from "./Together.ts"
import * as Undoable from "../state/Undoable.ts"

/** The connection in a key: `books/invoice/INV-1`. */
const ofKey = (key: string): string => (key.includes("/") ? key.slice(0, key.indexOf("/")) : "")

const ofItem = (db: Db, id: string): string =>
  /^\d{1,15}$/.test(id) ? ofKey(AttentionStore.find(db, Number(id))?.subject ?? "") : ""

/** An answer whether payments are the same money changes the invoices of each of them. */
const ofQuestion = (db: Db, id: string): ReadonlyArray<string> => {
  const item = /^\d{1,15}$/.test(id) ? AttentionStore.find(db, Number(id)) : undefined
  const asked = item === undefined ? undefined : question(db, item)
  return asked === undefined ? [] : [asked.payment, ...asked.like].map(ofKey)
}

const ofCustomer = (db: Db, id: string): string =>
  /^\d{1,15}$/.test(id)
    ? String(db.prepare("SELECT connection FROM customer WHERE id = ?").pluck().get(Number(id)) ?? "")
    : ""

/** Fields that name a connection or a document of it; `plan` and `offer` have its digest before it. */
const FIELDS: Readonly<Record<string, (value: string) => string>> = {
  connection: (id) => id,
  document: ofKey,
  payment: ofKey,
  same: ofKey,
  plan: (text) => text.slice(text.indexOf(" ") + 1),
  offer: (text) => ofKey(text.slice(text.indexOf(" ") + 1))
}

/** Rooms whose addresses name one of their things. */
const PLACES: Readonly<Record<string, (db: Db, name: string) => string>> = {
  connections: (_, id) => id,
  approvals: (_, id) => id,
  preview: (_, id) => id,
  cover: (_, key) => ofKey(key),
  collections: (_, key) => ofKey(key),
  attention: ofItem,
  customers: ofCustomer
}

/** The connections that a request names, each once; none: it names none, or what it names is not known. */
export const concerned = (
  db: Db,
  [room = "", which = ""]: ReadonlyArray<string>,
  posted: URLSearchParams
): ReadonlyArray<string> => {
  const items = which === "all" ? namedItems(posted).map((id) => ofItem(db, String(id))) : []
  const fields = [...posted].map(([name, value]) => FIELDS[name]?.(value) ?? "")
  const undone = Undoable.find(db, room === "decisions" ? which : (posted.get("undo") ?? ""))?.connections ?? []
  // To take a choice back changes its invoices.
  const chosen = posted.getAll("payment").flatMap((payment) => Undoable.invoicesOf(db, { payment, before: null }))
  const compared = room === "attention" ? ofQuestion(db, which) : []
  const found = [PLACES[room]?.(db, which) ?? "", ...items, ...fields, ...undone, ...chosen.map(ofKey), ...compared]
  return [...new Set(found.filter((id) => id !== ""))]
}

/** The same with the connections whose invoices they pay: decisions change what is sent of those. */
export const withPaid = (ids: ReadonlyArray<string>, connections: ReadonlyArray<Whose>): ReadonlyArray<string> => [
  ...new Set(
    ids.flatMap((id) => {
      const pays = connections.find((one) => one.id === id)?.pays?.connection
      return pays === undefined ? [id] : [id, pays]
    })
  )
]
