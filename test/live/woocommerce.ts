/**
 * Daybook follows a real WooCommerce: `node test/live/woocommerce.ts PLUGIN [WORDPRESS]`. PLUGIN is the folder of the plugin,
 * with `woocommerce.php`; WORDPRESS that of WordPress, by default Debian's. Needs PHP with its MySQL, XML and multibyte
 * extensions, and MariaDB. After each step of its clerk it syncs to the sandbox and compares what was booked.
 */
import { resolve } from "node:path"
import { end } from "../support/AtEnd.ts"
import { builtCommand } from "../support/Built.ts"
import { follow } from "./Live.ts"
import { woocommerce } from "./WooCommerceShop.ts"

const [plugin, wordpress = "/usr/share/wordpress"] = process.argv.slice(2).map((one) => resolve(one))
if (plugin === undefined) {
  console.error("node test/live/woocommerce.ts PLUGIN [WORDPRESS]")
  process.exit(2)
}
builtCommand()
const { clerk, key, secret, stop, url } = await woocommerce(wordpress, plugin)
try {
  const source = {
    ...{ connector: "woocommerce", url, key: { env: "WOO_KEY" }, secret: { env: "WOO_SECRET" } },
    method: ["invoice"]
  }
  const { after, agrees, sold } = await follow(source, { WOO_KEY: key, WOO_SECRET: secret }, clerk)
  const a = await sold(3)
  await after("three pieces are ordered", a, async () => {}, [0, 0, 0])
  await after("one of three pieces is in a parcel", a, () => clerk.parcel(a, 1), [2640, 0, 0])
  await after("a second parcel", a, () => clerk.parcel(a, 1), [5280, 0, 0])
  await after("the order is completed", a, () => clerk.becomes(a, "completed"), [7920, 0, 0])
  await after("one piece comes back", a, () => clerk.refundPieces(a, 1), [7920, 0, 2400])
  await after("3.00 more are given back", a, () => clerk.refund(a, 300), [7920, 0, 2700])

  const b = await sold(2)
  await after("of two pieces one is cancelled", b, () => clerk.refundPieces(b, 1), [0, 2400, 0])
  await after("the other one is shipped", b, () => clerk.becomes(b, "completed"), [3120, 2400, 0])

  const c = await sold(2)
  await after("an order is cancelled", c, () => clerk.becomes(c, "cancelled"), [0, 5520, 0])

  const d = await sold(4)
  await after("an order is completed at once", d, () => clerk.becomes(d, "completed"), [10320, 0, 0])
  await after("and refunded", d, () => clerk.becomes(d, "refunded"), [10320, 0, 10320])

  const e = await sold(1)
  await after("one piece is sent", e, () => clerk.becomes(e, "completed"), [3120, 0, 0])
  await after("it comes back, and another one goes for it", e, () => clerk.exchange(e), [3120, 0, 0])
  await after("the delivery is given back", e, () => clerk.refund(e, 720), [3120, 0, 720])

  const f = await sold(2)
  await after("an order is paid by card after all", f, () => clerk.paysBy(f, "card"), [0, 0, 0])
  await after("it is completed", f, () => clerk.becomes(f, "completed"), [0, 0, 0])
  await after("and its money goes back to the card", f, () => clerk.refundPieces(f, 1), [0, 0, 0])

  clerk.gift(1000)
  const g = await sold(2)
  await after(
    "an order is completed of which a gift card paid 12.00",
    g,
    () => clerk.becomes(g, "completed"),
    [4320, 0, 0]
  )
  await after("and a piece comes back with its delivery", g, () => clerk.refundPieces(g, 1, 720), [4320, 0, 3120])

  clerk.gift(0)
  const h = await sold(2)
  await after("both pieces are given back before they are sent", h, () => clerk.refundPieces(h, 2), [0, 4800, 0])
  await after("it is cancelled, and its delivery kept", h, () => clerk.becomes(h, "cancelled"), [720, 4800, 0])

  await agrees()
  console.log("everything held")
} finally {
  await stop()
  await end()
}
