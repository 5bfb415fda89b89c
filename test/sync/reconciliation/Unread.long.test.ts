/**
 * Books that are not whole: the source was not read to its end, or a parcel could not be read. What cannot be taken back
 * on the service waits until everything is there; the rest is sent.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { apart } from "../../support/Effort.ts"
import { cancellation, order, parcel, returned } from "../../support/Orders.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { read as pull } from "../Reading.ts"
import { violations } from "../Invariants.ts"
import { back, received } from "../Paying.ts"
import { booked, checkout, payment as held } from "../Shop.ts"
import { pages } from "./Pages.ts"
import { World } from "../World.ts"

const HELD = "O6: it waits until every shipment, cancellation and return of the source can be read"

const reason = (world: World) => open(world, "SELECT reason FROM ledger").map(({ reason }) => reason)

describe("a source that was not read to its end", () => {
  const half = pages()
  it(
    "a closed order is not voided while its parcels may be among what is missing",
    inWorld({ connector: half.connector }, async (world) => {
      const id = await checkout(world, order())
      half.source.documents = [
        order({ deferredPayment: id, status: "closed" }),
        parcel("1", { chairs: "4" }),
        parcel("2", { lamps: "3" })
      ]
      half.source.reaches = 2
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(booked(world, id), [], "what is missing may be about the same goods")
      assert.deepStrictEqual(reason(world), [HELD])
      report(await world.sync({ evenSo: true }))
      assert.strictEqual(held(world, id).voided, 0, "nor in the next run, which fails as well")
      half.source.reaches = 3
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 8889],
        ["void", 1111]
      ])
      const before = world.instance.journal.length
      report(await world.sync())
      assert.strictEqual(world.instance.journal.length, before)
    })
  )

  const books = pages()
  it(
    "an invoice is not marked as paid while money that went back may be missing",
    inWorld({ connector: books.connector }, async (world) => {
      books.source.documents = [
        invoice(),
        payment("P1", "120.00"),
        reversal("R1", "120.00", "chargeback", { payment: "P1" })
      ]
      books.source.reaches = 2
      report(await world.sync({ evenSo: true }))
      const [transaction] = world.service.transaction.values()
      assert.strictEqual(transaction!["status"], "pending")
      assert.deepStrictEqual(reason(world), ["T12: it is marked as paid once every record of the source can be read"])
      books.source.reaches = 99
      world.documents = books.source.documents
      report(await world.sync())
      assert.deepStrictEqual(await violations(world), [])
      books.source.documents = world.documents = [...books.source.documents, payment("P2", "120.00", "2026-01-25")]
      report(await world.sync())
      assert.deepStrictEqual(await violations(world), [])
      assert.strictEqual(world.service.transaction.get(transaction!.id)!["status"], "paid")
    })
  )

  const debits = pages()
  it(
    "nor while the money of another source that pays it is being read",
    inWorld({ pays: debits.connector }, async (world) => {
      world.documents = [invoice()]
      world.payments = debits.source.documents = [received("D1", { link: "I1" }), back("R1", "D1")]
      debits.source.reaches = 1
      report(await world.sync({ evenSo: true }))
      report(await world.sync({ reads: ["books"] }))
      assert.deepStrictEqual(reason(world), ["T12: it is marked as paid once debits was read to its end"])
      debits.source.reaches = 99
      report(await world.sync())
      assert.deepStrictEqual(await violations(world), [])
      assert.deepStrictEqual(open(world, "SELECT why FROM attention WHERE closed IS NULL"), [])
    })
  )

  it("nor where the machine died while that was matched, and nothing is read before more is sent", async () => {
    for (let at = 1, dead = true; dead; at += apart(3)) {
      const world = new World({ pays: true })
      try {
        world.documents = [invoice()]
        world.payments = [received("D1", { link: "I1" }), back("R1", "D1")]
        world.killAt = at
        await world.sync()
        dead = world.dead
        world.killAt = undefined
        await world.sync({ reads: [] })
        await world.sync({ reads: ["debits"] })
        report(await world.sync())
        assert.deepStrictEqual(await violations(world), [], `killed at ${at}`)
        assert.deepStrictEqual(open(world, "SELECT why FROM attention WHERE closed IS NULL"), [], `killed at ${at}`)
      } finally {
        world.close()
      }
    }
  })

  const rest = pages()
  it(
    "nor does a parcel without lines take what a cancellation that cannot be read is for",
    inWorld({ connector: rest.connector }, async (world) => {
      const id = await checkout(world, order())
      const placed = order({ deferredPayment: id })
      rest.source.documents = [
        placed,
        parcel("1", { chairs: "2" }),
        cancellation("C1", { lamps: "1" }),
        parcel("2", {}, "2026-03-05")
      ]
      rest.source.unreadable = "C1"
      report(await world.sync({ evenSo: true }))
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(booked(world, id), [])
      assert.deepStrictEqual(reason(world), [HELD])
      rest.source.unreadable = ""
      report(await world.sync({ evenSo: true }))
      const { captured, open, voided } = held(world, id)
      assert.deepStrictEqual([captured, voided, open], [9259, 741, 0])
    })
  )

  const returns = pages()
  it(
    "nor is everything refunded for a return without lines while another cannot be read",
    inWorld({ connector: returns.connector }, async (world) => {
      const id = await checkout(world, order())
      const left = [order({ deferredPayment: id }), parcel("1", { chairs: "4" })]
      returns.source.documents = left
      report(await world.sync())
      returns.source.documents = [...left, returned("R1", { chairs: "1" }, "2026-03-08"), returned("R2")]
      returns.source.unreadable = "R1"
      report(await world.sync({ evenSo: true }))
      assert.strictEqual(held(world, id).refunded, 0)
      returns.source.unreadable = ""
      report(await world.sync({ evenSo: true }))
      const { captured, refunded } = held(world, id)
      assert.deepStrictEqual([captured, refunded], [6667, 6667])
      assert.deepStrictEqual(open(world, "SELECT why FROM attention WHERE closed IS NULL"), [])
    })
  )

  const known = pages()
  it(
    "another order goes on while a return cannot be read of which the books know whose it is",
    inWorld({ connector: known.connector }, async (world) => {
      const ids = [await checkout(world, order()), await checkout(world, order({ id: "O2", number: "SHOP-2" }))]
      const [one, two] = [
        order({ deferredPayment: ids[0]! }),
        order({ id: "O2", number: "SHOP-2", deferredPayment: ids[1]! })
      ]
      const back = returned("R1", { chairs: "1" }, "2026-03-08", "O2")
      known.source.documents = [one, two, back]
      report(await world.sync())
      known.source.documents = [{ ...one, status: "closed" }, two, back]
      known.source.unreadable = "R1"
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(booked(world, ids[0]!), [["void", 10_000]])
    })
  )

  const odd = pages()
  it(
    "nor is anything voided while a parcel is quarantined",
    inWorld({ connector: odd.connector }, async (world) => {
      const id = await checkout(world, order())
      odd.source.documents = [order({ deferredPayment: id, status: "closed" }), parcel("1", { chairs: "4" })]
      odd.source.unreadable = "1"
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [])
      odd.source.unreadable = ""
      report(await world.sync())
      assert.deepStrictEqual(booked(world, id), [
        ["capture", 6667],
        ["void", 3333]
      ])
    })
  )

  for (const [what, unreadable] of [
    ["a parcel that waits", "1"],
    ["a parcel that was captured", "0"],
    ["the order", "O1"]
  ] as const) {
    const later = pages()
    it(
      `nor is anything of an order sent while the latest record of ${what} could not be read, and then it is`,
      inWorld({ connector: later.connector }, async (world) => {
        const id = await checkout(world, order())
        const bought = order({ deferredPayment: id })
        later.source.documents = [bought, parcel("0", { rug: "1" })]
        report(await world.sync())
        const first = booked(world, id)
        // What is known of it is older than what the source says.
        later.source.documents = [bought, parcel("0", { rug: "1" }), parcel("1", { chairs: "4" })]
        await world.life(pull(world.connection))
        later.source.unreadable = unreadable
        report(await world.sync())
        assert.deepStrictEqual(booked(world, id), first)
        const items = "SELECT why FROM attention WHERE closed IS NULL AND subject = 'books/order/O1'"
        assert.match(
          String(open(world, items)[0]?.["why"]),
          /^the source's latest record of (this order|its fulfilment of 2026-03-02) could not be read/
        )
        later.source.unreadable = ""
        report(await world.sync())
        assert.deepStrictEqual(booked(world, id), [...first, ["capture", 6667]])
        assert.deepStrictEqual(open(world, "SELECT why FROM attention WHERE closed IS NULL"), [])
      })
    )
  }

  for (const sent of [1, 0]) {
    const { connector, source } = pages(true)
    it(
      `nor is a parcel captured that may be one that was ${sent === 1 ? "" : "not "}captured, entered again`,
      inWorld({ connector }, async (world) => {
        const id = await checkout(world, order())
        const bought = order({ deferredPayment: id })
        source.documents = [bought, parcel("1", { chairs: "2" }), parcel("0", { rug: "1" })]
        await (sent === 1 ? world.sync() : world.life(pull(world.connection)))
        Object.assign(source, { documents: source.documents.with(1, parcel("2", { chairs: "2" })), reaches: 2 })
        report(await world.sync({ evenSo: true }))
        assert.strictEqual(held(world, id).captured, sent === 1 ? 4444 : 0)
        source.reaches = 3
        report(await world.sync({ evenSo: true }))
        assert.strictEqual(held(world, id).captured, 4444, "it is the same goods, whatever the parcel is called")
      })
    )
  }

  const again = pages(true)
  it(
    "nor while that record was not reached again, and what the books have of it is older",
    inWorld({ connector: again.connector }, async (world) => {
      const id = await checkout(world, order())
      const bought = order({ deferredPayment: id })
      again.source.documents = [bought, parcel("0", { rug: "1" }), parcel("1", { chairs: "4" })]
      await world.life(pull(world.connection))
      again.source.documents = [bought, parcel("0", { rug: "1" }), parcel("1", { chairs: "1" })]
      again.source.unreadable = "1"
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(booked(world, id), [])
      again.source.reaches = 2
      report(await world.sync({ evenSo: true }))
      assert.deepStrictEqual(booked(world, id), [], "four chairs is what the source said before")
      Object.assign(again.source, { reaches: 3, unreadable: "" })
      report(await world.sync({ evenSo: true }))
      assert.strictEqual(held(world, id).captured, 2778)
    })
  )
})

describe("a payment that was reported, cannot be read, and is in no books because the state file was lost", () => {
  const mend = (world: World) => world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
  const reported = (world: World) => [...world.service.payment.values()].map(({ amount }) => amount)

  for (const [title, pays, paid] of [
    ["is not taken back before its invoice's source can be read", false, payment("P1", "50.00")],
    ["is not taken back before another source can be read", true, received("P1", { link: "I1", amount: "50.00" })]
  ] as const) {
    const own = pages(true)
    it(
      title,
      inWorld(pays ? { pays: own.connector } : { connector: own.connector }, async (world) => {
        world.documents = [invoice()]
        own.source.documents = pays ? [paid] : [invoice(), paid]
        report(await world.sync())
        assert.deepStrictEqual(reported(world), ["50.00"])
        for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
        own.source.unreadable = "P1"
        await world.sync({ guarded: true })
        assert.strictEqual((await mend(world))._tag, "Success")
        report(await world.sync({ guarded: true }))
        assert.deepStrictEqual(reported(world), ["50.00"])
        const [item] = open(world, "SELECT why FROM attention WHERE closed IS NULL AND rule = 'S3'")
        assert.match(String(item?.["why"]), /^the latest record of (books|debits)\/payment\/P1 could not be read/)
        own.source.unreadable = ""
        report(await world.sync())
        assert.deepStrictEqual(reported(world), ["50.00"])
        assert.deepStrictEqual(open(world, "SELECT why FROM attention WHERE closed IS NULL"), [])
        own.source.documents = own.source.documents
          .filter(({ id }) => id !== "P1")
          .concat(pays ? [back("R9", "P8")] : [])
        report(await world.sync())
        assert.deepStrictEqual(reported(world), ["50.00", "-50.00"])
      })
    )
  }
})

describe("a new reference of an order whose request comes late", () => {
  const late = { on: false }
  it(
    "does not undo the one that is sent after it",
    inWorld(
      {
        fault: (method) => {
          if (!late.on || method !== "PATCH") return undefined
          late.on = false
          return { kind: "late", delay_ms: 4000 }
        }
      },
      async (world) => {
        const id = await checkout(world, order())
        const sold = order({ deferredPayment: id })
        world.documents = [sold]
        report(await world.sync())
        late.on = true
        world.documents = [{ ...sold, number: "SHOP-2" }]
        report(await world.sync())
        world.documents = [{ ...sold, number: "SHOP-3" }]
        report(await world.sync())
        await world.clock.settle()
        const [one] = world.service.order.values()
        assert.strictEqual(one!["unique_id"], "SHOP-3")
      }
    )
  )
})
