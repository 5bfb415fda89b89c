/** QuickBooks Online where the kit does not reach: credit, voids, deletions behind its change data capture, its faults. */
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { assert, describe, it } from "vitest"
import * as Document from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import * as Mapping from "../../../connectors/quickbooks/Mapping.ts"
import { quickbooks } from "../../../connectors/quickbooks/QuickBooks.ts"
import { subject } from "../../../connectors/quickbooks/Sample.ts"
import { fold, run, type Stage } from "../../../connectors/testing/index.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

const decode = (mapping: Mapping.Mapping, record: object, how: Mapping.How = {}) =>
  mapping(how)(new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members))

const line = (Amount: number, TxnType: string, TxnId: string) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }] })
const payment = (TotalAmt: number, Line: ReadonlyArray<object>, more: object = {}, how: Mapping.How = {}) =>
  decode(
    Mapping.payment,
    { Id: "7", TxnDate: "2026-02-10", CurrencyRef: { value: "USD" }, TotalAmt, Line, ...more },
    how
  )

/** What reaches which invoice: `payment 1 50`. */
const shares = ({ documents }: Json.Decoded) =>
  documents.flatMap((one) =>
    Document.isAllocated(one)
      ? one.shares.map(({ amount, invoice }) => `${one.kind} ${invoice} ${Decimal.format(amount)}`)
      : []
  )

const named = ({ deleted = [] }: Json.Decoded) => deleted.map(({ id, kind }) => `${kind}/${id}`)

const invoice = {
  Id: "9",
  TxnDate: "2026-01-31",
  CustomerRef: { value: "1", name: "A" },
  CurrencyRef: { value: "USD" }
}

describe("QuickBooks's payments", () => {
  it("are money for several invoices, without what is not applied", () => {
    const decoded = payment(100, [line(60, "Invoice", "1"), line(30, "Invoice", "2")], { UnappliedAmt: 10 })
    assert.deepStrictEqual(shares(decoded), ["payment 1 60", "payment 2 30"])
    assert.deepStrictEqual(named(decoded), ["credit_note/7/credit"])
  })

  it("of total 0 apply credit memos, and are no money", () => {
    const decoded = payment(0, [line(60, "Invoice", "1"), line(30, "Invoice", "2"), line(90, "CreditMemo", "301")])
    assert.deepStrictEqual(shares(decoded), ["credit_note 1 60", "credit_note 2 30"])
    assert.deepStrictEqual(named(decoded), ["payment/7"])
  })

  it("that are money and credit say so where nobody knows which invoice had which", () => {
    const decoded = payment(50, [line(60, "Invoice", "1"), line(30, "Invoice", "2"), line(40, "CreditMemo", "301")])
    assert.deepStrictEqual(shares(decoded), ["payment 1 20", "payment 2 30", "credit_note 1 40"])
    assert.strictEqual(decoded.notices?.length, 1)
    const alone = payment(50, [line(90, "Invoice", "1"), line(40, "CreditMemo", "301")])
    assert.deepStrictEqual(shares(alone), ["payment 1 50", "credit_note 1 40"])
    assert.deepStrictEqual(alone.notices, [])
  })

  it("are money where a bank deposit was linked, also beside a credit memo", () => {
    const deposited = [line(60, "Invoice", "1"), line(60, "Deposit", "5")]
    assert.deepStrictEqual(shares(payment(0, deposited)), ["payment 1 60"])
    const mixed = [line(100, "Invoice", "1"), line(60, "Deposit", "5"), line(10, "CreditMemo", "6")]
    assert.deepStrictEqual(shares(payment(30, mixed)), ["payment 1 90", "credit_note 1 10"])
  })

  it("that use a journal entry wait until a setting says what that is", () => {
    const journal = [line(60, "Invoice", "1"), line(60, "JournalEntry", "5")]
    assert.throws(() => payment(0, journal), /applies 60 of a journal entry to invoices.*set journal_entries/)
    assert.deepStrictEqual(shares(payment(0, journal, {}, { journal_entries: "credit_note" })), ["credit_note 1 60"])
    assert.deepStrictEqual(shares(payment(0, journal, {}, { journal_entries: "payment" })), ["payment 1 60"])
    // A journal entry that it pays, beside the invoice.
    assert.deepStrictEqual(shares(payment(80, [line(60, "Invoice", "1"), line(20, "JournalEntry", "5")])), [
      "payment 1 60"
    ])
  })

  it("pay back cheques, and are quarantined where something unknown covers an invoice", () => {
    assert.deepStrictEqual(shares(payment(80, [line(60, "Invoice", "1"), line(20, "Check", "5")])), ["payment 1 60"])
    assert.throws(() => payment(0, [line(60, "Invoice", "1"), line(60, "Expense", "5")]), /but by Expense/)
    assert.throws(() => payment(0, [line(60, "Invoice", "1")]), /but by nothing/)
  })

  it("are gone when they are voided, deleted or applied to nothing", () => {
    const both = ["payment/7", "credit_note/7/credit"]
    assert.deepStrictEqual(named(payment(0, [], { PrivateNote: "Voided - wrong customer" })), both)
    assert.deepStrictEqual(named(payment(40, [], { UnappliedAmt: 40 })), both)
    assert.deepStrictEqual(named(decode(Mapping.payment, { Id: "7", status: "Deleted" })), both)
  })

  it("that name two invoices in one line are quarantined", () => {
    const both = [{ Amount: 5, LinkedTxn: ["1", "2"].map((TxnId) => ({ TxnId, TxnType: "Invoice" })) }]
    assert.throws(() => payment(5, both), /invoices 1, 2 together/)
  })
})

