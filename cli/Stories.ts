/**
 * The whole story of a document or a call, gathered from the books: for `daybook explain` and for the page.
 */
import { kindOf, SUBJECTS } from "../connectors/Document.ts"
import { type Call, resolve } from "../sync/Call.ts"
import type { Database } from "../sync/Database.ts"
import * as Story from "../sync/Story.ts"
import * as Subjects from "../sync/Subjects.ts"
import { identifier } from "./PlanRecords.ts"
import type { Story as Told } from "./ui/StoryView.ts"

type Db = Database["Service"]

/** The invoices that a document is about. */
export const invoicesOf = (db: Db, key: string): ReadonlyArray<string> => {
  if (SUBJECTS.some((kind) => kind === kindOf(key)) || key.endsWith("/owner")) return [key]
  return db
    .prepare("SELECT a.invoice FROM allocation a JOIN document d ON d.id = a.document WHERE d.key = ?")
    .pluck()
    .all(key) as ReadonlyArray<string>
}

/** With the identifiers that it was sent with, in place of the keys that stand for them until they exist. */
export const filled = (db: Db, call: Story.CallStory): Story.CallStory => {
  const find = identifier(db)
  return { ...call, params: resolve(call.params, find), body: resolve(call.body as Call["body"], find) }
}

const standing = (db: Db, key: string) => {
  switch (kindOf(key)) {
    case "order":
      return { subject: Subjects.loadOrder(db, key), told: Subjects.toldOrder(db, key) }
    case "buyer":
      return { subject: Subjects.loadBuyer(db, key), told: Subjects.toldBuyer(db, key) }
    default:
      return { subject: Subjects.load(db, key), told: Subjects.told(db, key) }
  }
}

export const tell = (db: Db, key: string): Told => ({
  key,
  versions: Story.versions(db, key),
  facts: Story.facts(db, key).flatMap((fact) => Story.versions(db, fact)),
  ...standing(db, key),
  reason: Story.standing(db, key)?.reason ?? null,
  calls: Story.calls(db, key).map((call) => filled(db, call)),
  attention: Story.attention(db, key)
})
