/** `daybook cover buy` and `daybook cover reject`: a person's decision about offers, exactly as shown. */
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { plural } from "../../core/Plural.ts"
import * as CoverDecisions from "../../sync/apply/CoverDecisions.ts"
import * as Offers from "../../sync/decisions/Offers.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import * as CoverInvoice from "../../sync/library/CoverInvoice.ts"
import { ATTENTION, Exit, NotDecided, UsageError } from "../../sync/library/Exit.ts"
import { shownDigest } from "../../sync/model/ShownDigest.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import { Database, type StateError, type Db } from "../../sync/state/Database.ts"
import * as Ask from "../Ask.ts"
import { by, me } from "../By.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import * as View from "../render/CoverReportView.ts"

type Decision = "buy" | "reject"

/** How many characters of a digest are required to name what was shown, and how many are printed. */
const FEWEST = 8
const SHORT = 12

interface Found {
  readonly invoice: CoverInvoice.CoverInvoice
  readonly offer: Cover.WaitingOffer
}

/** A single offer has its own digest. */
const digestOf = (all: ReadonlyArray<Found>): string =>
  all[0] !== undefined && all.length === 1
    ? all[0].offer.digest
    : shownDigest("sha1", all.map(({ offer }) => offer.digest).join(" "))

/** The named offers, by due date; or why one of them cannot be decided about. */
const find = (
  db: Db,
  configuration: Configuration,
  { decision, documents }: { readonly documents: ReadonlyArray<string>; readonly decision: Decision },
  now: number
): ReadonlyArray<Found> | { readonly why: string } => {
  const found = new Map<string, Found>()
  for (const document of documents) {
    const invoice = CoverInvoice.find(db, configuration, document)
    if ("why" in invoice) return invoice
    const { connection, subject } = invoice
    const offer = Cover.waiting(db, connection, subject, now)
    const choice = { decision, who: "", ...(offer === undefined ? {} : { digest: offer.digest }) }
    const why = CoverDecisions.problem(db, connection, subject, choice, now)
    if (why !== undefined || offer === undefined) return { why: why ?? `${subject} has no offer now` }
    found.set(subject, { invoice, offer })
  }
  return [...found.values()].toSorted((a, b) =>
    `${a.offer.due} ${a.offer.subject}` < `${b.offer.due} ${b.offer.subject}` ? -1 : 1
  )
}

/** Stores the decision if everything is still as it was shown. */
const decide = (
  db: Db,
  configuration: Configuration,
  said: {
    readonly documents: ReadonlyArray<string>
    readonly decision: Decision
    readonly digest: string
    readonly who: string
  },
  now: number
): Effect.Effect<ReadonlyArray<Cover.WaitingOffer>, UsageError | NotDecided | StateError> =>
  Effect.gen(function* () {
    const decided = yield* db.transaction(() => {
      const all = find(db, configuration, said, now)
      if ("why" in all) return all
      if (!digestOf(all).startsWith(said.digest)) return { moved: true }
      const named = all.map(({ invoice: { connection, subject }, offer: { digest } }) => ({
        connection,
        subject,
        digest
      }))
      const reasons = Offers.decide(db, named, said, now)
      if (reasons.length > 0) return { why: reasons.join("; ") }
      return { all }
    })
    if ("why" in decided) return yield* new UsageError(decided)
    if ("moved" in decided) {
      const again = `daybook cover ${said.decision} ${said.documents.join(" ")}`
      return yield* new NotDecided({
        why: `nothing was decided: the offer is not the one that ${said.digest} names; look at it again with: ${again}`
      })
    }
    return yield* db.read(() =>
      decided.all.flatMap(({ invoice }) => Cover.waiting(db, invoice.connection, invoice.subject, now) ?? [])
    )
  })

/** The person's answer at the terminal, or the given digest; undefined: nothing was decided. */
const word = (
  shown: ReadonlyArray<Found>,
  {
    decision,
    digest,
    yes
  }: { readonly decision: Decision; readonly digest: Option.Option<string>; readonly yes: boolean }
) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const whole = digestOf(shown)
    if (Option.isSome(digest)) {
      if (digest.value.length < FEWEST)
        return yield* new UsageError({ why: `--digest ${digest.value}: give ${FEWEST} characters of it or more` })
      if (yes) return digest.value
    }
    if (Ask.isAsked(out)) {
      const these = shown.length === 1 ? "it" : `these ${shown.length}`
      const said = yield* Ask.confirm(out, decision === "buy" ? `Buy ${these}?` : `Reject ${these}?`)
      return said ? whole : undefined
    }
    const names = shown.map(({ offer }) => offer.subject).join(" ")
    yield* out.say(`\nTo decide:\n  daybook cover ${decision} ${names} --yes --digest ${whole.slice(0, SHORT)}`)
    return undefined
  })

