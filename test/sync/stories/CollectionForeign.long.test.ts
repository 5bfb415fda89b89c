/** What others change of a collection on the service, between what a person was shown and what is handed over. */
import { assert, describe, it } from "@effect/vitest"
import { payment } from "../../support/Documents.ts"
import { collections, confirmed, inWindow, look, sync, takeBack } from "../Collected.ts"
import { items } from "../Covered.ts"
import { ask, open } from "../InWorld.ts"
import { received } from "../Paying.ts"

describe("an invoice that can be handed over", () => {
  it(
    "is not handed over when the service holds something else than was shown, whoever wrote it, and whenever",
    inWindow(async (world) => {
      const id = String(collections(world)[0]?.["id"])
      const others = async (change: object) => void (await ask(world, "PATCH", `/v1/collections/${id}`, change))
      const isVoid = () =>
        items(world).some(({ rule, why }) => rule === "H5" && /the confirmation is void$/.test(String(why)))
      for (const change of [
        { debtor_postcode: "ZZ9 9ZZ" },
        { comments: "the buyer is bankrupt" },
        { collect_fees_from_debtor: true },
        { bank_account_email: "mallory@evil.example" }
      ]) {
        confirmed(world, { digest: look(world).digest })
        await others(change)
        await sync(world)
        assert.isNull(collections(world)[0]?.["sent"], JSON.stringify(change))
        assert.isTrue(isVoid(), JSON.stringify(change))
        takeBack(world)
      }
      assert.deepInclude(look(world).prefilled, { comments: "the buyer is bankrupt", debtor_postcode: "ZZ9 9ZZ" })
      // Once it was shown, it is handed over as it was shown; what the configuration says is put right.
      confirmed(world, { digest: look(world).digest })
      await others({ creditor_contact_email: "mallory@evil.example" })
      await sync(world)
      assert.deepInclude(collections(world)[0], {
        creditor_contact_email: "pat@tern.example",
        debtor_postcode: "ZZ9 9ZZ",
        collect_fees_from_debtor: true
      })
      assert.isString(collections(world)[0]?.["sent"])
    })
  )

  it(
    "has the account of the configuration when it is handed over, whoever wrote another one after the declaration",
    inWindow(async (world) => {
      const id = String(collections(world)[0]?.["id"])
      const mallory = { bank_account_number: "99999999", bank_account_sortcode: "66-66-66" }
      const unsent = { method: "PUT", path: "/v1/collections/", kind: "status", status: 503 } as const
      confirmed(world, { digest: look(world).digest })
      world.instance.faults.add(unsent)
      await sync(world)
      assert.deepInclude(collections(world)[0], { confirm_correct: true, sent: null })
      // The declaration was made in an earlier run, and somebody writes an account of theirs.
      await ask(world, "PATCH", `/v1/collections/${id}`, mallory)
      world.instance.faults.clear()
      // Nor does it help that the request which puts it right is lost: what is there otherwise is as it was declared.
      world.instance.faults.add({ method: "PATCH", path: "/v1/collections/", kind: "lose_request", times: 1 })
      await sync(world)
      assert.deepInclude(collections(world)[0], { bank_account_number: "12345678", bank_account_sortcode: "20-00-00" })
      assert.isString(collections(world)[0]?.["sent"])
    })
  )

  it(
    "H8: is not handed over while a payment of its amount names an invoice that is not there",
    inWindow(async (world) => {
      confirmed(world, { digest: look(world).digest })
      world.documents = [...world.documents, payment("P1", { INV: "1200.00" }, "2026-05-15")]
      await sync(world)
      assert.isNull(collections(world)[0]?.["sent"])
      assert.match(
        String(items(world).find(({ rule }) => rule === "H8")?.["why"]),
        /the payment books\/payment\/P1 waits, and may be for it/
      )
    })
  )

  it(
    "is not declared otherwise by a form that was shown before somebody confirmed it, and once by one posted twice",
    inWindow((world) => {
      const { digest } = look(world)
      confirmed(world, { digest })
      confirmed(world, { digest })
      assert.strictEqual(open(world, "SELECT 1 FROM cover_decision WHERE decision = 'confirmed'").length, 1)
      assert.match(
        confirmed(world, { digest, who: "Bo Reed", disputed: false }, false),
        /^Pat Tern confirmed it already/
      )
      assert.match(confirmed(world, { digest, disputed: false }, false), /look at it again$/)
      confirmed(world, { digest: look(world).digest, who: "Bo Reed", disputed: false })
      assert.strictEqual(look(world).word?.who, "Bo Reed")
      return Promise.resolve()
    })
  )

  it(
    "H8: is not handed over while a payment of its buyer waits, however the bank writes the name",
    inWindow(
      async (world) => {
        for (const name of ["Harbour Lane Bakery Ltd", "HARBOUR LANE BAKERY", "Harbour Lane Bakery Limited"]) {
          confirmed(world, { digest: look(world).digest })
          world.payments = [received("B1", { amount: "400.00", date: "2026-05-15", party: { name } })]
          await sync(world)
          assert.isNull(collections(world)[0]?.["sent"], name)
          assert.match(
            String(items(world).find(({ rule }) => rule === "H8")?.["why"]),
            /the payment debits\/payment\/B1 waits, and may be for it/
          )
          takeBack(world)
        }
        confirmed(world, { digest: look(world).digest })
        world.payments = [received("B1", { amount: "400.00", date: "2026-05-15", party: { name: "Quay Mills Ltd" } })]
        await sync(world)
        assert.isString(collections(world)[0]?.["sent"])
      },
      { pays: true }
    )
  )
})
