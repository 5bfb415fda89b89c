/**
 * Defines the kit's checks of what follows when records move: another state, another sign, another currency, one more record, a
 * later change. What must come out follows from another reading, so that no golden document has to say it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Document from "../Document.ts"
import { type Check, last, same, well } from "./Checks.ts"
import {
  affected,
  amounts,
  change,
  currencies,
  enumerations,
  inStyle,
  leaf,
  made,
  members,
  more,
  overLists,
  written
} from "./Edits.ts"
import { figures, moving, OF_ORDERS, plus } from "./Figures.ts"
import { textOf } from "./Simulator.ts"
import { LATER } from "./Staging.ts"
import { fold, listsOf, run, type Run, type Stage, type State, type Subject, Wrong } from "./Subject.ts"

const ALL = { size: 100 }

const isSilent = ({ error, pages }: Run): boolean =>
  error === undefined && pages.every(({ quarantined }) => quarantined.length === 0)

/** What is read on after all records of a list changed, and what is read from the beginning then. */
const moved = async (subject: Subject, list: string, edit: (record: object) => void) => {
  const stage = subject.open()
  const { records = [], stamp } = listsOf(stage)[list] ?? {}
  if (stamp === undefined) return undefined
  const first = well(await run(subject, stage, { bend: ALL }))
  for (const record of records) {
    edit(record)
    stamp(record, LATER)
  }
  const next = await run(subject, stage, { after: last(subject, first), bend: ALL })
  const whole = await run(subject, stage, { bend: ALL })
  stage.close?.()
  if (!isSilent(next) || !isSilent(whole)) return undefined
  const before = fold(first.pages)
  return { before, next: fold(next.pages, before), whole: fold(whole.pages) }
}

/** Words of what a record becomes whose money or debt is gone. */
const GONE = ["void", "voided", "cancelled", "canceled", "deleted", "failed", "reversed", "declined"]

/** Records that are gone later must read as if they had been so from the beginning. */
const takenBack: Check = async (subject) => {
  for (const { list, path, values } of enumerations(subject).filter((one) => /(state|status)$/i.test(leaf(one.path))))
    for (const word of values.some((one) => /[a-z]/i.test(one)) ? GONE : []) {
      const value = inStyle(word, values)
      const now = await moved(subject, list, (record) => change(record, path.split("."), () => value))
      const when = `${path} of all ${list} became "${value}" (name in deleted what is gone)`
      if (now !== undefined) same(now.next, now.whole, when)
    }
  return undefined
}

const TOTAL =
  /^(betrag|brutto|montant|importe|importo|bedrag|belopp|amount|total|gross|total_?amount|amount_?total|grand_?total)$/i

/** The amounts of a record as a whole, and of what it pays. */
const deciding = (subject: Subject) => {
  const stage = subject.open()
  const lists = Object.entries(listsOf(stage))
  stage.close?.()
  return amounts(subject).filter(({ list, path }) => {
    const part = path.slice(0, path.lastIndexOf(".") + 1)
    const all = [...members(lists.find(([name]) => name === list)?.[1].records ?? []).keys()]
    const isShare =
      part.endsWith("*.") && all.some((one) => one.startsWith(part) && /invoice/i.test(one.slice(part.length)))
    return TOTAL.test(path) || (isShare && /amount/i.test(leaf(path)))
  })
}

const signed: Check = async (subject) => {
  const base = await made(subject)
  for (const { list, path } of await moving(subject, base.state)) {
    if (subject.unread?.[`${list}.${path}`] !== undefined) continue
    const larger = await made(subject, { list, path, to: (value) => plus(value, Decimal.one) })
    const turned = await made(subject, {
      list,
      path,
      to: (value) => written(value, textOf(value).startsWith("-") ? textOf(value).slice(1) : `-${textOf(value)}`)
    })
    if (turned.refused?.length !== 0) continue
    const isSilent = turned.said === base.said && [...turned.state.keys()].every((name) => base.state.has(name))
    // Many sources write credit notes as invoices below 0, which are none.
    const gone = [...base.state.keys()].find(
      (name) => !OF_ORDERS.test(name) && !turned.state.has(name) && (!name.startsWith("invoice/") || TOTAL.test(path))
    )
    if (isSilent && gone !== undefined)
      throw new Wrong(
        `with the other sign of ${path} in ${list}, ${gone} is left out in silence: say what an amount below 0 is, or quarantine it`
      )
    const lost = [...base.state].find(
      ([name, text]) =>
        !OF_ORDERS.test(name) &&
        figures(text).some((one) => one !== 0n) &&
        larger.state.get(name) !== text &&
        turned.state.get(name) === text
    )?.[0]
    if (lost !== undefined)
      throw new Wrong(
        `with the other sign of ${path} in ${list}, ${lost} is the same: an amount below 0 means something else`
      )
  }
  return undefined
}

