/**
 * Daybook follows a real Vendure: `node test/live/vendure.ts [FOLDER]`. Installs Vendure from npm into the folder (a new
 * one unless given), starts it, and after each step of its clerk syncs to the sandbox and compares what was booked.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { builtCommand } from "../support/Built.ts"
import { books } from "./Live.ts"
import { type Sold, vendure } from "./VendureShop.ts"

const [folder = mkdtempSync(join(tmpdir(), "daybook-vendure-"))] = process.argv.slice(2).map((one) => resolve(one))
// It keeps this process busy for seconds, in which a shop closes its connections.
builtCommand()
const { clerk, key, stop, url } = await vendure(folder)
try {
  const source = { connector: "vendure", url, key: { env: "VENDURE_KEY" }, deferred_payment: "transactionId" }
  const { command, sell, step } = await books(source, { VENDURE_KEY: key })
  const payments = new Map<string, string>()
  const sold = (pieces: number): Promise<Sold> =>
    clerk.sell(pieces, async (code, total) => {
      const payment = await sell(code, total, "EUR")
      payments.set(code, payment)
      return payment
    })
  /** One step of the clerk: whether it moved its order, and what is booked afterwards. */
  const then = async (
    what: string,
    order: Sold,
    act: () => Promise<unknown>,
    captured: number,
    voided: number,
    refunded: number
  ) => {
    const before = await clerk.moved(order)
    // Times of this database are seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await act()
    const after = await clerk.moved(order)
    const open = order.total - captured - voided
    console.log(`${what}: ${after.state}, updatedAt ${before.updatedAt === after.updatedAt ? "did not move" : "moved"}`)
    await step(what, payments.get(order.code)!, { captured, voided, refunded, open })
  }
  const a = await sold(3)
  await then("three pieces are ordered", a, async () => {}, 0, 0, 0)
  await then("one of three pieces is shipped", a, () => clerk.ship(a, 1), 2200, 0, 0)
  await then("a second parcel", a, () => clerk.ship(a, 1), 4400, 0, 0)
  await then("the third", a, () => clerk.ship(a, 1), 6600, 0, 0)
  await then("one piece comes back", a, () => clerk.cancel(a, 1), 6600, 0, 0)
  await then("its money is given back", a, () => clerk.refund(a, 2000), 6600, 0, 2000)
  let pending = ""
  await then("3.01 are to be given back", a, async () => void (pending = await clerk.refund(a, 301)), 6600, 0, 2000)
  await then("and are", a, () => clerk.settle(pending), 6600, 0, 2301)

  const b = await sold(2)
  await then("of two pieces one is cancelled", b, () => clerk.cancel(b, 1), 0, 2300, 0)
  await then("and paid back", b, () => clerk.refund(b, 2000), 0, 2300, 0)
  await then("the other one is shipped", b, () => clerk.ship(b, 1), 2300, 2300, 0)

  const c = await sold(2)
  await then("an order is cancelled, delivery and all", c, () => clerk.cancel(c), 0, 4600, 0)
  await then("and paid back", c, () => clerk.refund(c, 4600), 0, 4600, 0)

  const d = await sold(4)
  await then("an order is lowered by one piece, and paid back", d, () => clerk.lower(d, 3, 2000), 0, 2150, 0)
  await then("the rest of it is shipped", d, () => clerk.ship(d, 3), 6450, 2150, 0)

  const { status, stdout } = await command("status")
  console.log(stdout)
  if (status !== 0) throw new Error(`status ended with ${status}`)
  console.log("everything held")
} finally {
  stop()
  await end()
}
