/**
 * Reads all FECs of a folder together: lettering of one year settles what another year asked for. A file that another one
 * contains in full (an earlier export of the same year) is left out.
 */
import * as Currency from "../../../core/money/Currency.ts"
import type { Decimal } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { ConnectorContext, Notice, QuarantinedRecord, Read, StatedTotal } from "../../Connector.ts"
import type { ListedFile } from "../../Listed.ts"
import { told } from "../../Refused.ts"
import { misconfigured } from "../Failures.ts"
import type { Part } from "../Part.ts"
import type { Settings } from "../Settings.ts"
import { CURRENCY, Documents } from "./Documents.ts"
import { type Exercise, readExercise } from "./Exercise.ts"
import { grouped, type Opening, type Year } from "./Groups.ts"
import type { Item } from "./Item.ts"
import { Store } from "./Store.ts"
import { CUSTOMERS, MONEY } from "./Roles.ts"

/** Documents of a page. */
const PAGE = 2000

/** Days between two files of following years, at most: the last may end before its year does. */
const NEXT_DAYS = 31

const isWithin = (one: Exercise, other: Exercise): boolean => one.first >= other.first && one.last <= other.last

/** An earlier export has nearly all of its lines in the later one; some are corrected until the year is closed. */
const SAME = 0.8

const checkSame = (one: Exercise, all: ReadonlyArray<Exercise>, store: Store): void => {
  const [whole] = all.filter((other) => other !== one && isWithin(one, other))
  if (whole === undefined) return
  if (store.same(one.index, whole.index) < SAME * one.count)
    throw misconfigured(
      `${one.file.name} and ${whole.file.name} have other entries of the same days`,
      "keep one file for each year, or make a connection for each in source.path"
    )
}

/** Those that no other one contains, by day. */
const chosen = (all: ReadonlyArray<Exercise>, store: Store): ReadonlyArray<Exercise> => {
  const kept = all.filter(
    (one, n) => !all.some((other, m) => one !== other && isWithin(one, other) && (!isWithin(other, one) || m > n))
  )
  for (const one of all) if (!kept.includes(one)) checkSame(one, kept, store)
  const sorted = kept.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  for (const [n, one] of sorted.entries()) {
    const next = sorted[n + 1]
    if (next !== undefined && next.first <= one.last)
      throw misconfigured(
        `${one.file.name} and ${next.file.name} both have entries from ${next.first} to ${one.last}`,
        "keep one file for each year: the newest export"
      )
  }
  return sorted
}

const follows = (before: Exercise | undefined, year: Exercise): before is Exercise => {
  if (before === undefined) return false
  const end =
    before.closes !== undefined && before.closes > before.last && before.closes < year.first
      ? before.closes
      : before.last
  return Day.between(end, year.first) <= NEXT_DAYS
}

const partName = ({ first, siren }: Exercise): string =>
  `FEC ${siren === "" ? "" : `${siren} `}from ${first.slice(0, 7)}`

const refusedOf = ({ file, refused }: Exercise): ReadonlyArray<QuarantinedRecord> =>
  refused.map(({ line, ...rest }) => ({ kind: "invoice", origin: `${file.name}:${line}`, ...rest }))

const tornOf = (torn: ReadonlyArray<Opening>, { file }: Exercise): ReadonlyArray<QuarantinedRecord> =>
  torn
    .filter(({ item }) => item.file === file.name)
    .map(({ amount, before, item }) => ({
      kind: "invoice",
      origin: `${file.name}:${item.line}`,
      raw: item.raw,
      why: told(
        `${item.name} (${item.customer}) begins the year with ${Currency.say(amount, CURRENCY)}, and ended the one before with ${Currency.say(before, CURRENCY)}: one of the two files is incomplete`,
        "export both again"
      )
    }))

const sumOf = (balances: ReadonlyMap<string, Decimal>): Decimal => {
  let sum = 0n
  for (const balance of balances.values()) sum += balance
  return sum
}

const noticesOf = ({ elsewhere, file, oddities }: Exercise): ReadonlyArray<Notice> =>
  [
    ...(elsewhere === 0
      ? []
      : [
          `${elsewhere} entries have revenue on the accounts of others than customers; left out (settings customers, money)`
        ]),
    ...oddities
  ].map((what) => ({ origin: file.name, what }))

/** The balance of customers' accounts that the last file closes with. */
const closing = (years: ReadonlyArray<Exercise>, settings: Settings, read: Decimal): StatedTotal | undefined => {
  const last = years.at(-1)
  if (last === undefined || settings.only !== undefined) return undefined
  const before = years.at(-2)
  const carried = !last.isOpened && follows(before, last) ? sumOf(before.balances) : 0n
  const accounts = [...last.accounts].toSorted()
  return {
    list: last.file.name,
    what: "closing balance",
    column: accounts.length === 0 ? "411" : accounts.join(", "),
    currency: CURRENCY,
    amount: sumOf(last.balances) + carried,
    read,
    at: last.file.name
  }
}

