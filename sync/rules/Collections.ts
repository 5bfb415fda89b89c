/**
 * Plans the collection of an insured invoice that nobody paid (H2 to H10): creates it when its policy allows it, fills in what is
 * known, attaches its documents, and hands it over once a person has confirmed it.
 *
 * Pure and total. It looks at the invoice as the service will have it after the earlier calls of the plan. No rule makes the two
 * declarations: the call that sends them carries the person who made them, and is planned only while what they were shown is
 * what would be sent.
 */
import * as Day from "../../core/wire/Day.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Invoice } from "../../connectors/Document.ts"
import { collectionOf } from "../model/AdvanceCover.ts"
import type { Attention, InvoiceCall } from "../model/Call.ts"
import { type CollectionContext, type CollectionWord, type Gathered, SAID } from "../model/CollectionContext.ts"
import { collectionOn, type CoverCollection, type CoverDocument, type CoverPolicy } from "../model/Cover.ts"
import { type CoverSettings, REMIND_DAYS } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { openOn, type Fields, type Json, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import type { Rule } from "../model/Rule.ts"
import { bindingDigest, type CollectionRecord, lacking, recordOf } from "./CollectionFields.ts"
import { AFTER_THE_WINDOW, whyClosed } from "./CollectionWindow.ts"
import { earliest } from "./CoverParts.ts"

/** The input for one collection: an invoice that the service insures. */
export interface Collected {
  readonly facts: InvoiceFacts
  readonly invoice: Invoice
  /** The remote after the earlier calls of the plan. */
  readonly remote: RemoteInvoice
  readonly settings: CoverSettings
  readonly context: CollectionContext
}

export interface CollectionDecision {
  readonly calls: ReadonlyArray<InvoiceCall>
  readonly attention: ReadonlyArray<Attention>
  /** Why nothing is done. */
  readonly why?: string
  /** When to plan it again even if nothing changes, in milliseconds. */
  readonly wakeAt?: number
}

const nothing = (why: string): CollectionDecision => ({ calls: [], attention: [], why })

const about = ({ facts }: Collected, rule: Rule) =>
  ({ kind: "invoice", subject: facts.key, fact: facts.key, rule, destructive: false }) as const

const needs = ({ facts }: Collected, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})

const command = (key: string): string => `\`daybook collect ${/^[\w./#-]+$/.test(key) ? key : JSON.stringify(key)}\``

export const collect = (of: Collected): CollectionDecision => {
  const { facts, invoice, remote } = of
  const policy = remote.cover?.policy
  if (policy === undefined) return nothing("it is not insured")
  if (policy.status === "lapsed") return lapsed(of, policy)
  const closed = whyClosed(facts, invoice, remote)
  if (closed !== undefined) return nothing(closed)
  const { attention, wakeAt } = reminders(of)
  const next =
    of.context.unknown === true ? nothing("H6: whether it was handed over is not known yet") : handover(of, policy)
  // No reminder for what this very plan hands over.
  const isSent = next.calls.some(({ operation }) => operation === "collections.send")
  const at = earliest(wakeAt, next.wakeAt)
  return {
    ...next,
    attention: [...(isSent ? [] : attention), ...next.attention],
    ...(at === undefined ? {} : { wakeAt: at })
  }
}

/** H9: the window closed and nothing was handed over, so the invoice is no longer insured. */
const lapsed = (of: Collected, { since }: CoverPolicy): CollectionDecision => {
  const { invoice, remote } = of
  if (remote.status === "paid" || openOn(remote) <= 0n) return nothing("its policy has lapsed, and it is paid")
  const insured = remote.cover?.quote?.price?.insured ?? remote.cover?.quote?.insured
  const amount = insured === undefined ? "" : ` of ${insured} ${invoice.currency}`
  const why = `the window to hand it over has closed: its cover${amount} lapsed${since === undefined ? "" : ` on ${since}`}, and it is no longer insured`
  return {
    calls: [],
    attention: [needs(of, "H9", why, AFTER_THE_WINDOW)],
    why: "H9: its cover has lapsed"
  }
}

