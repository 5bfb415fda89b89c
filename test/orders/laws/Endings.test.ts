/** Orders of shops that end before all of their goods have left: what is charged for what left, whatever was given back for no goods. */
import { describe } from "@effect/vitest"
import { line, shop } from "./Play.ts"
import { plays } from "./Plays.ts"

describe("an order that ends early", () => {
  const paid = { received: 100, charges: 0 }
  const [half, whole] = [[line("a", 100, 2, 1)], { captured: 50, refunded: 10, net: 40, open: 0 }]
  plays(
    "money back for no goods, and then the rest is cancelled",
    100,
    [
      shop(100, half, paid),
      shop(100, half, { ...paid, given: 10 }),
      shop(100, half, { ...paid, given: 10, end: "cancelled" })
    ],
    whole
  )
  plays(
    "the rest is cancelled, and then money goes back for no goods",
    100,
    [shop(100, half, { ...paid, end: "cancelled" }), shop(100, half, { ...paid, given: 10, end: "cancelled" })],
    whole
  )
  plays("both are read at once", 100, [shop(100, half, { ...paid, given: 10, end: "cancelled" })], {
    captured: 40,
    refunded: 0,
    net: 40,
    open: 0
  })
  plays(
    "not paid: money back for no goods, and then the rest is cancelled",
    100,
    [shop(100, half, { given: 10, charges: 0 }), shop(100, half, { given: 10, charges: 0, end: "cancelled" })],
    { net: 40, open: 0 }
  )
  plays(
    "the rest is cancelled of an order that is paid by a gift card in part",
    70,
    [
      shop(100, half, { received: 70, card: 30, charges: 0 }),
      shop(100, half, { received: 70, card: 30, charges: 0, end: "cancelled" })
    ],
    { captured: 35, net: 35, open: 0 }
  )
  plays(
    "what is kept of goods that came back is not taken off with the rest",
    100,
    [shop(100, [line("a", 100, 2, 1, 1)], paid), shop(100, [line("a", 100, 2, 1, 1)], { ...paid, end: "cancelled" })],
    { captured: 50, net: 50, open: 0 }
  )
  plays(
    "not paid: it is cancelled, opened again for what left, and some of that comes back: its voided rest gave nothing back",
    100,
    [
      shop(100, half),
      shop(100, half, { end: "cancelled" }),
      shop(50, [line("a", 50, 2, 2)]),
      shop(50, [line("a", 50, 2, 2, 1)], { given: 25 })
    ],
    { captured: 50, voided: 50, refunded: 25, net: 25, open: 0 }
  )
  plays(
    "what was given back is in no question of its rest, though the order came to less when it was found",
    120,
    [shop(120, [line("a", 120, 4, 3, 0, 0)], { given: 25, end: "complete" })],
    { captured: 95, voided: 25, net: 95, open: 0 },
    { memory: { began: 9500 } }
  )
})
