/**
 * `daybook approve` and `daybook reject`: a person's decision on a waiting plan, at the command line. The decision names the
 * plan that was seen by its digest, and applies to no other plan.
 */
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as Plans from "../../sync/decisions/Plans.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { ATTENTION, Exit, NotDecided, UsageError } from "../../sync/library/Exit.ts"
import { partOf } from "../../sync/library/PartOfPlan.ts"
import { type Record, records } from "../../sync/library/PlanRecords.ts"
import { unknownConnection } from "../../sync/library/UnknownConnection.ts"
import { by, me } from "../By.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { approvalLine, approvalRecord, SHORT } from "../render/ApprovalView.ts"
import { PlanView, stopsText } from "../render/PlanView.ts"
import { grouped } from "../../core/Plural.ts"

const ROWS = 15
/** How many characters of a digest are required to name a plan. */
const FEWEST = 8

const options = {
  connection: Argument.String("connection").pipe(
    Argument.withDescription("The connection of the plan; without it, waiting plans are listed"),
    Argument.optional
  ),
  digest: Flags.text(
    "digest",
    "DIGEST",
    `Digest of the plan you reviewed, at least ${FEWEST} characters; without it, the plan is shown`
  ),
  by,
  all: Flags.yes("all", "List every call instead of the first of each kind")
}

const only = {
  only: Flags.several(
    "only",
    "DOCUMENT",
    "Approve only this document of the plan (number, id or key) and what it needs; may be repeated. The rest stays pending approval"
  ),
  except: Flags.several(
    "except",
    "DOCUMENT",
    "Approve all of the plan but this document and what needs it; may be repeated"
  )
}

const list = Effect.gen(function* () {
  const out = yield* CommandContext.output
  yield* CommandContext.inState("read", "approve", function* (db) {
    const all = yield* db.read(() => Approvals.list(db))
    for (const one of all) yield* out.emit(approvalRecord(one))
    const waiting = all.filter(({ decision }) => decision === null)
    yield* out.emit({ type: "summary", approvals: waiting.length })
    for (const one of all) yield* out.say(approvalLine(one))
    if (waiting.length === 0) return yield* out.say("No plan waits for approval.")
    yield* out.say(out.style.dim("\nShow one: daybook approve CONNECTION"))
    return yield* new Exit({ status: ATTENTION })
  })
})

/** Shows the current plan, and how to decide on it. */
const show = (id: string, all: boolean) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const { connections } = yield* CommandContext.configuration
    yield* CommandContext.inState("read", "approve", function* (db) {
      const own = connections.filter((one) => one.id === id)
      if (own.length === 0) {
        const ids = connections.map((one) => one.id)
        return yield* new UsageError({ why: unknownConnection(id, ids) })
      }
      const approval = yield* db.read(() => Approvals.of(db, id))
      if (approval === undefined) return yield* out.say(nothing(id))
      const view = new PlanView(all ? Number.POSITIVE_INFINITY : ROWS)
      const summary = yield* records(own, {
        // Attention items of other connections are not part of this plan.
        see: (planned) => void (planned.connection === id && view.add(planned)),
        ...(out.json ? { write: (record: Record) => out.emit(record) } : {}),
        guards: true
      })
      const moved = summary.digest !== approval.digest
      yield* out.emit({ ...approvalRecord(approval), moved })
      yield* out.say(`${view.text(out, summary, { next: "Nothing was sent." })}\n${stopsText(summary.stops, out)}`)
      yield* out.say(approvalLine(approval))
      if (moved) yield* out.say(MOVED)
      else if (approval.decision === null) {
        const words = `${id} --digest ${approval.digest.slice(0, SHORT)}`
        yield* out.say(`To decide:\n  daybook approve ${words}\n  daybook reject ${words}`)
      }
      if (moved || approval.decision === null) yield* new Exit({ status: ATTENTION })
    })
  })

const MOVED = "The books changed since this plan was made. The daemon's next run makes a new one."

const nothing = (id: string): string => `No plan of ${id} waits for approval.`

interface Word {
  readonly digest: string
  readonly decision: "approved" | "rejected"
  readonly by: Option.Option<string>
  /** Some documents of the plan; none: all of it. */
  readonly names: ReadonlyArray<string>
  /** They are what is left out. */
  readonly allBut: boolean
}

/** The documents that are approved; or why they cannot be. */
const chosen = (id: string, { allBut, names }: Word) =>
  Effect.gen(function* () {
    const { connections } = yield* CommandContext.configuration
    const connection = connections.find((one) => one.id === id)
    if (connection === undefined)
      return yield* new UsageError({
        why: unknownConnection(
          id,
          connections.map((one) => one.id)
        )
      })
    const part = yield* partOf(connection, names, allBut)
    return "why" in part ? yield* new NotDecided({ why: `nothing was decided: ${part.why}` }) : part
  })

