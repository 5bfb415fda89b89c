/**
 * From a late invoice to money recovered, against the sandbox: announced, gathered, and handed over once a person has given
 * their word for exactly what is sent. Nothing goes twice, whatever breaks.
 */
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { payment } from "../../support/Documents.ts"
import {
  addFile,
  collections,
  confirmed,
  documentsOf,
  inWindow,
  late,
  later,
  look,
  party,
  planning,
  retryAll,
  rules,
  sync,
  takeBack
} from "../Collected.ts"
import { due, items, policies } from "../Covered.ts"
import { ask, inWorld, open } from "../InWorld.ts"
import { PDF, put } from "../OwnFiles.ts"
import { KEY as WORLD_KEY } from "../World.ts"

describe("an invoice that can be handed over", () => {
  it(
    "H2, H3: is announced, prepared with its documents, and waits for a person",
    inWindow(async (world) => {
      assert.deepStrictEqual(rules(world), ["H2", "H5"])
      const [window, ready] = items(world)
      assert.match(String(window?.["why"]), /closes on 2026-0\d-\d\d: at most 30 days are left$/)
      assert.strictEqual(ready?.["why"], "ready to be handed over, with INV-1.pdf, statement-of-account.pdf")
      const [collection] = collections(world)
      assert.deepInclude(collection, {
        creditor_contact_email: "pat@tern.example",
        bank_account_number: "12345678",
        bank_account_sortcode: "20-00-00",
        debtor_address: "1 Quay Street, Bristol",
        partial_payment: "0.00",
        other_invoices: false,
        confirm_correct: false,
        collections_terms_acceptance: false,
        sent: null
      })
      assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf", "statement statement-of-account.pdf"])
      // What is secret stands in no plan, ledger or claim.
      const kept = JSON.stringify(open(world, "SELECT * FROM claim, receipt, ledger"))
      for (const secret of ["12345678", "20-00-00"]) assert.notInclude(kept, secret)
      // And again: nothing is done twice.
      assert.strictEqual((await sync(world)).done, 0)
    })
  )

  it(
    "H6: is handed over once a person has given their word, with who and when; and only once",
    inWindow(async (world) => {
      const view = look(world)
      // Counted from the reading on the day before: the window may have begun then.
      assert.deepStrictEqual([view.lacking, view.daysLeft, view.open], [[], 28, "1200.00"])
      assert.notInclude(JSON.stringify(view), "12345678")
      confirmed(world, { digest: view.digest })
      const sent = await sync(world)
      assert.deepStrictEqual([sent.done, sent.failed], [2, 0])
      const [collection] = collections(world)
      assert.deepInclude(collection, {
        confirm_correct: true,
        collections_terms_acceptance: true,
        disputed: true,
        reasons: "the goods came late"
      })
      assert.isString(collection?.["sent"])
      // The answer to the declarations has the account in it.
      assert.notInclude(JSON.stringify(open(world, "SELECT answer FROM receipt")), "12345678")
      assert.strictEqual((await sync(world)).done, 0)
      await sync(world)
      assert.strictEqual(policies(world)[0]?.["status"], "under_collection")
      assert.deepStrictEqual(rules(world), [])
      const requests = open(
        world,
        "SELECT operation, request FROM claim WHERE operation LIKE 'collections.%' ORDER BY id"
      )
      for (const { operation, request } of requests.filter(({ request }) =>
        String(request).includes("confirm_correct")
      ))
        assert.deepInclude([operation, JSON.parse(String(request)).declaration.who], "Pat Tern")
    })
  )

  it(
    "is not handed over on a word that was given for something else",
    inWindow(async (world) => {
      const { digest } = look(world)
      confirmed(world, { digest })
      // Money came in before the next sync: what was confirmed is not so any more.
      world.documents = [due("1", { party }), payment("P1", { "1": "200.00" }, "2026-05-15")]
      await sync(world)
      assert.strictEqual(collections(world)[0]?.["sent"], null)
      assert.deepInclude(collections(world)[0], { partial_payment: "200.00", confirm_correct: false })
      assert.match(
        String(items(world).find(({ rule }) => rule === "H5")?.["why"]),
        /is not what Pat Tern was shown on 2026-0\d-\d\d: the confirmation is void$/
      )
      // The statement changed with it, and took the other's place.
      assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf", "statement statement-of-account.pdf"])
      confirmed(world, { digest: look(world).digest })
      await sync(world)
      assert.isString(collections(world)[0]?.["sent"])
    })
  )

  it(
    "is not handed over when it was paid before, or when the word was taken back",
    inWindow(async (world) => {
      confirmed(world, { digest: look(world).digest })
      const { digest } = look(world)
      takeBack(world)
      await sync(world)
      assert.strictEqual(collections(world)[0]?.["sent"], null)
      // Whoever confirms it anew is told who took it back.
      assert.match(confirmed(world, { digest }, false), /^Pat Tern took the confirmation back/)
      assert.strictEqual(look(world).withdrawn?.who, "Pat Tern")
      confirmed(world, { digest: look(world).digest })
      world.documents = [due("1", { party }), payment("P1", { "1": "1200.00" }, "2026-05-15")]
      await sync(world)
      await sync(world)
      assert.strictEqual(collections(world)[0]?.["sent"], null)
      assert.deepStrictEqual([policies(world)[0]?.["status"], rules(world)], ["paid", []])
    })
  )

  it(
    "replaces a document that changes before it is sent, and leaves the rest",
    inWindow(async (world) => {
      put(world, "invoices/INV-1.pdf", PDF("the invoice, corrected"))
      assert.strictEqual((await sync(world)).done, 2)
      assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf", "statement statement-of-account.pdf"])
      addFile(world, "delivery.png", "proof_delivery", PNG)
      assert.strictEqual((await sync(world)).done, 1)
      assert.lengthOf(documentsOf(world), 3)
      assert.strictEqual((await sync(world)).done, 0)
    })
  )

  it(
    "H9: is announced at each of its days, once, and lapses only by a person's will",
    inWindow(async (world) => {
      const seen = new Set<string>()
      for (let day = 0; day <= 33; day++) {
        await late(world, day)
        await sync(world)
        for (const { rule, why } of items(world)) if (rule === "H2") seen.add(String(why).replace(/.*: /, ""))
      }
      assert.deepStrictEqual(
        [...seen],
        [
          "at most 30 days are left",
          "at most 14 days are left",
          "at most 7 days are left",
          "at most 3 days are left",
          "at most one day is left",
          // By our count it closes a day before the service's.
          "the window to hand it over closed on 2026-06-13, by our count; the service still takes it"
        ]
      )
      const announced = open(world, "SELECT count(*) AS n FROM attention WHERE rule = 'H2' AND why LIKE '%left'")
      assert.strictEqual(announced[0]?.["n"], 5)
      assert.deepStrictEqual(rules(world), ["H9"])
      assert.match(String(items(world)[0]?.["why"]), /its cover of 900\.00 GBP lapsed on 2026-0\d-\d\d/)
    })
  )
})

