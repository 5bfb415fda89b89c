/**
 * Days of real shops as states of an order, each with what has to be charged and left open at its end.
 */
import { describe } from "@effect/vitest"
import { line, off, shop } from "./Play.ts"
import { plays } from "./Plays.ts"

describe("orders as their shops have them", () => {
  const ten = (left: number, still: number) => line("tea", 1000, 10, left, 0, still)
  plays(
    "adobecommerce-partly-cancelled",
    1000,
    [
      shop(1000, [ten(6, 4)], { received: 600 }),
      shop(600, [ten(6, 0)], { received: 600, cancelled: 400, end: "complete" })
    ],
    { captured: 600, voided: 400, net: 600, open: 0 }
  )
  plays(
    "adobecommerce-partly-cancelled once",
    1000,
    [shop(600, [ten(6, 0)], { received: 600, cancelled: 400, end: "complete" })],
    { captured: 600, voided: 400, net: 600, open: 0 }
  )
  const three = (left: number, still: number) => line("tea", 300, 3, left, 0, still)
  plays(
    "adobecommerce-refund-then-ship",
    300,
    [
      shop(300, [three(0, 3)], { received: 300 }),
      shop(300, [three(0, 2)], { received: 300, given: 100 }),
      shop(300, [three(2, 0)], { received: 300, given: 100, end: "complete" })
    ],
    { captured: 200, voided: 100, net: 200, open: 0 }
  )
  plays(
    "adobecommerce-refund-then-ship once",
    300,
    [shop(300, [three(2, 0)], { received: 300, given: 100, end: "complete" })],
    { captured: 200, voided: 100, net: 200, open: 0 }
  )
  plays(
    "adobecommerce-mixed",
    500,
    [
      shop(500, [line("tea", 400, 4, 4), line("service", 100, 1, 0)], { received: 400 }),
      shop(500, [line("tea", 400, 4, 4), line("service", 100, 1, 1)], { received: 500, end: "complete" })
    ],
    { captured: 500, net: 500, open: 0 }
  )
  plays(
    "adobecommerce-virtual-refunded",
    500,
    [
      shop(500, [line("licence", 500, 5, 5)], { received: 500, end: "complete" }),
      shop(500, [line("licence", 500, 5, 5, 5, 0)], { received: 500, given: 500, end: "complete" })
    ],
    { refunded: 500, net: 0, open: 0 }
  )
  const out = line("M", 100, 1, 0)
  for (const name of ["shopify", "medusa", "vendure"])
    plays(
      `${name}-equal-swap`,
      100,
      [
        shop(100, [out]),
        shop(100, [off("M", 100), line("L", 100, 1, 0)]),
        shop(100, [off("M", 100), line("L", 100, 1, 1)])
      ],
      { captured: 100, voided: 0, net: 100, open: 0 }
    )
  plays(
    "an equal swap in two edits, read between them",
    100,
    [shop(100, [out]), shop(0, [off("M", 100)]), shop(100, [off("M", 100), line("L", 100, 1, 1)])],
    { captured: 100, voided: 0, net: 100, open: 0 }
  )
  plays(
    "shopify-swap-edit (paid, 80.00 given back)",
    279,
    [
      shop(279, [line("1", 279, 1, 0)], { received: 279 }),
      shop(199, [off("1", 279), line("2", 199, 1, 0)], { received: 279, given: 80 }),
      shop(199, [off("1", 279), line("2", 199, 1, 1)], { received: 279, given: 80 })
    ],
    { captured: 199, voided: 80, net: 199, open: 0 }
  )
  plays(
    "shopify-swap-edit (unpaid; 80.00 is voided when it is closed)",
    279,
    [
      shop(199, [off("1", 279), line("2", 199, 1, 0)]),
      shop(199, [off("1", 279), line("2", 199, 1, 1)]),
      shop(199, [off("1", 279), line("2", 199, 1, 1)], { end: "complete" })
    ],
    { captured: 199, voided: 80, net: 199, open: 0 }
  )
  for (const paid of [true, false]) {
    const its = paid ? { received: 100 } : {}
    const back = line("1", 100, 1, 1, 1, 0)
    plays(
      `shopify-exchange equal, ${paid ? "paid" : "unpaid"}`,
      100,
      [
        shop(100, [line("1", 100, 1, 1)], its),
        shop(100, [back, line("2", 100, 1, 0)], its),
        shop(100, [back, line("2", 100, 1, 1)], its)
      ],
      { captured: 100, refunded: 0, net: 100, open: 0 }
    )
    plays(
      `shopify-exchange cheaper, ${paid ? "paid" : "unpaid"}`,
      100,
      [
        shop(100, [line("1", 100, 1, 1)], its),
        shop(60, [back, line("2", 60, 1, 0)], paid ? { received: 100, given: 40 } : {}),
        shop(60, [back, line("2", 60, 1, 1)], paid ? { received: 100, given: 40 } : {})
      ],
      { captured: 100, refunded: 40, net: 60, open: 0 }
    )
    plays(
      `shopify-exchange dearer, ${paid ? "paid" : "unpaid"}`,
      100,
      [shop(100, [line("1", 100, 1, 1)], its), shop(250, [back, line("2", 250, 1, 1)], its)],
      { captured: 100, refunded: 0, net: 100, open: 0, asks: ["short"] }
    )
  }
  const two = (back: number) => line("tea", 50, 2, 2, back, 0)
  plays(
    "woocommerce-zero-refund once",
    50,
    [shop(50, [two(0)], { received: 50, end: "complete" }), shop(50, [two(1)], { received: 50, end: "complete" })],
    { refunded: 0, net: 50, open: 0 }
  )
  plays("woocommerce-zero-refund read once", 50, [shop(50, [two(1)], { received: 50, end: "complete" })], {
    refunded: 0,
    net: 50,
    open: 0
  })
  plays(
    "woocommerce-zero-refund twice",
    50,
    [
      shop(50, [two(0)], { received: 50, end: "complete" }),
      shop(50, [two(0)], { received: 50, given: 25, end: "complete" }),
      shop(50, [two(1)], { received: 50, given: 25, end: "complete" })
    ],
    { refunded: 25, net: 25, open: 0 }
  )
  plays(
    "woocommerce-zero-refund all",
    50,
    [
      shop(50, [two(0)], { received: 50, end: "complete" }),
      shop(50, [two(2)], { received: 50, given: 50, end: "complete" })
    ],
    { refunded: 50, net: 0, open: 0 }
  )
  plays(
    "adobecommerce-zero-memo",
    100,
    [
      shop(100, [line("T", 100, 1, 1)], { received: 100, end: "complete" }),
      shop(100, [line("T", 100, 1, 1, 1, 0)], { received: 100, end: "complete" })
    ],
    { refunded: 0, net: 100, open: 0 }
  )
  plays(
    "bigcommerce-refund-to-store-credit",
    100,
    [
      shop(100, [two(0)], { received: 100, end: "complete" }),
      shop(100, [two(1)], { received: 100, cardGiven: 50, end: "complete" })
    ],
    { refunded: 0, net: 100, open: 0 }
  )
  plays(
    "shopify-refund-to-store-credit",
    100,
    [
      shop(100, [line("1", 100, 4, 4)], { received: 100 }),
      shop(75, [line("1", 100, 4, 4, 1, 0)], { received: 100, cardGiven: 25 })
    ],
    { refunded: 0, net: 100, open: 0 }
  )
  plays(
    "shopify-refund-to-store-credit gift_card",
    70,
    [
      shop(100, [line("1", 100, 4, 4)], { received: 70, card: 30 }),
      shop(0, [line("1", 100, 4, 4, 4, 0)], { received: 70, given: 70, card: 30, cardGiven: 30 })
    ],
    { captured: 70, refunded: 70, net: 0, open: 0 }
  )
  for (const [name, n, status] of [
    ["partial", 1, undefined],
    ["full", 2, "complete"]
  ] as const)
    plays(
      `bigcommerce-refunded-after-completed ${name}`,
      100,
      [
        shop(100, [line("t", 100, 2, 2)], { received: 100, end: "complete" }),
        shop(100, [line("t", 100, 2, undefined, 0, status === undefined ? 2 - n : 0)], {
          received: 100,
          given: 50 * n,
          ...(status === undefined ? {} : { end: status })
        })
      ],
      { captured: 100, refunded: 50 * n, net: 100 - 50 * n, open: 0 }
    )
  plays(
    "bigcommerce first read as partially refunded: asks",
    100,
    [shop(100, [line("t", 100, 2, undefined, 0, 1)], { received: 100, given: 50 })],
    { captured: 0, net: 0, open: 100, asks: ["left"], held: true }
  )
  plays(
    "the same, answered",
    100,
    [shop(100, [line("t", 100, 2, undefined, 0, 1)], { received: 100, given: 50 })],
    { captured: 50, voided: 50, net: 50, open: 0 },
    { answers: { left: "they left" } }
  )
  plays(
    "woocommerce-own-status-refunded",
    50,
    [
      shop(50, [line("t", 50, 2, 2)], { received: 50, end: "complete" }),
      shop(50, [line("t", 50, 2, undefined, 2, 0)], { received: 50, given: 50, end: "complete" })
    ],
    { captured: 50, refunded: 50, net: 0, open: 0 }
  )
  for (const name of [
    "bigcommerce gift_certificate_amount",
    "bigcommerce store_credit_amount",
    "shopify-store-credit",
    "a deposit by card"
  ])
    plays(
      name,
      70,
      [
        shop(100, [line("t", 100, 4, 1)], { received: 70, card: 30 }),
        shop(100, [line("t", 100, 4, 4)], { received: 70, card: 30 })
      ],
      { captured: 70, net: 70, open: 0 }
    )
  plays(
    "bigcommerce-tax-refund",
    100,
    [
      shop(100, [line("t", 100, 2, 2)], { received: 100, end: "complete" }),
      shop(100, [line("t", 100, 2, 2)], { received: 100, given: 8, end: "complete" })
    ],
    { refunded: 8, net: 92, open: 0 }
  )
  plays(
    "shopify-refulfilled, then one comes back",
    100,
    [
      shop(100, [line("1", 100, 4, 4)]),
      shop(100, [line("1", 100, 4, 0)]),
      shop(100, [line("1", 100, 4, 4)]),
      shop(75, [line("1", 100, 4, 4, 1, 0)])
    ],
    { captured: 100, refunded: 25, net: 75, open: 0 }
  )
})
