/**
 * Xero's accounting interface, 2.0: invoices, payments, credit notes, over- and prepayments. Payments are never edited: who
 * corrects one deletes it and enters another. What is paid beyond an invoice, and what is on account, is an overpayment or a
 * prepayment, which is then allocated.
 */
import type { Money } from "../truth/Money.ts"
import type { Day } from "../Values.ts"
import { Changed, guid } from "./Changed.ts"
import type { Program } from "./Program.ts"
import type { Answered, Asked } from "./Server.ts"
import { type Json, type List, LISTS, stamp, XeroRecords } from "./XeroRecords.ts"

interface Listed {
  readonly id: string
  readonly record: Json
  readonly at: number
}

const TENANT = "4f1c2d3e-0000-4000-8000-000000000001"
const TOKEN = "xero-access"

export class Xero implements Program {
  readonly #money: Money
  readonly #records: XeroRecords
  readonly #changed = new Changed()

  constructor(money: Money) {
    this.#money = money
    this.#records = new XeroRecords(money)
  }

  files(): ReadonlyMap<string, string> {
    return new Map()
  }

  source(url: string): object {
    return {
      connector: "xero",
      tenant: TENANT,
      client_id: { env: "APP" },
      client_secret: { env: "APP_SECRET" },
      refresh_token: { env: "APP_REFRESH" },
      url: `${url}/api.xro/2.0`
    }
  }

  #lists(today: Day): ReadonlyMap<List, ReadonlyArray<Listed>> {
    const moved = this.#records.moved(today)
    const all: ReadonlyArray<{ readonly list: List; readonly record: Json }> = [
      ...[...this.#money.invoices.values()].map((one) => ({
        list: "Invoices" as const,
        record: this.#records.invoice(one, today, moved)
      })),
      ...[...this.#money.credits.values()].flatMap((one) =>
        one.day > today ? [] : [{ list: "CreditNotes" as const, record: this.#records.credit(one, today) }]
      ),
      ...[...this.#money.entries.values()].flatMap((one) => this.#records.refund(one, today)),
      ...moved
    ]
    const listed = all.map(({ list, record }) => {
      const id = String(record[LISTS[list]])
      // The day on which it was paid in full does not change by itself.
      const { FullyPaidOnDate: _, ...rest } = record
      return { list, id, record, at: this.#changed.at(id, rest, today) }
    })
    return new Map(
      (Object.keys(LISTS) as ReadonlyArray<List>).map((list) => [list, listed.filter((one) => one.list === list)])
    )
  }

  answers({ headers, path, query }: Asked, day: Day): Answered | undefined {
    if (path === "/identity.xero.com/connect/token")
      return { body: { access_token: TOKEN, refresh_token: `xero-${day}`, expires_in: 1800, token_type: "Bearer" } }
    const [, , , list, id] = path.split("/")
    if (!path.startsWith("/api.xro/2.0/")) return undefined
    if (headers["authorization"] !== `Bearer ${TOKEN}` || headers["xero-tenant-id"] !== TENANT)
      return { status: 401, body: { Title: "Unauthorized", Status: 401, Detail: "AuthenticationUnsuccessful" } }
    if (!(list! in LISTS)) return { status: 404, body: "The resource you're looking for cannot be found" }
    return this.#answer(list as List, id, query, this.#lists(day).get(list as List)!, headers["if-modified-since"])
  }

  #answer(
    list: List,
    id: string | undefined,
    query: URLSearchParams,
    all: ReadonlyArray<Listed>,
    since: string | undefined
  ): Answered {
    const ids = query.get("IDs")?.split(",")
    const named = [...(query.get("where") ?? "").matchAll(/guid\("([^"]+)"\)/gi)].map(([, one]) => one)
    const after = since === undefined ? 0 : Date.parse(since)
    const found = all
      .filter(
        (one) =>
          (id === undefined || one.id === id) &&
          (ids === undefined || ids.includes(one.id)) &&
          (named.length === 0 || named.includes(one.id)) &&
          one.at > after
      )
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    const size = Number(query.get("pageSize") ?? 100)
    const page = Number(query.get("page") ?? 1)
    const there = found.slice((page - 1) * size, page * size)
    return {
      body: {
        Id: guid("answer"),
        Status: "OK",
        pagination: { page, pageSize: size, pageCount: Math.ceil(found.length / size), itemCount: found.length },
        [list]: there.map(({ at, record }) => ({ ...record, UpdatedDateUTC: stamp(at) }))
      }
    }
  }
}
