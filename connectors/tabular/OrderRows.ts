/**
 * Reads rows of files about orders: each row is a line, and adjacent rows with one id form one order, parcel, cancellation or
 * return. A document is complete or quarantined: one unreadable row quarantines the others with it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Kind, LinePart, LineType, Order, OrderFact, OrderLine } from "../Document.ts"
import { trackings } from "../Trackings.ts"
import { details } from "./BuyerCells.ts"
import { chosen, type Context, needed, optional, quarantined, storable, Unreadable } from "./Cells.ts"
import * as Repeats from "./Repeats.ts"
import type { Batch } from "./Batch.ts"
import type { OrderFactSettings, OrderStreamSettings } from "./Streams.ts"
import type { Row } from "./Row.ts"
import { trackingCells } from "./TrackingCells.ts"

type Of = Order | OrderFact

const STATUSES: ReadonlyArray<string> = ["open", "closed", "cancelled"]
const TYPES: ReadonlyArray<string> = ["product", "shipping", "fee", "discount"]

/** Reads a row as a document with one line, to be joined with its neighbours. */
type Decode = (row: Row) => Of

const quantityOf = (context: Context, column: string | undefined): ((row: Row) => bigint | undefined) => {
  const at = context.at("quantity")
  return (row) => {
    if (at < 0) return undefined
    const quantity = context.money(row, at, column, undefined)
    if (quantity !== undefined && quantity <= 0n) throw new Unreadable("is not greater than zero; correct it", column)
    return quantity
  }
}

const choose = <A extends string>(
  text: string,
  {
    among,
    column,
    map,
    mapName,
    otherwise
  }: {
    readonly among: ReadonlyArray<string>
    readonly column: string | undefined
    readonly map: Readonly<Record<string, A>> | undefined
    readonly mapName: string
    readonly otherwise: A
  }
): A => {
  const found = chosen(text, among, map, otherwise)
  if (found !== undefined) return found
  throw new Unreadable(`${JSON.stringify(text)} is not one of ${among.join(", ")}; map it under ${mapName}`, column)
}

/** Columns of the file's own totals, and what they are called in an order. */
const TOTALS = {
  shipped: "shipped",
  cancelled: "cancelled",
  refunded: "refunded",
  total_now: "now",
  outstanding: "outstanding",
  paid_otherwise: "otherwise"
} as const
const TOTAL_COLUMNS = Object.keys(TOTALS) as ReadonlyArray<keyof typeof TOTALS>

/** The file's own totals of an order, repeated in each of its rows. */
const totalsOf = ({ columns }: OrderStreamSettings, context: Context) => {
  const found = TOTAL_COLUMNS.flatMap((name) => (columns[name] === undefined ? [] : [{ name, at: context.at(name) }]))
  return (row: Row, currency: string): Pick<Order, "totals"> => {
    const totals = found.flatMap(({ at, name }) => {
      const amount = context.money(row, at, columns[name], currency)
      if (amount !== undefined && amount < 0n && name !== "outstanding")
        throw new Unreadable("is negative; correct it", columns[name])
      return amount === undefined ? [] : [[TOTALS[name], amount] as const]
    })
    return totals.length === 0 ? {} : { totals: Object.fromEntries(totals) }
  }
}

export const orders = (settings: OrderStreamSettings, context: Context): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const [id, number, placed, status] = [at("id"), at("number"), at("placed"), at("status")]
  const [payment, order] = [at("deferred_payment"), at("service_order")]
  const totals = totalsOf(settings, context)
  const more = details(settings, context)
  const lineOf = lineReader(settings, context)
  return (row) => {
    const source = needed(cell(row, id), columns.id)
    const currency = context.currency(row)
    if (currency === undefined) {
      throw new Unreadable("the currency is not known; name a column for it, or set currency", columns.currency)
    }
    const line: OrderLine = { ...lineOf(row, currency), ...more.line(row) }
    return {
      kind: "order",
      id: source,
      number: cell(row, number) === "" ? source : cell(row, number),
      status: choose<Order["status"]>(cell(row, status), {
        among: STATUSES,
        column: columns.status,
        map: settings.statuses,
        mapName: "statuses",
        otherwise: "open"
      }),
      currency,
      placed: context.day(row, placed, columns.placed),
      lines: [line],
      ...optional("deferredPayment", cell(row, payment)),
      ...optional("serviceOrder", cell(row, order)),
      ...totals(row, currency),
      ...more.order(row)
    }
  }
}

