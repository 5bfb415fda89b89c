/** What goes with a collection besides the copy of the invoice: an order, the proof of its delivery, and the statement. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  addFile,
  collections,
  confirmed,
  documentsOf,
  inWindow,
  late,
  later,
  look,
  NEVER,
  party,
  planning,
  removeFile,
  rules,
  sync
} from "../Collected.ts"
import { covering, due } from "../Covered.ts"
import { ask, inWorld, open } from "../InWorld.ts"
import { PDF, put } from "../OwnFiles.ts"
import { payment } from "../../support/Documents.ts"
import { order, parcel } from "../../support/Orders.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as LedgerTrust from "../../../sync/state/LedgerTrust.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import type { World } from "../World.ts"

const documents = {
  invoice: "invoices/{number}.pdf",
  order: "orders/{number}.pdf",
  delivery: "signed/{id}.pdf",
  shipping: "parcels/{number}.pdf"
}

/** What PDFs that are not made here say. */
const contents = (world: World): ReadonlyArray<string> =>
  [...world.service.document.values()]
    .filter(({ type }) => type !== "statement")
    .map(({ content }) => Buffer.from(String(content), "base64").toString().split("\n")[1] ?? "")
    .toSorted()

const ALONE = ["invoice INV-1.pdf", "statement statement-of-account.pdf"]

describe("the user's files of an invoice", () => {
  it(
    "go along where there are any, are replaced, and go when they are gone",
    inWindow(
      async (world) => {
        assert.deepStrictEqual([documentsOf(world), look(world).lacking.length], [ALONE, 1])
        put(world, "orders/INV-1.pdf", PDF("ordered"))
        put(world, "signed/1.pdf", PDF("signed"))
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), [
          "invoice INV-1.pdf",
          "prood_order INV-1.pdf",
          "proof_delivery 1.pdf",
          "statement statement-of-account.pdf"
        ])
        put(world, "signed/1.pdf", PDF("signed by the other one"))
        assert.strictEqual((await sync(world)).done, 2)
        put(world, "orders/INV-1.pdf", "no PDF at all")
        await sync(world)
        assert.match(look(world).lacking.join(), /the order: INV-1\.pdf: the file is not a PDF, PNG or JPEG/)
        assert.lengthOf(documentsOf(world), 3)
      },
      { handover: { documents } }
    )
  )
})

describe("a file that a person adds twice", () => {
  it(
    "under two names goes once, and is shown so",
    inWindow(async (world) => {
      const signed = Buffer.from(PDF("signed"))
      for (const name of ["a.pdf", "b.pdf"]) addFile(world, name, "proof_delivery", signed)
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), [
        "invoice INV-1.pdf",
        "proof_delivery a.pdf",
        "statement statement-of-account.pdf"
      ])
      confirmed(world, { digest: look(world).digest })
      await sync(world)
      assert.isString(collections(world)[0]?.["sent"])
      assert.lengthOf(documentsOf(world), 3)
    })
  )
})

describe("who added and who removed a file", () => {
  it(
    "is kept with its name and digest, and is no decision about the invoice",
    inWindow(async (world) => {
      addFile(world, "signed.pdf", "proof_delivery", Buffer.from(PDF("signed")))
      assert.strictEqual(removeFile(world, "signed.pdf"), "")
      assert.include(removeFile(world, "signed.pdf"), "no file")
      const kept = await world.life(
        Effect.map(Database, (db) =>
          db.prepare("SELECT about, decision, who, shown ->> '$.name', length(digest) FROM cover_decision").raw().all()
        )
      )
      assert.deepStrictEqual(
        kept,
        Exit.succeed([
          ["file", "added", "Pat Tern", "signed.pdf", 43],
          ["file", "removed", "Pat Tern", "signed.pdf", 43]
        ])
      )
    })
  )
})

