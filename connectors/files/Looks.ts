/**
 * What shows, without reading it, that a file is as it was when it was read last: its length, its times, and which file on
 * which disk it is. Not trusted where the file was written shortly before it was looked at: disks keep times as coarse as
 * two seconds, and what was written once more within them would not show.
 */
import { stat } from "node:fs/promises"
import { Schema } from "effect"

export const Look = Schema.Struct({
  /** Length, time of the content, time of the entry, number and disk of the file, in one text. */
  file: Schema.String,
  /** When it was looked at, in milliseconds. */
  at: Schema.Number
})
export type Look = typeof Look.Type

/** How long before a look a file may not have been written to. */
const COARSE_MS = 3000

/** How a file looks now. */
export const look = async (path: string, at: number): Promise<Look> => {
  const { ctimeNs, dev, ino, mtimeNs, size } = await stat(path, { bigint: true })
  return { file: `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`, at }
}

/** Whether the content of the file is certainly what it was at an earlier look. */
export const isSame = (before: Look | undefined, now: Look): boolean => {
  if (before === undefined || before.file !== now.file) return false
  const [, content = "", entry = ""] = before.file.split(" ")
  // Also false of a time to come: then one of the clocks is wrong.
  const settled = BigInt(Math.floor(before.at) - COARSE_MS) * 1_000_000n
  return BigInt(content) < settled && BigInt(entry) < settled
}
