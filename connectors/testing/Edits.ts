/** Edits of all records of a list at once, member by member, and what a connector then makes of them. */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Document from "../Document.ts"
import * as Json from "../Json.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Check } from "./Checks.ts"
import { digits, type Record as SourceRecord, textOf } from "./Simulator.ts"
import { fold, listsOf, run, type State, type Subject } from "./Subject.ts"

/** These checks, for sources whose sample has lists of records. */
export const overLists = (table: Readonly<Record<string, Check>>): Readonly<Record<string, Check>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, check]) => [
      name,
      async (subject, stage) =>
        Object.keys(listsOf(stage)).length === 0 ? "its sample has no lists of records" : check(subject, stage)
    ])
  )

/** A member by its path; elements of lists are `*`: `lines.*.amount`. */
export type Path = string

const isLeaf = (value: unknown): boolean => typeof value !== "object" || value === null || Json.isNumeral(value)

const walk = (value: unknown, path: string, found: Map<Path, Array<unknown>>): void => {
  if (isLeaf(value)) {
    if (value !== null && value !== undefined) found.set(path, [...(found.get(path) ?? []), value])
    return
  }
  for (const [name, one] of Object.entries(value as object))
    walk(one, `${path}${path === "" ? "" : "."}${Array.isArray(value) ? "*" : name}`, found)
}

/** The members of records, with their values. */
export const members = (records: ReadonlyArray<SourceRecord>): ReadonlyMap<Path, ReadonlyArray<unknown>> => {
  const found = new Map<Path, Array<unknown>>()
  for (const record of records) walk(record, "", found)
  return found
}

/** Changes the values at a path in place. */
export const change = (
  at: SourceRecord,
  [name, ...rest]: ReadonlyArray<string>,
  to: (value: unknown) => unknown
): void => {
  if (isLeaf(at)) return
  for (const key of name === "*" ? Object.keys(at) : name !== undefined && name in at ? [name] : []) {
    if (rest.length > 0) change(at[key], rest, to)
    else if (at[key] !== null && isLeaf(at[key])) at[key] = to(at[key])
  }
}

export interface Made {
  readonly state: State
  /** How many records were quarantined, and why; undefined if the pull failed, which is no silence either. */
  readonly refused: ReadonlyArray<string> | undefined
  /** How much was said of the records: how many were quarantined, and how many notices there are. */
  readonly said: number
  /** What the source answered; nothing of one that is not read over HTTP. */
  readonly answers: ReadonlyArray<string>
}

interface Edit {
  readonly list: string
  readonly path: Path
  readonly to: (value: unknown) => unknown
}

/** What becomes of a source in which these members of each record of a list have other values. */
export const made = async (subject: Subject, ...edits: ReadonlyArray<Edit>): Promise<Made> => {
  const stage = subject.open()
  try {
    for (const { list, path, to } of edits)
      for (const record of listsOf(stage)[list]?.records ?? []) change(record, path.split("."), to)
    const answers: Array<string> = []
    const after = (_: number, answer: string) => void answers.push(answer)
    const { error, pages } = await run(subject, stage, { bend: { size: 100, after } })
    const refused = pages.flatMap(({ quarantined }) => quarantined.map(({ why }) => why))
    const said = refused.length + pages.flatMap(({ notices = [] }) => notices).length
    return { state: fold(pages), refused: error === undefined ? refused : undefined, said, answers }
  } finally {
    stage.close?.()
  }
}

/** What of a document decides about money; its words may differ. */
export const meaning = (text: string): string => {
  const one = Document.decode(text)
  const parts =
    one.kind === "invoice"
      ? [one.status, one.gross, one.net, one.issued]
      : one.kind === "order"
        ? [one.status, one.placed, one.lines.map(({ gross, quantity, type }) => `${type} ${gross} ${quantity}`)]
        : "shares" in one
          ? [one.date, one.shares.map(({ amount, invoice }) => `${invoice} ${amount}`)]
          : "items" in one
            ? [one.date, one.status, one.items.map(({ amount, part }) => `${part} ${amount}`)]
            : [one.date, one.lines.map(({ line, quantity }) => `${line} ${quantity}`)]
  return [one.kind, one.currency, "type" in one ? one.type : "", "amount" in one ? one.amount : "", ...parts].join("|")
}

/** The documents that mean something else, or are gone. */
export const affected = (before: State, after: State): ReadonlyArray<string> =>
  [...before].flatMap(([name, text]) => {
    const now = after.get(name)
    return now === undefined || meaning(now) !== meaning(text) ? [name] : []
  })

/** The last name in a path. */
export const leaf = (path: Path): string => path.split(".").findLast((name) => name !== "*") ?? ""

