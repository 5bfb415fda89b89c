/**
 * Carries out a person's steps for the collection of an invoice: shows what would be handed over, adds files, and records the
 * confirmation with both declarations. Nothing is sent here: the next plan hands it over, provided that it is still what the
 * person was shown.
 */
import * as Day from "../../core/wire/Day.ts"
import { TYPES } from "../../core/insurance/DocumentTypes.ts"
import type { Invoice } from "../../connectors/Document.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { Connection } from "../model/Connection.ts"
import { type CollectionWord, type Gathered, SAID } from "../model/CollectionContext.ts"
import { collectionOn, type CoverPolicy } from "../model/Cover.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import { windowEnds } from "../model/CoverStanding.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { CollectionShown } from "../model/reports/Cover.ts"
import type { InMillis } from "../model/reports/Fields.ts"
import type { Fields, Json, RemoteInvoice } from "../model/RemoteInvoice.ts"
import { nameProblem } from "../model/PersonName.ts"
import { shownDigest } from "../model/ShownDigest.ts"
import { ABOUT, ABOUT_FILES, gatheredOf, withdrawnOf, wordOf } from "../plan/CollectionFacts.ts"
import * as Facts from "../plan/Facts.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import * as UnknownCalls from "../plan/UnknownCalls.ts"
import { bindingDigest, type CollectionRecord, collectionDigest, lacking, recordOf } from "../rules/CollectionFields.ts"
import { whyClosed } from "../rules/CollectionWindow.ts"
import type { Db } from "../state/Database.ts"
import * as FileStore from "./FileStore.ts"

export interface CollectionView
  extends Omit<CollectionShown, "unread" | "documents" | "fields" | "prefilled" | "word" | "withdrawn"> {
  readonly fields: Fields
  readonly prefilled: Fields
  readonly documents: ReadonlyArray<FileStore.StoredFile>
  readonly word?: Pick<CollectionWord, "who" | "at" | "fields"> & { readonly isVoid: boolean }
  readonly withdrawn?: InMillis<NonNullable<CollectionShown["withdrawn"]>, "at">
}

export interface Refused {
  readonly why: string
}

/** An invoice with a policy. */
interface Insured {
  readonly facts: InvoiceFacts
  readonly invoice: Invoice
  readonly remote: RemoteInvoice
  readonly policy: CoverPolicy
  readonly settings: CoverSettings
}

const insured = (db: Db, { planning }: Connection, subject: string): Insured | Refused => {
  const facts = Facts.invoiceFacts(db, subject)
  const remote = Facts.remoteInvoice(db, subject)
  const { invoice } = facts
  const policy = remote?.cover?.policy
  if (planning.cover === undefined) return { why: "its connection has no cover: write cover in the configuration" }
  if (invoice === undefined) return { why: "it is not in the books" }
  if (remote === undefined || policy === undefined) return { why: "it is not insured" }
  return { facts, invoice, remote, policy, settings: planning.cover }
}

/** Whether a confirmation is of what would be handed over now. */
const isStanding = (word: CollectionWord, record: CollectionRecord): boolean =>
  word.isOutdated !== true && word.digest === bindingDigest(record, word.fields)

const NOTHING: Gathered = { documents: [], problems: [], overdue: 0 }

export const look = (db: Db, connection: Connection, subject: string, now: number): CollectionView | Refused => {
  const found = insured(db, connection, subject)
  if ("why" in found) return found
  const { facts, invoice, policy, remote, settings } = found
  const gathered = gatheredOf(db, subject) ?? NOTHING
  const collection = collectionOn(remote.cover)
  const record = recordOf(facts, invoice, remote, settings, gathered)
  const withdrawn = withdrawnOf(db, subject)
  const word = wordOf(db, subject)
  const isVoid = word !== undefined && !isStanding(word, record)
  // Whoever decides after somebody else was shown what that person decided.
  const before = withdrawn ?? (isVoid ? undefined : word)
  const digest =
    before === undefined
      ? collectionDigest(record)
      : shownDigest(
          "sha256",
          JSON.stringify([collectionDigest(record), before.at, before.who, withdrawn === undefined])
        )
  const closed = whyClosed(facts, invoice, remote)
  const ends = closed === undefined ? windowEnds(policy, settings) : undefined
  const { id, number, since, status } = policy
  return {
    subject,
    number: invoice.number,
    buyer: invoice.party.name,
    currency: invoice.currency,
    issued: invoice.issued,
    due: invoice.due,
    ...(invoice.party.regnum === undefined ? {} : { regnum: invoice.party.regnum }),
    ...record.amounts,
    policy: { id, status, ...(number === undefined ? {} : { number }), ...(since === undefined ? {} : { since }) },
    ...(ends === undefined ? {} : { windowEnds: ends, daysLeft: Day.between(ServiceTime.today(db, now), ends) }),
    fields: record.fields,
    prefilled: record.prefilled,
    documents: FileStore.list(db, subject),
    others: record.others,
    ...(closed === undefined ? {} : { closed }),
    // Files are gathered only for what can be handed over.
    lacking: closed === undefined ? lacking(collection, record.fields, settings, gathered) : [],
    digest,
    ...(withdrawn === undefined ? {} : { withdrawn }),
    ...(word === undefined ? {} : { word: { who: word.who, at: word.at, fields: word.fields, isVoid } }),
    ...(collection?.sent === undefined ? {} : { sent: collection.sent }),
    ...(UnknownCalls.isHandover(db, subject) ? { unknown: true } : {})
  }
}

