/** `daybook export --customer`: writes the account of one customer, as a spreadsheet or as a PDF to send to them. */
import { Clock, Effect } from "effect"
import { isCurrency } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import { exportError } from "../../sync/export/ExportError.ts"
import { exportSheets } from "../../sync/export/index.ts"
import { OutputFile } from "../../sync/export/OutputFile.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as Customers from "../../sync/reports/Customers.ts"
import * as CustomerStatement from "../../sync/reports/CustomerStatement.ts"
import * as Status from "../../sync/reports/Status.ts"
import { Database } from "../../sync/state/Database.ts"
import * as CommandContext from "../CommandContext.ts"

export interface CustomerExport {
  readonly file: string
  readonly customer: string
  readonly currency: string | undefined
}

const MOST_NAMED = 10

/** The one customer whose name matches, completely or in part. */
const customerOf = (connections: ReadonlyArray<string>, name: string, today: Day.Day) =>
  Effect.gen(function* () {
    const db = yield* Database
    const page = { sort: "name", most: 1000, skip: 0 } as const
    const rows = yield* db.read(() => Customers.customers(db, { connections, text: name }, page, today))
    const all = [...new Map(rows.map((row) => [row.id, row])).values()]
    const exact = all.filter((one) => one.name.toLowerCase() === name.toLowerCase())
    const [found, ...others] = exact.length > 0 ? exact : all
    if (found === undefined)
      return yield* new UsageError({
        why: `customer ${JSON.stringify(name)} not found; customers are known once their invoices were sent`
      })
    if (others.length === 0) return found
    const names = [found, ...others]
      .slice(0, MOST_NAMED)
      .map(({ connection, name, party }) => `${name} (${party} of ${connection})`)
    return yield* new UsageError({
      why: `${JSON.stringify(name)} is part of several names: ${names.join(", ")}; give one of them in full, or see the page`
    })
  })

const currencyOf = ({ currency, customer }: CustomerExport, owed: ReadonlyArray<string>) => {
  if (currency !== undefined && !isCurrency(currency))
    return new UsageError({ why: `--currency ${currency}: not an ISO 4217 code` })
  const [one, ...others] = currency === undefined ? owed : [currency]
  if (one === undefined) return new UsageError({ why: `nothing is open of ${customer}` })
  return others.length === 0
    ? Effect.succeed(one)
    : new UsageError({ why: `${customer} owes in ${owed.join(", ")}: choose one with --currency` })
}

const write = (file: string, bytes: Uint8Array) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: async () => {
        const output = await OutputFile.create(file)
        try {
          await output.append(bytes)
          await output.close()
          await output.commit()
        } finally {
          await output.discard()
        }
        return output.path
      },
      catch: (cause) => exportError(file, cause)
    })
  )

const pdf = (wanted: CustomerExport, customer: Customers.Customer, today: Day.Day) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { connections, file } = yield* CommandContext.configuration
    const connection = connections.find(({ id }) => id === customer.connection)
    if (connection === undefined)
      return yield* new UsageError({
        why: `connection ${customer.connection} was removed from ${file}, so the seller is unknown`
      })
    const owed = yield* db.read(() => CustomerStatement.currencies(db, customer, today))
    const currency = yield* currencyOf(wanted, owed)
    const made = yield* CustomerStatement.statementPdf(connection.planning, customer, currency, today)
    if ("why" in made) return yield* new UsageError({ why: `no statement of account: ${made.why}` })
    return [yield* write(wanted.file, made.bytes)]
  })

/** Writes it, and returns the files. */
export const exportCustomer = (wanted: CustomerExport) =>
  Effect.gen(function* () {
    const db = yield* Database
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const connections = yield* db.read(() => Status.connections(db))
    const customer = yield* customerOf(connections, wanted.customer, today)
    if (wanted.file.toLowerCase().endsWith(".pdf")) return yield* pdf(wanted, customer, today)
    const { files } = yield* exportSheets(db, wanted.file, (books) => {
      const sheet = Customers.accountSheet(books, customer.id)
      return { shown: [sheet], reading: [sheet] }
    })
    return files
  })
