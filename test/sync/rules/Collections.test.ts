/**
 * The promises of the rules of collections, over small histories: documents that are gathered, change and go, money that
 * comes in, a person who gives their word for what they see or saw, and plans that are carried out in part or in whole.
 */
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Invoice } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { POLICY_STATUSES } from "../../../core/insurance/Policies.ts"
import * as Day from "../../../core/wire/Day.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import type { InvoiceCall } from "../../../sync/model/Call.ts"
import {
  COLLECTION_FIELDS,
  type CollectionContext,
  type CollectionWord,
  type Gathered
} from "../../../sync/model/CollectionContext.ts"
import type { CoverCollection, CoverDocument } from "../../../sync/model/Cover.ts"
import type { CoverSettings } from "../../../sync/model/CoverSettings.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { bindingDigest, collectionDigest, known, recordOf } from "../../../sync/rules/CollectionFields.ts"
import { collect, type Collected, type CollectionDecision } from "../../../sync/rules/Collections.ts"
import { about, invoice, payment } from "../../support/Documents.ts"
import { times } from "../../support/Effort.ts"

const OF = invoice({ party: { id: "c1", name: "Harbour Lane Bakery", country: "GB", address: "1 Quay Street" } })

const SETTINGS: CoverSettings = {
  select: [{}],
  price: { currency: "GBP", per_month: "100" },
  handover: {
    contact: { name: "Pat", email: "pat@tern.example" },
    bank: { name: "Tern", sortcode: { env: "S" }, number: { env: "N" } }
  }
}

const file = (type: string, n: number): CoverDocument => ({
  type,
  digest: `${type}-${n}`,
  name: `${type}.pdf`,
  mime: "application/pdf"
})

/** What a person has seen of it when they give their word: what is there, or something else. */
type Word = "none" | "for this" | "for what was"

interface Moment {
  readonly status: string
  /** Versions of the copy, the statement and a file by hand; 0: it is not there. */
  readonly files: readonly [number, number, number]
  readonly paid: number
  readonly overdue: number
  readonly word: Word
  readonly day: number
  /** How many calls of the plan are carried out. */
  readonly made: number
  readonly lacks: boolean
}

const moments = fc.array(
  fc.record<Moment>({
    status: fc.oneof(
      { weight: 12, arbitrary: fc.constant("late_can_handover") },
      { weight: 1, arbitrary: fc.constantFrom(...POLICY_STATUSES, "of a later version") }
    ),
    files: fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
    paid: fc.constantFrom(0, 0, 0, 10, 20, 120),
    overdue: fc.nat(1),
    word: fc.constantFrom("none", "for this", "for what was"),
    day: fc.nat(35),
    made: fc.constantFrom(0, 1, 2, 3, 4, 99, 99, 99),
    lacks: fc.boolean()
  }),
  { minLength: 1, maxLength: 8 }
)

const BEGIN = Day.of("2026-04-01")

const remoteWith = (remote: RemoteInvoice, status: string): RemoteInvoice => ({
  ...remote,
  cover: { ...remote.cover, policy: { ...remote.cover?.policy, id: "pol-1", status } }
})

const gathered = ({ files, lacks, overdue }: Moment): Gathered => ({
  documents: ["invoice", "statement", "other"].flatMap((type, n) => (files[n] === 0 ? [] : [file(type, files[n]!)])),
  problems: lacks ? ["the statement of account: it cannot be made"] : [],
  overdue
})

const factsOf = ({ paid }: Moment) => about([OF, ...(paid === 0 ? [] : [payment("P1", `${paid}.00`)])])

/** What the person fills in with each confirmation. */
const FILLED = { disputed: false }

const digestOf = (moment: Moment, remote: RemoteInvoice): string =>
  bindingDigest(recordOf(factsOf(moment), OF, remote, SETTINGS, gathered(moment)), FILLED)

