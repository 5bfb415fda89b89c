/**
 * Daybook follows a real Tryton server: invoices posted, paid in part, credited, cancelled, written off, payments taken
 * back. After every step the service holds what Tryton says is still to be paid, to the cent.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { desk, type Desk, service, type Service, useCommand } from "../../support/Cli.ts"
import { type Clerk, DATABASE, PASSWORD, tryton, type Tryton } from "../../support/tryton/Server.ts"
import { GO_ON } from "../../support/GoOn.ts"

useCommand()

let made: Tryton | string = "it was not started"
let there: Service
let books: Desk

beforeAll(async () => {
  made = await tryton()
  if (typeof made === "string") return console.info(`${made}: skipped`)
  there = await service()
  books = desk({ "daybook.config.json": JSON.stringify(configuration(there.url, made.url)) })
}, 600_000)
afterAll(async () => {
  if (typeof made !== "string") await made.stop()
})

const configuration = (service: string, url: string) => ({
  service: { url: service, key: { env: "SERVICE_KEY" } },
  connections: [
    {
      id: "tryton",
      source: { connector: "tryton", url, database: DATABASE, user: "admin", password: { env: "TRYTON_PASSWORD" } },
      first_sync: "send",
      owner: { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
})

const daybook = (...args: ReadonlyArray<string>) => books.runWith({ env: { TRYTON_PASSWORD: PASSWORD } }, ...args)

interface Held {
  readonly status: string
  readonly gross_amount: string
  readonly payments: ReadonlyArray<string>
}

const cents = (amount: string): bigint => BigInt(Number(amount) * 1000) / 10n

/** Reads and sends, and compares what is open there with what Tryton says is to be paid. */
const follow = async (clerk: Clerk, ids: Readonly<Record<string, number>>) => {
  const synced = await daybook("sync", ...GO_ON)
  assert.strictEqual(synced.status, 0, synced.stdout + synced.stderr)
  const held = (await there.holds()) as Readonly<Record<string, Held>>
  const seen: Record<string, string> = {}
  for (const [name, id] of Object.entries(ids)) {
    const { amount_to_pay, state } = await clerk.read(id, "amount_to_pay", "state")
    const one = held[`tryton/invoice/${id}`]
    seen[name] = `${state} ${amount_to_pay}`
    if (state === "cancelled" || state === "draft") assert.isUndefined(one, name)
    else {
      const paid = one!.payments.reduce((sum, text) => sum + cents(text.split(" ")[1]!), 0n)
      assert.strictEqual(
        cents(one!.gross_amount) - paid,
        cents(String(amount_to_pay)),
        `${name}: ${JSON.stringify(one)}`
      )
      assert.strictEqual(one!.status, state === "paid" ? "paid" : one!.status)
    }
  }
  return seen
}

