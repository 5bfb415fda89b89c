/**
 * Defines the kit's checks that nothing is left out: every page of every list, every list, every record, every digit of an id.
 */
import { rmSync } from "node:fs"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import * as Quarantine from "../Quarantine.ts"
import * as Document from "../Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Check, overHttp, same, shown, well } from "./Checks.ts"
import { made, members, overLists } from "./Edits.ts"
import { type List, textOf } from "./Simulator.ts"
import { difference, fold, listsOf, nameOf, run, type Run, type Stage, type Subject, Wrong } from "./Subject.ts"

/** With one record per page, every list has several pages, including child lists. */
const pages: Check = async (subject, stage) => {
  const whole = fold(well(await run(subject, stage, { bend: { size: 100 } })).pages)
  const single = fold(well(await run(subject, stage, { bend: { size: 1, most: 2000 } })).pages)
  same(single, whole, "with one record a page it does not read what it reads with all in one")
  const alone = fold(well(await run(subject, stage, { bend: { size: 100, alone: true, most: 2000 } })).pages)
  same(
    alone,
    whole,
    "with one record a page in lists that belong to others, it does not read what it reads with all in one"
  )
  return undefined
}

const contents = ({ pages: all }: Run): string =>
  JSON.stringify(all.flatMap(({ quarantined, read }) => [...read, ...quarantined].map(({ raw }) => raw)).sort())

const asked: Check = async (subject, stage) => {
  const first = well(await run(subject, stage))
  const [whole, documents] = [contents(first), fold(first.pages)]
  for (const [name, { records, stamp }] of Object.entries(listsOf(stage))) {
    if (records.length === 0)
      throw new Wrong(`its sample has no record of ${name}, so that nothing shows how it is read`)
    const all = records.splice(0)
    const again = well(await run(subject, stage))
    records.push(...all)
    if (contents(again) === whole) throw new Wrong(`${name} may be empty, and it reads the same: it is never asked for`)
    // A list that cannot be queried for changes belongs to records of others, which are then other documents.
    if (stamp === undefined && difference(fold(again.pages), documents) === undefined)
      throw new Wrong(`${name} is empty in a second run, and the documents are those of the first: it remembers them`)
  }
  return undefined
}

/** Money whose record lacks a member is there, or something is said of it: it may be for an invoice all the same. */
const unlinked = async (subject: Subject, stage: Stage): Promise<undefined> => {
  const base = await made(subject)
  for (const [list, { id, records, stamp }] of Object.entries(listsOf(stage)))
    for (const [path, values] of members(records)) {
      // What has no time has not happened.
      if (values.every((one) => /^\d{4}-\d\d-\d\d|^\d{10}$/.test(textOf(one)))) continue
      const isKnown = subject.unread?.[`${list}.${path}`] !== undefined || subject.lacks?.includes(`${list}.${path}`)
      if (path === id || (stamp === undefined && stage.source !== undefined) || isKnown) continue
      const { refused, said, state } = await made(subject, { list, path, to: () => null })
      const gone = [...base.state.keys()].find((name) => /^(payment|reversal)\//.test(name) && !state.has(name))
      if (gone !== undefined && refused?.length === 0 && said === base.said)
        throw new Wrong(
          `without ${path} in ${list}, ${gone} is left out in silence: quarantine it, report it as unallocated, or say why in the sample (unread)`
        )
    }
  return undefined
}

/** Each record of a list with changes must become a document, be quarantined, or be named in the sample's `nothing`. */
const silent: Check = async (subject, stage) => {
  const ran = well(await run(subject, stage))
  const seen = contents(ran)
  const known = subject.nothing ?? []
  for (const [name, list] of Object.entries(listsOf(stage))) {
    if (list.stamp === undefined && stage.source !== undefined) continue
    for (const record of list.records) {
      const id = shown(list, record)
      const isSeen = seen.includes(JSON.stringify(id).slice(1, -1))
      if (!isSeen && !known.includes(id))
        throw new Wrong(
          `${id} of ${name} becomes nothing: no document, and it is not quarantined. If that is meant, name it in the sample: nothing: ["${id}"]`
        )
      if (isSeen && known.includes(id))
        throw new Wrong(`the sample says that ${id} of ${name} becomes nothing, but it was read`)
    }
  }
  return unlinked(subject, stage)
}

/** A number that a double cannot hold; samples, which compare and sort, hold another number in its place. */
const LARGE = "9007199254740993"
const HELD = 8_642_097_531

const isNumber = (value: unknown): boolean => typeof value === "number" || /^"?\d+"?$/.test(JSON.stringify(value) ?? "")

/** The same record with another number in place of this one, wherever it is a whole value. */
const renumbered = (value: unknown, from: string): unknown => {
  if (isNumber(value)) return textOf(value) !== from ? value : typeof value === "string" ? String(HELD) : HELD
  if (Array.isArray(value)) return value.map((one) => renumbered(one, from))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      /id$|^id_/i.test(name) || typeof one === "object" ? renumbered(one, from) : one
    ])
  )
}