const sellersOf = (all: ReadonlyArray<Exercise>): void => {
  const sirens = [...new Set(all.map(({ siren }) => siren).filter((siren) => siren !== ""))]
  if (sirens.length > 1)
    throw misconfigured(
      `the folder has the FECs of several companies (SIREN ${sirens.join(", ")})`,
      "make a connection for each, and name its files in source.path"
    )
}

export interface FecFiles {
  readonly exercises: ReadonlyArray<Exercise>
  /** Earlier exports of the same time. */
  readonly contained: ReadonlyArray<Exercise>
  readonly store: Store
}

export const readFiles = async (files: ReadonlyArray<ListedFile>, settings: Settings): Promise<FecFiles> => {
  const accounts = { customers: settings.customers ?? CUSTOMERS, money: settings.money ?? MONEY }
  const store = new Store()
  const all: Array<Exercise> = []
  for (const file of files) {
    const one = await readExercise(file, accounts, store)
    if (one !== undefined) all.push(one)
  }
  sellersOf(all)
  const exercises = chosen(
    all.filter(({ lines }) => lines > 0),
    store
  )
  return { exercises, contained: all.filter((one) => !exercises.includes(one)), store }
}

/** The lines of some customers, by file; and what they are together. */
const prepared = (exercises: ReadonlyArray<Exercise>, items: ReadonlyArray<Item>, settings: Settings) => {
  const byFile = Map.groupBy(items, ({ file }) => file)
  const years = exercises.map(({ balances, file }) => ({ items: byFile.get(file.name) ?? [], balances }))
  const found = grouped(
    exercises.map((exercise, n) => {
      const [before, year] = [years[n - 1], years[n] as Year]
      return before !== undefined && follows(exercises[n - 1], exercise) ? { year, before } : { year }
    })
  )
  return { documents: new Documents(settings, found, items), torn: found.torn, byFile }
}

interface Made extends Pick<Part, "ends"> {
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
  /** How much the documents raise what customers owe. */
  open: Decimal
}

/** What the lines of one file become, customer by customer: those of all files belong together. */
function* pages({ exercises, store }: FecFiles, year: Exercise, settings: Settings, most: number): Generator<Made> {
  const empty = (): Made => ({ read: [], quarantined: [], notices: [], open: 0n, ends: false })
  let [page, left] = [empty(), most]
  for (const items of store.connected(new Set(exercises.map(({ index }) => index)))) {
    const { byFile, documents, torn } = prepared(exercises, items, settings)
    page.quarantined.push(...tornOf(torn, year))
    for (const item of byFile.get(year.file.name) ?? []) {
      const { notices, open, quarantined, read } = documents.make(item)
      if (read.length > left) return yield page
      left -= read.length
      page.read.push(...read)
      page.quarantined.push(...quarantined)
      page.notices.push(...notices)
      page.open += open
      if (page.read.length + page.quarantined.length < PAGE) continue
      yield page
      page = empty()
    }
  }
  yield { ...page, ends: true }
}

const nothingIn = (empty: ReadonlyArray<Exercise>): Part => ({
  name: "FEC",
  begins: true,
  ends: true,
  read: [],
  quarantined: [],
  notices: empty.map(({ file }) => ({ origin: file.name, what: "it has no entries: is the file complete?" }))
})

export function* partsOf(
  files: FecFiles,
  settings: Settings,
  { first }: Pick<ConnectorContext, "first">
): Generator<Part> {
  const { contained, exercises, store } = files
  try {
    let sum = 0n
    if (exercises.length === 0 && contained.length > 0) yield nothingIn(contained)
    for (const year of exercises) {
      const name = partName(year)
      let begins = true
      for (const { ends, notices, open, quarantined, read } of pages(files, year, settings, first ?? Infinity)) {
        sum += open
        const total =
          ends && year === exercises.at(-1) && first === undefined ? closing(exercises, settings, sum) : undefined
        const left = begins && year === exercises[0] ? contained : []
        yield {
          name,
          begins,
          ends,
          read,
          quarantined: [...(begins ? refusedOf(year) : []), ...quarantined],
          notices: [
            ...notices,
            ...(begins ? noticesOf(year) : []),
            ...left.map(({ file }) => ({
              origin: file.name,
              what: "an earlier export of the same year, or an empty file; left out"
            }))
          ],
          ...(total === undefined ? {} : { stated: [total] })
        }
        begins = false
      }
    }
  } finally {
    store.close()
  }
}
