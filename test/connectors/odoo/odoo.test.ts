/** Odoo: how it is asked, and a payment that is taken from an invoice without a trace. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/odoo/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

const questions = ({ asked }: Awaited<ReturnType<typeof run>>, model: string) =>
  asked
    .filter(({ path }) => path.includes(`/${model}/`))
    .map(({ body }) => JSON.parse(body) as { domain: Array<unknown> })

describe("odoo", () => {
  it("asks for what follows the last id, and later for what changed, was reconciled or is open", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    assert.deepStrictEqual(
      questions(first, "account.move")
        .slice(0, 2)
        .map(({ domain }) => domain),
      [
        [["move_type", "=", "out_invoice"]],
        [
          ["move_type", "=", "out_invoice"],
          ["id", ">", 102]
        ]
      ]
    )
    assert.isTrue(
      first.asked.every(({ headers, method }) => headers["x-odoo-database"] === "acme" && method === "POST")
    )
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    const [{ domain }] = questions(await run(subject, stage, { after }), "account.move") as [{ domain: Array<unknown> }]
    assert.deepStrictEqual(domain.slice(0, 3), [["move_type", "=", "out_invoice"], "|", "|"])
    assert.match(JSON.stringify(domain[3]), /^\["write_date",">=","2026-02-28 \d\d:\d\d:\d\d"\]$/)
  })

  it("takes back a payment that was reconciled and is no more, with what the invoice says of itself", async () => {
    const stage = subject.open()
    const { "account.move": moves, "account.partial.reconcile": partials } = stage.source!.lists
    const first = await run(subject, stage)
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    partials!.records.splice(2, 1)
    // Odoo recomputes these, and leaves the time of the last change as it was.
    Object.assign(moves!.records[1], { payment_state: "not_paid", amount_residual: 75.5 })
    const next = await run(subject, stage, { after })
    const books = fold([...first.pages, ...next.pages])
    assert.isFalse(books.has("payment/3"))
    assert.match(books.get("invoice/102")!, /"status":"open".*"stated":\{"open":"7550000000n"\}/)
  })

  it("quarantines what names a line or a partner that is not there, and a state that is not known", async () => {
    const stage = subject.open()
    const { "account.move": moves, "account.move.line": lines, "res.partner": partners } = stage.source!.lists
    partners!.records.splice(1, 1)
    lines!.records.splice(6, 1)
    moves!.records[0].payment_state = "odd"
    moves!.records.push(...copy([{ ...moves!.records[3], id: 119, state: "odd" }]))
    const { pages } = await run(subject, stage)
    assert.sameMembers(
      pages.flatMap(({ quarantined }) => quarantined).map(({ field, origin, why }) => `${origin} ${field}: ${why}`),
      [
        'invoices/101 payment_state: "odd" is not a known payment state',
        "invoices/102 commercial_partner_id.id: is missing; it is required",
        'invoices/119 state: "odd" is not a known state',
        "reconciles/1 credit_move_id.date: is missing; it is required"
      ]
    )
  })

  it("is asked for many invoices at once when they are read again, and by itself for one that is missing", async () => {
    const stage = subject.open()
    const books = fold((await run(subject, stage)).pages)
    const { asked, pages } = await run(subject, stage, { reread: ["101", "102", "106", "999"] })
    const domains = questions({ asked } as Awaited<ReturnType<typeof run>>, "account.move").map(
      ({ domain }) => domain[1]
    )
    assert.deepStrictEqual(domains, [
      ["id", "in", [101, 102, 106, 999]],
      ["id", "in", [999]]
    ])
    const again = fold(pages)
    for (const id of ["101", "102", "106"]) assert.strictEqual(again.get(`invoice/${id}`), books.get(`invoice/${id}`))
    assert.deepStrictEqual(
      pages.flatMap(({ deleted = [] }) => deleted),
      [{ kind: "invoice", id: "999" }]
    )
  })
})