/** The history's moments as the rules see them, one after the other; what is carried out stays. */
const walk = (history: ReadonlyArray<Moment>, look: (of: Collected, plan: CollectionDecision) => void): void => {
  let remote: RemoteInvoice = {
    kind: "invoice",
    id: "tr-1",
    status: "pending",
    insured: true,
    fields: { currency: "GBP", gross_amount: "120.00", net_amount: "100.00" },
    postings: [],
    cover: { policy: { id: "pol-1", status: "late_can_handover" } }
  }
  let word: CollectionWord | undefined
  for (const [n, moment] of history.entries()) {
    const before = history[n - 1]
    const digest =
      moment.word === "for this" || before === undefined ? digestOf(moment, remote) : digestOf(before, remote)
    if (moment.word !== "none") word = { id: n + 1, who: "Pat", at: Day.toEpochMillis(BEGIN), digest, fields: FILLED }
    const now = Day.toEpochMillis(Day.addDays(BEGIN, moment.day))
    const context: CollectionContext = {
      contradictions: () => [],
      now,
      windowEnds: Day.addDays(BEGIN, 29),
      gathered: gathered(moment),
      ...(word === undefined ? {} : { word })
    }
    const isSent = remote.cover?.collection?.sent !== undefined
    remote = remoteWith(remote, isSent && moment.status === "late_can_handover" ? "under_collection" : moment.status)
    // What was received was reported before.
    const postings =
      moment.paid === 0
        ? []
        : [{ key: "P1", fact: "books/payment/P1", amount: of(`${moment.paid}`), date: BEGIN, id: "p" }]
    remote = { ...remote, postings: postings as unknown as RemoteInvoice["postings"] }
    const of_: Collected = { facts: factsOf(moment), invoice: OF, remote, settings: SETTINGS, context }
    const plan = collect(of_)
    look(of_, plan)
    remote = carryOut(remote, plan.calls.slice(0, moment.made))
  }
}

const carryOut = (remote: RemoteInvoice, calls: ReadonlyArray<InvoiceCall>): RemoteInvoice =>
  calls.reduce((now, call) => advanceInvoice(now, call)!, remote)

const holds = (promise: (of: Collected, plan: CollectionDecision) => void, n = 400) =>
  fc.assert(
    fc.property(moments, (history) => walk(history, promise)),
    { numRuns: times(n) }
  )

const declares = (call: InvoiceCall): boolean =>
  call.operation === "collections.update" &&
  (call.body["confirm_correct"] === true || call.body["collections_terms_acceptance"] === true)

const isGiven = ({ context: { gathered, word }, facts, invoice, remote, settings }: Collected): boolean =>
  word !== undefined &&
  gathered !== undefined &&
  remote.cover?.collection !== undefined &&
  word.digest === bindingDigest(recordOf(facts, invoice, remote, settings, gathered), FILLED)

const heldBy = ({ cover }: RemoteInvoice) => (cover?.collection?.documents ?? []).map(({ digest }) => digest).toSorted()

