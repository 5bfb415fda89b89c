/** Mistakes in what is planned and sent, and in what is said of it. */
import type { UnitMutant } from "./unitMutants.ts"

export const SENDING: ReadonlyArray<UnitMutant> = [
  {
    name: "an invoice does not wait for its owner",
    caughtBy: ["test/sync/apply/Apply.test.ts", "waits as long as Retry-After says, for that endpoint only"],
    changes: [
      {
        file: "sync/apply/Apply.ts",
        from: "ahead.size === 0 ? run",
        to: "ahead.size >= 0 ? run"
      }
    ]
  },
  {
    name: "a turn takes the lane of its own connection alone",
    caughtBy: ["test/cli/Families.test.ts", "send each payment once"],
    changes: [
      {
        file: "sync/decisions/ConnectionLocks.ts",
        from: "(pays === undefined ? [id] : [id, pays.connection])",
        to: "(pays === undefined ? [id] : [id])"
      }
    ]
  },
  {
    name: "a person's decision does not wait for the run that goes on",
    caughtBy: ["test/cli/Families.test.ts", "a person's decision waits for the run that is going on"],
    changes: [
      {
        file: "sync/decisions/Items.ts",
        from: "keys.flatMap((key) => locksFor(connections, key))",
        to: "[{ id: keys.join() }]"
      }
    ]
  },
  {
    name: "run() goes twice on one handle",
    caughtBy: ["test/cli/Families.test.ts", "runs once at a time"],
    changes: [
      {
        file: "sync/library/Library.ts",
        from: "if (runs)",
        to: "if (!runs && runs)"
      }
    ]
  },
  {
    name: "the statement knows of an invoice that changed what its last plan wrote",
    caughtBy: ["test/sync/apply/Meanwhile.test.ts", "a payment that was read and not sent is a difference"],
    changes: [
      {
        file: "sync/reconciliation/InvoiceStatement.ts",
        from: "planning === undefined || pending > most ? undefined",
        to: "planning === undefined || pending >= 0 ? undefined"
      }
    ]
  },
  {
    name: "what is left of a plan is sent though its invoice changed",
    caughtBy: ["test/sync/apply/Meanwhile.test.ts", "a new version of an invoice stops what is left of its plan"],
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: "        if (!isCurrent(db, job)) return undefined\n",
        to: ""
      }
    ]
  },
  {
    name: "what came while a plan was sent is planned and sent at once, though nobody looked at it",
    caughtBy: ["test/sync/apply/Meanwhile.test.ts", "a new version of an invoice stops what is left of its plan"],
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: "if (plan.changes !== planned.changes) return",
        to: "if (plan.changes < 0) return"
      },
      {
        file: "sync/apply/Worker.ts",
        from: "      if (ended === undefined) {\n        job.complete = false\n",
        to: '      if (ended === undefined) {\n        job.complete = false\n        job.again = "moved"\n'
      }
    ]
  },
  {
    name: "what a webhook has read is written over what a call wrote since",
    caughtBy: ["test/sync/apply/Meanwhile.test.ts", "is not written over what a call wrote since"],
    changes: [
      {
        file: "sync/refresh/ReadAgain.ts",
        from: "if (held === undefined || !saysSame(held, before)) return undefined",
        to: "if (held === undefined) return undefined"
      }
    ]
  },
  {
    name: "what is left of a closed order is voided though not all was read",
    caughtBy: [
      "test/sync/reconciliation/Unread.long.test.ts",
      "a closed order is not voided while its parcels may be among what is missing"
    ],
    changes: [
      {
        file: "sync/rules/OrderPlan.ts",
        from: "find(({ taking }) => unread || waits.includes(taking))",
        to: "find(({ taking }) => waits.includes(taking))"
      }
    ]
  },
  {
    name: "what is for the rest of an order is sent though a cancellation cannot be read",
    caughtBy: [
      "test/sync/reconciliation/Unread.long.test.ts",
      "nor does a parcel without lines take what a cancellation that cannot be read is for"
    ],
    changes: [
      {
        file: "sync/rules/OrderHolds.ts",
        from: '["capture", "refund", "void"]',
        to: '["refund", "void"]'
      }
    ]
  },
  {
    name: "another plan than the approved one is sent",
    caughtBy: ["test/cli/Plans.test.ts", "is refused when the books moved"],
    changes: [
      {
        file: "sync/apply/Apply.ts",
        from: "options.digest !== undefined && options.digest !== summary.digest",
        to: 'options.digest === ""'
      }
    ]
  },
  {
    name: "an approval is used up by a turn that sent nothing",
    caughtBy: ["test/cli/Approval.test.ts", "keeps the approval of a turn that sent nothing"],
    changes: [
      {
        file: "sync/library/RunConnection.ts",
        from: "if (report.stopped === undefined && report.unknown === 0) yield*",
        to: "if (report.unknown >= 0) yield*"
      }
    ]
  },
  {
    name: "an approved plan does not wait while a failure is left alone",
    caughtBy: ["test/sync/pull/Backoff.test.ts", "waits all the same while a failure is left alone"],
    changes: [{ file: "sync/schedule/Due.ts", from: "(soon ? pressing : undefined) ??", to: "pressing ??" }]
  },
  {
    name: "the plan of a connection that no longer asks stays approved",
    caughtBy: ["test/sync/pull/Backoff.test.ts", "of a plan that needs no approval any more is dropped"],
    changes: [{ file: "sync/schedule/Look.ts", from: "if (asks) return []", to: "if (asks || !asks) return []" }]
  },
  {
    name: "the service's own keys of a connection say nothing to a new state file",
    caughtBy: ["test/cli/LostState.long.test.ts", "is noticed where the first invoice of the books is"],
    changes: [
      {
        file: "sync/apply/FirstSend.ts",
        from: "if (own && Owners.isOf(owner, planning, undefined) && !isSent(db, key))",
        to: "if (own && isSent(db, key) && !isSent(db, key))"
      },
      {
        file: "sync/apply/FirstSend.ts",
        from: "if (fresh && !configured.has(sender) && Owners.isExactly(owner, planning))",
        to: "if (fresh && !configured.has(sender) && !own && Owners.isExactly(owner, planning))"
      }
    ]
  },
  {
    name: "transactions of its owner say nothing to a new state file",
    caughtBy: ["test/cli/LostState.long.test.ts", "is noticed where the books have only invoices of another name"],
    changes: [
      {
        file: "sync/apply/FirstSend.ts",
        from: "if (fresh && !configured.has(sender) && Owners.isExactly(owner, planning))",
        to: "if (!fresh && fresh && !configured.has(sender) && Owners.isExactly(owner, planning))"
      }
    ]
  },
  {
    name: "what a lost state file sent last is not waited for",
    caughtBy: ["test/sync/apply/LateArrivals.test.ts", "is an invoice: the new file waits for it"],
    changes: [
      {
        file: "sync/apply/FirstSend.ts",
        from: "yield* lastArrivals(db, settleAfter)",
        to: "yield* lastArrivals(db, 0)"
      }
    ]
  },
  {
    name: "recovery counts by the wall clock",
    caughtBy: ["test/sync/apply/Recovery.test.ts", "is sent once though it arrives late and the clock was set"],
    changes: [
      {
        file: "sync/apply/Recovery.ts",
        from: "const outcome = yield* sender.readBack(call, since)",
        to: 'const at = db.prepare("SELECT claimed FROM claim WHERE id = ?").pluck().get(id) as number\n        const outcome = yield* sender.readBack(call, since - ((yield* Clock.currentTimeMillis) - at))'
      }
    ]
  },
  {
    name: "what is not there is believed at the first look",
    caughtBy: ["test/sync/apply/Recovery.test.ts", "is read twice before it is sent again"],
    changes: [
      {
        file: "sync/apply/Sender.ts",
        from: "      yield* waitUntil(since, this.#settleAfter)\n      return yield* this.#look(call)",
        to: "      yield* waitUntil(since, this.#settleAfter)\n      return first"
      }
    ]
  },
  {
    name: "the claims of a run that lives are settled",
    caughtBy: ["test/sync/apply/Recovery.test.ts", "keeps its claims from another of this process"],
    changes: [
      {
        file: "sync/apply/Recovery.ts",
        from: "if (Runs.isAlive(db, run)) {",
        to: "if (Runs.isAlive(db, run) && run < 0) {"
      }
    ]
  },
  {
    name: "another process sends beside one that lives",
    caughtBy: ["test/sync/apply/Recovery.test.ts", "is known by its process, as long as that lives"],
    changes: [
      {
        file: "sync/apply/Runs.ts",
        from: "rows.find(({ process }) => lives(process))",
        to: "rows.find(({ process }) => !process && lives(process))"
      }
    ]
  },
  {
    name: "an invoice changes its currency under its payments",
    caughtBy: ["test/sync/rules/Currencies.test.ts", "is left alone once payments were reported"],
    changes: [
      {
        file: "sync/rules/Currencies.ts",
        from: "if (!remote.insured && remote.postings.length === 0 && remote.status",
        to: "if (!remote.insured && remote.postings.length >= 0 && remote.status"
      }
    ]
  },
  {
    name: "an amount that its invoice's currency cannot hold is counted",
    caughtBy: [
      "test/sync/rules/Currencies.test.ts",
      "of a payment without a currency is not counted on an invoice in yen"
    ],
    changes: [
      {
        file: "sync/model/InvoiceFacts.ts",
        from: "  if (!Currency.fits(amount, invoice.currency)) return true\n",
        to: ""
      }
    ]
  },
  {
    name: "a success of whatever shape is believed",
    caughtBy: ["test/core/ClientErrors.long.test.ts", "unknown, because it may have been acted on"],
    changes: [
      {
        file: "core/Answers.ts",
        from: "  if (fits) return undefined\n",
        to: "  if (fits || expected.reads.length >= 0) return undefined\n"
      }
    ]
  },
  {
    name: "Retry-After is as long as it says",
    caughtBy: ["test/core/Answers.long.test.ts", "is a number between nothing and a year"],
    changes: [
      {
        file: "core/wire/RetryAfter.ts",
        from: "return Math.min(Number(text), LONGEST_SECONDS)",
        to: "return Number(text)"
      }
    ]
  },
  {
    name: "an answer of the service is read to its end, however long",
    caughtBy: ["test/core/Answers.long.test.ts", "it is left, and says how much is too much"],
    changes: [
      {
        file: "core/Answers.ts",
        from: "export const LARGEST_BYTES = 16 * 2 ** 20",
        to: "export const LARGEST_BYTES = 16 * 2 ** 30"
      }
    ]
  },
  {
    name: "an answer of a source is read to its end, however long",
    caughtBy: ["test/security/Answers.long.test.ts", "that does not end is left once it is larger"],
    changes: [
      {
        file: "connectors/Bounds.ts",
        from: "export const LARGEST_BYTES = 64 * 2 ** 20",
        to: "export const LARGEST_BYTES = 160 * 2 ** 20"
      }
    ]
  },
  {
    name: "a choice of invoice cannot be taken back",
    caughtBy: ["test/sync/matching/MatchChoices.test.ts", "can be taken back: the rules match the payment again"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: '  db.prepare("DELETE FROM choice WHERE payment = ?").run(payment)\n',
        to: ""
      }
    ]
  },
  {
    name: "the payer of a choice that was taken back is remembered",
    caughtBy: ["test/sync/matching/MatchChoices.test.ts", "can be taken back: the rules match the payment again"],
    changes: [{ file: "sync/matching/Choices.ts", from: "  unlearn(db, choice)\n", to: "" }]
  },
  {
    name: "a choice may be finer than the invoice's currency",
    caughtBy: ["test/sync/matching/MatchChoices.test.ts", "that is finer than the invoice's currency is refused"],
    changes: [
      {
        file: "sync/matching/Choices.ts",
        from: "if (Currency.fits(part, found.currency)) return",
        to: "if (document.currency === undefined || Currency.fits(part, document.currency)) return"
      }
    ]
  },
  {
    name: "a scope that is narrowed leaves drafts to themselves",
    caughtBy: ["test/sync/rules/Rules.test.ts", "the scope decides what is created"],
    changes: [
      {
        file: "sync/rules/Invoices.ts",
        from: "  if (invoice === undefined) return { calls: [], attention: [neverRead(facts)], open: 0n }\n",
        to: '  if (invoice === undefined) return { calls: [], attention: [neverRead(facts)], open: 0n }\n  if (invoice.status === "draft" && planning.scope?.drafts !== true) return { calls: [], attention: [], open: 0n }\n'
      }
    ]
  }
]
