/** Mistakes on the page: what was not shown is approved, what is new is left out, a figure of receivables is wrong. */
import type { UnitMutant } from "./unitMutants.ts"

const NAMES = "test/security/VariableNames.test.ts"
const SEVERAL = ["test/page/Several.test.ts", "are approved by the digests that were shown"] as const
const NEWS = ["test/sync/reports/News.test.ts", "is what changed in the source since then"] as const
const PAUSED = ["test/sync/schedule/Pauses.test.ts", "runs when it is asked to and not by itself"] as const

const EVIDENCE = ["test/page/Evidence.long.test.ts", "names what was changed, removed or added"] as const
const BEE = ["test/security/Persons.long.test.ts", "on the page that a form leads to"] as const

const OFFERS = "test/sync/decisions/Offers.test.ts"
const UNDO = "test/sync/decisions/Undo.test.ts"
const UNDO_ELSEWHERE = "test/cli/UndoElsewhere.test.ts"

export const PAGE: ReadonlyArray<UnitMutant> = [
  {
    name: "an amount that is a thousand or one and a bit is taken for one of them",
    caughtBy: ["test/page/Language.test.ts", "is not guessed"],
    changes: [{ file: "cli/page/language/TypedAmount.ts", from: "\\d{1,2}|\\d{4,8}", to: "\\d{1,8}" }]
  },
  {
    name: "a page is made in the language of another reader",
    caughtBy: ["test/page/Language.test.ts", "of one reader are not another's"],
    changes: [{ file: "cli/page/language/Language.ts", from: 'Fiber.getCurrent()?.getRef(Reader) ?? "en"', to: '"de"' }]
  },
  {
    name: "what an assistant prepared is chosen though it is something else by now",
    caughtBy: ["test/page/Drafts.long.test.ts", "has the documents chosen, and what is sent is what was approved"],
    changes: [
      { file: "cli/page/Prepared.ts", from: "const isMoved = draft !== now", to: "const isMoved = draft === undefined" }
    ]
  },
  {
    name: "who may not see a payment says that it is the same money as another",
    caughtBy: [
      "test/sync/matching/SameMoney.long.test.ts",
      "counts what came in, where the books have less and a person said that it is the same"
    ],
    changes: [{ file: "sync/decisions/Concerned.ts", from: 'room === "attention" ?', to: 'room === "" ?' }]
  },
  {
    name: "of several offers those are bought that are as they were shown",
    caughtBy: [OFFERS, "are bought together at the prices that were shown, or none of them is"],
    changes: [{ file: "sync/decisions/Offers.ts", from: "each.length > 0 || several", to: "several" }]
  },
  {
    name: "several offers are bought that together cost more than a person may approve",
    caughtBy: [OFFERS, "count together against what a person may approve"],
    changes: [{ file: "sync/decisions/Offers.ts", from: "sum > (upTo.get(currency) ?? 0n)", to: "sum < 0n" }]
  },
  {
    name: "several offers are bought that together cost more than is left of the month",
    caughtBy: [OFFERS, "or more than is left of the month"],
    changes: [{ file: "sync/decisions/Offers.ts", from: "within > left", to: "within < 0n" }]
  },
  {
    name: "whose decision is taken back over HTTP is not recorded",
    caughtBy: [UNDO_ELSEWHERE, "is listed, and taken back once by its digest, by whoever may decide"],
    changes: [{ file: "sync/decisions/Concerned.ts", from: 'room === "decisions" ?', to: 'room === "" ?' }]
  },
  {
    name: "whoever may not decide about plans takes such a decision back",
    caughtBy: [UNDO_ELSEWHERE, "about a plan is for those who may decide about plans"],
    changes: [{ file: "sync/library/Decisions.ts", from: '&& !may(person, "decide")', to: "&& false" }]
  },
  {
    name: "a choice for invoices that one may not see is taken back",
    caughtBy: [UNDO, "who may not see those does not take it back"],
    changes: [{ file: "sync/decisions/Concerned.ts", from: ", ...chosen.map(ofKey),", to: "," }]
  },
  {
    name: "a decision is taken back although something was sent for it",
    caughtBy: [UNDO, "stands once something rests on it"],
    changes: [{ file: "sync/decisions/Undo.ts", from: "WHERE id > :call", to: "WHERE id < :call" }]
  },
  {
    name: "a decision is taken back although it was decided otherwise since",
    caughtBy: [UNDO, "stands once something rests on it"],
    changes: [{ file: "sync/decisions/Undo.ts", from: "Undoable.leftBy(db, deed) !== digest", to: 'digest === ""' }]
  },
  {
    name: "another decision is taken back than the one that was shown",
    caughtBy: [UNDO, "is named by its digest and its kind"],
    changes: [{ file: "sync/decisions/Undo.ts", from: "?.digest === digest ?", to: " !== undefined ?" }]
  },
  {
    name: "a rejected plan is reopened with the right to work alone",
    caughtBy: [UNDO, "is named by its digest and its kind"],
    changes: [{ file: "sync/decisions/Undo.ts", from: "kinds?.includes(kept.deed.kind) === false", to: "false" }]
  },
  {
    name: "an item that is open again leaves its entry in the chain as it was closed",
    caughtBy: [UNDO, "is taken back, once, and all is as it was"],
    changes: [
      {
        file: "sync/state/chain/Chain.ts",
        from: 'typeof key === "string" && when === undefined && event',
        to: 'typeof key === "string" && event'
      }
    ]
  },
  {
    name: "a table that an evidence pack does not name may be left out of it",
    caughtBy: EVIDENCE,
    changes: [
      {
        file: "sync/evidence/Script.ts",
        from: 'if (kind === "sign_in") digests++',
        to: 'if (pack.parts.get("facts/" + kind + ".jsonl") === undefined) digests++'
      }
    ]
  },
  {
    name: "the statement of an evidence pack says itself who closed it",
    caughtBy: EVIDENCE,
    changes: [
      { file: "sync/evidence/Script.ts", from: "if (!of.delete(said(one)))", to: "if (of.delete(said(one)), false)" }
    ]
  },
  {
    name: "a form leads to a page of books that are not theirs",
    caughtBy: BEE,
    changes: [
      { file: "cli/page/Page.ts", from: 'request.method === "POST" ? seenBy(given.person, shown) : shown', to: "shown" }
    ]
  },
  {
    name: "money of one's own is given to invoices that one may not see",
    caughtBy: BEE,
    changes: [
      {
        file: "cli/page/AttentionActions.ts",
        from: "if (!none && person.connections?.includes(paid) === false)",
        to: "if (!none && paid === undefined)"
      }
    ]
  },
  {
    name: "a channel's secret is sent to another address that is entered",
    caughtBy: [NAMES, "for each channel, spelling, kind, address and tenant"],
    changes: [
      {
        file: "cli/page/AlertForms.ts",
        from: 'const place = [tenant, "email", host, ',
        to: 'const place = [tenant, "email", '
      }
    ]
  },
  {
    name: "channels that differ in case share a secret",
    caughtBy: [NAMES, "for each channel, spelling, kind, address and tenant"],
    changes: [
      { file: "sync/library/VariableNames.ts", from: "digestOf([words, place])", to: "digestOf([upper(words), place])" }
    ]
  },
  {
    name: "a connection is given the variable of another",
    caughtBy: [NAMES, "is short for a connection on the command line"],
    changes: [{ file: "sync/library/VariableNames.ts", from: "&& !taken.has(name)", to: "" }]
  },
  {
    name: "a plan that moved on is approved with those that were shown",
    caughtBy: SEVERAL,
    changes: [
      {
        file: "cli/page/PlanRoutes.ts",
        from: "{ ...one, decision, who },",
        to: '{ ...one, digest: Approvals.of(db, one.connection)?.digest ?? "", decision, who },'
      }
    ]
  },
  {
    name: "what was deleted in the source is no news",
    caughtBy: NEWS,
    changes: [
      {
        file: "sync/reports/News.ts",
        from: "this.#changed(before) && this.#deleted(before)",
        to: "this.#changed(before)"
      }
    ]
  },
  {
    name: "the first look of a visit is forgotten: what came between two visits is never shown",
    caughtBy: ["test/page/Looked.test.ts", "is yesterday for who never did"],
    changes: [
      { file: "cli/page/Looked.ts", from: "? { since: before.last, last: now }", to: "? { since: now, last: now }" }
    ]
  },
  {
    name: "an invoice with something open counts as paid",
    caughtBy: ["test/sync/apply/Customers.test.ts", "is written with the ledger"],
    changes: [{ file: "sync/apply/CustomerStore.ts", from: "open > 0n ? null : last()", to: "last()" }]
  },
  {
    name: "a paused connection runs by its schedule",
    caughtBy: PAUSED,
    changes: [{ file: "sync/schedule/Due.ts", from: "(isPaused ? undefined : byItself)", to: "byItself" }]
  },
  {
    name: "a configuration that was saved in an editor meanwhile is written over",
    caughtBy: ["test/sync/library/ChangeConfig.test.ts", "where the change cannot be used"],
    changes: [
      {
        file: "sync/library/config/ChangeConfig.ts",
        from: "if ((yield* writtenText(file)) !== before)",
        to: "if ((yield* writtenText(file)) === undefined)"
      }
    ]
  },
  {
    name: "a path that was not uploaded on the page is written over by an upload",
    caughtBy: ["test/sync/library/ChangeConfig.test.ts", "within their own folder only"],
    changes: [{ file: "cli/page/SetupFiles.ts", from: "const OWN = /^connected", to: "const OWN = /connected" }]
  }
]
