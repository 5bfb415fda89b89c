/**
 * Reads all FECs of a folder together: lettering of one year settles what another year asked for. A file that another one
 * contains in full (an earlier export of the same year) is left out.
 */
import * as Currency from "../../../core/money/Currency.ts"
import type { Decimal } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { ConnectorContext, Notice, QuarantinedRecord, StatedTotal } from "../../Connector.ts"
import type { ListedFile } from "../../Listed.ts"
import { misconfigured } from "../Failures.ts"
import type { Part } from "../Part.ts"
import type { Settings } from "../Settings.ts"
import { CURRENCY, Documents } from "./Documents.ts"
import { type Exercise, readExercise } from "./Exercise.ts"
import type { Item } from "./Item.ts"
import { type Grouped, grouped } from "./Groups.ts"
import { CUSTOMERS, MONEY } from "./Roles.ts"

/** Documents of a page. */
const PAGE = 2000

/** Days between two files of following years, at most: the last may end before its year does. */
const NEXT_DAYS = 31

const isWithin = (one: Exercise, other: Exercise): boolean => one.first >= other.first && one.last <= other.last

const keyOf = ({ amount, customer, ref }: Item): string => `${customer}\u0000${ref}\u0000${amount}`

/** An earlier export has nearly all of its lines in the later one; some are corrected until the year is closed. */
const SAME = 0.8

const checkSame = (one: Exercise, all: ReadonlyArray<Exercise>): void => {
  const [whole] = all.filter((other) => other !== one && isWithin(one, other))
  if (whole === undefined) return
  const there = new Set(whole.items.map(keyOf))
  const same = one.items.filter((item) => there.has(keyOf(item))).length
  if (same < SAME * one.items.length)
    throw misconfigured(
      `${one.file.name} and ${whole.file.name} have other entries of the same days`,
      "keep one file for each year, or make a connection for each in source.path"
    )
}

/** Those that no other one contains, by day. */
const chosen = (all: ReadonlyArray<Exercise>): ReadonlyArray<Exercise> => {
  const kept = all.filter(
    (one, n) => !all.some((other, m) => one !== other && isWithin(one, other) && (!isWithin(other, one) || m > n))
  )
  for (const one of all) if (!kept.includes(one)) checkSame(one, kept)
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

const tornOf = (torn: Grouped["torn"], { file }: Exercise): ReadonlyArray<QuarantinedRecord> =>
  torn
    .filter(({ item }) => item.file === file.name)
    .map(({ amount, before, item }) => ({
      kind: "invoice",
      origin: `${file.name}:${item.line}`,
      raw: item.raw,
      why: `${item.name} (${item.customer}) begins the year with ${Currency.say(amount, CURRENCY)}, and ended the one before with ${Currency.say(before, CURRENCY)}: one of the two files is incomplete`
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
  const isOpened = last.items.some(({ role }) => role === "opening")
  const before = years.at(-2)
  const carried = !isOpened && follows(before, last) ? sumOf(before.balances) : 0n
  const accounts = [...new Set(last.items.map(({ account }) => account.slice(0, 3)))].toSorted()
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

function* pages(
  items: ReadonlyArray<Item>,
  documents: Documents,
  most: number
): Generator<{ readonly contents: ReturnType<Documents["make"]>; readonly ends: boolean }> {
  let left = most
  for (let at = 0; ; at += PAGE) {
    const made = documents.make(items.slice(at, at + PAGE))
    const isCut = made.read.length > left
    const contents = isCut ? { ...made, read: made.read.slice(0, left) } : made
    left -= contents.read.length
    const isLast = at + PAGE >= items.length
    yield { contents, ends: isLast && !isCut }
    if (isLast || isCut || (left <= 0 && !isLast)) return
  }
}

export interface FecFiles {
  readonly exercises: ReadonlyArray<Exercise>
  /** Earlier exports of the same time. */
  readonly contained: ReadonlyArray<Exercise>
}

export const readFiles = async (files: ReadonlyArray<ListedFile>, settings: Settings): Promise<FecFiles> => {
  const accounts = { customers: settings.customers ?? CUSTOMERS, money: settings.money ?? MONEY }
  const all: Array<Exercise> = []
  for (const file of files) {
    const one = await readExercise(file, accounts)
    if (one !== undefined) all.push(one)
  }
  sellersOf(all)
  const exercises = chosen(all.filter(({ lines }) => lines > 0))
  return { exercises, contained: all.filter((one) => !exercises.includes(one)) }
}

const prepared = (years: Parameters<typeof grouped>[0], settings: Settings) => {
  const found = grouped(years)
  const items = years.flatMap(({ year }) => year.items)
  return { documents: new Documents(settings, found, items), torn: found.torn }
}

export function* partsOf(
  { contained, exercises }: FecFiles,
  settings: Settings,
  { first }: Pick<ConnectorContext, "first">
): Generator<Part> {
  const years = exercises.map((year, n) => {
    const before = exercises[n - 1]
    return follows(before, year) ? { year, before } : { year }
  })
  const { documents, torn } = prepared(years, settings)
  let open = 0n
  for (const year of exercises) {
    const name = partName(year)
    let begins = true
    for (const { contents, ends } of pages(year.items, documents, first ?? Infinity)) {
      open += contents.open
      const total =
        ends && year === exercises.at(-1) && first === undefined ? closing(exercises, settings, open) : undefined
      yield {
        name,
        begins,
        ends,
        read: contents.read,
        quarantined: [...(begins ? [...refusedOf(year), ...tornOf(torn, year)] : []), ...contents.quarantined],
        notices: [
          ...contents.notices,
          ...(begins ? noticesOf(year) : []),
          ...(begins && year === exercises[0]
            ? contained.map(({ file }) => ({
                origin: file.name,
                what: "an earlier export of the same year, or an empty file; left out"
              }))
            : [])
        ],
        ...(total === undefined ? {} : { stated: [total] })
      }
      begins = false
    }
  }
}