const lineReader = (settings: OrderStreamSettings, context: Context) => {
  const { at, cell } = context
  const { columns } = settings
  const quantity = quantityOf(context, columns.quantity)
  const [line, type, gross, description] = [at("line"), at("type"), at("gross"), at("description")]
  return (row: Row, currency: string): OrderLine => {
    const amount = context.money(row, gross, columns.gross, currency)
    if (amount === undefined)
      throw new Unreadable("is empty, and an amount is needed; write it, or leave the row out", columns.gross)
    const lineType = choose<LineType>(cell(row, type), {
      among: TYPES,
      column: columns.type,
      map: settings.types,
      mapName: "types",
      otherwise: amount < 0n ? "discount" : "product"
    })
    if (lineType !== "discount" && amount < 0n)
      throw new Unreadable(
        "is negative, and the line is not a discount; correct its amount, or its type under types",
        columns.gross
      )
    return {
      id: cell(row, line),
      type: lineType,
      quantity: quantity(row) ?? Decimal.one,
      // A discount may be written with or without its sign.
      gross: lineType === "discount" && amount > 0n ? -amount : amount,
      ...optional("description", cell(row, description))
    }
  }
}

const METHODS: ReadonlyArray<string> = ["deferred", "other"]

/** By which method money went back; absent for the deferred payment. */
const methodOf = ({ columns, methods }: OrderFactSettings, { at, cell }: Context) => {
  const index = at("method")
  return (row: Row): { readonly method?: "other" } => {
    const method = choose<"deferred" | "other">(index < 0 ? "" : cell(row, index), {
      among: METHODS,
      column: columns.method,
      map: methods,
      mapName: "methods",
      otherwise: "deferred"
    })
    return method === "other" ? { method } : {}
  }
}

export const facts = (kind: OrderFact["kind"], settings: OrderFactSettings, context: Context): Decode => {
  const { at, cell } = context
  const { columns } = settings
  const quantity = quantityOf(context, columns.quantity)
  const [id, order, date, line, amount] = [at("id"), at("order"), at("date"), at("line"), at("amount")]
  const tracking = trackingCells(context)
  const method = methodOf(settings, context)
  return (row) => {
    const name = cell(row, line)
    const many = quantity(row)
    if (name === "" && many !== undefined) {
      throw new Unreadable(
        "is empty beside a quantity; name the line, or leave both empty for all that is left",
        columns.line
      )
    }
    if (name !== "" && many === undefined && columns.quantity !== undefined) {
      throw new Unreadable("is empty, and a quantity is needed; write it", columns.quantity)
    }
    const currency = context.currency(row)
    const stated = amount < 0 ? undefined : context.money(row, amount, columns.amount, currency)
    if (stated !== undefined && stated < 0n) throw new Unreadable("is negative; correct it", columns.amount)
    const parts: ReadonlyArray<LinePart> = name === "" ? [] : [{ line: name, quantity: many ?? Decimal.one }]
    const more = kind === "fulfilment" ? tracking(row) : method(row)
    return {
      kind,
      id: needed(cell(row, id), columns.id),
      order: needed(cell(row, order), columns.order),
      date: context.day(row, date, columns.date),
      ...(currency === undefined ? {} : { currency }),
      lines: parts,
      ...(stated === undefined ? {} : { amount: stated }),
      ...more
    }
  }
}

/** Members that may differ between the rows of a document. */
const OF_ROW: ReadonlyArray<string> = ["lines", "amount", "tracking"]

/** The other members of a document, as text: all its rows must agree on them. */
const head = (document: Of): string =>
  JSON.stringify(document, (name, value) =>
    OF_ROW.includes(name) ? undefined : typeof value === "bigint" ? `${value}` : value
  )

interface Group {
  readonly id: string
  readonly line: number
  readonly rows: [Row, ...Array<Row>]
  readonly documents: Array<Of>
  content: number
  problem: Unreadable | undefined
}

