/**
 * Payments of one list that nothing tells apart: the same payer and amount, no invoice named, and the books' payment of one of them may
 * as well be the other's. Which one the books mean is decided by days alone. It makes no difference until one of them goes back: then a
 * person says for which invoice that one was, and until then the one that is in no books waits.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import { BY_PAYER_DAYS, isByPayer } from "../movements/Join.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { chosenByPerson, totalOf } from "./References.ts"

const FIELDS = `s.document, d.key, s.date, s.how, s.leader, l.date AS booked, m.how AS placed`

const OWN = `SELECT ${FIELDS} FROM sighting s JOIN document d ON d.id = s.document
    LEFT JOIN sighting l ON l.document = s.leader LEFT JOIN matching m ON m.document = s.document
  WHERE s.document = ? AND s.party <> ''`

const BESIDE = `SELECT ${FIELDS} FROM sighting a
    JOIN sighting s ON s.family = a.family AND s.currency = a.currency AND s.amount = a.amount AND s.party = a.party
      AND s.list = a.list AND s.document <> a.document AND s.date BETWEEN date(a.date, :before) AND date(a.date, :after)
    JOIN document d ON d.id = s.document
    LEFT JOIN sighting l ON l.document = s.leader LEFT JOIN matching m ON m.document = s.document
  WHERE a.document = :document AND a.party <> '' ORDER BY d.key`

/** Payments that may both be one of the books are not further apart. */
const APART = { before: `-${BY_PAYER_DAYS} days`, after: `+${BY_PAYER_DAYS} days` }

interface Row {
  readonly document: number
  readonly key: string
  readonly date: string
  readonly how: string | null
  /** The books' payment that it is joined with, and that one's day. */
  readonly leader: number | null
  readonly booked: string | null
  /** How it is matched. */
  readonly placed: string | null
}

/** Joined with the books by payer and amount alone. */
const isJoined = ({ how, leader }: Row): boolean => leader !== null && how === "payer"

const isNameless = (one: Row): boolean =>
  isJoined(one) || (one.leader === null && ["amount", "customer", ""].includes(one.placed ?? ""))

/** Whether the books' payment of one, if it has one, may be the other's. */
const mayBe = ({ booked }: Row, { date }: Row): boolean => booked === null || isByPayer(Day.of(booked), Day.of(date))

/** The payments that nothing tells from this one. */
const beside = (db: Db, document: number): { readonly own: Row; readonly others: ReadonlyArray<Row> } | undefined => {
  const own = db.prepare(OWN).get(document) as Row | undefined
  if (own === undefined || !isNameless(own)) return undefined
  const others = (db.prepare(BESIDE).all({ document, ...APART }) as ReadonlyArray<Row>).filter(
    (one) => isNameless(one) && (isJoined(own) || isJoined(one)) && mayBe(own, one) && mayBe(one, own)
  )
  return { own, others }
}

interface Returned {
  readonly key: string
  readonly amount: bigint
}

/** What went back of a payment. */
const wentBack = (db: Db, key: string): ReadonlyArray<Returned> =>
  (
    db
      .prepare(
        "SELECT d.key, d.body FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ? AND d.deleted = 0"
      )
      .all(key) as ReadonlyArray<{ readonly key: string; readonly body: string }>
  ).map(({ body, key }) => ({ key, amount: totalOf(Body.read(body) as Payment) }))

const amounts = (all: ReadonlyArray<Returned>): string =>
  all
    .map(({ amount }) => `${amount}`)
    .toSorted()
    .join(" ")

/** Payments that nothing tells from this one, if something went back of it or of them: what is decided about them may be another now. */
export const lookAlikesOf = (db: Db, document: number): ReadonlyArray<number> => {
  const { others = [], own } = beside(db, document) ?? {}
  return own !== undefined && [own, ...others].some(({ key }) => wentBack(db, key).length > 0)
    ? others.map((one) => one.document)
    : []
}

export interface LookAlike {
  readonly id: string
  /** Keys of the invoices that it is for. */
  readonly invoices: ReadonlyArray<string>
}

/**
 * Another payment of which something may have gone back as well as of this one, and not the same of both.
 *
 * @param invoices keys of what this one is for
 * @param invoicesOf what another one is for
 */
export const lookAlikeOf = (
  db: Db,
  document: number,
  invoices: ReadonlyArray<string>,
  invoicesOf: (document: number) => ReadonlyArray<string>
): LookAlike | undefined => {
  const found = beside(db, document)
  if (found === undefined) return undefined
  const own = amounts(wentBack(db, found.own.key))
  for (const one of found.others) {
    if (amounts(wentBack(db, one.key)) === own) continue
    const its = invoicesOf(one.leader ?? one.document)
    if (invoices.every((invoice) => !its.includes(invoice))) return { id: Document.parseKey(one.key).id, invoices: its }
  }
  return undefined
}

/** Whether nobody has said yet for which invoice something was that went back of this payment or of its twin. */
export const isUnsaid = (db: Db, key: string, { id }: LookAlike): boolean => {
  const { connection } = Document.parseKey(key)
  return [key, Document.key(connection, "payment", id)].some((one) =>
    wentBack(db, one).some((back) => chosenByPerson(db, back.key) === undefined)
  )
}
