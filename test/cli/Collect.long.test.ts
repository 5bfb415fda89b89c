/** From a late invoice to its handover at the command line: looked at, completed, confirmed word for word, sent once. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { failed, KEY, useCommand } from "../support/Cli.ts"
import { ALL_DECLARED as ALL, coverDesk, day, digestOf, ENV, lateDesk, PDF, sentOn } from "../support/CoverDesk.ts"
import type { CollectionStep } from "../../sync/library/Api.ts"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"

useCommand()

describe.concurrent("daybook collect", () => {
  it("lists what can be handed over, and shows what would be with what is secret only named", async () => {
    const { does } = await lateDesk()
    const listed = await does("collect")
    assert.strictEqual(listed.status, 3)
    assert.match(
      listed.stdout,
      /^INV-1 +Harbour Lane Bakery Ltd +1,000\.00 GBP +can be handed over +\d{4}-\d\d-\d\d \(28 days\)/m
    )
    const { status, stdout } = await does("collect", "INV-1")
    assert.strictEqual(status, 3)
    assert.match(stdout, /^INV-1 {2}Harbour Lane Bakery Ltd, 1,000\.00 GBP open\nPolicy \S+: late_can_handover since/)
    assert.match(stdout, /the window to hand it over closes on \S+: 28 days are left$/m)
    assert.match(stdout, /^Your contact +Pat Acme$/m)
    assert.match(stdout, /^Account number +from BANK_NUMBER, not shown$/m)
    assert.match(stdout, /^invoice +INV-1\.pdf +\d+ B +your files$/m)
    assert.match(stdout, /^statement +statement-of-account\.pdf/m)
    assert.match(stdout, /Complete\. To hand it over: daybook collect INV-1 --confirm \(digest \S{12}\)\n$/)
    assert.notInclude(stdout, "12345678")
  })

  it("hands it over once both declarations were made by name, with a file that was added, and once", async () => {
    const desk = await lateDesk({ files: { "parcel.pdf": `${PDF}the parcel` } })
    const { does } = desk
    const added = await does(
      "collect",
      "INV-1",
      "--attach",
      "parcel.pdf",
      "--type",
      "proof_delivery",
      "--name",
      "Ada Reed"
    )
    assert.match(added.stdout, /^proof of delivery +parcel\.pdf +\d+ B +Ada Reed$/m)
    const digest = await digestOf(desk)
    const bare = failed(await does("collect", "INV-1", "--confirm", "--quiet"), 2)
    for (const word of [
      "--name NAME",
      "--digest DIGEST",
      "--not-disputed or --disputed REASON",
      "--declare-correct",
      "--accept-terms"
    ])
      assert.include(bare, word)
    // One declaration is not the other.
    const half = [
      "--confirm",
      "--quiet",
      "--digest",
      digest,
      "--not-disputed",
      "--declare-correct",
      "--name",
      "Ada Reed"
    ]
    assert.include(failed(await does("collect", "INV-1", ...half), 2), "--accept-terms")
    assert.strictEqual(await sentOn(desk), 0)
    const given = await does("collect", "INV-1", "--confirm", "--digest", digest.slice(0, 12), ...ALL)
    assert.deepStrictEqual([given.status, given.stderr], [0, ""])
    assert.match(
      given.stdout,
      /Confirmed by Ada Reed\.\n\nThe next daybook sync hands it over; at once: daybook collect INV-1 --send\n$/
    )
    // What else is to be sent is not what they confirmed.
    desk.write("invoices.csv", readFileSync(desk.path("invoices.csv"), "utf8").replaceAll(",100.00,", ",150.00,"))
    await does("pull")
    const before = (await desk.service.calls()).length
    const sent = await does("collect", "INV-1", "--send")
    const calls = (await desk.service.calls()).slice(before).filter(({ method }) => method !== "GET")
    assert.isNotEmpty(calls)
    for (const { path } of calls) assert.match(path, /^\/v1\/collection/)
    assert.match((await does("plan")).stdout, /INV-3/)
    assert.strictEqual(sent.status, 0, sent.stdout + sent.stderr)
    assert.match(sent.stdout, /books\/invoice\/INV-1 was handed over\.\n$/)
    await does("sync")
    assert.strictEqual(await sentOn(desk), 1)
    const answer = await fetch(`${desk.service.url}/v1/collections`, { headers: { authorization: `Token ${KEY}` } })
    const { results } = (await answer.json()) as { readonly results: ReadonlyArray<Readonly<Record<string, unknown>>> }
    assert.deepInclude(results[0], {
      confirm_correct: true,
      collections_terms_acceptance: true,
      disputed: false,
      bank_account_number: "12345678"
    })
    assert.match((await does("collect")).stdout, /^INV-1 .* under collection +Ada Reed +\d{4}-\d\d-\d\d$/m)
    assert.notInclude((await does("cover")).stdout, "window closes")
    assert.match(failed(await does("collect", "INV-1", "--attach", "parcel.pdf"), 2), /it was handed over already/)
  })

  it("is in the sheets of the export, with who declared what", async () => {
    const desk = await lateDesk()
    const { does, path } = desk
    await does("collect", "INV-1", "--confirm", "--digest", await digestOf(desk), ...ALL)
    await does("sync")
    assert.match((await does("export", "books.xlsx")).stdout, /Cover[\s\S]*Deadlines[\s\S]*Collections[\s\S]*Calls/)
    assert.strictEqual((await does("export", "books.csv")).status, 0)
    const rows = (name: string) => readFileSync(path(`books.${name}.csv`), "utf8").split("\n")
    const [head = "", row = ""] = rows("collections")
    assert.match(head, /Confirmed by,Confirmed at \(UTC\),Said,/)
    assert.match(row, /INV-1,Harbour Lane Bakery Ltd,.*"?INV-1\.pdf, statement-of-account\.pdf"?,Ada Reed,\d{4}-/)
    assert.match(rows("cover").join("\n"), /INV-2,Brightwater Foods Ltd,.*,offered,8100\.00,201\.60 GBP,/)
    assert.match(rows("deadlines").join("\n"), /,offer ends,books,INV-2,/)
  })

  it("takes no word for what changed since it was shown, and takes a word back", async () => {
    const desk = await lateDesk()
    const { does } = desk
    const digest = await digestOf(desk)
    desk.write("invoices/INV-1.pdf", `${PDF}another one`)
    const late = failed(await does("collect", "INV-1", "--quiet", "--confirm", "--digest", digest, ...ALL), 4)
    assert.include(late, "nothing was confirmed: it changed since it was shown")
    const again = await digestOf(desk)
    assert.strictEqual((await does("collect", "INV-1", "--confirm", "--digest", again, ...ALL)).status, 0)
    assert.match(
      (await does("collect", "INV-1", "--withdraw", "--name", "Ada Reed")).stdout,
      /^Withdrawn by Ada Reed: /
    )
    await does("sync")
    assert.strictEqual(await sentOn(desk), 0)
  })
})

describe("a program", () => {
  it("prepares, completes, confirms and hands over a collection, and is refused what a person has not said", async () => {
    const desk = await lateDesk()
    const config = JSON.parse(readFileSync(desk.path("daybook.config.json"), "utf8")) as Config
    const environment = { ...process.env, ...ENV, SERVICE_KEY: KEY }
    const daybook = await Daybook.open(config, { folder: desk.folder, state: desk.path("daybook.db"), environment })
    const invoice = "books/invoice/INV-1"
    const refused = async (step: CollectionStep): Promise<string> =>
      daybook.collect(invoice, step).then(
        () => "",
        (error: Error) => error.message
      )
    try {
      const before = await daybook.collect(invoice, { step: "prepare" })
      assert.deepStrictEqual(before.lacking, [])
      const file = { step: "attach", name: "parcel.pdf", type: "proof_delivery", who: "Ada Reed" } as const
      const bytes = Buffer.from(PDF)
      assert.match(await refused({ ...file, bytes: Buffer.from("MZ") }), /not a PDF, PNG or JPEG/)
      const { digest, documents } = await daybook.collect(invoice, { ...file, bytes })
      assert.deepStrictEqual(documents.map(({ type }) => type).toSorted(), ["invoice", "proof_delivery", "statement"])
      const word = {
        step: "confirm",
        who: "Ada Reed",
        digest,
        disputed: false,
        confirm_correct: true,
        collections_terms_acceptance: true
      } as const
      assert.match(await refused({ ...word, digest: before.digest }), /it changed since it was shown/)
      assert.match(await refused({ ...word, confirm_correct: false }), /a person confirms that it is correct/)
      assert.match(await refused({ ...word, who: " " }), /give the name of the person who confirms it/)
      assert.strictEqual((await daybook.collect(invoice, word)).word?.who, "Ada Reed")
      assert.isUndefined((await daybook.collection(invoice)).sent)
      await daybook.sync()
      assert.isString((await daybook.collection(invoice)).sent)
      assert.match(await refused({ step: "withdraw", who: "Ada Reed" }), /it was handed over already/)
      await daybook.sync()
      assert.strictEqual(await sentOn(desk), 1)
    } finally {
      await daybook.close()
    }
  })
})

describe.concurrent("a mistake about a collection", () => {
  it("is named with what to do: a file too large, of another type, or not there", async () => {
    const { does, path, write } = await lateDesk()
    write("large.pdf", new Uint8Array(9 * 1024 * 1024))
    write("letter.docx", "PK\u0003\u0004 a document of an office program")
    const attach = async (name: string, ...more: ReadonlyArray<string>) =>
      failed(await does("collect", "INV-1", "--attach", path(name), ...more), 2)
    assert.match(await attach("large.pdf"), /large\.pdf has 9 MB, and at most 8 MB can be handed over: make it smaller/)
    assert.match(await attach("letter.docx"), /letter\.docx: .*; give it as .*PDF/)
    assert.match(await attach("none.pdf"), /none\.pdf was not found: check the path/)
    assert.match(
      await attach("invoices/INV-1.pdf", "--type", "photo"),
      /"photo" is not a type of document; use one of invoice, /
    )
    assert.match(failed(await does("collect", "INV-1", "--remove", "x.pdf"), 2), /no file "x\.pdf" was added/)
    assert.match(failed(await does("collect", "INV-2"), 2), /INV-2: it is not insured/)
  })

  it("is named with what to do: a word without a name, and one that comes when the window has closed", async () => {
    const desk = await coverDesk()
    const { does } = desk
    await does("sync")
    // Nothing is missing of what nobody can hand over yet.
    const early = await does("collect", "INV-1")
    assert.match(early.stdout, /\n\nIt cannot be handed over: its policy is active\.\n$/)
    assert.notInclude(early.stdout, "Missing")
    await desk.pass(75)
    await does("sync")
    const digest = ["--digest", await digestOf(desk)]
    const said = ["--not-disputed", "--declare-correct", "--accept-terms"]
    const nobody = await does("collect", "INV-1", "--quiet", "--confirm", ...digest, ...said, "--name", " ")
    assert.match(failed(nobody, 2), /nothing was confirmed; .* needs --name NAME;/)
    const added = await does("collect", "INV-1", "--quiet", "--attach", "invoices/INV-1.pdf", "--name", "")
    assert.match(failed(added, 2), /INV-1: say who adds the file/)
    assert.strictEqual((await does("collect", "INV-1", "--confirm", ...digest, ...ALL)).status, 0)
    assert.match(failed(await does("collect", "INV-1", "--withdraw", "--name", " "), 2), /INV-1: say who takes it back/)
    await desk.pass(31)
    const closed =
      /the window to hand it over has closed, and its cover lapsed on \S+: collect it yourself; ask the service's operator/
    const seen = await does("collect", "INV-1")
    assert.match(seen.stdout, new RegExp(`It cannot be handed over: ${closed.source}`))
    assert.notMatch(seen.stdout, /days are left|next daybook sync hands it over/)
    assert.match((await does("collect")).stdout, /^INV-1 +Harbour Lane Bakery Ltd +1,000\.00 GBP +lapsed +Ada Reed$/m)
    for (const words of [["--send"], ["--confirm", ...digest, ...ALL], ["--attach", "invoices/INV-1.pdf"]])
      assert.match(failed(await does("collect", "INV-1", "--quiet", ...words), 2), closed)
    assert.match(failed(await does("cover", "buy", "INV-1"), 2), /was insured, and its policy is lapsed/)
    assert.strictEqual(await sentOn(desk), 0)
  })

  it("is named: no copy of the invoice, and no account for what is recovered", async () => {
    const head = "Invoice,Buyer,Country,Address,Currency,Issued,Due,Net,Gross,State\n"
    const row = `INV-1,Harbour Lane Bakery Ltd,GB,,GBP,${day(-5)},${day(25)},1000.00,1000.00,Sent\n`
    const { does } = await lateDesk({
      cover: { handover: { documents: "copies/{number}.pdf" } },
      files: { "invoices.csv": head + row }
    })
    const { status, stdout } = await does("collect", "INV-1")
    assert.strictEqual(status, 3)
    assert.match(stdout, /^ {2}the copy of the invoice: copies\/INV-1\.pdf was not found; add the file, or attach one/m)
    assert.match(stdout, /^ {2}no account for the money that is recovered: write cover\.handover\.bank$/m)
    assert.match(failed(await does("collect", "INV-1", "--quiet", "--confirm", ...ALL), 2), /is not complete: /)
  })

  it("is named: a contact without an address to write to", async () => {
    const { does } = await coverDesk({ cover: { handover: { contact: { name: "Pat" } as never } } })
    assert.match(failed(await does("cover"), 2), /handover\.contact\.email/)
  })
})