/** Joins the lines of one document; lines without an id are numbered. */
const join = (documents: ReadonlyArray<Of>): Of => {
  const [first] = documents as readonly [Of]
  if (first.kind === "order") {
    const lines = (documents as ReadonlyArray<Order>)
      .flatMap((one) => one.lines)
      .map((line, n) => (line.id === "" ? { ...line, id: `${n + 1}` } : line))
    const twice = lines.find(({ id }, n) => lines.findIndex((one) => one.id === id) < n)
    if (twice !== undefined)
      throw new Unreadable(`its line ${JSON.stringify(twice.id)} appears twice; give each its own id`)
    return { ...first, lines }
  }
  const lines = (documents as ReadonlyArray<OrderFact>).flatMap((one) => one.lines)
  const amounts = documents.flatMap((one) => ("amount" in one && one.amount !== undefined ? [one.amount] : []))
  if (amounts.length > 0 && amounts.length < documents.length) {
    throw new Unreadable("some of its rows have an amount and some have none; write all of them or none")
  }
  if (documents.length > 1 && amounts.length === 0 && documents.some((one) => one.lines.length === 0)) {
    throw new Unreadable("one of its rows names no line; name every line, or write one row for all that is left")
  }
  const tracking = trackings(
    (documents as ReadonlyArray<OrderFact>).flatMap((one) => ("tracking" in one ? (one.tracking ?? []) : []))
  )
  if (amounts.length > 0) return { ...first, lines, amount: Decimal.sum(amounts) } as OrderFact
  return { ...first, lines, ...tracking } as OrderFact
}

export interface Compiled {
  readonly decode: Decode
  readonly kind: Kind
  readonly origin: (row: Row) => string
  readonly expected: number
  readonly idOf: (row: Row) => string
  readonly contentOf: (row: Row) => number
  /** Called with rows that yield no document, because they are quarantined or were read before. */
  readonly missed: (rows: ReadonlyArray<Row>) => void
}

class Joiner {
  readonly #of: Compiled
  readonly #repeats: Repeats.Repeats
  #group: Group | undefined

  constructor(of: Compiled) {
    this.#of = of
    this.#repeats = Repeats.make(of.expected)
  }

  add(row: Row, batch: Batch): void {
    const { contentOf, decode, idOf } = this.#of
    const id = row.problem === undefined ? idOf(row) : ""
    const group = this.#groupOf(id, row, batch)
    try {
      if (row.problem !== undefined) throw new Unreadable(row.problem)
      group.content = Math.imul(group.content, 31) ^ contentOf(row)
      const document = decode(row)
      const [first = document] = group.documents
      if (head(first) !== head(document)) {
        throw new Unreadable(`it contradicts line ${group.line} about ${JSON.stringify(id)}; correct one of both`)
      }
      group.documents.push(document)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      if (cause.date !== undefined) batch.badDates.push({ column: cause.field ?? "", text: cause.date })
      group.problem ??= cause
    }
  }

  /** The group of a row: the previous one, or a new one. */
  #groupOf(id: string, row: Row, batch: Batch): Group {
    if (this.#group !== undefined && this.#group.id === id && id !== "") {
      this.#group.rows.push(row)
      return this.#group
    }
    this.finish(batch)
    this.#group = { id, line: row.line, rows: [row], documents: [], content: 0, problem: undefined }
    return this.#group
  }

  finish(batch: Batch): void {
    const { kind, origin: originOf } = this.#of
    const done = this.#group
    if (done === undefined) return
    this.#group = undefined
    try {
      if (done.problem !== undefined) throw done.problem
      const document = join(done.documents)
      const first = this.#repeats.add(kind, done.id, Repeats.mix(done.content), done.line)
      const origin = originOf(done.rows[0])
      if (first < 0)
        throw new Unreadable(
          `${JSON.stringify(done.id)} already appears in line ${-first}; sort the file, so that rows with the same id follow each other`
        )
      if (first > 0) {
        this.#of.missed(done.rows)
        return void batch.notices.push({ origin, what: "the same rows appear twice; they were read once" })
      }
      storable(document)
      batch.read.push({ document, raw: done.rows.map(({ raw }) => raw).join("\n"), origin })
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      this.#quarantine(batch, done, cause)
    }
  }

  #quarantine(batch: Batch, { id, problem, rows }: Group, { field, why }: Unreadable): void {
    const { kind, missed, origin } = this.#of
    missed(rows)
    for (const row of rows) {
      const blame = problem !== undefined && row !== rows.at(-1)
      const its = blame ? `it belongs to ${JSON.stringify(id)}, of which a row cannot be read: ${why}` : why
      batch.quarantined.push(quarantined({ kind, origin: origin(row), raw: row.raw, why: its }, field, id))
    }
  }
}

/** Joins rows into documents. `last` means that no more rows follow. */
export const joined = (of: Compiled) => {
  const joiner = new Joiner(of)
  return (rows: ReadonlyArray<Row>, batch: Batch, last = false) => {
    batch.rows += rows.length
    for (const row of rows) joiner.add(row, batch)
    if (last) joiner.finish(batch)
  }
}
