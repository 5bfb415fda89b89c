/**
 * Defines the kit's checks of how many requests a connector sends. Sources limit requests per minute or day; with a request
 * per record, a pull takes days instead of minutes.
 */
import { type Check, last, overHttp, well } from "./Checks.ts"
import { copy, isStamped, type Record as SourceRecord, textOf } from "./Simulator.ts"
import { run, type Run, type RunOptions, type Stage, type Subject, tokensOf, Wrong } from "./Subject.ts"

/** Records of a source that is large enough for requests per record to show. */
const MANY = 1000
/** Records that change. */
const CHANGED = 30
/** Requests allowed when nothing changed, and in any read in addition to those for its pages. */
const QUIET = 5
const EXTRA = 10
/** Allowance over full pages, for lists whose last page is not full and the like. */
const FACTOR = 1.2
/** How many of the source's pages may be stored at once. */
const GIANT = 3
/** Clones per fixture. */
const FURTHER = 20
/** Records per page, if the connector declares no page size. */
const PAGE = 100

const NOON = Date.parse("2026-03-01T12:00:00Z")

const pageOf = ({ connector }: Subject): number => connector.capabilities.limits?.page ?? PAGE

/** Requests for records, without those for tokens. */
const requests = (subject: Subject, { asked }: Run): number =>
  asked.filter(({ path }) => path !== tokensOf(subject)).length

const reading = async (subject: Subject, stage: Stage, options: RunOptions = {}): Promise<Run> => {
  const ran = well(await run(subject, stage, { ...options, bend: { size: pageOf(subject), most: MANY * 20 } }))
  const [quarantined] = ran.pages.flatMap((page) => page.quarantined)
  if (quarantined !== undefined)
    throw new Wrong(`${quarantined.origin}, which the sample added, was quarantined: ${quarantined.why}`)
  return ran
}

/** Makes the source large; returns how many full pages its lists have. */
const grown = (subject: Subject, stage: Stage): number => {
  if (stage.grow === undefined)
    throw new Wrong("its sample says no way to grow, so that requests can be counted: give `grow` beside `source`")
  stage.grow(MANY)
  const lists = Object.values(stage.source?.lists ?? {})
  if (lists.every(({ records }) => records.length < MANY))
    throw new Wrong(`its sample was asked to add ${MANY} records, and no list has as many`)
  return lists.reduce((sum, { records }) => sum + Math.ceil(records.length / pageOf(subject)), 0)
}

/** The requests that a read took, and the most that it may take. */
export interface Counted {
  readonly took: number
  readonly most: number
}

const few = ({ most, took }: Counted, what: string) => {
  if (took > most) throw new Wrong(`${what} takes ${took} requests, and should take ${most} at most`)
}

/** Reads a large source for the first time. */
const firstOf = async (subject: Subject, stage: Stage) => {
  const pages = grown(subject, stage)
  const ran = await reading(subject, stage)
  const lists = Object.values(stage.source?.lists ?? {}).map((list) => list.records.length)
  const declared = ((subject.connector.capabilities.requestsPerThousand?.lists ?? 0) * Math.max(...lists)) / 1000
  const most = Math.floor(Math.max(pages, declared) * FACTOR) + EXTRA
  const records = lists.reduce((sum, length) => sum + length, 0)
  return { ran, pages, records, counted: { took: requests(subject, ran), most } }
}

type Large = { readonly stage: Stage } & Awaited<ReturnType<typeof firstOf>>

/** Caches large sources after their first read, which takes longest and with which three checks begin. */
const larges = new WeakMap<Subject, Large>()

/** Makes this source large and reads it, or returns a cached one of the same subject. */
const largeOf = async (subject: Subject, stage: Stage): Promise<Large> => {
  const known = larges.get(subject)
  if (known !== undefined) return known
  const made = { stage, ...(await firstOf(subject, stage)) }
  larges.set(subject, made)
  return made
}

/** Reads it again after no change. */
const quietOf = async (subject: Subject, stage: Stage, after: string): Promise<Counted> => ({
  took: requests(subject, await reading(subject, stage, { after })),
  most: QUIET
})

