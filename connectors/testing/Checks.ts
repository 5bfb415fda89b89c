/**
 * Defines the conformance kit's checks: what every connector must do right, ours or third-party. Each is a function that
 * throws `Wrong` with what is wrong, or returns why it does not apply.
 */
import * as Document from "../Document.ts"
import { isStamped, type List, type Oddity, type Record as SourceRecord, textOf } from "./Simulator.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Currency from "../../core/money/Currency.ts"
import {
  bookmark,
  difference,
  fold,
  nameOf,
  run,
  type Run,
  type Stage,
  type State,
  type Subject,
  Wrong
} from "./Subject.ts"

/** Why a check does not apply; undefined if it passes. */
export type Outcome = string | undefined
export type Check = (subject: Subject, stage: Stage) => Promise<Outcome>

type Table = Readonly<Record<string, Check>>

/** These checks, for sources that are read over HTTP only. */
export const overHttp = (table: Table): Table =>
  Object.fromEntries(
    Object.entries(table).map(([name, check]) => [
      name,
      async (subject, stage) => (stage.source === undefined ? "it does not read over HTTP" : check(subject, stage))
    ])
  )

export const well = (ran: Run): Run => {
  if (ran.error !== undefined) throw new Wrong(`the pull failed: ${ran.error.message}`)
  return ran
}

const whole = async (subject: Subject, stage: Stage, bend = {}): Promise<State> => {
  const { pages } = well(await run(subject, stage, { bend }))
  const [quarantined] = pages.flatMap(({ quarantined }) => quarantined)
  if (quarantined !== undefined) throw new Wrong(`${quarantined.origin} was quarantined: ${quarantined.why}`)
  return fold(pages)
}

export const same = (is: State, should: State, when: string) => {
  const differs = difference(is, should)
  if (differs !== undefined) throw new Wrong(`${when}: ${differs}`)
}

/** What identifies a record in the documents' raw records. */
export const shown = ({ id, shows }: List, record: SourceRecord): string => shows?.(record) ?? textOf(record[id])

/** The bookmark of the last page. */
export const last = (subject: Subject, { pages }: Run): string => {
  const page = pages.at(-1)
  if (page === undefined) throw new Wrong("it yields no page at all, so its bookmark never moves")
  return bookmark(subject.connector, page)
}

const reads: Check = async (subject, stage) => {
  const state = await whole(subject, stage)
  if (state.size === 0) throw new Wrong("the fixtures become no document")
  for (const { deleted = [], read } of well(await run(subject, stage)).pages) {
    const both = deleted.find((one) => read.some(({ document }) => nameOf(document) === nameOf(one)))
    if (both !== undefined) throw new Wrong(`${nameOf(both)} is read, and called deleted on the same page`)
  }
  const kinds: ReadonlyArray<string> = subject.connector.capabilities.kinds
  for (const name of state.keys()) {
    if (!kinds.includes(name.slice(0, name.indexOf("/"))))
      throw new Wrong(`${name} is of a kind that it does not declare`)
  }
  for (const kind of kinds) {
    if (![...state.keys()].some((name) => name.startsWith(`${kind}/`)))
      throw new Wrong(`it declares ${kind}, and no fixture is one`)
  }
  return undefined
}

const golden: Check = async (subject, stage) => {
  const should = new Map(
    subject.golden.map((text) => [nameOf(Document.decode(text)), Document.encode(Document.decode(text))])
  )
  same(await whole(subject, stage), should, "the documents of the fixtures")
  return undefined
}

const resumes: Check = async (subject, stage) => {
  const all = well(await run(subject, stage))
  const should = fold(all.pages)
  for (const [n, page] of all.pages.entries()) {
    const before = fold(all.pages.slice(0, n + 1))
    const rest = well(await run(subject, stage, { after: bookmark(subject.connector, page) }))
    same(fold(rest.pages, before), should, `killed after page ${n + 1} of ${all.pages.length}`)
  }
  return undefined
}

const again: Check = async (subject, stage) => {
  const first = well(await run(subject, stage))
  const should = fold(first.pages)
  same(await whole(subject, stage), should, "read from the beginning once more")
  const next = well(await run(subject, stage, { after: last(subject, first) }))
  same(fold(next.pages, should), should, "read on from the bookmark")
  return undefined
}

/** The names of the documents that the fixtures become, whatever the cursor. */
const names = (state: State): string => [...state.keys()].sort().join(" ")

const stamped = (subject: Subject, { lists: own, source }: Stage) => {
  const lists = Object.values(source?.lists ?? own ?? {}).filter(isStamped)
  return lists.length === 0
    ? `${subject.connector.name} asks for no changes by time: what changed is read whole, or by its number`
    : lists
}

const NOON = Date.parse("2026-03-01T12:00:00Z")

const ties: Check = async (subject, stage) => {
  const lists = stamped(subject, stage)
  if (typeof lists === "string") return lists
  const should = names(await whole(subject, stage))
  for (const { records, stamp } of lists) for (const record of records) stamp(record, NOON - 86_400_000)
  const is = names(await whole(subject, stage))
  if (is !== should) throw new Wrong(`with equal times on every record it reads\n  ${is}\nand should read\n  ${should}`)
  return undefined
}

