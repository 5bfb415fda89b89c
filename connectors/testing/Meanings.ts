/**
 * Defines the kit's checks of what records mean: an unknown status, a missing currency, an amount of nothing, a figure that is
 * worked out. Each edits all records of a list at once, so that no golden document has to say what is right.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Document from "../Document.ts"
import { type Check, last, well } from "./Checks.ts"
import {
  affected,
  amounts,
  currencies,
  enumerations,
  inStyle,
  leaf,
  made,
  members,
  more,
  NAMING,
  overLists,
  written,
  zero
} from "./Edits.ts"
import { textOf } from "./Simulator.ts"
import { LATER } from "./Staging.ts"
import { listsOf, run, type Run, type State, type Subject, Wrong } from "./Subject.ts"

const UNKNOWN = "daybook-knows-no-such-word"
const NO_CODE = "987654"

const OTHERS = ["void", "voided", "cancelled", "draft", "deleted", "failed", "paid"]

const nameless: Check = async (subject, stage) => {
  const { answers } = await made(subject)
  const known = JSON.stringify([answers, listsOf(stage), subject.settings], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
  for (const [list, { records }] of Object.entries(listsOf(stage)))
    for (const path of [...members(records).keys()].filter((one) => NAMING.test(leaf(one)))) {
      const { state } = await made(subject, { list, path, to: () => null })
      for (const [name, text] of state) {
        if (!/^(invoice|payment)\//.test(name)) continue
        const said = [...text.matchAll(/"(?:name|number)":"([^"]*)"/g)].map(([, word = ""]) => word)
        const odd = said.find((all) => all === "" || all.split(" ").some((word) => !known.includes(word)))
        if (odd !== undefined)
          throw new Wrong(
            `without ${path} in ${list}, ${name} has ${odd === "" ? "an empty name or number" : `the name or number "${odd}", which no record has`}: quarantine it`
          )
      }
    }
  return undefined
}

type Enumeration = ReturnType<typeof enumerations>[number]

/** The documents whose meaning depends on a member: they are others with another of its values. */
const dependent = async (
  subject: Subject,
  base: State,
  { list, path, values }: Enumeration
): Promise<ReadonlySet<string>> => {
  const next = (value: unknown): string => values[(values.indexOf(textOf(value)) + 1) % values.length] ?? ""
  const turned = await made(subject, {
    list,
    path,
    to: (value) => (typeof value === "string" ? next(value) : written(value, next(value)))
  })
  const found = new Set(affected(base, turned.state))
  for (const word of values.some((one) => /[a-z]/i.test(one)) ? OTHERS : []) {
    if (found.size > 0) break
    const { refused, state } = await made(subject, { list, path, to: () => inStyle(word, values) })
    if (refused?.length === 0) for (const name of affected(base, state)) found.add(name)
  }
  return found
}

const unknown: Check = async (subject, stage) => {
  const base = await made(subject)
  for (const one of enumerations(subject)) {
    const { isText, list, path } = one
    if (subject.unread?.[`${list}.${path}`] !== undefined) continue
    const word = isText ? UNKNOWN : NO_CODE
    const { answers, refused, state } = await made(subject, { list, path, to: (value) => written(value, word) })
    if (refused === undefined) continue
    const changed = new Set(affected(base.state, state))
    // A list may be asked for one type of records only.
    const isServed = stage.source === undefined || answers.some((answer) => answer.includes(word))
    const isKnown = isServed && (/stat(e|us)$/i.test(leaf(path)) || one.values.length > 1)
    const fresh = [...state.keys()].find((name) => !base.state.has(name))
    if (fresh !== undefined)
      throw new Wrong(
        `with ${path} "${word}" in all ${list}, ${fresh} is made of them: quarantine what is not known (fields.oneOf, fields.meaning)`
      )
    const silent = [...changed].filter((name) => state.has(name) || (isKnown && refused.length === 0))
    const depends = silent.length > 0 ? new Set(silent) : await dependent(subject, base.state, one)
    const taken = [...depends].find((name) => silent.includes(name) || state.has(name))
    if (taken !== undefined)
      throw new Wrong(
        `with ${path} "${word}" in all ${list}, ${taken} ${state.has(taken) ? "is read all the same" : "is left out in silence"}: quarantine what is not known (fields.oneOf, fields.meaning)`
      )
  }
  return nameless(subject, stage)
}