describe("the record that a person is shown", () => {
  const REMOTE: RemoteInvoice = {
    kind: "invoice",
    id: "tr-1",
    status: "pending",
    insured: true,
    fields: {},
    postings: [],
    cover: {
      policy: { id: "pol-1", status: "late_can_handover" },
      collection: { id: "coll-1", fields: {}, documents: [], prefilled: { debtor_postcode: "AB1 2CD" } }
    }
  }
  const NOTHING: Gathered = { documents: [], problems: [], overdue: 0 }
  const digestWith = (
    change: Partial<Invoice>,
    collection: Partial<CoverCollection> = {},
    gathered: Partial<Gathered> = {},
    facts = about([OF])
  ): string => {
    const cover = { ...REMOTE.cover, collection: { ...REMOTE.cover!.collection!, ...collection } }
    const record = recordOf(facts, { ...OF, ...change }, { ...REMOTE, cover }, SETTINGS, { ...NOTHING, ...gathered })
    return collectionDigest(record)
  }

  it("H5: has a digest of every amount, term, field and document, of whose it is, and of what others wrote or attached", () => {
    const digests = [
      digestWith({}),
      digestWith({ net: of("80") }),
      digestWith({ gross: of("110") }),
      digestWith({ number: "another" }),
      digestWith({ issued: Day.addDays(OF.issued, 1) }),
      digestWith({ due: Day.addDays(OF.due, 1) }),
      digestWith({ currency: "EUR" }),
      ...["name", "country", "regnum", "vat", "address", "id", "company"].map((member) =>
        digestWith({ party: { ...OF.party, [member]: "FR" } })
      ),
      ...COLLECTION_FIELDS.filter((name) => !(name in known(about([OF]), OF, SETTINGS, NOTHING))).map((name) =>
        digestWith({}, { prefilled: { [name]: "somebody else's" } })
      ),
      digestWith({}, { id: "coll-2" }),
      digestWith({}, { others: [{ id: "doc-1", type: "other", description: "a letter" }] }),
      digestWith({}, {}, { documents: [file("invoice", 1)] }),
      digestWith({}, {}, { documents: [file("invoice", 2)] }),
      digestWith({}, {}, { overdue: 1 }),
      digestWith({}, {}, {}, about([OF, payment("P1", "20.00")]))
    ]
    assert.strictEqual(new Set(digests).size, digests.length)
    assert.isAbove(digests.length, 30)
  })
})