const backwards: Check = async (subject, stage) => {
  const lists = stamped(subject, stage)
  if (typeof lists === "string") return lists
  const late = lists.find(({ records }) => records.length > 1)
  if (late === undefined) throw new Wrong("no list of its sample that has a cursor has several records")
  const [record] = late.records.splice(late.records.length - 1, 1)
  late.stamp(late.records[0], NOON)
  const before = well(await run(subject, stage, { bend: { clock: NOON } }))
  const { overlapSeconds = 0 } = subject.connector.capabilities
  if (overlapSeconds === 0) return "it declares no overlap: what is committed behind its bookmark is left to the sweep"
  late.stamp(record, NOON - (overlapSeconds * 1000) / 2)
  late.records.push(record)
  const after = well(await run(subject, stage, { after: last(subject, before), bend: { clock: NOON } }))
  const id = shown(late, record)
  if (!after.pages.some(({ read }) => read.some(({ raw }) => raw.includes(id))))
    throw new Wrong(`${id} was committed ${overlapSeconds / 2} seconds behind the bookmark, and is never read`)
  return undefined
}

const moving: Check = async (subject, stage) => {
  const lists = stamped(subject, stage)
  if (typeof lists === "string") return lists
  const should = names(await whole(subject, stage))
  const list = lists.reduce((longest, one) => (one.records.length > longest.records.length ? one : longest))
  let edited = false
  const ran = well(
    await run(subject, stage, {
      bend: {
        after: () => {
          if (edited) return
          edited = true
          list.stamp(list.records[0], NOON + 60_000)
        }
      }
    })
  )
  const next = well(await run(subject, stage, { after: last(subject, ran) }))
  const is = names(fold([...ran.pages, ...next.pages]))
  if (is !== should) throw new Wrong(`a record was edited while it read, and now it has\n  ${is}\nnot\n  ${should}`)
  return undefined
}

/** The longest list of a stage. */
const longest = ({ lists: own, source }: Stage): List => {
  const [list] = Object.values(source?.lists ?? own ?? {}).toSorted((a, b) => b.records.length - a.records.length)
  if (list === undefined) throw new Wrong("its sample has no lists")
  return list
}

/** How many times a record is deleted, each time after another answer. */
const MOMENTS = 12

/** Deletes one record at some moment of the read: all others must still be read. */
const shrinking: Check = async (subject, stage) => {
  const { asked, pages } = well(await run(subject, stage))
  const list = longest(stage)
  const [deleted] = list.records.splice(0, 1)
  const rest = await whole(subject, stage)
  const complete = (is: State, when: string) => {
    const lost = [...rest.keys()].find((name) => !is.has(name))
    if (lost !== undefined)
      throw new Wrong(`${textOf(deleted?.[list.id])} was deleted ${when}, and now ${lost} is missing`)
  }
  const step = Math.ceil(asked.length / MOMENTS)
  for (let moment = 1; moment < asked.length; moment += step) {
    const fresh = subject.open()
    try {
      const after = (n: number) => void (n === moment && longest(fresh).records.splice(0, 1))
      complete(fold(well(await run(subject, fresh, { bend: { after } })).pages), "while it read")
    } finally {
      fresh.close?.()
    }
  }
  // The record is deleted by now: interrupts the read after each of the earlier pages, and continues from there.
  for (const [n, page] of pages.entries()) {
    const { pages: after } = well(await run(subject, stage, { after: bookmark(subject.connector, page) }))
    complete(fold(after, fold(pages.slice(0, n + 1))), `after it was killed on page ${n + 1}`)
  }
  return undefined
}

const odd =
  (oddity: Oddity): Check =>
  async (subject, stage) => {
    const first = well(await run(subject, stage))
    if (oddity !== "last page repeated" && !first.numbered)
      return `it pages by cursor, so that ${oddity === "empty middle page" ? "an empty page has none to go on from" : "no page comes after the last"}`
    same(await whole(subject, stage, { odd: oddity }), fold(first.pages), oddity)
    return undefined
  }

const malformed: Check = async (subject, stage) => {
  if (stage.malform === undefined) return "its sample says no way to break a record"
  const should = await whole(subject, stage)
  const trace = stage.malform()
  const { pages } = well(await run(subject, stage))
  const quarantined = pages.flatMap(({ quarantined }) => quarantined)
  if (!quarantined.some(({ raw }) => raw.includes(trace)))
    throw new Wrong(`the broken record (${trace}) is not quarantined with its text`)
  for (const { why } of quarantined) if (why.length < 5) throw new Wrong("what was quarantined has no reason in words")
  const rest = fold(pages)
  if (rest.size < should.size - 3) throw new Wrong(`one broken record cost ${should.size - rest.size} documents`)
  return undefined
}