const ids: Check = async (subject, stage) => {
  const lists: ReadonlyArray<List> = Object.values(stage.source?.lists ?? {})
  const list = lists.find(({ id, records, stamp }) => stamp !== undefined && records.some((one) => isNumber(one[id])))
  if (list === undefined) return "its source names records by text"
  const before = [...fold(well(await run(subject, stage)).pages).keys()]
  const record = list.records.findLast((one) => {
    const id = textOf(one[list.id])
    return isNumber(one[list.id]) && before.some((name) => name.endsWith(`/${id}`))
  })
  if (record === undefined) return "no fixture with a number becomes a document of that number"
  const from = textOf(record[list.id])
  for (const { records } of lists)
    for (const [n, one] of records.entries()) records[n] = Object.assign(one, renumbered(one, from))
  const ran = well(await run(subject, stage, { bend: { written: { held: String(HELD), as: LARGE } } }))
  const after = [...fold(ran.pages).keys()]
  if (!after.some((name) => name.includes(LARGE))) {
    const found = after.filter((name) => !before.includes(name))
    if (found.length === 0 && typeof record[list.id] === "string") return "its sample answers for its own ids only"
    throw new Wrong(
      `a record has the number ${LARGE}, and it becomes ${found.join(", ") || "nothing"}: keep every digit`
    )
  }
  return undefined
}

const amounts: Check = async (subject, stage) => {
  for (const text of fold(well(await run(subject, stage)).pages).values()) {
    const document = Document.decode(text)
    const defect = Quarantine.defect(document)
    if (defect !== undefined) throw new Wrong(`${nameOf(document)}: ${defect.field} ${defect.why}`)
    if ("amount" in document && document.amount !== undefined && document.amount <= 0n)
      throw new Wrong(`${nameOf(document)} has an amount of ${Decimal.format(document.amount)}; leave it out`)
    if (document.kind === "payment" || document.kind === "reversal") {
      const sum = Decimal.sum(document.shares.map(({ amount }) => amount)) + (document.unallocated ?? 0n)
      if (sum === 0n) throw new Wrong(`${nameOf(document)} moves no money; leave it out`)
    }
  }
  return undefined
}

/** If the files are missing, that is an error: it must not be read as if there were no records any more. */
const absent: Check = async (subject, { folder, lists }) => {
  if (folder === undefined || lists === undefined) return "its sample has no folder with lists of records"
  const empty = temporaryFolder("sample")
  try {
    const { error, pages } = await run(subject, { folder: empty })
    if (error === undefined && pages.every(({ quarantined }) => quarantined.length === 0))
      throw new Wrong(
        "its files are not there, and it reads nothing without a word: fail, since what was read would be deleted"
      )
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
  return undefined
}

export const WHOLENESS: Readonly<Record<string, Check>> = {
  ...overHttp({ "reads every page of every list": pages }),
  ...overLists({ "asks for every list": asked }),
  "leaves out no record in silence": silent,
  "takes missing files for no empty ones": absent,
  "keeps every digit of an id": ids,
  "makes no amount of nothing, and none too fine": amounts
}