/** H2: the day on which the window closes, announced once at each of the days of `remind`. */
const reminders = (of: Collected): Pick<CollectionDecision, "attention" | "wakeAt"> => {
  const { context, facts, settings } = of
  const { now, windowEnds: ends } = context
  if (ends === undefined) return { attention: [] }
  const today = Day.fromEpochMillis(now)
  const left = Day.between(today, ends)
  const days = (settings.handover?.remind ?? REMIND_DAYS).toSorted((a, b) => a - b)
  const stage = days.find((one) => left <= one)
  const next = days.findLast((one) => one < left)
  const at = next === undefined ? Day.addDays(ends, 1) : Day.addDays(ends, -next)
  const wakeAt = Day.toEpochMillis(at) > now ? Day.toEpochMillis(at) : undefined
  const words =
    left < 0
      ? `the window to hand it over closed on ${ends}, by our count; the service still takes it`
      : stage === undefined
        ? undefined
        : `the window to hand it over closes on ${ends}: at most ${stage === 1 ? "one day is" : `${stage} days are`} left`
  return {
    attention:
      words === undefined ? [] : [needs(of, "H2", words, `look at what would be handed over: ${command(facts.key)}`)],
    ...(wakeAt === undefined ? {} : { wakeAt })
  }
}

/** H3 to H6. */
const handover = (of: Collected, policy: CoverPolicy): CollectionDecision => {
  const { context, facts, invoice, remote, settings } = of
  const { gathered, word } = context
  if (settings.handover === undefined) {
    const todo = "write cover.handover in the configuration, or hand it over in the service's own portal"
    return { calls: [], attention: [needs(of, "H5", "the configuration does not say how it is handed over", todo)] }
  }
  if (gathered === undefined) return nothing("H4: its documents are gathered first")
  const collection = collectionOn(remote.cover)
  if (collection?.isDoubted === true) return nothing("H4: what the service has of its collection is read first")
  const record = recordOf(facts, invoice, remote, settings, gathered)
  const prepared = [...begin(of, policy, collection), ...documents(of, policy, collection, gathered)]
  const missing = lacking(collection, record.fields, settings, gathered)
  // What the service fills in at the creation was shown to nobody.
  const isGiven =
    collection !== undefined &&
    word !== undefined &&
    word.isOutdated !== true &&
    word.digest === bindingDigest(record, word.fields) &&
    missing.length === 0
  if (isGiven) {
    const otherwise = context.contradictions()
    return otherwise.length > 0
      ? contradicted(of, prepared, otherwise, word)
      : { calls: [...prepared, ...confirmed(of, collection, record, word)], attention: [] }
  }
  const update = completion(of, collection, record.fields)
  return { calls: [...prepared, ...update], attention: [waits(of, missing, word, gathered)] }
}

/** H8: while anything says otherwise, what was confirmed waits. It is looked at again in the next run. */
const contradicted = (
  of: Collected,
  calls: ReadonlyArray<InvoiceCall>,
  otherwise: ReadonlyArray<string>,
  { who }: CollectionWord
): CollectionDecision => {
  const why = `${who} confirmed it, and it is not handed over while something says otherwise: ${otherwise.join("; ")}`
  return {
    calls,
    attention: [needs(of, "H8", why, "put that right first; then it is handed over")],
    wakeAt: of.context.now
  }
}

/** H5: asks a person for what is left to do. */
const waits = (
  of: Collected,
  missing: ReadonlyArray<string>,
  word: CollectionWord | undefined,
  { documents }: Gathered
): Attention => {
  const look = command(of.facts.key)
  if (missing.length > 0) return needs(of, "H5", `not complete: ${missing.join("; ")}`, `then look at it: ${look}`)
  if (word?.isOutdated === true) {
    const why = `${word.who} confirmed it on ${Instant.fromEpochMillis(word.at).slice(0, 10)}, before the state file was restored; whether that still stands is not known`
    return needs(of, "H5", why, `look at it again, and confirm it again: ${look}`)
  }
  if (word !== undefined) {
    const why = `what would be handed over is not what ${word.who} was shown on ${Instant.fromEpochMillis(word.at).slice(0, 10)}: the confirmation is void`
    return needs(of, "H5", why, `look at it again, and confirm it: ${look}`)
  }
  const files = documents.map(({ name }) => name).join(", ")
  return needs(of, "H5", `ready to be handed over, with ${files}`, `look at it, and confirm it: ${look}`)
}

/** H3: creates the collection. */
const begin = (
  of: Collected,
  policy: CoverPolicy,
  collection: CoverCollection | undefined
): ReadonlyArray<InvoiceCall> =>
  collection !== undefined
    ? []
    : [
        {
          ...about(of, "H3"),
          operation: "collections.create",
          params: {},
          body: { policy: policy.id },
          reason: `its policy ${policy.number ?? policy.id} can be handed over`
        }
      ]