const settingsOf = ({ settings }: Subject): string => JSON.stringify(settings)

/** The currencies that documents take from a member. */
const followed: Check = async (subject) => {
  const paths = currencies(subject)
  const base = await made(subject)
  const unfollowed = new Map<string, string>()
  const followedLists = new Set<string>()
  for (const { list, other, path } of paths) {
    const turned = await made(subject, {
      list,
      path,
      to: (value) => (textOf(value) === textOf(value).toLowerCase() ? other.toLowerCase() : other)
    })
    const isFollowed = turned.refused?.length !== 0 || affected(base.state, turned.state).length > 0
    if (isFollowed || subject.unread?.[`${list}.${path}`] !== undefined) followedLists.add(list)
    else unfollowed.set(list, path)
    const missing = await made(subject, { list, path, to: () => null })
    for (const [name, text] of missing.state) {
      const { currency } = Document.decode(text)
      const depends = turned.state.get(name)?.includes(`"currency":"${other}"`) === true
      if (depends && currency !== undefined && !settingsOf(subject).includes(currency))
        throw new Wrong(
          `without ${path} in ${list}, ${name} is in ${currency}, which is neither in the record nor in the settings: quarantine it`
        )
    }
  }
  for (const [list, path] of unfollowed)
    if (!followedLists.has(list))
      throw new Wrong(
        `no document is in the currency that its record names (${path} in ${list}): read it from there, or say why not in the sample (unread)`
      )
  return undefined
}

const isNothing = (text: string): boolean => {
  const one = Document.decode(text)
  if (one.kind === "invoice") return (one.gross ?? one.net) === 0n
  if (!("shares" in one)) return false
  return Decimal.sum(one.shares.map(({ amount }) => amount)) + (("unallocated" in one && one.unallocated) || 0n) === 0n
}

/** A figure that is not 0 in one text of a document, and 0 in the other. */
const zeroed = (before: string, after: string): string | undefined => {
  const figures = (text: string) => [...text.matchAll(/"(\w+)":"(-?\d+)n"/g)]
  const [all, now] = [figures(before), figures(after)]
  if (all.length !== now.length) return undefined
  return all.find(([, name, amount], n) => amount !== "0" && now[n]?.[1] === name && now[n]?.[2] === "0")?.[1]
}

const nothing: Check = async (subject) => {
  const base = await made(subject)
  for (const { list, path } of amounts(subject)) {
    const missing = await made(subject, { list, path, to: () => null })
    const none = await made(subject, { list, path, to: zero })
    for (const [name, text] of base.state) {
      if (isNothing(text)) continue
      const [without, with0] = [missing.state.get(name), none.state.get(name)]
      const isOrder = "order" in Document.decode(text) || name.startsWith("order/")
      const lacks = isOrder || subject.lacks?.includes(`${list}.${path}`) === true
      if (without === undefined && missing.refused !== undefined && missing.said <= base.said && !lacks)
        throw new Wrong(
          `without ${path} in ${list}, ${name} is left out in silence: quarantine it, or name it in the sample: lacks: ["${list}.${path}"]`
        )
      const figure = without === undefined || lacks ? undefined : zeroed(text, without)
      if (figure !== undefined)
        throw new Wrong(
          `without ${path} in ${list}, ${figure} of ${name} is 0: a missing amount is not 0, quarantine it`
        )
      if (without !== undefined && isNothing(without))
        throw new Wrong(`without ${path} in ${list}, ${name} is of 0: a missing amount is not 0, quarantine it`)
      if (with0 !== undefined && isNothing(with0) && !name.startsWith("invoice/"))
        throw new Wrong(
          `with ${path} 0 in ${list}, ${name} moves no money: leave it out, and name it among the deleted`
        )
    }
  }
  return undefined
}