describe("what the service has of a collection", () => {
  const BOTH = [...ALONE, "proof_delivery signed.pdf"].toSorted()

  it(
    "is read where an older state file is put back: no document goes twice, and one that was replaced does not stay",
    inWindow(async (world) => {
      const older = `${world.file}.older`
      copyFileSync(world.file, older)
      addFile(world, "signed.pdf", "proof_delivery", Buffer.from(PDF("signed")))
      put(world, "invoices/INV-1.pdf", PDF("the invoice, corrected"))
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), BOTH)
      rmSync(`${world.file}-wal`, { force: true })
      copyFileSync(older, world.file)
      await world.life(Effect.flatMap(Database, (db) => db.transaction(() => LedgerTrust.doubt(db, "put back"))))
      const options = { fix: true, settleAfter: 0, onFound: () => Effect.void }
      assert.strictEqual((await world.life(audit(world.connections, options)))._tag, "Success")
      put(world, "invoices/INV-1.pdf", PDF("the invoice, corrected again"))
      // The service does not answer when the collection is read: nothing of it is changed.
      world.instance.faults.add({ kind: "status", status: 503, path: "/v1/collectiondocuments", method: "GET" })
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), BOTH)
      world.instance.faults.clear()
      addFile(world, "signed.pdf", "proof_delivery", Buffer.from(PDF("signed")))
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), BOTH)
      assert.deepStrictEqual(contents(world), ["signed", "the invoice, corrected again"])
    })
  )

  it(
    "is shown with what a person said after an older state file was saved, and handed over as it is shown",
    inWindow(async (world) => {
      const older = `${world.file}.older`
      copyFileSync(world.file, older)
      confirmed(world, { digest: look(world).digest, actions_taken: "two letters" })
      world.instance.faults.add({
        kind: "status",
        status: 503,
        path: "/v1/collections/",
        method: "PUT"
      })
      await sync(world)
      world.instance.faults.clear()
      assert.deepInclude(collections(world)[0], { actions_taken: "two letters", sent: null })
      rmSync(`${world.file}-wal`, { force: true })
      copyFileSync(older, world.file)
      await world.life(Effect.flatMap(Database, (db) => db.transaction(() => LedgerTrust.doubt(db, "put back"))))
      const options = { fix: true, settleAfter: 0, onFound: () => Effect.void }
      assert.strictEqual((await world.life(audit(world.connections, options)))._tag, "Success")
      await sync(world)
      assert.strictEqual(look(world).prefilled["actions_taken"], "two letters")
      confirmed(world, { digest: look(world).digest })
      await sync(world)
      assert.deepInclude(collections(world)[0], { actions_taken: "two letters", reasons: "the goods came late" })
      assert.isString(collections(world)[0]?.["sent"])
    })
  )

  it(
    "is completed again where somebody deletes a document there",
    inWindow(async (world) => {
      const [gone] = [...world.service.document.values()].filter(({ type }) => type === "invoice")
      await ask(world, "DELETE", `/v1/collectiondocuments/${gone!.id}`)
      later(world, 1)
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), ALONE)
    })
  )

  it(
    "whose answer got lost is found there by its digest, and does not go again",
    inWindow(async (world) => {
      world.instance.faults.add({ kind: "lose_response", path: "/v1/collectiondocuments", method: "POST", times: 1 })
      addFile(world, "signed.pdf", "proof_delivery", Buffer.from(PDF("signed")))
      await sync(world)
      later(world, 1)
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), BOTH)
    })
  )

  it(
    "of one content as two types is not taken for one where an answer got lost",
    inWindow(async (world) => {
      const same = Buffer.from(PDF("the invoice"))
      world.instance.faults.add({ kind: "lose_request", path: "/v1/collectiondocuments", method: "POST", times: 1 })
      addFile(world, "as-well.pdf", "correspondence", same)
      await sync(world)
      assert.deepStrictEqual(documentsOf(world), ["correspondence as-well.pdf", ...ALONE])
    })
  )
})