/** Members that are names or numbers of documents, without which a text would be empty. */
export const NAMING = /name|number|reference|buyer|customer|client|debtor|contact|company|title|kunde|firma/i
const WORDY = /display|label|method|memo|text|descri|note|country|city|street|address|lang|locale|unit|account/i
const ENUMERATION = /(status|state|type|kind|_action)(_?(id|code))?$/i
/** Yes and no, in the words of sources that have no booleans. */
const FLAG = /^(t|f|y|n|yes|no|true|false)$/i

/** Few words that several records have. */
const isRepeated = (path: Path, values: ReadonlyArray<unknown>): boolean =>
  !NAMING.test(path) &&
  !WORDY.test(path) &&
  new Set(values).size < values.length &&
  values.every(
    (one) => typeof one === "string" && /^[a-z][a-z_-]{2,19}$/i.test(one) && !Currency.isCurrency(one.toUpperCase())
  )

/** Members whose values have a fixed meaning, in the lists of a sample. */
export const enumerations = (subject: Subject) => {
  const stage = subject.open()
  try {
    return Object.entries(listsOf(stage)).flatMap(([list, { records }]) =>
      [...members(records)].flatMap(([path, values]) =>
        values.every((one) => typeof one !== "boolean") &&
        (ENUMERATION.test(leaf(path)) ||
          values.every((one) => typeof one === "string" && FLAG.test(one)) ||
          isRepeated(path, values))
          ? [
              {
                list,
                path,
                values: [...new Set(values.map(textOf))],
                isText: values.some((one) => typeof one === "string")
              }
            ]
          : []
      )
    )
  } finally {
    stage.close?.()
  }
}

const AMOUNT = /^-?(\d{1,9}|\d{1,3}(\.\d{3})+)([.,]\d{1,4})?$/
const NO_AMOUNT =
  /(^|_)id$|^(invoice|move|reconciliation)$|quantity|qty|count|page|time|date|_at$|created|updated|version|number|rate|code|percent|token/i
const isAmount = (name: string): boolean => !NO_AMOUNT.test(name) && !/[a-z]Id$/.test(name)

/** Members that may be amounts. */
export const amounts = (subject: Subject) => {
  const stage = subject.open()
  try {
    return Object.entries(listsOf(stage)).flatMap(([list, { id, records }]) =>
      [...members(records)].flatMap(([path, values]) =>
        path !== id && isAmount(leaf(path)) && values.every((one) => AMOUNT.test(textOf(one)))
          ? [{ list, path, values }]
          : []
      )
    )
  } finally {
    stage.close?.()
  }
}

/** The members with currencies, and another currency than those. */
export const currencies = (subject: Subject) => {
  const stage = subject.open()
  try {
    return Object.entries(listsOf(stage)).flatMap(([list, { records }]) =>
      [...members(records)].flatMap(([path, values]) =>
        (/currency|^code$/i.test(path) && values.every((one) => /^[a-z]{3}$/i.test(textOf(one)))) ||
        values.every((one) => Currency.isCurrency(textOf(one)))
          ? [{ list, path, other: values.some((one) => textOf(one).toUpperCase() === "SEK") ? "NOK" : "SEK" }]
          : []
      )
    )
  } finally {
    stage.close?.()
  }
}

/** `1.234,50` */
const COMMA = /,\d+$/

/** An amount as a text, and so much more. */
export const more = (text: string, by: Decimal.Decimal): string => {
  const value = Decimal.parse(COMMA.test(text) ? text.replaceAll(".", "").replace(",", ".") : text)
  if (typeof value === "string") return text
  return COMMA.test(text) ? Decimal.format(value + by, 2).replace(".", ",") : Decimal.format(value + by)
}

/** No amount, as the source writes it. */
export const zero = (like: unknown): unknown => written(like, COMMA.test(textOf(like)) ? "0,00" : "0")

/** A value of the same form: text where it was text, and otherwise a number, as samples compare them, if one can hold it. */
export const written = (like: unknown, text: string): unknown =>
  typeof like === "string" || Number.isNaN(Number(text)) ? text : isHeld(text) ? Number(text) : digits(text)

/** Whether a double has all digits of a number. */
const isHeld = (text: string): boolean => text.replaceAll(/\D/g, "").length < 16

/** Words that many sources have, in the writing of the sample's own. */
export const inStyle = (word: string, [like = ""]: ReadonlyArray<string>): string =>
  like === like.toUpperCase() && /[A-Z]/.test(like)
    ? word.toUpperCase()
    : /^[A-Z]/.test(like)
      ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
      : word