describe("collect", () => {
  it("settled: carrying out a plan leaves nothing to plan", () =>
    holds((of_, plan) => {
      const done = carryOut(of_.remote, plan.calls)
      const { policy } = of_.remote.cover ?? {}
      // Of the policy the service may still say what it said before.
      const lagging = { ...done, cover: { ...done.cover, ...(policy === undefined ? {} : { policy }) } }
      for (const remote of [done, lagging]) {
        const after = collect({ ...of_, remote })
        assert.deepStrictEqual(after.calls, [])
        assert.deepStrictEqual(after.attention, plan.attention)
      }
    }))

  it("resumable: after any prefix of a plan, the new plan is the rest of it", () =>
    holds((of_, plan) => {
      for (let done = 1; done < plan.calls.length; done++) {
        const rest = collect({ ...of_, remote: carryOut(of_.remote, plan.calls.slice(0, done)) })
        // A declaration is made again in the run that hands over: nothing says what the service holds as the account by then.
        const isDeclared = plan.calls.slice(0, done).some(declares) && plan.calls.length > done
        assert.deepStrictEqual(
          rest.calls.map(({ operation }) => operation),
          [
            ...(isDeclared ? (["collections.update"] as const) : []),
            ...plan.calls.slice(done).map(({ operation }) => operation)
          ]
        )
      }
    }))

  it("personal: no declaration and no sending without a person's word for just this", () =>
    holds((of_, plan) => {
      for (const call of plan.calls.filter((one) => declares(one) || one.operation === "collections.send")) {
        assert.isTrue(isGiven(of_))
        const { declaration } = call as Extract<InvoiceCall, { operation: "collections.send" }>
        assert.deepInclude(declaration, { who: "Pat", decision: of_.context.word!.id, shown: of_.context.word!.digest })
      }
    }))

  it("whole: what is sent has every document once, and what was declared is what it says", () =>
    holds((of_, plan) => {
      const at = plan.calls.findIndex(({ operation }) => operation === "collections.send")
      if (at < 0) return
      assert.strictEqual(at, plan.calls.length - 1)
      const before = carryOut(of_.remote, plan.calls.slice(0, at))
      const wanted = of_.context.gathered!.documents.map(({ digest }) => digest).toSorted()
      assert.deepStrictEqual(heldBy(before), wanted)
      const { confirmed, fields } = before.cover!.collection!
      assert.strictEqual(confirmed?.decision, of_.context.word!.id)
      assert.deepInclude(fields, {
        ...known(of_.facts, of_.invoice, of_.settings, of_.context.gathered!),
        disputed: false,
        confirm_correct: true,
        collections_terms_acceptance: true
      })
    }))

  it("once there: what an upload that came late attached again is removed, before anything is declared", () =>
    holds((of_, plan) => {
      const { collection } = of_.remote.cover ?? {}
      const [first] = collection?.documents ?? []
      const isWanted = of_.context.gathered?.documents.some(
        ({ digest, type }) => digest === first?.digest && type === first.type
      )
      if (plan.calls.length === 0 || collection === undefined || first === undefined || isWanted !== true) return
      const documents = [...collection.documents, { ...first, id: "late" }]
      const remote = { ...of_.remote, cover: { ...of_.remote.cover, collection: { ...collection, documents } } }
      const { calls } = collect({ ...of_, remote })
      const at = calls.findIndex(
        (call) => call.operation === "collectionDocuments.remove" && call.params.document_id === "late"
      )
      assert.isAtLeast(at, 0)
      assert.isFalse(calls.slice(0, at).some(declares))
    }))

  it("complete: the declaration carries every field that was shown, whatever the ledger says was sent before", () =>
    holds((of_, plan) => {
      for (const call of plan.calls) {
        if (call.operation !== "collections.update" || !declares(call)) continue
        const shown = known(of_.facts, of_.invoice, of_.settings, of_.context.gathered!)
        assert.deepInclude(call.body, { ...shown, disputed: false })
      }
    }))

  it("taken back: what only an earlier confirmation said is emptied", () =>
    holds((of_, plan) => {
      const { collection } = of_.remote.cover ?? {}
      if (!plan.calls.some(declares) || collection === undefined) return
      const said = { ...collection.fields, disputed: true, reasons: "they say so" }
      const remote = { ...of_.remote, cover: { ...of_.remote.cover, collection: { ...collection, fields: said } } }
      const [update] = collect({ ...of_, remote }).calls.filter(declares)
      assert.deepInclude((update as { readonly body: object }).body, { disputed: false, reasons: "" })
    }))

  it("once: nothing is done about what was sent, is paid, or cannot be handed over", () =>
    holds((of_, plan) => {
      const { cover } = of_.remote
      const { paid } = { paid: of_.facts.payments.reduce((sum, { amount }) => sum + amount, 0n) }
      if (cover?.collection?.sent !== undefined || cover?.policy?.status !== "late_can_handover" || paid >= of("120"))
        assert.deepStrictEqual(plan.calls, [])
    }))

  it("replaced: a document goes only when the one that takes its place is there", () =>
    holds((_, plan) => {
      const kinds = plan.calls.map(({ operation }) => operation)
      const [last, first] = [
        kinds.lastIndexOf("collectionDocuments.create"),
        kinds.indexOf("collectionDocuments.remove")
      ]
      if (last >= 0 && first >= 0) assert.isBelow(last, first)
    }))

  it("withdrawn: a declaration does not stand for something else", () =>
    holds((of_, plan) => {
      const after = carryOut(of_.remote, plan.calls).cover?.collection
      if (of_.remote.cover?.policy?.status !== "late_can_handover" || plan.why !== undefined) return
      if (!isGiven(of_)) assert.notStrictEqual(after?.fields["confirm_correct"], true)
    }))

  it("reminded: whoever looks each day is told once at each of the days, whatever else happens", () => {
    const [moment] = fc.sample(moments, { numRuns: 1, seed: 7 })[0]!
    const said: Array<string> = []
    for (let day = 0; day <= 29; day++)
      walk([{ ...moment!, status: "late_can_handover", word: "none", paid: 0, day }], (_, { attention }) => {
        const [item] = attention.filter(({ rule }) => rule === "H2")
        if (item !== undefined && said.at(-1) !== item.why) said.push(item.why)
      })
    assert.deepStrictEqual(
      said.map((why) => why.replace(/.*: /, "")),
      [
        "at most 30 days are left",
        "at most 14 days are left",
        "at most 7 days are left",
        "at most 3 days are left",
        "at most one day is left"
      ]
    )
  })
})
