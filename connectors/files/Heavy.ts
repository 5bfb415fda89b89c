/** Whether so much is to be read of files that it is worth a thread of its own. */
import { partOf } from "./BankFiles.ts"
import { list, type Places } from "./Listing.ts"
import * as Looks from "../Looks.ts"
import type { Settings } from "./Settings.ts"

/** Bytes that take longer to read and to decode than a thread takes to start: those of text, and those of a workbook. */
const TEXT_BYTES = 1 << 23
const WORKBOOK_BYTES = 1 << 22

/** @param looks by part, how its file looked when it was read last */
export const isHeavy = async (
  settings: Settings,
  places: Places,
  looks: Readonly<Record<string, Looks.Look>>,
  now: number
): Promise<boolean> => {
  for (const file of list(settings, places)) {
    const look = await Looks.look(file.path, now)
    const bytes = Number(look.file.split(" ")[0])
    const isLarge = bytes >= (file.ending === ".xlsx" ? WORKBOOK_BYTES : TEXT_BYTES)
    if (isLarge && !Looks.isSame(looks[partOf(file)], look)) return true
  }
  return false
}
