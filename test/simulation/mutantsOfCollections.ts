/** Mistakes about collections, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const RULES = "sync/rules/Collections.ts"
const WINDOW = "sync/rules/CollectionWindow.ts"
const PROMISES = "test/sync/rules/Collections.test.ts"
const STORY = "test/sync/stories/CollectionStory.long.test.ts"
const FILES = "test/sync/collections/CollectionFiles.long.test.ts"
const COMMAND = "test/cli/Collect.long.test.ts"
const ORDERS = "sync/collections/Orders.ts"

export const COLLECTIONS: ReadonlyArray<UnitMutant> = [
  {
    name: "a word is taken once the window has closed",
    caughtBy: [COMMAND, "one that comes when the window has closed"],
    changes: [{ file: WINDOW, from: `if (policy.status === "lapsed") {`, to: `if (policy.status === "gone") {` }]
  },
  {
    name: "the order of another sale with the same number goes along",
    caughtBy: [FILES, "are made of the order that has the invoice's number"],
    changes: [{ file: ORDERS, from: "order.currency !== invoice.currency", to: "order.currency === ''" }]
  },
  {
    name: "a cancelled order is proof of one",
    caughtBy: [FILES, "are made of the order that has the invoice's number"],
    changes: [{ file: ORDERS, from: `order.status === "cancelled" ?`, to: `order.number === "" ?` }]
  },
  {
    name: "a word counts for whatever would be sent now",
    caughtBy: [PROMISES, "personal: no declaration"],
    changes: [{ file: RULES, from: "word.digest === bindingDigest(record, word.fields) &&\n", to: "\n" }]
  },
  {
    name: "what is lacking does not keep it from being handed over",
    caughtBy: [STORY, "is named, each with what to do"],
    changes: [
      {
        file: "sync/collections/Collecting.ts",
        from: "if (view.lacking.length > 0)",
        to: "if (view.lacking.length > 9)"
      }
    ]
  },
  {
    name: "one declaration is enough",
    caughtBy: [STORY, "cannot be passed over"],
    changes: [
      {
        file: "sync/collections/Collecting.ts",
        from: "if (collections_terms_acceptance !== true)",
        to: "if (collections_terms_acceptance === undefined)"
      }
    ]
  },
  {
    name: "a declaration stands for what came after it",
    caughtBy: [PROMISES, "withdrawn: a declaration"],
    changes: [
      {
        file: RULES,
        from: `const withdraws = collection?.fields["confirm_correct"] === true`,
        to: "const withdraws = false"
      }
    ]
  },
  {
    name: "a declaration carries only what differs from the ledger",
    caughtBy: [PROMISES, "complete: the declaration"],
    changes: [
      {
        file: RULES,
        from: "    body,\n    declaration,",
        to: `    body: {
      ...differing(collection, body),
      confirm_correct: true,
      collections_terms_acceptance: true
    },
    declaration,`
      }
    ]
  },
  {
    name: "what only an earlier confirmation said stays",
    caughtBy: [PROMISES, "taken back: what only"],
    changes: [{ file: RULES, from: "    ...unsaid(collection),\n", to: "" }]
  },
  {
    name: "what was handed over is begun once more",
    caughtBy: [PROMISES, "settled: carrying out a plan"],
    changes: [
      { file: WINDOW, from: "if (collectionOn(remote.cover)?.sent !== undefined)", to: "if (remote.id === '')" }
    ]
  },
  {
    name: "what was paid is handed over",
    caughtBy: [PROMISES, "once: nothing is done"],
    changes: [
      {
        file: WINDOW,
        from: `if (remote.status === "paid" || openOn(remote) <= 0n)`,
        to: `if (remote.status === "gone")`
      }
    ]
  },
  {
    name: "a document is attached again in each plan",
    caughtBy: [PROMISES, "settled: carrying out a plan"],
    changes: [{ file: RULES, from: "!held.some((other) => isOf(one, other))", to: "true" }]
  },
  {
    name: "a document that was replaced stays",
    caughtBy: [PROMISES, "whole: what is sent has every document once"],
    changes: [{ file: RULES, from: "!wanted.some((other) => isOf(one, other))", to: "false" }]
  },
  {
    name: "what was replaced goes before what takes its place",
    caughtBy: [PROMISES, "replaced: a document goes only"],
    changes: [
      {
        file: RULES,
        from: "    ...added.map(",
        to: '    ...gone.map(({ id, name }): InvoiceCall => ({ ...about(of, "H4"), operation: "collectionDocuments.remove", params: { document_id: id }, reason: name })),\n    ...added.map('
      }
    ]
  },
  {
    name: "a day of the reminders is left out",
    caughtBy: [PROMISES, "reminded: whoever looks"],
    changes: [{ file: RULES, from: "days.find((one) => left <= one)", to: "days.find((one) => left < one - 1)" }]
  },
  {
    name: "nobody is woken for a reminder",
    caughtBy: [STORY, "is announced at each of its days"],
    changes: [
      {
        file: RULES,
        from: "const wakeAt = Day.toEpochMillis(at) > now ? Day.toEpochMillis(at) : undefined",
        to: "const wakeAt: number | undefined = undefined"
      }
    ]
  },
  {
    name: "what lapsed is not mentioned",
    caughtBy: [STORY, "is announced at each of its days"],
    changes: [{ file: RULES, from: `if (policy.status === "lapsed") return lapsed(of, policy)`, to: "" }]
  },
  {
    name: "a document whose answer got lost is not looked for",
    caughtBy: [FILES, "whose answer got lost is found there by its digest"],
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: "description?.includes(call.document.digest) === true",
        to: "description === call.document.digest"
      }
    ]
  },
  {
    name: "a file that is there as another type is taken for one whose answer got lost",
    caughtBy: [FILES, "of one content as two types"],
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: "type === call.document.type && description",
        to: 'type !== "" && description'
      }
    ]
  },
  {
    name: "what a state file that was put back says of documents is believed",
    caughtBy: [FILES, "is read where an older state file is put back"],
    changes: [{ file: "sync/reconciliation/Audit.ts", from: "if (lacks) for", to: "if (!options.fix) for" }]
  },
  {
    name: "what others wrote of a collection is not read again",
    caughtBy: ["test/sync/stories/CollectionForeign.long.test.ts", "holds something else than was shown"],
    changes: [
      {
        file: "sync/apply/CollectionReading.ts",
        from: "prefilled: CoverAnswers.prefilled(says, fields)",
        to: "prefilled: known.prefilled ?? CoverAnswers.prefilled(says, fields)"
      }
    ]
  },
  {
    name: "a collection is changed before it was read",
    caughtBy: [FILES, "is read where an older state file is put back"],
    changes: [{ file: RULES, from: "if (collection?.isDoubted === true)", to: 'if (collection?.id === "")' }]
  },
  {
    name: "the documents of a collection are not read again",
    caughtBy: [FILES, "is completed again where somebody deletes"],
    changes: [
      {
        file: "sync/apply/CollectionReading.ts",
        from: "const own = documents.flatMap((document) => attached(document, known.documents))",
        to: "const own = known.documents"
      }
    ]
  },
  {
    name: "the service's answer with the account in it is kept",
    caughtBy: [STORY, "is announced, prepared with its documents"],
    changes: [
      { file: "sync/apply/Sender.ts", from: "concealed(result.success, hide)", to: "result.success" },
      { file: "sync/apply/Claims.ts", from: ", ...ACCOUNT]", to: "]" }
    ]
  },
  {
    name: "any answer to handing over is believed",
    caughtBy: [
      "test/sync/apply/ForeignHandover.long.test.ts",
      "a proxy answers the request that hands an invoice over"
    ],
    changes: [
      { file: "sync/apply/SendResult.ts", from: 'return typeof memberOf(body, "sent") === "string"', to: "return true" }
    ]
  },
  {
    name: "a number leads out of the folder",
    caughtBy: ["test/sync/collections/Files.test.ts", "is refused, with what to do"],
    changes: [
      {
        file: "sync/collections/PatternFile.ts",
        from: "if (!isInside(resolve(folder), path)) return { why: outside }",
        to: ""
      },
      {
        file: "sync/collections/PatternFile.ts",
        from: "if (!isInside(realpathSync(folder), realpathSync(path))) return { why: outside }",
        to: ""
      }
    ]
  },
  {
    name: "a link leads out of the folder",
    caughtBy: ["test/sync/collections/Files.test.ts", "is refused, with what to do"],
    changes: [
      {
        file: "sync/collections/PatternFile.ts",
        from: "if (!isInside(realpathSync(folder), realpathSync(path))) return { why: outside }",
        to: ""
      }
    ]
  },
  {
    name: "a file of any size is kept",
    caughtBy: ["test/sync/collections/Files.test.ts", "are bounded, each and together"],
    changes: [
      {
        file: "sync/collections/FileStore.ts",
        from: "if (bytes.length > LARGEST_FILE_BYTES)",
        to: "if (bytes.length < 0)"
      }
    ]
  },
  {
    name: "a file that changes does not have its invoice planned again",
    caughtBy: [STORY, "replaces a document that changes"],
    changes: [
      {
        file: "sync/collections/FileStore.ts",
        from: "    size: file.bytes.length\n  })\n  ChangedDocuments.touch(db, subject)",
        to: "    size: file.bytes.length\n  })"
      }
    ]
  },
  {
    name: "the account that somebody else wrote is handed over",
    caughtBy: ["test/sync/stories/CollectionForeign.long.test.ts", "has the account of the configuration"],
    changes: [
      {
        file: RULES,
        from: "return [update, send]",
        to: "return collection?.confirmed?.decision === id ? [send] : [update, send]"
      }
    ]
  },
  {
    name: "a request for the account is believed done because everything else is as it was",
    caughtBy: ["test/sync/stories/CollectionForeign.long.test.ts", "has the account of the configuration"],
    changes: [
      {
        file: "sync/apply/ReadBackCover.ts",
        from: `wanted.every(([name, value]) => typeof value !== "object" && equal(value, read[name]))`,
        to: `wanted.every(([name, value]) => typeof value === "object" || equal(value, read[name]))`
      }
    ]
  },
  {
    name: "a withdrawal is overridden by what was shown before it",
    caughtBy: [STORY, "is not handed over when it was paid before"],
    changes: [
      {
        file: "sync/collections/Collecting.ts",
        from: "before === undefined\n      ? collectionDigest(record)",
        to: "before !== null\n      ? collectionDigest(record)"
      }
    ]
  },
  {
    name: "a document that came late stays twice",
    caughtBy: [PROMISES, "once there"],
    changes: [{ file: RULES, from: "held.findIndex((other) => isOf(one, other)) < n", to: "n < 0" }]
  },
  {
    name: "a payment that names an invoice which is not there says nothing",
    caughtBy: ["test/sync/stories/CollectionForeign.long.test.ts", "H8: is not handed over while a payment"],
    changes: [
      { file: "sync/plan/Contradictions.ts", from: ">= :issued AND EXISTS (", to: ">= :issued AND 0 AND EXISTS (" }
    ]
  },
  {
    name: "cover: an unread record names an invoice in one spelling only",
    caughtBy: ["test/sync/rules/RecordMention.test.ts", "may be about the invoice that it names otherwise"],
    changes: [
      { file: "sync/model/RecordMention.ts", from: "normal(field).includes(wanted)", to: "field.includes(number)" }
    ]
  },
  {
    name: "cover: an older form overrides what another person declared",
    caughtBy: ["test/sync/stories/CollectionForeign.long.test.ts", "is not declared otherwise by a form"],
    changes: [
      { file: "sync/collections/Collecting.ts", from: "withdrawn ?? (isVoid ? undefined : word)", to: "withdrawn" }
    ]
  },
  {
    name: "cover: a payment of the buyer that waits says nothing under another form of its name",
    caughtBy: [
      "test/sync/stories/CollectionForeign.long.test.ts",
      "H8: is not handed over while a payment of its buyer"
    ],
    changes: [
      { file: "sync/plan/Contradictions.ts", from: "...payerName(invoice.party.name)", to: 'party: "-", form: ""' }
    ]
  },
  {
    name: "cover: a connection that pays and was never read says nothing",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "is not made while a connection that pays"],
    changes: [{ file: "sync/plan/Contradictions.ts", from: "pays = ? AND removed = 0", to: "pays = ? AND removed = 2" }]
  }
]