const PNG = Buffer.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0, 0, 0, 0
])

describe("what comes after", () => {
  it(
    "H7, H10: is kept with its day: each status, and what was recovered; money that comes in is reported as always",
    inWindow(async (world) => {
      confirmed(world, { digest: look(world).digest })
      await sync(world)
      const policy = String(policies(world)[0]?.["id"])
      for (const body of [
        { status: "under_collection_installments", recovered: "100" },
        { status: "recovery_complete", recovered: "900.00" },
        { status: "of a later version" }
      ]) {
        await ask(world, "PUT", `/sandbox/policies/${policy}/status`, body).catch(() => undefined)
        later(world, 2)
        await sync(world)
      }
      const events = open(
        world,
        "SELECT what, after FROM cover_event WHERE what IN ('policy', 'recovered', 'collection') ORDER BY id"
      )
      assert.deepStrictEqual(
        events.slice(-7).map(({ after, what }) => `${what} ${after}`),
        [
          "policy late_can_handover",
          "policy under_collection",
          "collection sent",
          "policy under_collection_installments",
          "recovered 100.00",
          "policy recovery_complete",
          "recovered 900.00"
        ]
      )
      world.documents = [due("1", { party }), payment("P1", { "1": "200.00" }, "2026-06-15")]
      assert.strictEqual((await sync(world)).done, 1)
      assert.lengthOf([...world.service.payment.values()], 1)
    })
  )
})

