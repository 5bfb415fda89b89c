/**
 * Where the shop or a plugin of it captures: `daybook watch` compares both sides, and so does `sync` of a connection with
 * `"captures": "shop"`. Neither writes anything. A chair is 25.00 of 100.00.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ofType, useCommand } from "../support/Cli.ts"
import { holding, shop } from "../support/Shop.ts"

useCommand()

const parcel = (of: string, chairs: number, id = `P-${of}`) => ({ id, of, chairs, day: 2 })

type Step = readonly ["capture" | "void" | "refund", number]

interface Fault {
  /** What the plugin did. */
  readonly did?: ReadonlyArray<Step>
  readonly left?: number
  readonly back?: number
  readonly gone?: number
  readonly status?: "open" | "closed" | "cancelled"
  /** What is found, with its amount; nothing if all is well. */
  readonly found?: readonly [kind: string, amount: string]
}

const FAULTS: Readonly<Record<string, Fault>> = {
  fresh: {},
  whole: { did: [["capture", 10_000]], left: 4, status: "closed" },
  parcels: { did: [["capture", 2500]], left: 1 },
  ahead: { did: [["capture", 10_000]], left: 1 },
  returned: {
    did: [
      ["capture", 10_000],
      ["refund", 2500]
    ],
    left: 4,
    back: 1,
    status: "closed"
  },
  cancelled: { did: [["void", 10_000]], gone: 4, status: "cancelled" },
  never: { left: 2, found: ["never captured", "50.00"] },
  part: { did: [["capture", 2500]], left: 4, status: "closed", found: ["never captured", "75.00"] },
  twice: {
    did: [
      ["capture", 2500],
      ["capture", 2500],
      ["void", 5000]
    ],
    left: 1,
    gone: 3,
    status: "closed",
    found: ["captured too much", "25.00"]
  },
  cent: {
    did: [
      ["capture", 2501],
      ["void", 7499]
    ],
    left: 1,
    gone: 3,
    status: "closed",
    found: ["a cent off", "0.01"]
  },
  kept: { did: [["capture", 10_000]], left: 4, back: 2, status: "closed", found: ["not refunded", "50.00"] },
  generous: {
    did: [
      ["capture", 10_000],
      ["refund", 5000]
    ],
    left: 4,
    back: 1,
    status: "closed",
    found: ["refunded too much", "25.00"]
  },
  held: { did: [["capture", 2500]], left: 1, gone: 3, status: "closed", found: ["not voided", "75.00"] },
  lost: { did: [["void", 10_000]], left: 2, found: ["not authorised", "50.00"] },
  sneaked: {
    did: [
      ["capture", 2500],
      ["void", 7500]
    ],
    left: 1,
    status: "cancelled",
    found: ["shipped though cancelled", "25.00"]
  }
}

const world = async (settings: object) => {
  const made = await shop(settings)
  const payments: Record<string, string> = {}
  for (const [id, { did = [] }] of Object.entries(FAULTS)) {
    const payment = await made.sell(`web-${id}`)
    payments[id] = payment
    for (const [what, amount] of did) await made.byHand(payment, what, amount)
  }
  const of = (name: "left" | "back" | "gone") =>
    Object.entries(FAULTS).flatMap(([id, { [name]: chairs }]) =>
      chairs === undefined ? [] : [{ ...parcel(id, chairs, `${name}-${id}`), day: name === "left" ? 2 : 5 }]
    )
  made.write({
    orders: Object.entries(FAULTS).map(([id, { status = "open" }]) => ({ id, payment: payments[id] ?? "", status })),
    parcels: of("left"),
    returns: of("back"),
    cancellations: of("gone")
  })
  return { ...made, payments }
}

const EXPECTED = Object.entries(FAULTS)
  .flatMap(([id, { found }]) => (found === undefined ? [] : [[`shop/order/${id}`, ...found]]))
  .toSorted()

describe("a shop that captures by itself", { timeout: 120_000 }, () => {
  it("is watched: each fault is found with its money, nothing else is, nothing is written, and no file is kept", async () => {
    const { asked, here } = await world({ captures: "daybook" })
    const before = readdirSync(here.folder)
    const { last } = await asked()
    const ran = await here.run("watch", "--json")
    assert.strictEqual(ran.status, 3, ran.stderr)
    const found = ofType(ran, "watched").map(({ amount, document, kind }) => [document, kind, amount])
    assert.deepStrictEqual(found.toSorted(), EXPECTED)
    const { requests } = await asked(last)
    assert.deepStrictEqual(
      requests.filter((one) => !one.startsWith("GET ")),
      []
    )
    assert.deepStrictEqual(readdirSync(here.folder), before)
    const { stdout } = await here.run("watch")
    assert.match(stdout, /^Compared 15 orders with the service\.$/m)
    assert.match(stdout, /^2 never captured: 125\.00 GBP$/m)
  })

  it("O7: is an attention item for each fault in every run, and the orders agree again once it is mended", async () => {
    const { asked, byHand, here, holds, payments, sync } = await world({ captures: "shop" })
    const { last } = await asked()
    const items = await sync()
    const named = (all: ReadonlyArray<string>) => all.map((one) => /^\S+: [^:]*/.exec(one)?.[0]).toSorted()
    assert.deepStrictEqual(
      named(items),
      EXPECTED.map(([document, kind]) => `${document}: ${kind}`)
    )
    assert.deepStrictEqual(
      (await asked(last)).requests.filter((one) => !one.startsWith("GET ")),
      []
    )
    // The plugin was only late.
    await byHand(payments["never"] ?? "", "capture", 5000)
    assert.notInclude(named(await sync()), "shop/order/never: never captured")
    assert.deepStrictEqual(await holds(payments["never"] ?? ""), holding({ captured: 5000 }))
    const ran = await here.run("plan", "--json")
    assert.deepStrictEqual(
      ofType(ran, "call").filter(({ method }) => method !== "GET"),
      []
    )
  })

  it("is not called right where the shop could not be read, or a record of it", async () => {
    const { here, sell, write } = await shop({})
    const payment = await sell("web-1")
    write({ orders: [{ id: "A", payment }] })
    assert.include((await here.run("watch")).stdout, "Every order is captured and refunded as the shop says.")
    here.write("orders.csv", readFileSync(here.path("orders.csv"), "utf8").replace("100.00", "a hundred"))
    const odd = await here.run("watch")
    assert.deepStrictEqual([odd.status, odd.stdout.includes("Every order")], [3, false], odd.stdout)
    assert.include(odd.stdout, "Not all orders could be read")
    rmSync(here.path("orders.csv"))
    const gone = await here.run("watch")
    assert.notInclude([0, 3], gone.status)
    assert.notInclude(gone.stdout, "Every order")
  })

  it("cannot be told to create orders, too", async () => {
    const { configure, here } = await shop({})
    configure({ captures: "shop", create: {} })
    const ran = await here.run("plan")
    assert.strictEqual(ran.status, 2)
    assert.include(ran.stderr, 'leave out create, or captures "shop"')
  })
})