describe("a real Tryton server", { timeout: 600_000 }, () => {
  it("is followed to the cent, whatever its clerk does", async ({ skip }) => {
    if (typeof made === "string") return skip(made)
    const { clerk } = made
    const { books: ours, credit, draft, pay, post, wizard } = clerk
    const supplier = { type: "in", account: ours.payable, journal: ours.purchases }
    const ids = {
      plain: await draft(["200.00"]),
      halves: await draft(["1000.00"], { payment_term: ours.halves }),
      refunded: await draft(["99.99"]),
      cancelled: await draft(["10.00"]),
      credited: await draft(["500.00"]),
      short: await draft(["100.00", "0.01"]),
      draft: await draft(["7.00"])
    }
    const purchase = await draft(["33.00"], supplier)
    await post(ids.plain, ids.halves, ids.refunded, ids.cancelled, ids.credited, ids.short, purchase)
    assert.deepStrictEqual(await follow(clerk, ids), {
      plain: "posted 240.00",
      halves: "posted 1200.00",
      refunded: "posted 119.99",
      cancelled: "posted 12.00",
      credited: "posted 600.00",
      short: "posted 120.01",
      draft: "draft 0"
    })

    // Paid whole, in part, credited with a refund, cancelled; one more is posted.
    await pay(ids.plain, "240.00")
    await pay(ids.halves, "400.00", { type: "partial" })
    await credit(ids.refunded, true)
    await clerk.call("model.account.invoice.cancel", [ids.cancelled], { company: ours.company })
    await pay(ids.short, "120.00", { type: "writeoff" })
    await post(ids.draft)
    assert.deepStrictEqual(await follow(clerk, ids), {
      plain: "paid 0",
      halves: "posted 800.00",
      refunded: "cancelled 0",
      cancelled: "cancelled 0",
      credited: "posted 600.00",
      short: "paid 0",
      draft: "posted 8.40"
    })

    // A payment in part bounces, and so does one that had settled its invoice; another one is made.
    const linesOf = async (id: number, field: string) => (await clerk.read(id, field))[field] as ReadonlyArray<number>
    const within = { company: ours.company }
    const bounce = async (id: number, line: number) => {
      const [found] = await clerk.call<ReadonlyArray<{ readonly move: number }>>(
        "model.account.move.line.read",
        [line],
        ["move"],
        within
      )
      const how = { default: { description: "bounced" } }
      await wizard("account.move.cancel", "account.move", [found!.move], [{}, "default"], [how, "cancel"])
      // Tryton still counts it among the payments, until it is taken off the invoice.
      await clerk.call("model.account.invoice.write", [id], { payment_lines: [["remove", [line]]] }, within)
    }
    await bounce(ids.halves, (await linesOf(ids.halves, "payment_lines"))[0]!)
    await pay(ids.halves, "150.00", { type: "partial" })
    const [settled] = await linesOf(ids.plain, "payment_lines")
    await wizard("account.move.unreconcile_lines", "account.move.line", [settled!], [{}, "unreconcile"])
    assert.deepInclude(await follow(clerk, ids), { halves: "posted 1050.00", plain: "posted 0" })
    await bounce(ids.plain, settled!)
    const back = await daybook("sync", ...GO_ON)
    assert.include(back.stdout, "it is paid on the service, but 240.00 USD is open again in the source")
    assert.strictEqual(back.status, 3)

    // A credit note is settled together with a payment, by hand; what is left of the two halves is paid.
    const note = await draft(["-100.00"])
    await post(note)
    await pay(ids.credited, "480.00", { type: "partial" })
    const group = [
      ...(await linesOf(ids.credited, "lines_to_pay")),
      ...(await linesOf(ids.credited, "payment_lines")),
      ...(await linesOf(note, "lines_to_pay"))
    ]
    await wizard("account.move.reconcile_lines", "account.move.line", group, [{}, "start"])
    await pay(ids.halves, "1050.00")
    await pay(ids.plain, "240.00")
    assert.deepStrictEqual(await follow(clerk, ids), {
      plain: "paid 0",
      halves: "paid 0",
      refunded: "cancelled 0",
      cancelled: "cancelled 0",
      credited: "paid 0",
      short: "paid 0",
      draft: "posted 8.40"
    })
    const quiet = (await there.calls()).length
    assert.deepInclude(await follow(clerk, ids), { draft: "posted 8.40" })
    assert.strictEqual((await there.calls()).length, quiet, "a further run sends nothing")

    // What happened to the two halves is there as it happened: the payment that bounced, and that it did.
    const held = (await there.holds()) as Readonly<Record<string, Held>>
    const amounts = held[`tryton/invoice/${ids.halves}`]!.payments.map((text) => text.split(" ").slice(1, 3).join(" "))
    assert.sameMembers(amounts, ["400.00 settlement", "-400.00 unknown", "150.00 settlement", "1050.00 settlement"])
    assert.strictEqual(held[`tryton/invoice/${ids.credited}`]!.gross_amount, "480.00")
    assert.strictEqual(held[`tryton/invoice/${ids.short}`]!.gross_amount, "120.00")
    assert.isUndefined(held[`tryton/invoice/${purchase}`])
  })

  it("says what to do about a wrong password, database, server or right", async ({ skip }) => {
    if (typeof made === "string") return skip(made)
    const { url } = made
    const said = async (changes: object, password = PASSWORD) => {
      const config = configuration(there.url, url)
      Object.assign(config.connections[0]!.source, changes)
      const other = desk({ "daybook.config.json": JSON.stringify(config) })
      const { stderr } = await other.runWith({ env: { TRYTON_PASSWORD: password } }, "pull")
      assert.notInclude(stderr, password)
      return stderr.trim()
    }
    assert.strictEqual(
      await said({}, "not-the-password"),
      "daybook: tryton: tryton: the source does not accept the credentials; check user and TRYTON_PASSWORD, and that the user is active in Tryton"
    )
    assert.strictEqual(
      await said({ database: "Books" }),
      `daybook: tryton: tryton: there is no database "Books" at ${url}; check database and url: Tryton's names are case-sensitive`
    )
    // A user that may not read invoices.
    const clerk = { name: "Clerk", login: "clerk", password: "cl3rk-of-nothing", company: 1, companies: [["add", [1]]] }
    await made.clerk.call("model.res.user.create", [clerk], { company: made.clerk.books.company })
    assert.match(
      await said({ user: "clerk" }, "cl3rk-of-nothing"),
      /^daybook: tryton: tryton: Tryton refuses to be read \(it says: .*\); give Daybook's user the group Account/
    )
    const lost = { name: "Lost", login: "lost", password: "l0st-without-company" }
    await made.clerk.call("model.res.user.create", [lost], {})
    assert.match(await said({ user: "lost" }, "l0st-without-company"), /the user lost belongs to no company in Tryton/)
  })
})
