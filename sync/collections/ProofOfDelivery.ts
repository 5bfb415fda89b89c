/**
 * Writes the proof of delivery of an order, which goes to the collections partner with its invoice (H4): each parcel that
 * left, with its day, its contents, and its tracking numbers. Pure: the same order gives the same bytes.
 */
import type { Fulfilment, LinePart, OrderLine } from "../../connectors/Document.ts"
import type { Tracking } from "../../connectors/Tracking.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import {
  BOTTOM,
  MARGIN,
  numbered,
  opening,
  type OpenPage,
  type Party,
  RIGHT,
  SIZE,
  tidied,
  TOP,
  typeset,
  wrapped
} from "./pdf/Layout.ts"
import { type PageContent, type Text, writePdf } from "./pdf/Pdf.ts"
import type { Typesetter } from "./pdf/Typesetting.ts"

export interface ParcelProof {
  readonly invoice: string
  readonly order: string
  readonly placed: Day.Day
  readonly seller: Party
  /** The delivery address, or else the buyer's. */
  readonly to: Party & { readonly country?: string }
  readonly lines: ReadonlyArray<OrderLine>
  /** Sorted by day; at least one. */
  readonly parcels: ReadonlyArray<Pick<Fulfilment, "date" | "lines" | "tracking">>
}

const trackingText = ({ carrier, number, url }: Tracking): string =>
  [
    carrier === undefined ? "Tracking number" : `${carrier}, tracking number`,
    number,
    url === undefined ? "" : `(${url})`
  ]
    .filter((one) => one !== "")
    .join(" ")

/** The contents of a parcel; one without lines contained everything that was left. */
const goodsOf = (parts: ReadonlyArray<LinePart>, lines: ReadonlyArray<OrderLine>): ReadonlyArray<string> => {
  const named = parts.flatMap(({ line, quantity }) => {
    const of = lines.find(({ id }) => id === line)
    if (of === undefined || of.type !== "product") return []
    return [`${Decimal.format(quantity)} × ${of.description ?? of.sku ?? of.id}`]
  })
  return parts.length === 0 ? ["Everything that was left of the order"] : named
}

const INDENT = 16
const LINE_HEIGHT = 14

/** Each parcel as lines: its day, its tracking numbers, its contents. */
const linesOf = (setter: Typesetter, { lines, parcels }: ParcelProof): ReadonlyArray<Omit<Text, "y">> =>
  parcels.flatMap(({ date, lines: parts, tracking = [] }, n) => {
    const heading = `Parcel ${n + 1} of ${parcels.length}, left on ${date}`
    const rest = [...tracking.map(trackingText), ...goodsOf(parts, lines)]
    const width = RIGHT - MARGIN - INDENT
    return [
      { x: MARGIN, size: 11, text: heading, bold: true },
      ...rest
        .flatMap((one) => wrapped(setter, tidied(one), width, { size: SIZE }))
        .map((text) => ({ x: MARGIN + INDENT, size: SIZE, text }))
    ]
  })

const deliveryPages = (setter: Typesetter, delivery: ParcelProof): ReadonlyArray<PageContent> => {
  const { invoice, order, placed, seller, to } = delivery
  const about = `Order ${order} of ${placed}, invoice ${invoice}`
  const head = opening(setter, "Proof of delivery", about, [
    { label: "Seller", party: seller },
    { label: "Delivered to", party: to }
  ])
  let page: OpenPage = { texts: [...head.texts], rules: [] }
  const pages = [page]
  let { y } = head
  for (const line of linesOf(setter, delivery)) {
    if (line.bold === true) y -= 8
    if (y < BOTTOM) {
      pages.push((page = { texts: [], rules: [] }))
      y = TOP
    }
    page.texts.push({ ...line, y })
    y -= LINE_HEIGHT
  }
  return numbered(pages)
}

/** The document as a file; or the text that cannot be written. */
export const deliveryPdf = async (delivery: ParcelProof): Promise<Buffer | { readonly why: string }> => {
  const done = await typeset((setter) => deliveryPages(setter, delivery), delivery.to.country)
  if ("why" in done) return done
  const day = delivery.parcels.at(-1)?.date ?? delivery.placed
  return writePdf(done.setter, { title: `Proof of delivery of order ${tidied(delivery.order)}`, day }, done.pages)
}