describe("what is not there", () => {
  it(
    "is named, each with what to do, and nobody can give their word before",
    inWindow(
      async (world) => {
        const { debtor_address } = look(world).prefilled
        const lacking = look(world).lacking.join("\n")
        assert.match(lacking, /no contact of the seller: write cover\.handover\.contact|^(?!.*contact)/s)
        assert.include(lacking, "no account for the money that is recovered: write cover.handover.bank")
        assert.match(
          lacking,
          /the copy of the invoice: elsewhere\/INV-1\.pdf was not found; add the file, or attach one/
        )
        assert.include(String(items(world).find(({ rule }) => rule === "H5")?.["why"]), "not complete: ")
        assert.isTrue(debtor_address === undefined || typeof debtor_address === "string")
        assert.match(confirmed(world, { digest: look(world).digest }, false), /^it is not complete: /)
        addFile(world, "copy.pdf", "invoice", Buffer.from(PDF("by hand")))
        await sync(world)
        assert.notInclude(look(world).lacking.join(), "copy of the invoice")
      },
      { handover: { documents: "elsewhere/{number}.pdf" } }
    )
  )

  it(
    "such as a secret that is not set, or an admin of the owner, needs attention with what to do",
    inWorld({ planning: planning() }, async (world) => {
      world.documents = [due("1", { party })]
      put(world, "invoices/INV-1.pdf", PDF("the invoice"))
      await sync(world)
      await late(world)
      for (const one of [...world.service.membership.values()])
        world.instance.service.store.delete(WORLD_KEY, "membership", one.id)
      await sync(world)
      const [refused] = items(world).filter(({ why }) => /did not create a collection/.test(String(why)))
      assert.match(String(refused?.["todo"]), /^the owner needs an admin/)
      world.instance.service.store.put(WORLD_KEY, "membership", {
        id: "m-1",
        organisation: [...world.service.organisation.values()][0]!.id,
        user: [...world.service.user.values()][0]!.id,
        role: "admin"
      })
      retryAll(world)
      await world.sync({ secrets: (name) => (name === "BANK_NUMBER" ? undefined : Redacted.make("tok_visa")) })
      const [unset] = items(world).filter(({ why }) => /could not be sent/.test(String(why)))
      assert.match(
        String(unset?.["why"]),
        /^collections\.update could not be sent: bank_account_number: the environment variable BANK_NUMBER is not set$/
      )
      retryAll(world)
      await sync(world)
      assert.deepStrictEqual(rules(world), ["H2", "H5"])
      assert.lengthOf(collections(world), 1)
    })
  )

  it(
    "cannot be passed over: each declaration is made by itself, by somebody, for what was shown",
    inWindow(async (world) => {
      const { digest } = look(world)
      for (const [change, why] of [
        [{ digest: "another" }, /^it changed since it was shown/],
        [{ digest, confirm_correct: false }, /confirms that it is correct$/],
        [{ digest, collections_terms_acceptance: false }, /accepts the terms of collection$/],
        [{ digest, who: " " }, /^give the name of the person who confirms it$/],
        [{ digest, reasons: "" }, /^say why the buyer disputes it/]
      ] as const)
        assert.match(confirmed(world, change, false), why)
      await sync(world)
      assert.strictEqual(collections(world)[0]?.["sent"], null)
    })
  )

  it(
    "or is of another type, too large or outside of the folder says so",
    inWindow(async (world) => {
      assert.match(addFile(world, "a.exe", "other", Buffer.from("MZ")), /^a\.exe: the file is not a PDF, PNG or JPEG/)
      assert.match(
        addFile(world, "a.pdf", "poem", Buffer.from(PDF(""))),
        /"poem" is not a type of document; use one of invoice/
      )
      const large = Buffer.concat([Buffer.alloc(9 << 20), Buffer.from("%%EOF")])
      assert.match(addFile(world, "a.pdf", "other", large), /^a\.pdf has 9\.1 MB, and at most 8 MB can be handed over/)
      put(world, "invoices/INV-1.pdf", "<html>not found</html>")
      await sync(world)
      // The one that was there before is still the best there is.
      assert.deepStrictEqual(look(world).lacking, [])
    })
  )
})

describe("what breaks on the way", () => {
  const faults: ReadonlyArray<readonly [string, object]> = [
    ["the request is lost", { kind: "lose_request" }],
    ["the answer is lost", { kind: "lose_response" }],
    ["the service is out of order", { kind: "status", status: 502 }],
    ["it is asked to wait", { kind: "status", status: 429, retry_after: 1 }]
  ]
  const paths = ["/v1/collections", "/v1/collectiondocuments", "/v1/collections/"]
  for (const [name, fault] of faults)
    it(
      `${name}: begun once, each document once, handed over once`,
      inWorld({ planning: planning() }, async (world) => {
        world.documents = [due("1", { party })]
        put(world, "invoices/INV-1.pdf", PDF("the invoice"))
        await sync(world)
        for (const path of paths) world.instance.faults.add({ ...fault, path, times: 1 } as never)
        await late(world)
        await sync(world)
        await sync(world)
        confirmed(world, { digest: look(world).digest })
        for (const method of ["PATCH", "PUT"])
          world.instance.faults.add({ ...fault, method, path: "/v1/collections/", times: 1 } as never)
        await sync(world)
        await sync(world)
        assert.lengthOf(collections(world), 1)
        assert.isString(collections(world)[0]?.["sent"])
        assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf", "statement statement-of-account.pdf"])
        assert.strictEqual(open(world, "SELECT count(*) AS n FROM claim WHERE has_receipt = 0")[0]?.["n"], 0)
      })
    )
})
