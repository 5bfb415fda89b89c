/** Mistakes about the cover of invoices where requests come late, lists are not shown, and people decide otherwise. */
import type { UnitMutant } from "./unitMutants.ts"

const WATCHED = "test/sync/stories/CoverWatched.long.test.ts"
const CLI = "test/cli/Cover.long.test.ts"

export const COVER_DECIDED: ReadonlyArray<UnitMutant> = [
  {
    name: "cover: what was confirmed is handed over for whatever account its variable has by now",
    caughtBy: ["test/sync/stories/CollectionAccount.long.test.ts", "is not handed over for another account"],
    changes: [{ file: "sync/rules/CollectionFields.ts", from: "account: gathered.account", to: "account: undefined" }]
  },
  {
    name: "cover: an approval covers a company whose name was not shown",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "of which only its identifier was known"],
    changes: [
      {
        file: "sync/rules/CoverParts.ts",
        from: "company?.name,\n      company?.country,\n      company?.numbers,",
        to: ""
      }
    ]
  },
  {
    name: "cover: what is new or wider buys without having been shown",
    caughtBy: ["test/sync/stories/CoverShown.long.test.ts", "is shown before it buys, and so is what comes back"],
    changes: [
      { file: "sync/apply/Apply.ts", from: "unshown?.has(planned.connection) === true", to: "unshown?.size === 0" }
    ]
  },
  {
    name: "cover: the settings that were wide once are for ever",
    caughtBy: ["test/sync/stories/CoverShown.long.test.ts", "that is narrower buys at once"],
    changes: [
      {
        file: "sync/apply/CoverShown.ts",
        from: "put(db, id, cover, null)",
        to: "put(db, id, row === undefined ? cover : (JSON.parse(row.settings) as CoverSettings), null)"
      }
    ]
  },
  {
    name: "cover: offers that a restored file does not know are not looked for",
    caughtBy: ["test/sync/reconciliation/Restored.test.ts", "buys no offer of an invoice without a word"],
    changes: [
      {
        file: "sync/reconciliation/EarlierPurchases.ts",
        from: "if (offered?.price !== undefined)",
        to: "if (offered?.price === undefined && offered !== undefined)"
      }
    ]
  },
  {
    name: "cover: a refused purchase counts for nothing though the service cannot be read",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "counts as spent where the service refuses"],
    changes: [
      {
        file: "sync/apply/Worker.ts",
        from: `if (read._tag === "Failure" && isUncertain`,
        to: `if (read._tag === "Failure" && worker === undefined && isUncertain`
      }
    ]
  },
  {
    name: "cover: an approval comes back with the configuration",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "is void once the configuration"],
    changes: [
      {
        file: "sync/apply/CoverStore.ts",
        from: "if (part.voids !== undefined) becomeVoid",
        to: "if (part.voids?.now === 0) becomeVoid"
      }
    ]
  },
  {
    name: "cover: somebody's no is overridden by what was shown before it",
    caughtBy: [CLI, "rejects an offer"],
    changes: [
      {
        file: "sync/apply/CoverDecisions.ts",
        from: "digest: refused === undefined ? digest :",
        to: "digest: refused !== undefined ? digest :"
      }
    ]
  },
  {
    name: "cover: a list of policies that the service does not show ends the reading of all",
    caughtBy: [WATCHED, "does not show its list"],
    changes: [
      {
        file: "sync/refresh/CoverSweep.ts",
        from: "Effect.catchIf(isOfThese, () => Effect.void)",
        to: "Effect.catchIf((_): _ is never => false, () => Effect.void)"
      }
    ]
  },
  {
    name: "cover: a window whose beginning nobody saw begins today",
    caughtBy: ["test/sync/apply/CoverAnswers.test.ts", "begins no later than it can have"],
    changes: [
      {
        file: "sync/apply/CoverAnswers.ts",
        from: "due_date < today ? Day.of(due_date) : today",
        to: "due_date < '' ? Day.of(due_date) : today"
      }
    ]
  },
  {
    name: "cover: what waited for a clock waits on when it was set",
    caughtBy: ["test/sync/stories/CoverDecided.test.ts", "is planned again once a clock"],
    changes: [
      {
        file: "sync/plan/ServiceTime.ts",
        from: "for (const subject of subjects as",
        to: "for (const subject of subjects.slice(1) as"
      }
    ]
  }
]