const deletions: Check = async (subject, stage) => {
  const { deletions } = subject.connector.capabilities
  if (deletions === "not at all") return "it declares that it does not learn of deletions"
  if (stage.remove === undefined)
    throw new Wrong(`it learns of deletions ("${deletions}"), and its sample deletes nothing: give \`remove\``)
  const before = well(await run(subject, stage))
  const state = fold(before.pages)
  const name = stage.remove()
  if (!state.has(name)) throw new Wrong(`the sample deletes ${name}, which its fixtures do not have`)
  const after = well(await run(subject, stage, { after: last(subject, before) }))
  const text = fold([...before.pages, ...after.pages]).get(name)
  const ended = text === undefined || /"status":"(void|cancelled)"/.test(text)
  const reversed = [...fold(after.pages).values()].some(
    (one) => one.includes('"kind":"reversal"') && one.includes(JSON.stringify(name.slice(name.indexOf("/") + 1)))
  )
  if (!ended && !reversed) throw new Wrong(`${name} was deleted in the source, and is still\n  ${text}`)
  return undefined
}

const sweeps: Check = async (subject, stage) => {
  const { blindSpots } = subject.connector.capabilities
  if (subject.connector.reread === undefined) {
    return blindSpots.length === 0
      ? "it declares no edit that its bookmark does not see"
      : `it cannot read by id; it declares: ${blindSpots.join("; ")}`
  }
  if (stage.edit === undefined) throw new Wrong("it can read by id, and its sample says no edit to try that on")
  const before = await whole(subject, stage)
  const kind = subject.connector.capabilities.kinds.includes("invoice") ? "invoice" : "order"
  const id = stage.edit()
  const { pages } = well(await run(subject, stage, { reread: [id, "no-such-invoice"] }))
  const state = fold(pages)
  const name = `${kind}/${id}`
  if (state.get(name) === undefined || state.get(name) === before.get(name))
    throw new Wrong(`${name} was edited, and reading it again by id does not show it`)
  const [after, fresh] = [fold(pages, before), await whole(subject, stage)]
  const left = [...after].find(([one, text]) => !fresh.has(one) && text.includes(JSON.stringify(id)))
  if (left !== undefined)
    throw new Wrong(
      `${name} was edited so that ${left[0]} disappeared, but reading it again by id still shows ${left[0]}`
    )
  const deleted = pages.flatMap((page) => page.deleted ?? []).map(nameOf)
  if (!deleted.includes(`${kind}/no-such-invoice`)) throw new Wrong(`one that is no more is not answered as gone`)
  return undefined
}

const exact: Check = async (subject, stage) => {
  for (const text of (await whole(subject, stage)).values()) {
    const document = Document.decode(text)
    const amounts =
      document.kind === "invoice"
        ? [document.net, document.gross]
        : "shares" in document
          ? document.shares.map(({ amount }) => amount)
          : document.kind === "order"
            ? document.lines.map(({ gross }) => gross)
            : []
    for (const amount of amounts) {
      if (
        amount !== undefined &&
        document.currency !== undefined &&
        !Decimal.fits(amount, Currency.decimals(document.currency))
      )
        throw new Wrong(
          `${nameOf(document)} has ${Decimal.format(amount)}, which has more decimal places than ${document.currency} allows`
        )
    }
  }
  if (stage.enlarge === undefined) return "its sample says no way to enlarge an amount; what there is, is exact"
  const { amount, document } = stage.enlarge()
  const text = (await whole(subject, stage)).get(document)
  if (text === undefined) throw new Wrong(`${document} is not there after its amount was set to ${amount}`)
  if (!text.includes(`"${Decimal.of(amount)}n"`))
    throw new Wrong(`${document} should have ${amount}, and is\n  ${text}`)
  return undefined
}

const zones: Check = async (subject, stage) => {
  const should = await whole(subject, stage)
  const zone = process.env["TZ"]
  try {
    for (const far of ["Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kolkata"]) {
      process.env["TZ"] = far
      same(await whole(subject, stage), should, `on a machine in ${far}`)
    }
  } finally {
    if (zone === undefined) delete process.env["TZ"]
    else process.env["TZ"] = zone
  }
  return undefined
}

/** In the order in which failures are worth fixing. */
export const READING: Table = {
  "reads its fixtures, and what it declares": reads,
  "makes the golden documents of them": golden,
  "goes on at every page boundary": resumes,
  "changes nothing when it reads again": again,
  "loses nothing to equal times": ties,
  "sees what is committed behind its bookmark": backwards,
  "loses nothing to an edit while it pages": moving,
  ...overHttp({
    "loses nothing to a deletion while it pages": shrinking,
    "ends when the last page is repeated": odd("last page repeated"),
    "ends when the last pages take turns": odd("last pages take turns"),
    "goes on behind an empty page": odd("empty middle page")
  }),
  "quarantines a broken record, and reads the rest": malformed,
  "learns of deletions as it declares": deletions,
  "shows by id what its bookmark does not see": sweeps,
  "keeps money exact": exact,
  "shifts no day with the machine's zone": zones
}