/** The dinar has thousandths: an amount that was rounded or counted in hundredths loses them. */
const minor: Check = async (subject) => {
  const turns = currencies(subject).map(({ list, path }) => ({
    list,
    path,
    to: (value: unknown) => (textOf(value) === textOf(value).toLowerCase() ? "kwd" : "KWD")
  }))
  const before = await made(subject, ...turns)
  if (turns.length === 0 || before.refused?.length !== 0) return "its records name no currency, or not any"
  for (const { list, path, values } of await moving(subject, (await made(subject)).state)) {
    if (!values.some((one) => textOf(one).includes("."))) continue
    const with1 = (by: string) => made(subject, ...turns, { list, path, to: (value) => plus(value, Decimal.of(by)) })
    const [one, thousandth] = [await with1("1"), await with1("0.001")]
    const lost = affected(before.state, one.state).find(
      (name) =>
        !OF_ORDERS.test(name) &&
        one.state.has(name) &&
        thousandth.refused?.length === 0 &&
        thousandth.state.get(name) === before.state.get(name)
    )
    if (lost !== undefined)
      throw new Wrong(`0.001 KWD more of ${path} in ${list} is lost in ${lost}: not every currency has hundredths`)
  }
  return undefined
}

/** A further record is a further document: its id is its own, and no other record's. */
const further: Check = async (subject, stage) => {
  const base = await made(subject)
  for (const [list, { id, shows, stamp }] of Object.entries(listsOf(stage))) {
    const fresh = subject.open()
    const records = listsOf(fresh)[list]?.records ?? []
    const like = records.findLast((one) => subject.nothing?.includes(textOf(one[id])) !== true)
    if ((stage.source !== undefined && stamp === undefined) || shows !== undefined || like?.[id] === undefined) continue
    const own = textOf(like[id])
    if (
      ![...base.state.keys()].some((name) => name.includes(own)) &&
      base.refused?.length === 0 &&
      subject.nothing?.includes(own)
    )
      continue
    records.splice(-1, 0, {
      ...like,
      [id]: written(like[id], /^\d+$/.test(own) ? `${Number(own) + 7_000_000}` : `${own}7`)
    })
    const { error, pages } = await run(subject, fresh, { bend: ALL })
    fresh.close?.()
    const isSaid = pages.some(({ quarantined }) => quarantined.length > 0)
    if (error === undefined && !isSaid && fold(pages).size <= base.state.size)
      throw new Wrong(
        `another record of ${list}, like ${own} but with an id of its own, made no document of its own: name documents by the id of their record`
      )
  }
  return undefined
}

/** The days of a document, in the words of many sources. */
const DAY =
  /^((invoice|issued?|payment|document|due|paid|happened|received|booked|posted)_?)?(date|datum|day|on|at)$|^(due|issued|f(ae|ä)llig)$/i
/** A day of the calendar is the document's, unless it says when it was entered or changed, or which time it is about. */
const OTHER_DAY = /creat|upd|mod|chang|edit|enter|erfasst|sent|remind|deliver|period|start|end|from|valid|birth/i
const CALENDAR = /^(\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4})$/
const isOwnDay = (path: string, values: ReadonlyArray<unknown>): boolean =>
  DAY.test(path) || (!OTHER_DAY.test(path) && values.every((one) => CALENDAR.test(textOf(one))))
const IS_DAY = /^(\d{4}-\d\d-\d\d.*|\d\d\.\d\d\.\d{4}|\d{10})$/
/** Another day than any in a sample, as this one is written. */
const anotherDay = (value: unknown): unknown => {
  const text = textOf(value)
  if (/^\d{10}$/.test(text)) return written(value, `${Date.parse("2026-02-02T00:00:00Z") / 1000}`)
  return /^\d\d\./.test(text) ? "02.02.2026" : `2026-02-02${text.slice(10)}`
}

/** What else must be read of the records that become documents of a kind. */
const READ: Readonly<Record<string, RegExp>> = {
  invoice:
    /^((invoice|document|doc)_?)?(number|no|nr)$|^balance$|amount_?due$|^outstanding|^(customer|client|buyer|debtor|contact)[._]?(.*[._])?(name|id|number|no|nr)$|^kunde(nnr)?$/i,
  payment:
    /^((payment|remittance|transaction)_?)?(reference|memo|note|narrative|description|text)$|^(verwendungszweck|betreff|libell?e|omschrijving|mededeling|causale|concepto)$/i,
  reversal: /^(charge|payment|transaction|original|parent)_?id$/i
}

