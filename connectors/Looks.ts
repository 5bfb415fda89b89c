/**
 * Detects, without reading a file, that it is unchanged since it was last read: by its size, its times, and its inode and
 * device. Not trusted if the file was written shortly before it was last looked at: file systems store times with a
 * precision as low as two seconds, and a second write within them would not show.
 */
import { Schema } from "effect"
import { stat } from "node:fs"
import { promisify } from "node:util"

export const Look = Schema.Struct({
  /** Size, modification time, change time, inode and device, in one text. */
  file: Schema.String,
  /** When it was looked at, in milliseconds since the epoch. */
  at: Schema.Number
})
export type Look = typeof Look.Type

/** A file that was written less than this before it was looked at may have been written again since. */
const COARSE_MS = 3000

/** The file's current attributes. */
export const look = async (path: string, at: number): Promise<Look> => {
  const { ctimeNs, dev, ino, mtimeNs, size } = await promisify(stat)(path, { bigint: true })
  return { file: `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`, at }
}

/** Whether the file's content is certainly unchanged since an earlier look. */
export const isSame = (before: Look | undefined, now: Look): boolean => {
  if (before === undefined || before.file !== now.file) return false
  const [, content = "", entry = ""] = before.file.split(" ")
  // Also false for a time in the future: then one of the clocks is wrong.
  const settled = BigInt(Math.floor(before.at) - COARSE_MS) * 1_000_000n
  return BigInt(content) < settled && BigInt(entry) < settled
}