describe("QuickBooks's invoices", () => {
  it("are void by their note only, not by a total of 0", () => {
    const of = (PrivateNote: string) => {
      const [one] = decode(Mapping.invoice, { ...invoice, TotalAmt: 0, Balance: 0, PrivateNote }).documents
      return one?.kind === "invoice" && one.status
    }
    assert.deepStrictEqual(
      [of("Voided"), of("Voided - twice"), of("sample, free"), of("avoid")],
      ["void", "void", "paid", "paid"]
    )
  })

  it("take their deposit back when it is", () => {
    const paid = decode(Mapping.invoice, { ...invoice, TotalAmt: 50, Deposit: 20, Balance: 30 })
    assert.deepStrictEqual(shares(paid), ["payment 9 20"])
    const back = decode(Mapping.invoice, { ...invoice, TotalAmt: 50, Deposit: 0, Balance: 50 })
    assert.deepStrictEqual(named(back), ["payment/9/deposit"])
  })

  it("without a currency are in the company's own, where the settings say it", () => {
    const plain = { ...invoice, CurrencyRef: undefined, TotalAmt: 50 }
    assert.deepInclude(decode(Mapping.invoice, plain, { currency: "CAD" }).documents[0], { currency: "CAD" })
    assert.throws(() => decode(Mapping.invoice, plain), /set currency to the company/)
  })
})

describe("QuickBooks's refund receipts", () => {
  const refund = (more: object) =>
    decode(Mapping.refund, { Id: "4", TxnDate: "2026-02-14", CurrencyRef: { value: "USD" }, TotalAmt: 20, ...more })

  it("take back what was paid for the invoices that they name", () => {
    assert.deepStrictEqual(shares(refund({ LinkedTxn: [{ TxnId: "1", TxnType: "Invoice" }] })), ["reversal 1 20"])
    const by = [line(15, "Invoice", "1"), line(5, "Invoice", "2")]
    assert.deepStrictEqual(shares(refund({ Line: by })), ["reversal 1 15", "reversal 2 5"])
    const both = ["1", "2"].map((TxnId) => ({ TxnId, TxnType: "Invoice" }))
    assert.throws(() => refund({ LinkedTxn: both }), /not how much is for each/)
  })

  it("of sales that were paid at once are counted, and left out", () => {
    assert.strictEqual(refund({}).notices?.length, 1)
    assert.deepStrictEqual(named(refund({ TotalAmt: 0, PrivateNote: "Voided" })), ["reversal/4"])
  })
})

/** The sample's source, where answers to some requests are changed. */
const opened = (change: (path: string, body: never) => unknown = (_, body) => body): Stage => {
  const stage = subject.open()
  const { answer, lists } = stage.source!
  return {
    ...stage,
    source: {
      lists,
      answer: (asked, paging) => {
        const answered = answer(asked, paging)
        return answered && { ...answered, body: change(asked.path, answered.body as never) }
      }
    }
  }
}

const NOON = Date.parse("2026-03-01T12:00:00Z")
const since = (days: number) => JSON.stringify({ since: NOON - days * 86_400_000 })
const paths = (asked: ReadonlyArray<{ readonly path: string; readonly query: URLSearchParams }>) =>
  asked.map(({ path, query }) => `${path.split("/").pop()} ${query.get("entities") ?? ""}`.trim())