/** What only a person knows (II 2.10). */
export interface ConfirmationFields {
  readonly disputed: boolean
  readonly reasons?: string
  readonly comments?: string
  readonly actions_taken?: string
  readonly debtor_contact_name?: string
  readonly debtor_contact_email?: string
  readonly debtor_contact_phone?: string
  readonly debtor_website?: string
}

/** A person's confirmation. Both declarations must be made, each separately. */
export interface Confirmation extends ConfirmationFields {
  readonly who: string
  /** The digest of the view that they were shown. */
  readonly digest: string
  readonly confirm_correct: boolean
  readonly collections_terms_acceptance: boolean
}

const refused = (view: CollectionView, confirmation: Confirmation): string | undefined => {
  const { collections_terms_acceptance, confirm_correct, digest, disputed, reasons, who } = confirmation
  if (view.closed !== undefined || view.unknown === true) return view.closed ?? UNKNOWN
  const unnamed = nameProblem(who, "give the name of the person who confirms it")
  if (unnamed !== undefined) return unnamed
  if (view.lacking.length > 0) return `it is not complete: ${view.lacking.join("; ")}`
  if (digest !== view.digest && view.withdrawn !== undefined)
    return `${view.withdrawn.who} took the confirmation back, or it changed since it was shown: look at it again`
  if (digest !== view.digest && view.word?.isVoid === false)
    return `${view.word.who} confirmed it already, or it changed since it was shown: look at it again`
  if (digest !== view.digest) return "it changed since it was shown: look at it again"
  if (confirm_correct !== true) return "it is only handed over when a person confirms that it is correct"
  if (collections_terms_acceptance !== true)
    return "it is only handed over when a person accepts the terms of collection"
  if (typeof disputed !== "boolean") return "say whether the buyer disputes it"
  if (disputed && (reasons ?? "").trim() === "") return "say why the buyer disputes it (reasons)"
  return undefined
}

const saidIn = (given: ConfirmationFields): Fields =>
  Object.fromEntries(SAID.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name] as Json]])))

/** The confirmation that stands, if it is this one: a form that was posted twice is one. */
const sameWord = (
  db: Db,
  { facts, invoice, remote, settings }: Insured,
  { collections_terms_acceptance, confirm_correct, digest, who, ...saying }: Confirmation
): CollectionWord | undefined => {
  const word = wordOf(db, facts.key)
  const record = recordOf(facts, invoice, remote, settings, gatheredOf(db, facts.key) ?? NOTHING)
  return word !== undefined &&
    word.who === who &&
    isStanding(word, record) &&
    digest === collectionDigest(record) &&
    confirm_correct &&
    collections_terms_acceptance &&
    JSON.stringify(word.fields) === JSON.stringify(saidIn(saying))
    ? word
    : undefined
}

/** Stores a person's confirmation, with what they were shown. The next plan hands it over. */
export const confirm = (
  db: Db,
  connection: Connection,
  subject: string,
  confirmation: Confirmation,
  now: number
): { readonly id: number } | Refused => {
  const view = look(db, connection, subject, now)
  if ("why" in view) return view
  const found = insured(db, connection, subject)
  if ("why" in found) return found
  const again = sameWord(db, found, confirmation)
  if (again !== undefined) return again
  const why = refused(view, confirmation)
  if (why !== undefined) return { why }
  const said = saidIn(confirmation)
  if (collectionOn(found.remote.cover) === undefined)
    return { why: "the service has no collection of it yet: run daybook sync, which creates it" }
  const record = recordOf(found.facts, found.invoice, found.remote, found.settings, gatheredOf(db, subject) ?? NOTHING)
  const declared = { confirm_correct: true, collections_terms_acceptance: true }
  const shown = { ...record, said, declared }
  return { id: decide(db, subject, "confirmed", confirmation.who, bindingDigest(record, said), shown, now) }
}