/** The connection as it is configured; undefined: it is not, and the plan is about what it left. */
const configured = (id: string) =>
  CommandContext.configuration.pipe(
    Effect.map(({ connections }) => connections.find((one) => one.id === id)),
    Effect.orElseSucceed(() => undefined)
  )

const decide = (id: string, word: Word) =>
  Effect.gen(function* () {
    const { by, decision, digest, names } = word
    const out = yield* CommandContext.output
    yield* CommandContext.inState("decide", decision === "approved" ? "approve" : "reject", function* (db) {
      if (digest.length < FEWEST)
        return yield* new UsageError({ why: `--digest ${digest}: give ${FEWEST} characters of it or more` })
      const now = yield* Clock.currentTimeMillis
      const own = decision === "approved" ? yield* configured(id) : undefined
      const who = me(by)
      const part = names.length === 0 ? undefined : yield* chosen(id, word)
      const documents = part?.documents ?? null
      const decided = yield* db.transaction(() => {
        const waiting = Approvals.of(db, id)
        if (waiting === undefined) return `no plan of ${id} waits for approval`
        if (waiting.decision !== null) return `the plan of ${id} was already ${waiting.decision} by ${waiting.who}`
        if (!waiting.digest.startsWith(digest.toLowerCase()))
          return `the plan of ${id} that is waiting is not ${digest}; show it with: daybook approve ${id}`
        if (part !== undefined && part.digest !== waiting.digest) return MOVED
        const word = { connection: id, digest: waiting.digest, decision, documents, who }
        const done = Plans.decide(db, own, word, undefined, now)
        return typeof done === "object" ? done.why : waiting
      })
      if (typeof decided === "string") return yield* new NotDecided({ why: `nothing was decided: ${decided}` })
      yield* out.emit({ ...approvalRecord({ ...decided, decision, decided: now, documents, who }), type: "decided" })
      if (documents !== null)
        return yield* out.say(
          `Approved by ${who}: ${documents.join(", ")}. The daemon sends exactly these within half a minute, or nothing if the books change first. The rest waits for approval again.`
        )
      yield* out.say(
        decision === "approved"
          ? `Approved by ${who}. The daemon sends exactly these ${grouped(decided.calls)} calls within half a minute, or nothing if the books change first.`
          : `Rejected by ${who}. Nothing is sent. The next change in the books makes a new plan.`
      )
    })
  })

const command = (decision: "approved" | "rejected") =>
  Effect.fn(function* ({
    all,
    by,
    connection,
    digest,
    except = [],
    only = []
  }: {
    readonly all: boolean
    readonly by: Option.Option<string>
    readonly connection: Option.Option<string>
    readonly digest: Option.Option<string>
    readonly except?: ReadonlyArray<string>
    readonly only?: ReadonlyArray<string>
  }) {
    if (only.length > 0 && except.length > 0)
      return yield* new UsageError({ why: "--only and --except: name what is approved, or what is left out, not both" })
    const allBut = except.length > 0
    const names = allBut ? except : only
    if (names.length > 0 && (Option.isNone(digest) || Option.isNone(connection)))
      return yield* new UsageError({
        why: `--${allBut ? "except" : "only"}: name the connection and the --digest of the plan that you reviewed`
      })
    if (Option.isSome(connection)) {
      const id = yield* CommandContext.keyOf(connection.value)
      return yield* Option.isSome(digest)
        ? decide(id, { digest: digest.value, decision, by, names, allBut })
        : show(id, all)
    }
    if (Option.isSome(digest)) return yield* new UsageError({ why: "--digest: name the connection whose plan it is" })
    return yield* list
  })

export const approve = Command.make("approve", { ...options, ...only }, command("approved")).pipe(
  CommandContext.help(
    "List the plans that wait for approval, show one, or approve it by its digest, whole, with --only some of its documents, or with --except all but some. The daemon then sends exactly what was approved, or nothing if the books changed. Exit status 3: plans are waiting; 4: the waiting plan is not the one named.",
    "List, show and approve plans that wait",
    "daybook approve # List the plans that wait",
    "daybook approve month-end # Show the plan of this connection and its digest",
    "daybook approve month-end --digest 1f0c83d2ab41 # Send exactly this plan",
    "daybook approve month-end --digest 1f0c83d2ab41 --only INV-7 # Send only what it has for this invoice; the rest waits"
  )
)

export const reject = Command.make("reject", options, command("rejected")).pipe(
  CommandContext.help(
    "Reject a plan that waits, by its digest; without it, the plan is shown. Nothing of the plan is sent. The next change in the books makes a new plan.",
    "Reject a plan that waits",
    "daybook reject month-end --digest 1f0c83d2ab41 # Reject exactly this plan"
  )
)
