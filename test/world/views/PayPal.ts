/**
 * PayPal's transaction search, with the disputes beside it. A payment is pending until its money is there, with the same id and
 * the day on which it began; refunds, reversals and chargebacks are transactions of their own that name it. Fees, holds and
 * withdrawals are in the same list.
 */
import type { Attempt, Money, Movement } from "../truth/Money.ts"
import { type Day, eveningIn, instant, instantIn, major, type Minor, type Zone } from "../Values.ts"
import type { Answered, Asked } from "./Server.ts"

type Json = Readonly<Record<string, unknown>>

const TOKEN = "A21AA-token"
const MOST_DAYS = 31
const RELEASED = 5

const written = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+0000`
const money = (amount: Minor): Json => ({ currency_code: "EUR", value: major(amount) })

interface Moved {
  readonly day: Day
  readonly record: Json
}

export class PayPal {
  readonly #money: Money
  readonly #zone: Zone | undefined

  constructor(of: Money, zone: Zone | undefined) {
    this.#money = of
    this.#zone = zone
  }

  #at(day: Day): number {
    return instantIn(this.#zone, day)
  }

  static source(url: string, zone: Zone | undefined): object {
    return {
      connector: "paypal",
      client_id: { env: "APP" },
      client_secret: { env: "APP_SECRET" },
      since: "2026-05-01",
      ...(zone === undefined ? {} : { time_zone: zone }),
      url
    }
  }

  /** What somebody's payment is, and what follows from it. */
  #of(attempt: Attempt, movement: Movement, today: Day): ReadonlyArray<Moved> {
    const amount = this.#money.amountOf(movement)
    const { charged, confirmed, id, link, text } = attempt
    const about = link === undefined ? {} : { invoice_id: link }
    const payer_info = {
      account_id: `PP${movement.customer}`,
      payer_status: "Y",
      payer_name: { alternate_full_name: this.#money.customers.get(movement.customer)?.name ?? "" }
    }
    const moved = (day: Day, transaction_id: string, code: string, value: Minor, more: Json = {}): Moved => ({
      day,
      record: {
        transaction_info: {
          transaction_id,
          transaction_event_code: code,
          transaction_initiation_date: written(this.#at(day)),
          transaction_updated_date: written(this.#at(day)),
          transaction_amount: money(value),
          transaction_status: "S",
          ...more
        },
        payer_info
      }
    })
    const reference = { paypal_reference_id: id, paypal_reference_id_type: "TXN" }
    const { died, refunds } = movement
    const fee = (amount * 29n) / 1000n + 35n
    return [
      moved(charged, id, "T0006", amount, {
        ...about,
        ...(text === "" ? {} : { transaction_subject: text }),
        fee_amount: money(-fee),
        transaction_status: confirmed <= today ? "S" : "P"
      }),
      ...refunds.map((one) => moved(one.day, one.id, "T1107", -one.amount, { ...about, ...reference })),
      ...(died === undefined
        ? []
        : died.how === "failed"
          ? [moved(died.day, `${id}-F`, "T1106", -amount, { ...about, ...reference })]
          : [
              moved(died.day - RELEASED, `${id}-H`, "T1110", -amount, reference),
              moved(died.day, `${id}-R`, "T1111", amount, reference),
              moved(died.day, `${id}-C`, "T1201", -amount, { ...about, ...reference })
            ]),
      moved(confirmed + 2, `${id}-W`, "T0400", -(amount - fee))
    ]
  }

  #all(today: Day): ReadonlyArray<Moved> {
    return [...this.#money.attempts.values()]
      .flatMap((attempt) => {
        const movement = this.#money.movements.get(attempt.movement)
        return movement === undefined ? [] : this.#of(attempt, movement, today)
      })
      .filter(({ day }) => day <= today)
      .toSorted((a, b) => a.day - b.day)
  }

  answers({ headers, path, query }: Asked, today: Day): Answered | undefined {
    if (path === "/v1/oauth2/token") return { body: { access_token: TOKEN, token_type: "Bearer", expires_in: 32400 } }
    if (!path.startsWith("/v1/reporting/") && !path.startsWith("/v1/customer/")) return undefined
    if (headers["authorization"] !== `Bearer ${TOKEN}`) return { status: 401, body: { name: "AUTHENTICATION_FAILURE" } }
    if (path === "/v1/customer/disputes") return { body: { items: [], links: [] } }
    if (path !== "/v1/reporting/transactions") return { status: 404, body: { name: "NOT_FOUND" } }
    const [from, to] = ["start_date", "end_date"].map((name) => Date.parse(query.get(name) ?? ""))
    if (!(to! - from! <= MOST_DAYS * 86_400_000))
      return { status: 400, body: { name: "INVALID_REQUEST", message: "Date range is greater than 31 days" } }
    const found = this.#all(today).filter(({ day }) => {
      const began = this.#at(day)
      return began >= from! && began <= to!
    })
    const size = Number(query.get("page_size") ?? 100)
    const page = Number(query.get("page") ?? 1)
    return {
      body: {
        transaction_details: found.slice((page - 1) * size, page * size).map(({ record }) => record),
        account_number: "XZXSPECPDZHZU",
        last_refreshed_datetime: written(instant(today, eveningIn(this.#zone))),
        page,
        total_items: found.length,
        total_pages: Math.ceil(found.length / size)
      }
    }
  }
}
