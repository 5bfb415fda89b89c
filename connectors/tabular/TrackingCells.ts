/** Reads the tracking columns of a parcels file. */
import type { Fulfilment } from "../Document.ts"
import { trackings } from "../Trackings.ts"
import type { Context } from "./Cells.ts"
import type { Row } from "./Row.ts"

const BETWEEN_NUMBERS = /[,;|\n]+/

/** A cell may hold several numbers; a link is used only if there is a single number. */
export const trackingCells = ({ at, cell }: Context): ((row: Row) => Pick<Fulfilment, "tracking">) => {
  const [numbers, carrier, url] = [at("tracking"), at("carrier"), at("tracking_url")]
  if (numbers < 0) return () => ({})
  return (row) => {
    const all = cell(row, numbers).split(BETWEEN_NUMBERS)
    const link = all.length === 1 ? cell(row, url) : ""
    return trackings(all.map((number) => ({ number, carrier: cell(row, carrier), url: link })))
  }
}
