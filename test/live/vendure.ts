/**
 * Daybook follows a real Vendure: `node test/live/vendure.ts [FOLDER]`. Installs Vendure from npm into the folder (a new
 * one unless given), starts it, and after each step of its clerk syncs to the sandbox and compares what was booked.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { builtCommand } from "../support/Built.ts"
import { follow } from "./Live.ts"
import { vendure } from "./VendureShop.ts"

const [folder = mkdtempSync(join(tmpdir(), "daybook-vendure-"))] = process.argv.slice(2).map((one) => resolve(one))
// It keeps this process busy for seconds, in which a shop closes its connections.
builtCommand()
const { clerk, key, stop, url } = await vendure(folder)
try {
  const source = {
    ...{ connector: "vendure", url, key: { env: "VENDURE_KEY" } },
    ...{ deferred_payment: "transactionId", payment_method: "invoice", refund_destinations: false }
  }
  const { after, agrees, answered, more, sold } = await follow(source, { VENDURE_KEY: key }, clerk)
  const a = await sold(3)
  await after("three pieces are ordered", a, async () => {}, [0, 0, 0])
  await after("one of three pieces is shipped", a, () => clerk.ship(a, 1), [2200, 0, 0])
  await after("a second parcel", a, () => clerk.ship(a, 1), [4400, 0, 0])
  await after("the third", a, () => clerk.ship(a, 1), [6600, 0, 0])
  await after("one piece comes back", a, () => clerk.cancel(a, 1), [6600, 0, 0])
  await after("its money is given back", a, () => clerk.refund(a, 2000), [6600, 0, 2000])
  let pending = ""
  await after("3.01 are to be given back", a, async () => void (pending = await clerk.refund(a, 301)), [6600, 0, 2000])
  await after("and are", a, () => clerk.settle(pending), [6600, 0, 2301])

  const b = await sold(2)
  await after("of two pieces one is cancelled", b, () => clerk.cancel(b, 1), [0, 0, 0])
  await after("and paid back", b, () => clerk.refund(b, 2000), [0, 2000, 0])
  await after("the other one is shipped", b, () => clerk.ship(b, 1), [2600, 2000, 0])

  const c = await sold(2)
  await after("an order is cancelled, delivery and all", c, () => clerk.cancel(c), [0, 0, 0])
  await after("and paid back", c, () => clerk.refund(c, 4600), [0, 4600, 0])

  const d = await sold(4)
  await after("an order is lowered by one piece, and paid back", d, () => clerk.lower(d, 3, 2000), [0, 2000, 0])
  await after("the rest of it is shipped", d, () => clerk.ship(d, 3), [6600, 2000, 0])

  const e = await sold(2)
  let other = e
  await after(
    "one of two pieces is swapped for another",
    e,
    async () => void (other = await clerk.swap(e, 1)),
    [0, 0, 0]
  )
  await after("what stayed is shipped", e, () => clerk.ship(e, 1), [2300, 0, 0])
  await after("and what came in its place", e, () => clerk.ship(other, 1), [4600, 0, 0])
  await after("its delivery is given back", e, () => clerk.refund(e, 600), [4600, 0, 600])

  const f = await sold(2)
  await after(
    "a third is added and paid by card",
    f,
    async () => void (other = await clerk.raise(f, "card", "ch-1")),
    [0, 0, 0]
  )
  const all = async () => {
    await clerk.ship(f, 2)
    await clerk.ship(other, 1)
  }
  await after("all three are shipped", f, all, [4600, 0, 0])
  await after("that one comes back", f, () => clerk.cancel(other, 1), [4600, 0, 0])
  await after("its money goes back to the card", f, () => clerk.refund(f, 2000, "card"), [4600, 0, 0])
  await after("and a part of the delivery to the buyer", f, () => clerk.refund(f, 300), [4600, 0, 300])

  const g = await sold(2)
  const { its, payment } = await more(g, 2000)
  await after(
    "a third has a deferred payment of its own",
    g,
    async () => void (other = await clerk.raise(g, "invoice", payment)),
    [0, 0, 0]
  )
  await after("two are shipped", g, () => clerk.ship(g, 2), [4400, 0, 0])
  await after("and the third", g, () => clerk.ship(other, 1), [4600, 0, 0])
  await after("which its own payment is captured for", its, async () => {}, [2000, 0, 0])
  await after("the delivery is given back, of the last payment", its, () => clerk.refund(g, 600), [2000, 0, 600])
  await after("and nothing of the first", g, async () => {}, [4600, 0, 0])

  const h = await sold(2)
  await after("two pieces are shipped", h, () => clerk.ship(h, 2), [4600, 0, 0])
  await after("one comes back for another", h, async () => void (other = await clerk.swap(h, 1)), [4600, 0, 0])
  await after("which is shipped", h, () => clerk.ship(other, 1), [4600, 0, 0])

  const i = await sold(2)
  await after("another order is cancelled, delivery and all", i, () => clerk.cancel(i), [0, 0, 0])
  await after("and paid back but for a fee", i, () => clerk.refund(i, 3600), [0, 3600, 0])
  await answered(/kept 10\.00 EUR of this payment, and 0\.00 EUR is owed/, "charge it", i, [1000, 3600, 0])

  await agrees()
  console.log("everything held")
} finally {
  stop()
  await end()
}
