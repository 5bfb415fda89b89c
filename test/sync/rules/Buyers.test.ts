/** The promises of the buyers' reconciler, over random orders of one buyer and settings that change between plans. */
import { Arbitrary } from "effect"
import { assert, describe, it } from "@effect/vitest"
import type { Order } from "../../../connectors/Document.ts"
import { reconcileBuyer } from "../../../sync/rules/Buyers.ts"
import { advanceBuyer, type RemoteBuyer } from "../../../sync/model/RemoteBuyer.ts"
import type { BuyerFacts } from "../../../sync/model/BuyerFacts.ts"
import type { BuyerCall } from "../../../sync/model/Call.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { oneOf } from "../../support/Books.ts"
import { day, planning } from "../../support/Documents.ts"
import { order } from "../../support/Orders.ts"
import { runs } from "../../support/Effort.ts"

interface Moment {
  readonly facts: BuyerFacts
  readonly remote: RemoteBuyer | undefined
  readonly planning: Planning
}

const orders = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({
      name: oneOf("Corner Bakery", "Corner Bakery plc"),
      email: oneOf("ann@example.com", "ann@example.com", "bob@example.com"),
      phone: oneOf(undefined, "1", "2"),
      company: oneOf(undefined, "co-1000"),
      placed: oneOf("2026-03-01", "2026-03-02", "2026-03-03")
    }),
    { maxLength: 3 }
  ),
  (all) =>
    all.map(({ company, email, name, phone, placed }, n): Order => {
      const { deferredPayment: _, ...rest } = order({ id: `O${n}`, placed: day(placed) })
      const more = { ...(phone === undefined ? {} : { phone }), ...(company === undefined ? {} : { company }) }
      return { ...rest, buyer: { id: "B1", email, name, ...more } }
    })
)

const settings: Arbitrary.Arbitrary<Planning> = Arbitrary.map(
  Arbitrary.all({
    create: oneOf(true, true, false),
    buyers: oneOf(true, false),
    keep: oneOf(true, false),
    card: oneOf(undefined, "on" as const, "off" as const, "default" as const),
    role: oneOf("member" as const, "admin" as const)
  }),
  ({ buyers, card, create, keep, role }) => ({
    ...planning,
    orders: {
      ...(create ? { create: {} } : {}),
      ...(buyers ? { buyers: { keep, role, ...(card === undefined ? {} : { payment_methods: { card } }) } } : {})
    }
  })
)

const carryOut = (remote: RemoteBuyer | undefined, calls: ReadonlyArray<BuyerCall>): RemoteBuyer | undefined =>
  calls.reduce<RemoteBuyer | undefined>((now, call) => advanceBuyer(now, call), remote)

const isUpdate = (call: BuyerCall) => call.operation === "users.update" || call.operation === "organisations.update"

const histories = Arbitrary.array(Arbitrary.all({ orders, planning: settings, made: oneOf(9, 9, 0, 1, 2, 3) }), {
  minLength: 1,
  maxLength: 5
})

const prop = (name: string, look: (moment: Moment) => void) =>
  it.prop(
    name,
    { steps: histories },
    ({ steps }) => {
      let remote: RemoteBuyer | undefined
      for (const { made, orders, planning } of steps) {
        const facts = { key: "books/buyer/B1", connection: "books", orders }
        look({ facts, remote, planning })
        remote = carryOut(remote, reconcileBuyer(facts, remote, planning).calls.slice(0, made))
      }
    },
    runs(500)
  )

describe("buyers", () => {
  prop("settled: carrying out a plan leaves nothing to send", ({ planning, facts, remote }) => {
    const { calls } = reconcileBuyer(facts, remote, planning)
    assert.deepStrictEqual(reconcileBuyer(facts, carryOut(remote, calls), planning).calls, [])
  })

  prop("resumable: after any prefix of a plan, the new plan is the rest of it", ({ planning, facts, remote }) => {
    const { calls } = reconcileBuyer(facts, remote, planning)
    for (let done = 1; done < calls.length; done++) {
      const rest = reconcileBuyer(facts, carryOut(remote, calls.slice(0, done)), planning)
      assert.deepStrictEqual(rest.calls, calls.slice(done))
    }
  })

  prop("a change says only what differs, and something", ({ planning, facts, remote }) => {
    for (const { body, operation } of reconcileBuyer(facts, remote, planning).calls.filter(isUpdate)) {
      const { payment_method_config: wishes, ...members } = body
      const held = operation === "users.update" ? remote!.user!.fields : remote?.organisation
      assert.isAbove(Object.keys(body).length, 0)
      for (const [name, value] of Object.entries(members)) assert.notStrictEqual(held![name] ?? null, value)
      for (const [type, wish] of Object.entries((wishes ?? {}) as Readonly<Record<string, { preference: string }>>)) {
        assert.notStrictEqual(remote?.methods[type] ?? "default", wish.preference)
      }
    }
  })

  prop("nobody is created whom no order needs", ({ planning, facts, remote }) => {
    const { calls } = reconcileBuyer(facts, remote, planning)
    const { buyers, create } = planning.orders!
    if (remote === undefined && calls.length > 0) {
      assert.isTrue(facts.orders.length > 0 && (buyers !== undefined || create !== undefined))
    }
    if (remote !== undefined)
      assert.notInclude(
        calls.map(({ operation }) => operation),
        "organisations.create"
      )
  })
})