/** Reads it again after some records of a list with a cursor changed; undefined if there is no such list. */
const changesOf = async (subject: Subject, stage: Stage, after: string): Promise<Counted | undefined> => {
  const list = Object.values(stage.source?.lists ?? {}).find(isStamped)
  if (list === undefined) return undefined
  for (const [n, record] of list.records.slice(-CHANGED).entries()) list.stamp(record, NOON + 60_000 + n)
  const took = requests(subject, await reading(subject, stage, { after }))
  return { took, most: QUIET + Math.ceil(CHANGED / pageOf(subject)) + 2 * CHANGED }
}

/** The figures of one source; undefined if it is not read over HTTP or its sample cannot grow. */
export const counts = async (
  subject: Subject
): Promise<{ readonly first: Counted; readonly quiet: Counted; readonly changes: Counted | undefined } | undefined> => {
  const stage = subject.open()
  try {
    if (stage.source === undefined || stage.grow === undefined) return undefined
    const { counted, ran } = await firstOf(subject, stage)
    const after = last(subject, ran)
    const quiet = await quietOf(subject, stage, after)
    return { first: counted, quiet, changes: await changesOf(subject, stage, after) }
  } finally {
    stage.close?.()
  }
}

const first: Check = async (subject, stage) => {
  const { counted, pages, ran, records } = await largeOf(subject, stage)
  few(counted, `a first reading of ${records} records (${pages} full pages)`)
  // A page is stored at once; if a read is interrupted, at most one page is lost.
  const largest = Math.max(...ran.pages.map(({ read }) => new Set(read.map(({ raw }) => raw)).size))
  const size = pageOf(subject)
  if (largest > GIANT * size)
    throw new Wrong(
      `one page has ${largest} records, and a page of the source ${size}: give one for each, with its bookmark`
    )
  return undefined
}

/** A copy of a record with another id. */
const clone = (record: SourceRecord, id: string, n: number): SourceRecord => {
  const name = textOf(record[id])
  const isNumber = typeof record[id] === "number" || !/^"/.test(JSON.stringify(record[id]))
  const [copied] = copy([record])
  copied[id] = isNumber ? 1_000_000 + n : `${name}-${n}`
  return copied
}

/** Clones each fixture of the first list, because the records that the sample's `grow` adds may cost fewer requests. */
const further: Check = async (subject, stage) => {
  const { requestsPerThousand } = subject.connector.capabilities
  if (requestsPerThousand === undefined) return "it does not declare what a record costs"
  const list = Object.values(stage.source?.lists ?? {}).find(isStamped)
  if (list === undefined)
    return `${subject.connector.name} asks for no changes by time: what changed is read whole, or by its number`
  const { childless, id, records } = list
  const before = requests(subject, await counted(subject, stage))
  const fixtures = [...records]
  for (let n = 0; n < FURTHER; n++) {
    const copies = fixtures.map((one, m) => clone(one, id, n * fixtures.length + m))
    for (const one of copies) childless?.(one)
    records.push(...copies)
  }
  const took = requests(subject, await counted(subject, stage)) - before
  const added = FURTHER * fixtures.length
  const { each, lists } = requestsPerThousand
  const most = Math.ceil((added * (lists + each) * FACTOR) / 1000) + 1
  few({ took, most }, `another ${added} records, at ${lists + each} requests for a thousand as it declares,`)
  return undefined
}

const counted = async (subject: Subject, stage: Stage) =>
  well(await run(subject, stage, { bend: { size: pageOf(subject), most: MANY * 20 } }))

const quiet: Check = async (subject, given) => {
  const { ran, stage } = await largeOf(subject, given)
  few(await quietOf(subject, stage, last(subject, ran)), "reading again what did not change")
  return undefined
}

const changes: Check = async (subject, given) => {
  const { ran, stage } = await largeOf(subject, given)
  // This check edits the source, so the other checks cannot reuse it.
  larges.delete(subject)
  const counted = await changesOf(subject, stage, last(subject, ran))
  if (counted === undefined)
    return `${subject.connector.name} asks for no changes by time: what changed is read whole, or by its number`
  few(counted, `a change of ${CHANGED} records`)
  return undefined
}

export const COUNTED = overHttp({
  "reads its lists in full pages": first,
  "asks no more for a further record than it declares": further,
  "asks little when nothing changed": quiet,
  "asks at most twice for what changed": changes
})
