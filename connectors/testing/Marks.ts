/**
 * Defines the kit's checks of the boundary between two reads: a record that changes at the very moment of a read, others
 * with the same time, a source's clock that differs from ours; and what the books keep of a part of the source.
 */
import { type Check, last, overHttp, shown, well } from "./Checks.ts"
import { isStamped, type Stamped, textOf } from "./Simulator.ts"
import { run, type Run, type Stage, Wrong } from "./Subject.ts"

const NOON = Date.parse("2026-03-01T12:00:00Z")
const MINUTE_MS = 60_000
/** The source's time: its clock is ten minutes behind ours. */
const BEHIND = NOON - 10 * MINUTE_MS

const reads = ({ pages }: Run, text: string): boolean =>
  pages.some(({ quarantined, read }) => [...read, ...quarantined].some(({ raw }) => raw.includes(text)))

/** The lists of a new stage that can be queried for changes, by name. */
const marked = ({ source }: Stage): ReadonlyMap<string, Stamped> =>
  new Map(
    Object.entries(source?.lists ?? {}).flatMap(([name, list]) =>
      isStamped(list) && list.records.length > 1 ? [[name, list]] : []
    )
  )

/**
 * For each list that can be queried for changes: adds a record that changes at the moment of the read, right after the list
 * was read. The next read must find it. `n` says which record, the first or the last.
 */
const between =
  (isTied: boolean, n: 0 | -1): Check =>
  async (subject, stage) => {
    const lists = marked(stage)
    if (lists.size === 0)
      return `${subject.connector.name} asks for no changes by time: what changed is read whole, or by its number`
    const whole = well(await run(subject, stage, { bend: { clock: BEHIND } }))
    for (const [name, known] of lists) {
      const all = known.records
      // A record that becomes no document would show nothing.
      const wanted = all.filter((record) => reads(whole, shown(known, record)))
      const chosen = wanted.at(n)
      const fresh = subject.open()
      try {
        const list = marked(fresh).get(name)
        if (chosen === undefined || list === undefined) continue
        const at = all.indexOf(chosen)
        if (isTied) for (const record of list.records) list.stamp(record, BEHIND)
        const [late] = list.records.splice(at, 1)
        const before = well(await run(subject, fresh, { bend: { clock: BEHIND } }))
        list.stamp(late, BEHIND)
        list.records.splice(at, 0, late)
        const after = well(
          await run(subject, fresh, { after: last(subject, before), bend: { clock: BEHIND + MINUTE_MS } })
        )
        const id = shown(list, late)
        if (!reads(after, id))
          throw new Wrong(
            `${id} of ${name} changed at the moment at which the source was read${isTied ? ", like all others," : ""} by the source's clock, and is never read`
          )
      } finally {
        fresh.close?.()
      }
    }
    return undefined
  }

const HOUR_MS = 60 * MINUTE_MS

/** A record changes after its page was read, hours before the list ends: the next read must begin before that. */
const during: Check = async (subject, stage) => {
  const lists = marked(stage)
  if (lists.size === 0)
    return `${subject.connector.name} asks for no changes by time: what changed is read whole, or by its number`
  const clock = (n: number) => NOON + n * HOUR_MS
  for (const name of lists.keys()) {
    const fresh = subject.open()
    try {
      const list = marked(fresh).get(name)
      if (list === undefined) continue
      let edited: { readonly id: string; readonly now: string } | undefined
      const bend = {
        clock,
        after: (n: number, answer: string) => {
          const found = list.records.find((one) => shown(list, one) !== undefined && answer.includes(shown(list, one)))
          if (edited !== undefined || found === undefined) return
          const was = { ...found }
          list.stamp(found, clock(n) + MINUTE_MS)
          const [, now] = Object.entries(found).find(([member, value]) => value !== was[member]) ?? []
          edited = { id: shown(list, found), now: textOf(now) }
        }
      }
      const before = well(await run(subject, fresh, { bend }))
      const { id, now } = edited ?? { id: undefined, now: "" }
      if (id === undefined || !reads(before, id) || reads(before, now)) continue
      const late = before.asked.length
      const next = well(
        await run(subject, fresh, { after: last(subject, before), bend: { clock: (n) => clock(n + late) } })
      )
      if (!reads(next, id))
        throw new Wrong(
          `${id} of ${name} changed after its page was read, and is never read: the bookmark is the time of the first answer, not of the last`
        )
    } finally {
      fresh.close?.()
    }
  }
  return undefined
}

/** For each ledger: stores a record only after one with a higher number was read. The next read must find it. */
const behind: Check = async (subject, stage) => {
  const ledgers = Object.entries(stage.source?.lists ?? {}).filter(([, { number }]) => number !== undefined)
  if (ledgers.length === 0) return "no list of its sample is a ledger, whose records have ascending numbers"
  const whole = well(await run(subject, stage))
  for (const [name, { number = "", records, ...its }] of ledgers) {
    const read = records.filter((record) => reads(whole, shown({ ...its, records }, record)))
    const chosen = read.toSorted((a, b) => a[number] - b[number]).at(-2)
    if (chosen === undefined) throw new Wrong(`its sample has less than two records in ${name} that become documents`)
    const fresh = subject.open()
    try {
      const list = fresh.source?.lists[name]
      const late = list?.records.splice(records.indexOf(chosen), 1) ?? []
      const before = well(await run(subject, fresh))
      list?.records.splice(records.indexOf(chosen), 0, ...late)
      const after = well(await run(subject, fresh, { after: last(subject, before) }))
      const id = shown({ ...its, records }, chosen)
      if (!reads(after, id))
        throw new Wrong(
          `${id} of ${name} was stored after a record with a higher number was read, and is never read: begin further back`
        )
    } finally {
      fresh.close?.()
    }
  }
  return undefined
}

export const MARKS = overHttp({
  "sees what is stored after a higher number was read": behind,
  "sees what changes while it reads": during,
  "sees what changes at the moment of its mark, by the source's clock": between(false, -1),
  "loses nothing to equal times between two readings": between(true, 0)
})
