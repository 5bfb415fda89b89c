/** Mistakes about cover and collections that histories by chance catch, whatever tests of a part do. */
import type { Change, Mutant } from "./mutants.ts"

const RULES = "sync/rules/Collections.ts"
const BACK = "sync/apply/ReadBackCover.ts"

/** An older or no state file now and then, while months are full. */
const LOST = ["--move=file_lost=0.6", "--move=file_older=0.8"]

const WORDLESS: ReadonlyArray<Change> = [
  {
    file: RULES,
    from: "    word !== undefined &&\n    word.isOutdated !== true &&\n    word.digest === bindingDigest(record, word.fields) &&\n    missing",
    to: "    missing"
  },
  {
    file: RULES,
    from: "confirmed(of, collection, record, word)],",
    to: 'confirmed(of, collection, record, word ?? { id: 1, who: "a rule", at: context.now, digest: "", fields: { disputed: false } })],'
  }
]

export const COVER_BY_SEEDS: ReadonlyArray<Mutant> = [
  {
    name: "by seeds: cover that comes back buys before it was shown",
    history: "cover",
    more: ["--move=cover_removed=1", "--move=approval=0"],
    changes: [
      {
        file: "sync/apply/Apply.ts",
        from: "unshown?.has(planned.connection) === true",
        to: 'planned.connection === ""'
      }
    ]
  },
  {
    name: "by seeds: a no to an offer counts for that offer alone",
    history: "cover",
    more: ["--move=cover_no=1"],
    changes: [{ file: "sync/plan/OfferStore.ts", from: 'row?.decision !== "reject" ||', to: 'row?.decision !== "" ||' }]
  },
  {
    name: "by seeds: a window that opens is announced to nobody",
    history: "cover",
    changes: [
      { file: RULES, from: "attention: [...(isSent ? [] : attention), ...next.attention]", to: "attention: []" }
    ]
  },
  {
    name: "by seeds: a purchase without an answer is made once more",
    history: "cover",
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: "return policy === undefined || !isOurs ? absent",
        to: "return policy === undefined || isOurs ? absent"
      }
    ]
  },
  {
    name: "by seeds: the month's limit is not kept",
    history: "cover",
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (sum <= limit) return undefined",
        to: "if (sum > 0n) return undefined"
      },
      {
        file: "sync/apply/PurchaseCheck.ts",
        from: "return spent + Decimal.of(price.total) <=",
        to: "return spent <="
      }
    ]
  },
  {
    name: "by seeds: the limit of an invoice is not kept",
    history: "cover",
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (price.per_invoice !== undefined && total > Decimal.of(price.per_invoice))",
        to: "if (price.per_invoice === '')"
      }
    ]
  },
  {
    name: "by seeds: what a lost state file spent is forgotten",
    history: "cover",
    more: LOST,
    changes: [
      {
        file: "sync/plan/CoverFacts.ts",
        from: "AND currency = :currency AND total IS NOT NULL",
        to: "AND currency = '' AND total IS NOT NULL"
      }
    ]
  },
  {
    name: "by seeds: an offer is expired by an edit that changes nothing",
    history: "cover",
    changes: [
      {
        file: "sync/rules/Invoices.ts",
        from: "if (names.length === 0) return",
        to: 'if (names.length === 0 && (remote.insured || remote.cover?.quote?.status !== "offered")) return'
      }
    ]
  },
  {
    name: "by seeds: what has no answer is handed over once more",
    history: "cover",
    changes: [
      {
        file: BACK,
        from: 'typeof sent === "string" ? isDone(collection_id)',
        to: 'sent === "" ? isDone(collection_id)'
      }
    ]
  },
  {
    name: "by seeds: an upload without an answer is believed",
    history: "cover",
    changes: [{ file: BACK, from: "onNone: () => absent, onSome", to: 'onNone: () => isDone("doc-0"), onSome' }]
  },
  {
    name: "by seeds: an upload without an answer is made once more",
    history: "cover",
    changes: [{ file: BACK, from: "onSome: ({ id }) => isDone(id)", to: "onSome: () => absent" }]
  },
  {
    name: "by seeds: what was attached before a state file was lost is attached again",
    history: "cover",
    more: LOST,
    changes: [
      { file: "sync/reconciliation/Audit.ts", from: "if (lacks) for", to: "if (!options.fix) for" },
      { file: "sync/model/Cover.ts", from: "documents: [], isDoubted: true", to: "documents: []" },
      {
        file: "sync/apply/CollectionReading.ts",
        from: "const own = documents.flatMap((document) => attached(document, known.documents))",
        to: "const own = known.documents"
      }
    ]
  },
  {
    name: "by seeds: a late policy is handed over without anybody's word",
    history: "cover",
    changes: [...WORDLESS]
  },
  {
    name: "by seeds: a person's word counts for whatever would be handed over now",
    history: "collections",
    changes: [{ file: RULES, from: "word.digest === bindingDigest(record, word.fields) &&\n", to: "\n" }]
  },
  {
    name: "by seeds: an invoice is handed over without anybody's word",
    history: "collections",
    changes: [...WORDLESS]
  },
  {
    name: "by seeds: a document is attached again with each plan",
    history: "collections",
    changes: [{ file: RULES, from: "!held.some((other) => isOf(one, other))", to: "true" }]
  },
  {
    name: "by seeds: a document that was replaced goes along",
    history: "collections",
    changes: [{ file: RULES, from: "!wanted.some((other) => isOf(one, other))", to: "false" }]
  },
  {
    name: "by seeds: a day of the reminders is left out",
    history: "collections",
    changes: [{ file: RULES, from: "days.find((one) => left <= one)", to: "days.find((one) => left < one - 1)" }]
  }
]