const isSame = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ from what the service has of the collection, whoever wrote it. */
const differing = (collection: CoverCollection | undefined, wanted: Fields): Fields => {
  const { fields = {}, prefilled = {} } = collection ?? {}
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(fields[name] ?? prefilled[name], value))
  )
}

const idOf = ({ facts }: Collected, collection: CoverCollection | undefined): string =>
  collection?.id ?? collectionOf(facts.key)

/** H3: fills in what is known. If a person had confirmed it before this change, the confirmation is withdrawn. */
const completion = (
  of: Collected,
  collection: CoverCollection | undefined,
  wanted: Fields
): ReadonlyArray<InvoiceCall> => {
  const changes = differing(collection, wanted)
  const withdraws = collection?.fields["confirm_correct"] === true
  if (Object.keys(changes).length === 0 && !withdraws) return []
  const body = { ...changes, ...(withdraws ? { confirm_correct: false, collections_terms_acceptance: false } : {}) }
  return [
    {
      ...about(of, "H3"),
      operation: "collections.update",
      params: { collection_id: idOf(of, collection) },
      body,
      reason: withdraws
        ? "the documents changed since they were confirmed"
        : `what is known: ${Object.keys(changes).join(", ")}`
    }
  ]
}

const isOf = (a: CoverDocument, b: CoverDocument): boolean => a.type === b.type && a.digest === b.digest

/**
 * H4: attaches each file once. A changed file is attached before the one that it replaces is removed. What is there twice, because
 * an upload came late, is removed once.
 */
const documents = (
  of: Collected,
  policy: CoverPolicy,
  collection: CoverCollection | undefined,
  { documents: wanted }: Gathered
): ReadonlyArray<InvoiceCall> => {
  const held = collection?.documents ?? []
  const added = wanted.filter((one) => !held.some((other) => isOf(one, other)))
  const gone = held.flatMap((one, n) => {
    const why = !wanted.some((other) => isOf(one, other))
      ? "was replaced"
      : held.findIndex((other) => isOf(one, other)) < n
        ? "is attached twice"
        : undefined
    return why === undefined ? [] : [{ ...one, why }]
  })
  return [
    ...added.map(
      (document): InvoiceCall => ({
        ...about(of, "H4"),
        operation: "collectionDocuments.create",
        params: {},
        // The document is found by this digest if the answer is lost.
        body: { policy: policy.id, type: document.type, description: `${document.name} sha256 ${document.digest}` },
        document,
        reason: `${document.name} is attached`
      })
    ),
    ...gone.map(
      ({ id, name, why }): InvoiceCall => ({
        ...about(of, "H4"),
        operation: "collectionDocuments.remove",
        params: { document_id: id },
        reason: `${name} ${why}`
      })
    )
  ]
}

/** What an earlier confirmation filled in, and this one does not: it is emptied. */
const unsaid = (collection: CoverCollection | undefined): Fields =>
  Object.fromEntries(SAID.filter((name) => name in (collection?.fields ?? {})).map((name) => [name, ""]))

/**
 * H5, H6: sends what a person declared, then hands it over. The declaration carries every field that the person was shown,
 * also those that the service filled in or others wrote: what is handed over is what was shown, whoever changes it meanwhile.
 * It is made again in the run that hands over, because the account for the recovered money is stored nowhere: only the answer
 * to the declaration says which one the service holds.
 */
const confirmed = (
  of: Collected,
  collection: CoverCollection | undefined,
  record: CollectionRecord,
  { at, digest, fields, id, who }: CollectionWord
): ReadonlyArray<InvoiceCall> => {
  const declaration = { decision: id, who, at, shown: digest }
  const day = Instant.fromEpochMillis(at).slice(0, 10)
  const params = { collection_id: idOf(of, collection) }
  const body = {
    ...unsaid(collection),
    ...record.prefilled,
    ...record.fields,
    ...fields,
    confirm_correct: true,
    collections_terms_acceptance: true
  }
  const update: InvoiceCall = {
    ...about(of, "H5"),
    operation: "collections.update",
    params,
    body,
    declaration,
    reason: `${who} confirmed on ${day} that it is correct, and accepted the terms of collection`
  }
  const send: InvoiceCall = {
    ...about(of, "H6"),
    operation: "collections.send",
    params,
    declaration,
    reason: `${who} confirmed it on ${day}`
  }
  return [update, send]
}
