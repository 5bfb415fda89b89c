/**
 * Defines the kit's checks of what no business has: money that counts before it came or after it was taken back, refunds that
 * are payments, a due day before the invoice's, hundredths of a currency that has none.
 */
import { Clock, Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Document from "../Document.ts"
import { type Check, well } from "./Checks.ts"
import {
  amounts,
  currencies,
  enumerations,
  inStyle,
  leaf,
  made,
  members,
  more,
  overLists,
  written,
  zero
} from "./Edits.ts"
import { movedBy } from "./Figures.ts"
import { textOf } from "./Simulator.ts"
import { LATER } from "./Staging.ts"
import { fold, listsOf, run, type State, type Subject, Wrong } from "./Subject.ts"

/** Words of what is not issued yet, and of money that has not come. */
const EARLY = {
  invoice: ["draft", "scheduled", "proforma", "template", "pending_approval"],
  payment: ["pending", "scheduled", "declined", "failed", "voided", "cancelled", "deleted"],
  credit_note: ["draft", "voided", "cancelled", "deleted"],
  reversal: ["declined", "failed"]
}
const NOT_YET = /draft|entwurf|brouillon|schedul|pro.?forma|template|declin|^failed|unapproved|approval/i
const NOT_COME = /^pending$|processing|in.?progress/i
const GONE = /void|cancel|annul|storn|delet|reject/i

/** Whether a document counts, which nothing takes back that was not there before. */
const counts = (name: string, state: State, before: State): boolean => {
  const text = state.get(name)
  if (text === undefined || /"status":"(draft|void)"/.test(text)) return false
  const id = name.slice(name.indexOf("/") + 1)
  const back = [...state].filter(([other]) => !before.has(other)).map(([, one]) => one)
  return !state.has(`payment/${id}/returned`) && !back.some((one) => one.includes(`"payment":${JSON.stringify(id)}`))
}

const early: Check = async (subject, stage) => {
  const base = await made(subject)
  for (const { list, path, values } of enumerations(subject)) {
    if (!values.some((one) => /[a-z]/i.test(one))) continue
    const { id, records = [] } = listsOf(stage)[list] ?? {}
    const unsure = await made(subject, { list, path, to: () => "daybook-knows-no-such-word" })
    for (const kind of ["invoice", "payment", "credit_note", "reversal"] as const) {
      // Those that the member decides about: an unknown value quarantines them.
      const its = records.map((one) => `${kind}/${textOf(one[id ?? "id"])}`)
      const names = its.filter((name) => base.state.has(name) && !unsure.state.has(name))
      const given = values.filter(
        (one) => NOT_YET.test(one) || GONE.test(one) || (kind === "payment" && NOT_COME.test(one))
      )
      const words = /stat/i.test(leaf(path)) ? [...EARLY[kind].map((word) => inStyle(word, values)), ...given] : given
      for (const word of names.length === 0 ? [] : new Set(words)) {
        const { state } = await made(subject, { list, path, to: () => word })
        const taken = names.find((name) => counts(name, state, base.state))
        if (taken !== undefined)
          throw new Wrong(
            `with ${path} "${word}" in ${list}, ${taken} counts: what is not issued, has not come, or is gone, is a draft, void or nothing`
          )
      }
    }
  }
  return undefined
}

const BALANCE = /balance|due|open|offen|saldo|solde|restant|outstanding|unpaid|residual|remain/i

/** What is open may be 0 after a write-off too: only the source's own word says that an invoice is paid. */
const settled: Check = async (subject) => {
  const base = await made(subject)
  for (const { list, path } of amounts(subject)) {
    if (!BALANCE.test(path) || subject.unread?.[`${list}.${path}`] !== undefined) continue
    const { state } = await made(subject, { list, path, to: zero })
    const paid = [...state].find(
      ([name, text]) => text.includes('"status":"paid"') && base.state.get(name)?.includes('"status":"open"')
    )
    if (paid !== undefined)
      throw new Wrong(
        `with ${path} 0 in ${list}, ${paid[0]} is paid: nothing may be open after a write-off too; leave it open, unless its source calls it paid`
      )
  }
  return undefined
}

/** What lists of such a name have. */
const KINDS: ReadonlyArray<readonly [name: RegExp, kinds: ReadonlyArray<string>, what: string]> = [
  [/^(sales_?)?invoices$/i, ["invoice"], "invoices"],
  [/^payments$/i, ["payment"], "money that came"],
  [/^refunds$/i, ["reversal", "return", "cancellation"], "money that went back"],
  [/^credit_?(note|memo)s$/i, ["credit_note", "invoice"], "less that is owed"]
]
const BACK = /refund|charge_?back|pay_?back|erstattung|r(ü|ue)ck|rembours|terugbetal|rimbors|reembols/i

/** The words of a kind for money that went back; where there are any, a chargeback is none of the seller's refunds. */
const wordsOf = (values: ReadonlyArray<string>, isUnread: boolean): ReadonlyArray<string> => {
  const back = isUnread ? [] : values.filter((one) => BACK.test(one))
  return back.length === 0 || values.length === 1 ? back : [...new Set([...back, inStyle("chargeback", values)])]
}

const kinds: Check = async (subject, stage) => {
  const base = await made(subject)
  for (const [list, { id, records }] of Object.entries(listsOf(stage))) {
    const [, expected, what] = KINDS.find(([name]) => name.test(list)) ?? []
    const names = records.flatMap((one) =>
      [...base.state.keys()].filter((name) => name.endsWith(`/${textOf(one[id])}`))
    )
    if (
      expected !== undefined &&
      names.length > 0 &&
      !names.some((name) => expected.some((kind) => name.startsWith(`${kind}/`)))
    )
      throw new Wrong(`${list} are ${what}, and ${names[0]} is made of one: report what it is`)
  }
  for (const { list, path, values } of enumerations(subject).filter((one) => !/stat/i.test(leaf(one.path))))
    for (const word of wordsOf(values, subject.unread?.[`${list}.${path}`] !== undefined)) {
      const { id, records = [] } = listsOf(stage)[list] ?? {}
      const { refused, said, state } = await made(subject, { list, path, to: () => word })
      const its = records.map((one) => textOf(one[id ?? "id"]))
      const isThere = (one: string) => [...state.keys()].some((name) => name.endsWith(`/${one}`))
      const isCharged = /charge|lastschrift/i.test(word)
      const had = its.find((one) => isCharged && base.state.has(`payment/${one}`) && !isThere(one))
      if (had !== undefined && refused?.length === 0 && said === base.said)
        throw new Wrong(`with ${path} "${word}" in ${list}, ${had} is left out in silence: money went back`)
      const paid = its.find((one) => state.has(`payment/${one}`))
      if (paid !== undefined)
        throw new Wrong(`with ${path} "${word}" in ${list}, payment/${paid} is money that came, and it went back`)
      const mild = its.find((one) => isCharged && state.get(`reversal/${one}`)?.includes('"type":"refund"'))
      if (mild !== undefined)
        throw new Wrong(`with ${path} "${word}" in ${list}, reversal/${mild} is a refund, which the seller decides on`)
      const left = records.find((one) => subject.nothing?.includes(textOf(one[id ?? "id"])) && one[path] === word)
      if (left !== undefined && !records.some((one) => base.state.has(`reversal/${textOf(one[id ?? "id"])}`)))
        throw new Wrong(`${textOf(left[id ?? "id"])} of ${list} is a ${word}, and none is read: money went back`)
    }
  return undefined
}

const invoicesOf = (state: State): ReadonlyArray<Document.Invoice> =>
  [...state.values()].flatMap((text) => {
    const one = Document.decode(text)
    return one.kind === "invoice" ? [one] : []
  })

const today = (): string => Day.fromEpochMillis(Effect.runSync(Clock.currentTimeMillis))

const days: Check = async (subject, stage) => {
  const base = await made(subject)
  const invoices = invoicesOf(base.state)
  const early = invoices.find(({ due, issued }) => due < issued)
  if (early !== undefined && !invoices.some(({ due, issued }) => due > issued))
    throw new Wrong(
      `invoice/${early.id} is due on ${early.due}, before its day (${early.issued}), and no other is later`
    )
  for (const [list, { records }] of Object.entries(listsOf(stage)))
    for (const [path] of members(records)) {
      if (!/date|day|due|at$|on$/i.test(leaf(path))) continue
      const { state } = await made(subject, { list, path, to: () => null })
      for (const day of [today(), "1970-01-01"]) {
        const now = [...state].find(([name, text]) => text.includes(day) && !base.state.get(name)?.includes(day))?.[0]
        const said = day === today() ? "the day on which it is read" : day
        if (now !== undefined)
          throw new Wrong(`without ${path} in ${list}, ${now} is of ${said}: a missing day is not that, quarantine it`)
      }
    }
  const fresh = subject.open()
  // A record that is asked for by the time at which it was made has that day.
  for (const { records, stamp } of Object.values(listsOf(fresh)))
    for (const one of records) {
      const was = { ...one }
      stamp?.(one, LATER)
      if (!Object.keys(one).some((key) => one[key] !== was[key] && /upd|mod|chang|edit/i.test(key)))
        Object.assign(one, was)
    }
  const later = fold(well(await run(subject, fresh, { bend: { size: 100 } })).pages)
  fresh.close?.()
  for (const [name, text] of base.state)
    for (const day of ["issued", "date", "paidOn", "due"]) {
      const [is, was] = [later.get(name), text].map((one) => new RegExp(`"${day}":"([^"]+)"`).exec(one ?? "")?.[1])
      if (/^(invoice|payment)\//.test(name) && is !== undefined && is !== was)
        throw new Wrong(`${name} is of the day on which its record was last changed: read its own day (${day})`)
    }
  return undefined
}

/** Whether an amount of so many is written as a whole number of hundredths. */
const isScaled = (values: ReadonlyArray<unknown>): boolean => values.every((one) => /^-?\d+$/.test(textOf(one)))

const units: Check = async (subject) => {
  const { state } = await made(subject)
  const all = amounts(subject)
  const isWhole = all.every(({ values }) => isScaled(values))
  for (const { list, path } of isWhole ? all : []) {
    const plus = await made(subject, { list, path, to: (value) => written(value, more(textOf(value), Decimal.one)) })
    const unit = [...movedBy(state, plus.state)].find(
      ([name, by]) => by === Decimal.one && hasHundredths(state.get(name))
    )
    if (unit !== undefined)
      throw new Wrong(
        `${path} of ${list} is read as units of ${unit[0]}'s currency, and no fixture has an amount with decimals, so that nothing shows whether its source writes units or hundredths: give one`
      )
  }
  const gross = new Map(invoicesOf(state).map((one) => [one.id, one.gross ?? one.net ?? 0n]))
  for (const [name, text] of state) {
    const one = Document.decode(text)
    for (const { amount, invoice } of one.kind === "payment" ? one.shares : [])
      if (amount > 50n * (gross.get(invoice) ?? amount))
        throw new Wrong(
          `${name} pays ${Decimal.format(amount)} of invoice ${invoice}, which is of ${Decimal.format(gross.get(invoice) ?? 0n)}`
        )
  }
  return hundredths(subject)
}

/** Whole numbers are hundredths of most currencies, units of some, and thousandths of others. */
const hundredths = async (subject: Subject): Promise<string | undefined> => {
  const turned = (code: string) =>
    currencies(subject).map(({ list, path }) => ({
      list,
      path,
      to: (value: unknown) => (textOf(value) === textOf(value).toLowerCase() ? code.toLowerCase() : code)
    }))
  const [euros, yen, dinars] = [turned("EUR"), turned("JPY"), turned("KWD")] as const
  for (const { list, path, values } of amounts(subject)) {
    if (!isScaled(values)) continue
    const plus = async (turns: typeof euros) => {
      const before = await made(subject, ...turns)
      const to = (value: unknown) => written(value, more(textOf(value), Decimal.of("100000")))
      const after = await made(subject, ...turns, { list, path, to })
      return before.refused?.length === 0 && after.refused?.length === 0
        ? movedBy(before.state, after.state)
        : undefined
    }
    const [inEuros, ...others] = await Promise.all([plus(euros), plus(yen), plus(dinars)])
    const scaled = [...(inEuros ?? [])].find(
      ([name, by]) => by !== 0n && by < Decimal.of("100000") && others.every((one) => one?.get(name) === by)
    )
    if (scaled !== undefined)
      throw new Wrong(
        `${path} of ${list} is in hundredths in ${scaled[0]}, whatever its currency: yen have none, and dinars have thousandths`
      )
  }
  return undefined
}

/** Whether a currency of this document has hundredths. */
const hasHundredths = (text = ""): boolean => {
  const { currency } = Document.decode(text)
  return currency !== undefined && Currency.decimals(currency) === 2
}

export const PLAUSIBLE = overLists({
  "counts nothing before its time": early,
  "calls nothing paid because nothing is open": settled,
  "reports each record as what it is": kinds,
  "reads the days of the record": days,
  "tells units from hundredths": units
})