/** The source's own figures of an invoice: its balance, of which what was paid may be the rest, or else what was paid and credited. */
const statedIn = ({ stated: { credited = 0n, open, paid = 0n } = {} }: Document.Invoice): ReadonlyArray<bigint> =>
  open === undefined ? [paid, credited] : [open]

/** A balance that the source keeps does not move when its record has another total; one that is worked out does. */
const stated: Check = async (subject) => {
  const base = await made(subject)
  const invoiceOf = (text: string | undefined) => {
    const one = text === undefined ? undefined : Document.decode(text)
    return one?.kind === "invoice" && one.stated !== undefined ? one : undefined
  }
  const all = [...base.state].flatMap(([name, text]) => {
    const one = invoiceOf(text)
    return one !== undefined && statedIn(one).some((figure) => figure !== 0n) ? [{ name, one }] : []
  })
  if (all.length === 0) return "no fixture states what is open or paid"
  // A hundredth more is still within what rounding may make of a sum (`Json.Decoded.sums`).
  for (const { list, path } of amounts(subject))
    for (const by of [Decimal.one, Decimal.of("0.01")]) {
      const to = (value: unknown) => written(value, more(textOf(value), by))
      const { state } = await made(subject, { list, path, to })
      for (const { name, one } of all) {
        const now = invoiceOf(state.get(name))
        if (now !== undefined && now.gross !== one.gross && String(statedIn(now)) !== String(statedIn(one)))
          throw new Wrong(
            `what ${name} states as open or paid follows from its other amounts (${path}): state only a balance that the source keeps, or leave it out`
          )
      }
    }
  return undefined
}

const taxes: Check = async (subject) => {
  const { state } = await made(subject)
  const invoices = [...state].flatMap(([name, text]) => {
    const one = Document.decode(text)
    return one.kind === "invoice" && one.net !== undefined && one.gross !== undefined && one.gross > 0n
      ? [{ name, net: one.net, gross: one.gross }]
      : []
  })
  if (invoices.length === 0) return "no fixture has both a net and a gross amount"
  const swapped = invoices.find(({ gross, net }) => net > gross)
  if (swapped !== undefined)
    throw new Wrong(
      `${swapped.name} has more net (${Decimal.format(swapped.net)}) than gross (${Decimal.format(swapped.gross)})`
    )
  if (invoices.every(({ gross, net }) => net === gross))
    throw new Wrong("no fixture has a tax, so nothing shows which amount is net and which is gross: give one")
  return undefined
}

/** No source is known to allow more. */
const MOST = { perMinute: 10_000, atOnce: 25, page: 10_000 }

const SIZE = /^(per_?page|(page_?)?(size|limit)|limit|take|top|\$top|count|max(_?results)?)$/i

const limits: Check = async (subject, stage) => {
  const { connector, documented } = subject
  const page = documented?.page
  for (const { query } of page === undefined ? [] : (await run(subject, stage)).asked)
    for (const [name, value] of query)
      if (SIZE.test(name) && page !== undefined && Number(value) > page)
        throw new Wrong(`it asks for ${name}=${value}, and the source documents ${page} a page`)
  const { limits: declared = {} } = connector.capabilities
  for (const name of ["perMinute", "perDay", "atOnce", "page"] as const) {
    const [is, most] = [declared[name], documented?.[name] ?? (name === "perDay" ? undefined : MOST[name])]
    if (is !== undefined && most !== undefined && is > most)
      throw new Wrong(
        `it declares ${name} ${is}, and ${documented?.[name] === undefined ? "no known source allows" : "the source documents"} ${most}`
      )
  }
  return documented === undefined && Object.keys(declared).length > 0
    ? "its sample does not say what the source documents (`documented: { perMinute: 60 }`); no limit is beyond every source"
    : undefined
}

