/** Mistakes in links by which other people connect their own books: a link that opens twice, leads elsewhere or leaks. */
import type { UnitMutant } from "./unitMutants.ts"

const REFUSED = ["test/connect/Links.long.test.ts", "is refused when it was used, has expired, was changed"] as const
const SESSION = ["test/connect/Links.long.test.ts", "is one browser's: no other site, form or program"] as const
const MADE = ["test/connect/Links.long.test.ts", "asks for a token with its scope, and takes only what"] as const
const PERSON = "test/connect/LinkPerson.long.test.ts"
const UPLOADS = "test/connect/Uploads.test.ts"

export const LINKS: ReadonlyArray<UnitMutant> = [
  {
    name: "a link for an e-mail address is opened by anybody",
    caughtBy: [PERSON, "is opened by who types it"],
    changes: [{ file: "cli/connect/Invitation.ts", from: "if (email === undefined || ", to: "if (email !== null || " }]
  },
  {
    name: "a link may be tried for as long as somebody likes",
    caughtBy: [PERSON, "is opened by who types it"],
    changes: [{ file: "sync/connect/Links.ts", from: "if (left === 0) end", to: "if (left < 0) end" }]
  },
  {
    name: "a proof for another link opens this one",
    caughtBy: [PERSON, "is opened by whom the platform sends there"],
    changes: [{ file: "sync/connect/LinkPerson.ts", from: "[word, until, person]", to: "[until, person]" }]
  },
  {
    name: "a page of a link does not say for whom",
    caughtBy: [PERSON, "says for whom it is before"],
    changes: [
      {
        file: "cli/connect/Steps.ts",
        from: "const account = accountNameOf(visit.connecting.link)\n  const title",
        to: "const account = name\n  const title"
      }
    ]
  },
  {
    name: "people enter the address to which the platform's key is sent",
    caughtBy: ["test/connect/Links.long.test.ts", "a source whose address people enter"],
    changes: [
      { file: "cli/connect/Readiness.ts", from: "if (address !== undefined && ", to: "if (address === null && " }
    ]
  },
  {
    name: "a link can be opened twice",
    caughtBy: REFUSED,
    changes: [
      {
        file: "sync/connect/Links.ts",
        from: "session IS NULL AND outcome IS NULL AND expires",
        to: "outcome IS NULL AND expires"
      },
      {
        file: "sync/connect/Links.ts",
        from: 'return ends > now ? "opened" : "expired"',
        to: 'return ends > now ? "open" : "expired"'
      }
    ]
  },
  {
    name: "a link can be opened after its time",
    caughtBy: REFUSED,
    changes: [
      { file: "sync/connect/Links.ts", from: "AND expires > ?", to: "AND expires > ? - 90000000" },
      { file: "sync/connect/Links.ts", from: 'return expires > now ? "open" : "expired"', to: 'return "open"' }
    ]
  },
  {
    name: "a link allows sources that it does not name",
    caughtBy: REFUSED,
    changes: [
      {
        file: "sync/library/Connecting.ts",
        from: "sources.filter(({ name }) => link.terms.connectors.includes(name))",
        to: "sources.filter(() => link.terms.connectors.length > 0)"
      }
    ]
  },
  {
    name: "a link leads back to wherever it is told to",
    caughtBy: MADE,
    changes: [
      { file: "sync/library/ConnectLinks.ts", from: "return_urls.includes(wanted)", to: "return_urls.length > 0" }
    ]
  },
  {
    name: "the word of a link is kept in the clear",
    caughtBy: MADE,
    changes: [
      {
        file: "sync/connect/Links.ts",
        from: 'createHash("sha256").update(text).digest("base64url")',
        to: 'createHash("sha256").update(text).digest("base64url") + text'
      }
    ]
  },
  {
    name: "a form without the session's word is taken",
    caughtBy: SESSION,
    changes: [
      {
        file: "cli/connect/ConnectRoutes.ts",
        from: 'if (!Session.sameText(posted.get("form") ?? "", Session.formWord(visit.word)))',
        to: "if (context.db === undefined)"
      }
    ]
  },
  {
    name: "an upload without the session's word is kept",
    caughtBy: [UPLOADS, "are not taken of a form that is not the session's own"],
    changes: [{ file: "cli/connect/Uploads.ts", from: "if (!this.#isOurs)", to: "if (this.done)" }]
  },
  {
    name: "an upload leads out of its folder",
    caughtBy: [UPLOADS, "are kept as they are, in whatever pieces they come"],
    changes: [{ file: "cli/connect/Uploads.ts", from: '.replace(/[^A-Za-z0-9_-]+/g, "-")', to: ".trim()" }]
  },
  {
    name: "a stranger's name that resolves to this network is read",
    caughtBy: ["test/connect/Reach.test.ts", "may be one of the internet, and no other"],
    changes: [{ file: "core/Reach.ts", from: ".some(isInside)", to: ".every(isInside)" }]
  },
  {
    name: "files of an upload that is refused stay",
    caughtBy: [UPLOADS, "are refused together where one cannot be used"],
    changes: [
      {
        file: "cli/connect/Uploads.ts",
        from: "for (const { name } of receiver.files) rmSync",
        to: "for (const { name } of receiver.files.slice(1)) rmSync"
      }
    ]
  },
  {
    name: "what was uploaded stays when the session ends",
    caughtBy: ["test/connect/Abandoned.long.test.ts", "leaves no file and no sealed key behind"],
    changes: [
      {
        file: "cli/connect/ConnectRoutes.ts",
        from: "Effect.forkScoped(Effect.repeat(tidying, Every.spaced(TIDIES_MS)))",
        to: "Effect.forkScoped(Effect.andThen(Effect.never, Effect.repeat(tidying, Every.spaced(TIDIES_MS))))"
      }
    ]
  },
  {
    name: "uploaded files are examined for each page",
    caughtBy: ["test/connect/Examination.long.test.ts", "are examined once, until they change"],
    changes: [
      {
        file: "sync/library/FileExamination.ts",
        from: "if (found !== undefined && (Exit.isSuccess",
        to: "if (found !== undefined && key === now.toString() && (Exit.isSuccess"
      }
    ]
  },
  {
    name: "whoever goes away keeps its place before an examination",
    caughtBy: ["test/connect/Examination.long.test.ts", "one after the other, and whoever goes away"],
    changes: [
      { file: "sync/library/KillableThread.ts", from: "{ interruptible: true }", to: "{ interruptible: false }" }
    ]
  },
  {
    name: "an examination takes as long as it takes",
    caughtBy: ["test/connect/Examination.long.test.ts", "that take too long cost their person"],
    changes: [
      { file: "sync/library/KillableThread.ts", from: "DEADLINE_SECONDS * 1000", to: "DEADLINE_SECONDS * 1_000_000" }
    ]
  },
  {
    name: "the first records of a source are read in the daemon's own thread",
    caughtBy: ["test/connect/PreviewApart.long.test.ts", "leave others answered"],
    changes: [
      {
        file: "sync/library/PreviewApart.ts",
        from: "const of = reader === undefined ?",
        to: "const of = reader === undefined || show > 0 ?"
      }
    ]
  },
  {
    name: "a source sends a hundred thousand records as one page",
    caughtBy: ["test/connect/PreviewApart.long.test.ts", "far more records than it was asked for"],
    changes: [{ file: "connectors/rest/Asking.ts", from: "const BEYOND = 10", to: "const BEYOND = 10_000_000" }]
  },
  {
    name: "slow sources keep the turns of others",
    caughtBy: ["test/connect/PreviewApart.long.test.ts", "lend their turn when they are slow"],
    changes: [{ file: "sync/library/KillableThread.ts", from: "LENDS_MS = 3000", to: "LENDS_MS = 300_000" }]
  },
  {
    name: "the daemon copies its state file in its own thread",
    caughtBy: ["test/sync/library/BackupApart.long.test.ts", "leaves others answered"],
    changes: [
      {
        file: "sync/library/BackupApart.ts",
        from: "if (module === undefined) return",
        to: 'if (module?.href !== "") return'
      }
    ]
  },
  {
    name: "the secrets of a configuration are never forgotten",
    caughtBy: ["test/security/Hidden.test.ts", "each forgotten with their own"],
    changes: [{ file: "sync/library/Hidden.ts", from: "  drop(last.now)\n", to: "" }]
  },
  {
    name: "one of many tenants takes the service's webhooks from everybody",
    caughtBy: ["test/cli/TenantsDaemon.test.ts", "tells strangers the same of every name"],
    changes: [
      {
        file: "cli/daemon/Webhooks.ts",
        from: "isOfService(configuration, request, true)",
        to: "isOfService(configuration, request, false)"
      }
    ]
  },
  {
    name: "a run reads large answers of somebody else's source in the daemon's own thread",
    caughtBy: ["test/sync/pull/LargeAnswers.test.ts", "are read in a thread, and leave others"],
    changes: [{ file: "sync/pull/Pull.ts", from: "LARGEST_SHARED = 2 ** 20", to: "LARGEST_SHARED = 2 ** 40" }]
  },
  {
    name: "a name is checked, and looked up again for the connection",
    caughtBy: ["test/security/Rebinding.long.test.ts", "not connected to, not even on a connection"],
    changes: [{ file: "core/wire/Undici.ts", from: "if (opaque === INTERNET)", to: "if (opaque === undefined)" }]
  },
  {
    name: "a tenant sends what all share to an address of its own",
    caughtBy: ["test/security/TenantBounds.test.ts", "sends what tenants share to vendors only"],
    changes: [
      {
        file: "sync/library/config/BoundsProblems.ts",
        from: "(isVendors || (isTriedOut",
        to: "(to !== name || (isTriedOut"
      }
    ]
  },
  {
    name: "what comes together with a line that is no message is lost",
    caughtBy: ["test/cli/Assistant.long.test.ts", "answers what comes together"],
    changes: [{ file: "cli/remote/Assistant.ts", from: "Stream.fromEffectRepeat(next)", to: "stdio.stdin" }]
  },
  {
    name: "connections are counted by the whole IPv6 address",
    caughtBy: ["test/cli/Sender.test.ts", "are counted for an IPv4 address"],
    changes: [
      { file: "cli/daemon/Connections.ts", from: "const from = networkOf(address)", to: "const from = address" }
    ]
  }
]