/** Why a confirmation can be neither given nor taken back: it may have been carried out. */
const UNKNOWN = "whether it was handed over is not known yet: the next sync finds out"

/** Withdraws a confirmation that was not carried out yet. Returns why it cannot, if so. */
export const withdraw = (
  db: Db,
  connection: Connection,
  subject: string,
  who: string,
  now: number
): Refused | undefined => {
  const view = look(db, connection, subject, now)
  if ("why" in view) return view
  const unsaid = view.word === undefined ? "nobody has confirmed it" : undefined
  const why =
    (view.unknown === true ? UNKNOWN : undefined) ?? view.closed ?? unsaid ?? nameProblem(who, "say who takes it back")
  if (why !== undefined) return { why }
  decide(db, subject, "withdrawn", who, view.digest, {}, now)
  return undefined
}

const keep = (
  db: Db,
  subject: string,
  about: string,
  { decision, digest, shown, who }: { decision: string; digest: string; shown: object; who: string },
  now: number
): number =>
  Number(
    db
      .prepare(
        "INSERT INTO cover_decision (subject, about, decision, who, decided, digest, shown) VALUES (?, ?, ?, ?, ?, ?, ?)"
      )
      .run(subject, about, decision, who, now, digest, JSON.stringify(shown)).lastInsertRowid
  )

const decide = (
  db: Db,
  subject: string,
  decision: "confirmed" | "withdrawn",
  who: string,
  digest: string,
  shown: object,
  now: number
): number => {
  const id = keep(db, subject, ABOUT, { decision, who, digest, shown }, now)
  ChangedDocuments.touch(db, subject)
  return id
}

/** A file that a person adds. */
export interface Attachment {
  readonly name: string
  /** II 2.11 */
  readonly type: string
  readonly bytes: Uint8Array
  readonly who: string
}

/** How many files people can add to one invoice. */
const MOST_FILES = 20

/** Adds a person's file, or replaces the person's file of the same name. Returns why it cannot, if so. */
export const attach = (
  db: Db,
  connection: Connection,
  subject: string,
  { bytes, name, type, who }: Attachment,
  now: number
): Refused | undefined => {
  const view = look(db, connection, subject, now)
  if ("why" in view) return view
  const known = type === "proof_order" ? "prood_order" : type
  const slot = `person:${name}`
  if (view.closed !== undefined) return { why: view.closed }
  const unnamed = nameProblem(who, "say who adds the file")
  if (unnamed !== undefined) return { why: unnamed }
  if (!TYPES.includes(known as (typeof TYPES)[number]))
    return {
      why: `${JSON.stringify(type)} is not a type of document; use one of ${TYPES.join(", ").replace("prood", "proof")}`
    }
  if (view.documents.length >= MOST_FILES && !view.documents.some((one) => one.slot === slot))
    return { why: `there are ${MOST_FILES} files already: remove one` }
  const why = FileStore.keep(db, subject, { slot, type: known, name, bytes, origin: who }, now)
  if (why !== undefined) return { why }
  keep(db, subject, ABOUT_FILES, { decision: "added", who, digest: FileStore.digestOf(bytes), shown: { name } }, now)
  return undefined
}

/** Removes a file that a person added. Returns why it cannot, if so. */
export const detach = (
  db: Db,
  connection: Connection,
  subject: string,
  name: string,
  who: string,
  now: number
): Refused | undefined => {
  const view = look(db, connection, subject, now)
  if ("why" in view) return view
  const why = view.closed ?? nameProblem(who, "say who removes the file")
  if (why !== undefined) return { why }
  const slot = `person:${name}`
  const { digest } = view.documents.find((one) => one.slot === slot) ?? {}
  if (digest !== undefined && FileStore.remove(db, subject, slot))
    return void keep(db, subject, ABOUT_FILES, { decision: "removed", who, digest, shown: { name } }, now)
  const there = view.documents.filter(({ slot }) => slot.startsWith("person:")).map(({ slot }) => slot.slice(7))
  return {
    why: `no file ${JSON.stringify(name)} was added${there.length === 0 ? "" : `; there are ${there.join(", ")}`}`
  }
}
