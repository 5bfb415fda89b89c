/**
 * Daybook follows a real Medusa: `node test/live/medusa.ts [FOLDER]`. Installs Medusa from npm into the folder (a new one
 * unless given), starts it on a PostgreSQL of its own, and after each step of its clerk syncs to the sandbox and compares
 * what was booked.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { builtCommand } from "../support/Built.ts"
import { follow } from "./Live.ts"
import { medusa } from "./MedusaShop.ts"

const [folder = mkdtempSync(join(tmpdir(), "daybook-medusa-"))] = process.argv.slice(2).map((one) => resolve(one))
// It keeps this process busy for seconds, in which a shop closes its connections.
builtCommand()
const { clerk, key, stop, url } = await medusa(folder)
try {
  const source = { connector: "medusa", url, key: { env: "MEDUSA_KEY" }, deferred_payment: "metadata.deferred_payment" }
  const { after, agrees, sold } = await follow(source, { MEDUSA_KEY: key }, clerk)
  const a = await sold(3)
  await after("three pieces are ordered", a, async () => {}, [0, 0, 0])
  await after("one of three pieces is shipped", a, () => clerk.ship(a, 1), [2640, 0, 0])
  await after("a second parcel", a, () => clerk.ship(a, 1), [5280, 0, 0])
  await after("the third", a, () => clerk.ship(a, 1), [7920, 0, 0])
  await after("one piece comes back", a, () => clerk.back(a, 1), [7920, 0, 0])
  await after("its money is given back", a, () => clerk.refund(a, 2400), [7920, 0, 2400])
  await after("3.00 more are given back", a, () => clerk.refund(a, 300), [7920, 0, 2700])
  await after("the order is completed", a, () => clerk.complete(a), [7920, 0, 2700])

  const b = await sold(2)
  await after("of two pieces one is edited off the order", b, () => clerk.lower(b, 1), [0, 0, 0])
  await after("and paid back", b, () => clerk.refund(b, 2400), [0, 2400, 0])
  await after("the other one is shipped", b, () => clerk.ship(b, 1), [3120, 2400, 0])

  const c = await sold(2)
  await after("an order is cancelled, which pays it back", c, () => clerk.cancel(c), [0, 5520, 0])

  const d = await sold(4)
  await after("one of four pieces is shipped", d, () => clerk.ship(d, 1), [2580, 0, 0])
  await after("one of the others is edited off the order", d, () => clerk.lower(d, 3), [2640, 0, 0])
  await after("and paid back", d, () => clerk.refund(d, 2400), [2640, 2400, 0])
  await after("the rest is shipped", d, () => clerk.ship(d, 2), [7920, 2400, 0])

  const e = await sold(2)
  let other = e
  await after(
    "one of two pieces is swapped for another",
    e,
    async () => void (other = await clerk.swap(e, 1)),
    [0, 0, 0]
  )
  await after("what stayed is shipped", e, () => clerk.ship(e, 1), [2760, 0, 0])
  await after("and what came in its place", e, () => clerk.ship(other, 1), [5520, 0, 0])

  const f = await sold(2)
  await after("two pieces are shipped", f, () => clerk.ship(f, 2), [5520, 0, 0])
  await after("one is exchanged for another", f, async () => void (other = await clerk.exchange(f)), [5520, 0, 0])
  await after("which is shipped", f, () => clerk.ship(other, 1), [5520, 0, 0])

  const g = await sold(1)
  await after("a piece is shipped", g, () => clerk.ship(g, 1), [3120, 0, 0])
  await after("its delivery is given back", g, () => clerk.refund(g, 720), [3120, 0, 720])

  const h = await sold(2)
  await after("both pieces are shipped", h, () => clerk.ship(h, 2), [5520, 0, 0])
  await after("one comes back", h, () => clerk.back(h, 1), [5520, 0, 0])
  await after("its money becomes store credit", h, () => clerk.credit(h, 2400), [5520, 0, 0])
  await after("a part of the delivery is given back", h, () => clerk.refund(h, 360), [5520, 0, 360])

  const i = await sold(2)
  await after("both pieces are edited off the order", i, () => clerk.lower(i, 0), [0, 0, 0])
  await after("and paid back, but for the delivery", i, () => clerk.refund(i, 4800), [0, 4800, 0])
  await after("which is charged once the order is completed", i, () => clerk.complete(i), [720, 4800, 0])

  await agrees()
  console.log("everything held")
} finally {
  await stop()
  await end()
}