describe("QuickBooks's change data capture", () => {
  it("that is full is not believed: what it was full of is read whole, and deletions show", async () => {
    // A thousand changed payments: as many as an answer can hold, so that more may be missing.
    const many = Array.from({ length: 1000 }, (_, n) => ({ Id: `${n}`, status: "Deleted" }))
    let bursts = false
    const stage = opened((path, body: { CDCResponse: [{ QueryResponse: ReadonlyArray<object> }] }) => {
      if (!bursts || !path.endsWith("/cdc")) return body
      const found = body.CDCResponse[0].QueryResponse
      const full = found.map((one) => ("Payment" in one ? { Payment: many } : one))
      return { ...body, CDCResponse: [{ QueryResponse: full }] }
    })
    const first = await run(subject, stage)
    assert.isTrue(fold(first.pages).has("payment/201"))
    bursts = true
    const payments = stage.source!.lists["Payment"]!.records
    payments.splice(0, 1)
    const next = await run(subject, stage, { after: since(9) })
    assert.isUndefined(next.error)
    assert.deepStrictEqual(paths(next.asked).slice(0, 4), [
      "cdc Invoice,Payment,RefundReceipt",
      "cdc Invoice",
      "cdc Payment",
      "cdc RefundReceipt"
    ])
    const state = fold([...first.pages, ...next.pages])
    assert.isFalse(state.has("payment/201"))
    assert.isTrue(state.has("payment/204"))
    assert.deepStrictEqual(next.pages[next.pages.length - 1]?.bookmark, { since: NOON })
  })

  it("is not asked behind the thirty days that it remembers: every record is read again, and deletions show", async () => {
    const stage = opened()
    const first = await run(subject, stage)
    stage.source!.lists["Invoice"]!.records.splice(0, 1)
    const next = await run(subject, stage, { after: since(40) })
    assert.notInclude(paths(next.asked).join(), "cdc")
    assert.isFalse(fold([...first.pages, ...next.pages]).has("invoice/101"))
    // Left half way, it begins once more: only a whole reading shows what is missing.
    assert.deepStrictEqual(next.pages[0]?.bookmark, { since: NOON - 40 * 86_400_000 })
  })

  it("names deletions of invoices, with the deposit that was part of them", async () => {
    const cdc = { Invoice: [{ Id: "103", status: "Deleted" }] }
    const stage = opened((path, body: object) =>
      path.endsWith("/cdc") ? { ...body, CDCResponse: [{ QueryResponse: [cdc] }] } : body
    )
    const { pages } = await run(subject, stage, { after: since(1) })
    assert.deepStrictEqual(pages[0]?.deleted, [
      { kind: "invoice", id: "103" },
      { kind: "payment", id: "103/deposit" }
    ])
  })

  it("is read again by id with the payments that an invoice is linked to", async () => {
    const { pages } = await run(subject, opened(), { reread: ["102"] })
    assert.sameMembers([...fold(pages).keys()], ["invoice/102", "payment/201", "credit_note/202/credit"])
  })
})