/** The paths of a list that decide about documents of a kind which its records become. */
const telling = (stage: Stage, state: State) =>
  Object.entries(listsOf(stage)).flatMap(([list, { id, records }]) =>
    Object.entries(READ).flatMap(([kind, names]) =>
      records.some((one) => state.has(`${kind}/${textOf(one[id])}`))
        ? [...members(records).keys()].filter((path) => names.test(path)).map((path) => ({ list, path, id }))
        : []
    )
  )

/** Members of reversals that name a payment of the sample, whatever they are called. */
const links = (stage: Stage, state: State) =>
  Object.entries(listsOf(stage)).flatMap(([list, { id, records }]) => {
    const isPayment = (value: unknown) => state.has(`payment/${textOf(value)}`)
    const its = members(records.filter((one) => state.has(`reversal/${textOf(one[id])}`)))
    return [...its].flatMap(([path, values]) =>
      path !== id && values.length > 0 && values.every(isPayment) ? [{ list, path, id }] : []
    )
  })

/** What decides about a document must be read: its total, its days, and of which invoice how much is paid. */
const decided: Check = async (subject, stage) => {
  const base = await made(subject)
  const isRead = async (list: string, path: string, to: (value: unknown) => unknown): Promise<boolean> => {
    if (subject.unread?.[`${list}.${path}`] !== undefined) return true
    const { said, state } = await made(subject, { list, path, to })
    return said !== base.said || [...base.state].some(([name, text]) => state.get(name) !== text)
  }
  const check = async (list: string, path: string, to: (value: unknown) => unknown): Promise<void> => {
    if (await isRead(list, path, to)) return
    // A record may say the same twice: one of both is enough.
    const all = members(listsOf(stage)[list]?.records ?? [])
    const said = JSON.stringify(all.get(path)?.map(textOf))
    for (const [other, values] of all)
      if (other !== path && JSON.stringify(values.map(textOf)) === said && (await isRead(list, other, to))) return
    throw new Wrong(
      `${path} of ${list} could be another one, and no document would show it: read it, or say why not in the sample (unread)`
    )
  }
  for (const { list, path } of enumerations(subject))
    if (/^(state|status)$/i.test(path)) await check(list, path, (value) => written(value, "daybook-knows-no-such-word"))
  for (const { list, path } of deciding(subject))
    await check(list, path, (value) => written(value, more(textOf(value), Decimal.one)))
  for (const [list, { records }] of Object.entries(listsOf(stage)))
    for (const [path, values] of members(records))
      if (isOwnDay(path, values) && values.every((one) => IS_DAY.test(textOf(one)))) await check(list, path, anotherDay)
  for (const { id, list, path } of [...telling(stage, base.state), ...links(stage, base.state)])
    if (path !== id)
      await check(list, path, (value) =>
        typeof value === "string" ? `${value}7` : written(value, more(textOf(value), Decimal.one))
      )
  return undefined
}

/** Where the sample has the invoices too, what is paid must be one of them. */
const linked: Check = async (subject) => {
  const { state } = await made(subject)
  const documents = [...state].map(([name, text]) => [name, Document.decode(text)] as const)
  const invoices = documents.flatMap(([, one]) => (one.kind === "invoice" ? [one] : []))
  const { linksByNumber } = subject.connector.capabilities
  for (const [name, one] of documents)
    for (const { invoice } of "shares" in one ? one.shares : []) {
      const numbered = invoices.find(({ id, number }) => number === invoice && id !== invoice)
      if (linksByNumber !== true && numbered !== undefined && !state.has(`invoice/${invoice}`))
        throw new Wrong(`${name} names invoice ${invoice} by its number; its id is ${numbered.id}`)
      const isThere = [...state.keys()].some(
        (other) => !/^(payment|payout)\//.test(other) && other.endsWith(`/${invoice}`)
      )
      if (invoices.length > 0 && linksByNumber !== true && !isThere)
        throw new Wrong(
          `${name} is for invoice ${invoice}, which no fixture is: name it by its id, or add it to the sample`
        )
    }
  return undefined
}

export const MOVES = overLists({
  "takes back what a record no longer is": takenBack,
  "minds the sign of an amount": signed,
  "keeps the minor units of each currency": minor,
  "reads what decides": decided,
  "makes a document of each record": further,
  "pays invoices by their ids": linked
})