const FILTER =
  /^(\$?filter|where|q|query|search|status(es)?|state|view|type|archived|is_?paid|paid|open|active)$|void|archiv|delet|draft|cancel|unpaid/i
const EVERYTHING = /^(all|any|\*|true)$/i

/** The conditions of a filter, and what stands between them. */
const JOINED = /( and |:\$and:)/i
/** A condition whatever number, time or name it asks for. */
const shape = (condition: string): string => condition.replaceAll(/\d[\w.:-]*|'[^']*'/g, "0")

/** The conditions that are asked for, by parameter. Those of times and ids leave out what is not asked for yet. */
const conditions = ({ asked }: Run): ReadonlyMap<string, readonly [name: string, shape: string, like: string]> => {
  const found = new Map<string, readonly [string, string, string]>()
  for (const { query } of asked)
    for (const [name, value] of query)
      for (const part of FILTER.test(name) && !EVERYTHING.test(value) ? value.split(JOINED) : [])
        if (!JOINED.test(part) && !/\d{4}-\d\d-\d\dT|\b(id|entryNumber|Entry_No)\b/.test(part))
          found.set(`${name} ${shape(part)}`, [name, shape(part), part])
  return found
}

/** The same filter without the conditions of a shape. */
const without = (filter: string, left: string): string => {
  const parts = filter.split(JOINED)
  const kept = parts.filter((part, n) => n % 2 === 0 && shape(part) !== left)
  return kept.join(parts[1] ?? "")
}

/** Whether the sample answers otherwise without a condition; one that cannot answer without it knows it. */
const isSimulated = async (
  subject: Subject,
  after: string | undefined,
  [name, left]: readonly [string, string, string]
) => {
  const fresh = subject.open()
  if (fresh.source === undefined) return true
  const { answer } = fresh.source
  let differs = false
  const source: NonNullable<typeof fresh.source> = {
    ...fresh.source,
    answer: (one, paging) => {
      const asked = one.query.get(name) ?? ""
      const rest = without(asked, left)
      if (rest !== asked) {
        const query = new URLSearchParams(one.query)
        if (rest === "") query.delete(name)
        else query.set(name, rest)
        try {
          differs ||= JSON.stringify(answer(one, paging)) !== JSON.stringify(answer({ ...one, query }, paging))
        } catch {
          differs = true
        }
      }
      return answer(one, paging)
    }
  }
  // What is asked for on top of a time shows in records that changed since.
  if (after !== undefined)
    for (const { records, stamp } of Object.values(fresh.source.lists))
      for (const record of records) stamp?.(record, LATER)
  await run(subject, { ...fresh, source }, after === undefined ? {} : { after })
  fresh.close?.()
  return differs
}

/** Parameters that leave records out must be simulated: the sample then shows what they leave out. */
const filters: Check = async (subject, stage) => {
  const first = well(await run(subject, stage))
  const after = last(subject, first)
  const next = await run(subject, stage, { after })
  for (const one of new Map([...conditions(first), ...conditions(next)]).values())
    if (!(await isSimulated(subject, undefined, one)) && !(await isSimulated(subject, after, one)))
      throw new Wrong(
        `it asks for ${one[0]}=${one[2]} only, and its sample answers the same without it: let the sample leave out what the source leaves out, with a record that shows it`
      )
  return undefined
}

export const MEANINGS = overLists({
  "quarantines what it does not know": unknown,
  "takes no default for a missing currency": followed,
  "makes nothing of missing amounts, and of 0": nothing,
  "states the source's own figures only": stated,
  "tells net from gross": taxes,
  "declares no limit beyond the source's": limits,
  "leaves nothing out by a filter that its sample lacks": filters
})