describe("QuickBooks's faults", () => {
  const xml = (status: number, code: string, message: string, detail: string) => () =>
    new Response(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><IntuitResponse time="2026-03-01T04:00:00.123-08:00" xmlns="http://schema.intuit.com/finance/v3"><Fault type="SERVICE"><Error code="${code}"><Message>${message}</Message><Detail>${detail}</Detail></Error></Fault></IntuitResponse>`,
      { status }
    )
  const json = (status: number, Message: string, Detail: string) => () =>
    new Response(JSON.stringify({ Fault: { Error: [{ Message, Detail }] } }), { status })
  const message = async (make: () => Response) =>
    (
      await run(subject, subject.open(), {
        bend: { instead: ({ path }) => (path.includes("/v3/") ? make() : undefined) }
      })
    ).error?.message ?? ""
  const wait = "The request limit was reached.  Try again later"

  it("that are limits are waited for, whatever their status", async () => {
    for (const make of [
      xml(403, "3001", "message=ThrottleExceeded; errorCode=003001; statusCode=403", wait),
      json(403, "message=ThrottleExceeded; errorCode=003001; statusCode=403", wait),
      xml(429, "3001", "message=ThrottleExceeded; errorCode=003001; statusCode=429", wait)
    ]) {
      const ran = await run(subject, subject.open(), {
        bend: { instead: ({ path }, n) => (path.includes("/v3/") && n < 4 ? make() : undefined) }
      })
      assert.isUndefined(ran.error)
      assert.strictEqual(fold(ran.pages).size, subject.golden.length)
      assert.match(await message(make), /its request limit is used up; nothing is lost: run again/)
    }
  })

  it("about the company say so", async () => {
    const wrong = [
      xml(401, "130", "Accessing Wrong Cluster", "WrongClusterError: You have accessed the wrong server."),
      xml(401, "100", "General Authentication Error", "AuthenticationErrorGeneral: SRV-110-Authentication Failure"),
      json(403, "message=AuthorizationFailed; errorCode=003100; statusCode=403", "")
    ]
    for (const make of wrong) assert.match(await message(make), /check company \(the realm id\) and environment/)
    assert.match(await message(wrong[0]!), /it says: WrongClusterError/)
    const other = { ...subject, settings: { ...(subject.settings as object), company: "1" } }
    assert.match((await run(other, subject.open())).error?.message ?? "", /check company/)
  })

  it("about the scope name the scope", async () => {
    const make = xml(403, "3100", "AuthorizationFailed", "The access token does not have sufficient scope")
    assert.match(await message(make), /com\.intuit\.quickbooks\.accounting/)
  })
})

describe("authorising QuickBooks", () => {
  it("shows which company it was, as the page sends it back", async () => {
    const settings = Schema.decodeUnknownSync(quickbooks.settings)(subject.settings)
    const { client, reaches, scopes } = quickbooks.authorisation!(settings)
    assert.deepStrictEqual(client, { id: "QUICKBOOKS_CLIENT_ID", secret: "QUICKBOOKS_CLIENT_SECRET" })
    assert.deepStrictEqual(scopes, ["com.intuit.quickbooks.accounting"])
    const shown = (text: string) =>
      Effect.runPromise(reaches!("", new URLSearchParams(text)).pipe(Effect.provide(FetchHttpClient.layer)))
    assert.deepStrictEqual(await shown("code=x&realmId=4620816365"), [{ setting: "company", value: "4620816365" }])
    assert.deepStrictEqual(await shown("code=x"), [])
  })

  it("asks for a company's id that is one", () => {
    const decode = Schema.decodeUnknownSync(quickbooks.settings)
    assert.throws(() => decode({ ...(subject.settings as object), company: "Acme" }), /realm id/)
  })
})

describe("QuickBooks's notes and addresses", () => {
  const voided = { PrivateNote: "Voided - entered twice" }
  const open = { ...invoice, TotalAmt: 120, Balance: 120 }

  it("of a void with amounts left leave the record as it stands, and a notice says so", () => {
    const decoded = decode(Mapping.invoice, { ...open, ...voided })
    assert.deepInclude(decoded.documents[0], { kind: "invoice", status: "open" })
    assert.match(decoded.notices!.join(), /begins with Voided, but its amounts are not zero/)
    assert.match(payment(50, [line(50, "Invoice", "1")], voided).notices!.join(), /begins with Voided/)
    const link = { LinkedTxn: [{ TxnId: "9", TxnType: "Invoice" }] }
    assert.match(decode(Mapping.refund, { ...open, ...link, ...voided }).notices!.join(), /begins with Voided/)
    // What is void, and what has no such note, need none.
    const none = decode(Mapping.invoice, { ...open, ...voided, TotalAmt: 0, Balance: 0 })
    assert.deepInclude(none.documents[0], { status: "void" })
    assert.deepStrictEqual([...none.notices!, ...decode(Mapping.invoice, open).notices!], [])
  })

  it("of five lines are read to their end", () => {
    const BillAddr = {
      Line1: "Harbour Tea Ltd",
      Line2: "Attn: Accounts",
      Line3: "Unit 4",
      Line4: "4 Quay Street",
      Line5: "Bristol BS1 4DJ",
      Country: "UK"
    }
    const [one] = decode(Mapping.invoice, { ...open, BillAddr }).documents
    const address = "Harbour Tea Ltd, Attn: Accounts, Unit 4, 4 Quay Street, Bristol BS1 4DJ"
    assert.strictEqual(one?.kind === "invoice" && one.party.address, address)
  })

  it("without a customer's name call the debtor by the id, which a notice names", () => {
    const { documents, notices } = decode(Mapping.invoice, { ...open, CustomerRef: { value: "58" } })
    assert.deepInclude(documents[0], { party: { id: "58", name: "58" } })
    assert.match(notices!.join(), /its id is used instead/)
  })
})