/** Shows what a decision is about. */
const look = (
  configuration: Configuration,
  said: { readonly documents: ReadonlyArray<string>; readonly decision: Decision }
) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const found = yield* db.snapshot(() => find(db, configuration, said, now))
    if ("why" in found) return yield* new UsageError(found)
    const shown = found.map(({ offer }) => offer)
    for (const offer of shown) yield* out.emit(View.offerRecord(offer))
    yield* out.emit({ type: "summary", offers: shown.length, ...View.sumRecord(shown), digest: digestOf(found) })
    const connections = [...new Set(found.map(({ invoice }) => invoice.connection))]
    const budgets = yield* db.read(() => connections.flatMap((one) => Cover.budget(db, one, now) ?? []))
    yield* out.say(View.toDecide(shown, budgets, out))
    return found
  })

/** Prints what follows from a decision. */
const tell = (decided: ReadonlyArray<Cover.WaitingOffer>, decision: Decision, who: string) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    for (const { standing, subject, why } of decided)
      yield* out.emit({ type: "decided", document: subject, decision, who, standing, why })
    if (decision === "reject") return yield* out.say(`Rejected by ${who}: nothing of it is bought.`)
    const next = decided.filter(({ standing }) => standing === "next")
    const rest = decided.filter(({ standing }) => standing !== "next")
    if (next.length > 0)
      yield* out.say(`Approved by ${who}. The next daybook sync buys cover for ${plural(next.length, "invoice")}.`)
    for (const { subject, why } of rest) yield* out.say(`${subject} is approved, and waits: ${why ?? ""}`)
    if (rest.length > 0) yield* new Exit({ status: ATTENTION })
  })

const run = (decision: Decision) =>
  Effect.fn(function* ({
    by,
    digest,
    documents,
    yes
  }: {
    readonly by: Option.Option<string>
    readonly digest: Option.Option<string>
    readonly documents: ReadonlyArray<string>
    readonly yes: boolean
  }) {
    const configuration = yield* CommandContext.configuration
    if (yes && Option.isNone(digest))
      return yield* new UsageError({ why: `--yes needs --digest, which daybook cover ${decision} shows without --yes` })
    const reading = yield* CommandContext.state("read", `cover ${decision}`)
    const seen = yield* Effect.provide(look(configuration, { documents, decision }), reading)
    const said = yield* word(seen, { decision, digest, yes })
    if (said === undefined) return yield* new Exit({ status: ATTENTION })
    const writing = yield* CommandContext.state("decide", `cover ${decision}`)
    const who = me(by)
    const decided = yield* Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return yield* decide(yield* Database, configuration, { documents, decision, digest: said, who }, now)
    }).pipe(Effect.provide(writing))
    yield* tell(decided, decision, who)
  })

export const offers = (decision: Decision) =>
  Command.make(
    decision,
    {
      documents: Argument.String("document").pipe(
        Argument.withDescription("Invoices by number, id or key"),
        Argument.atLeast(1)
      ),
      digest: Flags.text("digest", "DIGEST", "Digest of what was shown; with --yes, does not ask"),
      yes: Flags.yes("yes", "Do not ask; needs --digest"),
      by
    },
    run(decision)
  ).pipe(
    CommandContext.help(
      decision === "buy"
        ? "Show what offers cost (price, premium, tax, insured amount), for each invoice and in total, and have the next daybook sync buy them. Asks on a terminal; without one, use --yes with the digest that was shown. An approved offer is bought at this price or not at all. Exit status 3: not decided, or it waits; 4: the offer is not the one that was shown."
        : "Show offers and reject them, so that they are not bought. Asks on a terminal; without one, use --yes with the digest that was shown.",
      decision === "buy" ? "Approve offers" : "Reject offers",
      `daybook cover ${decision} INV-1042 # Show the offer, and ask`,
      `daybook cover ${decision} INV-1042 INV-1043 --yes --digest pZ0x3dQk1v9b # Without a terminal: exactly what was shown`
    )
  )
