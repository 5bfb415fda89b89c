/** Says what a comparison of plans cannot show: what only a source or the service could tell. */
import type { Day } from "../../core/wire/Day.ts"
import { type Connection, nameOf } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"

type Settings = Readonly<Record<string, unknown>>

/** The members of a source that are set otherwise. */
export const changedMembers = (today: Connection, other: Connection): ReadonlyArray<string> => {
  const [before, after] = [today.settings as Settings, other.settings as Settings]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )
}

const isRead = (db: Db, id: string): boolean =>
  db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1").get(`${id}/`, `${id}0`) !== undefined

interface Limits {
  /** Why Daybook would refuse a connection of the other configuration, by id. */
  readonly refused: ReadonlyMap<string, string>
  /** Why a source that is set otherwise could not be read; undefined: none was to be read. */
  readonly unread: ReadonlyMap<string, string> | undefined
  readonly asOf: Day | undefined
}

export const notCovered = (
  db: Db,
  today: ReadonlyArray<Connection>,
  other: ReadonlyArray<Connection> | undefined,
  { asOf, refused, unread }: Limits
): ReadonlyArray<string> => {
  const ofOthers = (other ?? []).flatMap((one) => {
    const name = nameOf(one)
    const why = refused.get(one.id)
    if (why !== undefined) return [`${name}: nothing of it is compared, because it would be refused: ${why}`]
    const before = today.find(({ id }) => id === one.id)
    const failed = unread?.get(one.id)
    if (failed !== undefined)
      return [
        `${name}: its source could not be read; only what follows from the books as they are is compared: ${failed}`
      ]
    if (unread !== undefined) return []
    if (before === undefined)
      return isRead(db, one.id)
        ? []
        : [
            `${name} is added: its source has not been read, so nothing of it is compared; \`--read\` reads it, \`daybook preview\` shows it`
          ]
    const changed = changedMembers(before, one)
    return changed.length === 0
      ? []
      : [
          `${name}: its source is set otherwise (${changed.join(", ")}): its books were read with today's settings, and would have to be read again (\`--read\` does); only what follows from the books as they are is compared`
        ]
  })
  const removed =
    other === undefined
      ? []
      : today
          .filter(({ id }) => other.every((one) => one.id !== id))
          .map((one) => `${nameOf(one)} is removed: what the service has of it stays there, and is not kept up to date`)
  const day =
    asOf === undefined
      ? []
      : [`what sources and service say by ${asOf}, or said other: both plans are made from the books as they are now`]
  return [...ofOthers, ...removed, ...day]
}