describe("the proofs of order and delivery", () => {
  const { deferredPayment: _, ...cash } = order({ number: "INV-1", buyer: { ...party, email: "shop@harbour.example" } })
  const sent = { ...parcel("F1", { chairs: "4" }), tracking: [{ number: "1Z999", carrier: "Example Parcels" }] }
  const ordered = [due("1", { party }), cash, sent]
  const MADE = "proof_delivery proof-of-delivery.pdf"
  const ORDER = "prood_order proof-of-order.pdf"
  const [INVOICE, STATEMENT] = ALONE as [string, string]

  it(
    "are made of the order that has the invoice's number and of its parcels, and made anew when another left",
    inWindow(
      async (world) => {
        assert.deepStrictEqual(documentsOf(world), [INVOICE, ORDER, MADE, STATEMENT])
        const digest = () => look(world).documents.find(({ type }) => type === "proof_delivery")?.digest
        const before = digest()
        assert.strictEqual((await sync(world)).done, 0)
        assert.strictEqual(digest(), before)
        world.documents = [...ordered, parcel("F2", { lamps: "3" })]
        await sync(world)
        assert.notStrictEqual(digest(), before)
        assert.lengthOf(documentsOf(world), 4)
        // Nothing left of it after all.
        world.documents = [due("1", { party }), cash]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), [INVOICE, ORDER, STATEMENT])
        world.documents = [due("1", { party }), { ...cash, status: "cancelled" }]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), ALONE)
        // Of another sale, which has the same number.
        world.documents = [due("1", { party }), { ...cash, currency: "EUR" }, sent]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), ALONE)
      },
      { documents: ordered }
    )
  )

  it(
    "are the user's own files where there are any, and none of an order of another number or of two",
    inWindow(
      async (world) => {
        assert.include(documentsOf(world), MADE)
        put(world, "signed/1.pdf", PDF("signed"))
        put(world, "orders/INV-1.pdf", PDF("ordered"))
        await sync(world)
        assert.deepStrictEqual(documentsOf(world).slice(1, 3), ["prood_order INV-1.pdf", "proof_delivery 1.pdf"])
        for (const one of ["signed/1.pdf", "orders/INV-1.pdf"]) rmSync(join(dirname(dirname(world.file)), one))
        addFile(world, "contract.pdf", "proof_order", Buffer.from(PDF("the contract")))
        await sync(world)
        assert.deepStrictEqual(documentsOf(world).slice(1, 3), ["prood_order contract.pdf", MADE])
        removeFile(world, "contract.pdf")
        world.documents = [...ordered, { ...cash, id: "O2" }]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), ALONE)
      },
      { documents: ordered, handover: { documents } }
    )
  )
})

describe("the statement of account", () => {
  const foreign = { ...party, address: "1 Quay Street, 🏠" }

  it(
    "that cannot be written is named, with what to do, and an older one does not go in its place",
    inWindow(
      async (world) => {
        assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf"])
        assert.match(
          look(world).lacking.join("\n"),
          /the statement of account: "1 Quay Street, 🏠" cannot be written: the fonts here cannot set 🏠, or attach one/
        )
        world.documents = [due("1", { party })]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), ALONE)
        world.documents = [due("1", { party: foreign })]
        await sync(world)
        assert.deepStrictEqual(documentsOf(world), ["invoice INV-1.pdf"])
      },
      { documents: [due("1", { party: foreign })] }
    )
  )

  it(
    "counts other invoices of the buyer that are overdue, and has what is open of each",
    inWindow(
      async (world) => {
        assert.strictEqual(look(world).fields["other_invoices"], true)
        const before = look(world).documents.find(({ type }) => type === "statement")!.digest
        world.documents = [...world.documents, payment("P1", { "2": "1200.00" }, "2026-04-20")]
        await sync(world)
        await sync(world)
        assert.strictEqual(look(world).fields["other_invoices"], false)
        assert.notStrictEqual(look(world).documents.find(({ type }) => type === "statement")!.digest, before)
      },
      { documents: [due("1", { party }), due("2", { party, due: "2026-04-01" })], policies: 2 }
    )
  )
})

describe("without handover in the configuration", () => {
  it(
    "the window is announced all the same, and nothing is begun",
    inWorld({ planning: { ...planning(), cover: covering().cover! } }, async (world) => {
      world.documents = [due("1", { party })]
      await sync(world)
      await late(world)
      await sync(world)
      assert.deepStrictEqual(rules(world), ["H2", "H5"])
      assert.lengthOf(collections(world), 0)
      assert.isTrue(
        NEVER.every((operation) => !JSON.stringify(open(world, "SELECT operation FROM claim")).includes(operation))
      )
    })
  )
})
