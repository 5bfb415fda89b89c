/**
 * Writes the proof of an order, which goes to the collections partner with its invoice (H4): who ordered what, when and for
 * how much according to the shop, and what was cancelled or came back since. Pure: the same order gives the same bytes.
 */
import type { Cancellation, OrderLine, Return } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type * as Day from "../../core/wire/Day.ts"
import { formatsOf } from "./pdf/Formats.ts"
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

export interface OrderProof {
  readonly invoice: string
  readonly order: string
  readonly placed: Day.Day
  readonly seller: Party
  readonly buyer: Party & { readonly country?: string }
  readonly currency: string
  readonly lines: ReadonlyArray<OrderLine>
  /** Cancellations and returns, sorted by day. */
  readonly changes: ReadonlyArray<Pick<Cancellation | Return, "kind" | "date" | "lines" | "amount">>
}

const LINE_HEIGHT = 14
const QUANTITY = MARGIN + 44
const WHAT = QUANTITY + 12
const WHAT_WIDTH = RIGHT - 100 - WHAT

const wordsOf = ({ description, id, sku, type }: OrderLine): string =>
  `${description ?? sku ?? id}${type === "product" ? "" : ` (${type})`}`

/** A row of a page, whose lines are kept together. */
interface Block {
  readonly lines: ReadonlyArray<ReadonlyArray<Omit<Text, "y">>>
  /** A rule above it, or only space. */
  readonly above?: "rule" | "room"
}

const rowsOf = (setter: Typesetter, line: OrderLine, amount: string): Block["lines"] => {
  const [first = "", ...more] = wrapped(setter, tidied(wordsOf(line)), WHAT_WIDTH, { size: SIZE }).slice(0, 8)
  return [
    [
      { x: QUANTITY, size: SIZE, text: Decimal.format(line.quantity), right: true },
      { x: WHAT, size: SIZE, text: first },
      { x: RIGHT, size: SIZE, text: amount, right: true }
    ],
    ...more.map((text) => [{ x: WHAT, size: SIZE, text }])
  ]
}

/** Why the invoiced amount may be lower than the ordered one. */
const changeText = (
  { lines: ordered }: OrderProof,
  { amount, date, kind, lines }: OrderProof["changes"][number],
  say: (amount: Decimal.Decimal) => string
): string => {
  const goods = lines.map(({ line, quantity }) => {
    const of = ordered.find(({ id }) => id === line)
    return `${Decimal.format(quantity)} × ${of === undefined ? line : wordsOf(of)}`
  })
  const money = amount === undefined ? [] : [say(amount)]
  // Without goods it is only money: a discount after the sale.
  const what = goods.length === 0 && money.length === 0 ? [ALL[kind]] : [...goods, ...money]
  return tidied(`${kind === "cancellation" ? "Cancelled" : "Returned"} on ${date}: ${what.join(", ")}`)
}

const ALL = { cancellation: "everything that was left", return: "everything that was shipped" }

const HEADINGS: Block = {
  lines: [
    [
      { x: QUANTITY, size: 8, text: "Quantity", bold: true, right: true },
      { x: WHAT, size: 8, text: "Ordered", bold: true },
      { x: RIGHT, size: 8, text: "Amount, tax included", bold: true, right: true }
    ]
  ]
}

const blocksOf = (setter: Typesetter, order: OrderProof): ReadonlyArray<Block> => {
  const { buyer, changes, currency, lines } = order
  const { amount } = formatsOf(buyer.country, currency)
  const say = (money: Decimal.Decimal) => `${amount(money)} ${currency}`
  const total: Block = {
    above: "rule",
    lines: [
      [
        { x: MARGIN, size: 11, text: "Ordered in all", bold: true },
        { x: RIGHT, size: 11, text: say(Decimal.sum(lines.map(({ gross }) => gross))), bold: true, right: true }
      ]
    ]
  }
  // Each line separately, because a change may list many goods.
  const changed = changes.flatMap((change) =>
    wrapped(setter, changeText(order, change, say), RIGHT - MARGIN, { size: SIZE }).map(
      (text, n): Block => ({ lines: [[{ x: MARGIN, size: SIZE, text }]], ...(n === 0 ? { above: "room" } : {}) })
    )
  )
  const rows = lines.map(
    (line, n): Block => ({
      lines: rowsOf(setter, line, amount(line.gross)),
      ...(n === 0 ? { above: "rule" } : {})
    })
  )
  return [HEADINGS, ...rows, total, ...changed]
}

const orderPages = (setter: Typesetter, proof: OrderProof): ReadonlyArray<PageContent> => {
  const { buyer, invoice, order, placed, seller } = proof
  const head = opening(setter, "Proof of order", `Order ${order} of ${placed}, invoice ${invoice}`, [
    { label: "Seller", party: seller },
    { label: "Ordered by", party: buyer }
  ])
  let page: OpenPage = { texts: [...head.texts], rules: [] }
  const pages = [page]
  let { y } = head
  for (const { above, lines } of blocksOf(setter, proof)) {
    if (y - LINE_HEIGHT * (lines.length - 1) < BOTTOM) {
      pages.push((page = { texts: [], rules: [] }))
      y = TOP
    }
    if (above === "rule") page.rules.push({ from: MARGIN, to: RIGHT, y: y + 8 })
    if (above !== undefined) y -= 6
    for (const texts of lines) {
      page.texts.push(...texts.map((text) => ({ ...text, y })))
      y -= LINE_HEIGHT
    }
  }
  return numbered(pages)
}

/** The document as a file; or the text that cannot be written. */
export const orderPdf = async (proof: OrderProof): Promise<Buffer | { readonly why: string }> => {
  const done = await typeset((setter) => orderPages(setter, proof), proof.buyer.country)
  if ("why" in done) return done
  const day = proof.changes.at(-1)?.date ?? proof.placed
  return writePdf(done.setter, { title: `Proof of order ${tidied(proof.order)}`, day }, done.pages)
}
