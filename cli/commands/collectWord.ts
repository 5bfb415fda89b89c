/** Asks for a person's confirmation of a collection: each declaration separately, without a default. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { CollectionView, Confirmation } from "../../sync/collections/Collecting.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { nameProblem } from "../../sync/model/PersonName.ts"
import * as Ask from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import { command, DECLARATIONS } from "../render/CollectionView.ts"

const yes = <const Name extends string>(name: Name, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

const text = <const Name extends string>(name: Name, description: string, metavar = "TEXT") =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar(metavar), Flag.optional)

export const flags = {
  attach: Flag.String("attach").pipe(
    Flag.withDescription("Add this file: PDF, PNG or JPEG"),
    Flag.withMetavar("FILE"),
    Flag.atLeast(0)
  ),
  type: Flag.String("type").pipe(
    Flag.withDescription(
      "What the files are: invoice, statement, proof_order, proof_delivery, shipping, correspondence or other"
    ),
    Flag.withMetavar("TYPE"),
    Flag.withDefault("other")
  ),
  remove: Flag.String("remove").pipe(
    Flag.withDescription("Remove a file that was added"),
    Flag.withMetavar("NAME"),
    Flag.atLeast(0)
  ),
  confirm: yes("confirm", "Confirm what is shown, so that it is handed over"),
  name: text("name", "Your name, recorded with your declarations", "NAME"),
  digest: text("digest", "Digest of what was shown (without a terminal)", "DIGEST"),
  correct: yes("declare-correct", "Declare that what is shown is correct (without a terminal)"),
  terms: yes("accept-terms", "Accept the terms of collection (without a terminal)"),
  disputed: text("disputed", "The buyer disputes the invoice, for this reason", "REASON"),
  notDisputed: yes("not-disputed", "The buyer does not dispute the invoice"),
  comments: text("comments", "What the collections partner should know"),
  withdraw: yes("withdraw", "Take a confirmation back, before it was sent"),
  send: yes("send", "Hand over what was confirmed now, and send nothing else of the plan")
}

export interface Said {
  readonly attach: ReadonlyArray<string>
  readonly type: string
  readonly remove: ReadonlyArray<string>
  readonly confirm: boolean
  readonly who: string | undefined
  readonly digest: Option.Option<string>
  readonly correct: boolean
  readonly terms: boolean
  readonly disputed: Option.Option<string>
  readonly notDisputed: boolean
  readonly comments: Option.Option<string>
  readonly withdraw: boolean
  readonly send: boolean
}

/** How many characters of a digest are required to name what was shown. */
const FEWEST = 8

/** The confirmation from the flags; or the flags that are missing. */
const spoken = (view: CollectionView, said: Said): Confirmation | ReadonlyArray<string> => {
  const reasons = Option.getOrUndefined(said.disputed)
  const comments = Option.getOrUndefined(said.comments)
  const digest = Option.getOrElse(said.digest, () => "")
  const lacks = [
    ...(said.who === undefined || said.who.trim() === "" ? ["--name NAME"] : []),
    ...(digest === "" ? ["--digest DIGEST"] : []),
    ...(reasons === undefined && !said.notDisputed ? ["--not-disputed or --disputed REASON"] : []),
    ...(said.correct ? [] : [`--declare-correct ("${DECLARATIONS.confirm_correct}")`]),
    ...(said.terms ? [] : [`--accept-terms ("${DECLARATIONS.collections_terms_acceptance}")`])
  ]
  if (lacks.length > 0 || said.who === undefined) return lacks
  return {
    who: said.who,
    digest: digest.length >= FEWEST && view.digest.startsWith(digest) ? view.digest : digest,
    disputed: reasons !== undefined,
    ...(reasons === undefined ? {} : { reasons }),
    ...(comments === undefined ? {} : { comments }),
    confirm_correct: said.correct,
    collections_terms_acceptance: said.terms
  }
}

/** Asks at the terminal, one by one; undefined if a declaration was not made. */
const asked = (view: CollectionView, said: Said) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    yield* out.say("")
    const who = said.who ?? (yield* Ask.ask(out, "Your name: "))
    if (who === undefined || nameProblem(who) !== undefined) return undefined
    let reasons = Option.getOrUndefined(said.disputed)
    if (reasons === undefined && !said.notDisputed) {
      const isDisputed = yield* Ask.decide(out, "Does the buyer dispute this invoice?")
      if (isDisputed === undefined) return undefined
      if (isDisputed) {
        reasons = yield* Ask.ask(out, "Why: ")
        if (reasons === undefined || reasons === "") return undefined
      }
    }
    for (const declaration of [DECLARATIONS.confirm_correct, DECLARATIONS.collections_terms_acceptance])
      if ((yield* Ask.decide(out, `${declaration} Do you declare this?`)) !== true) return undefined
    const comments = Option.getOrUndefined(said.comments)
    return {
      who,
      digest: view.digest,
      disputed: reasons !== undefined,
      ...(reasons === undefined ? {} : { reasons }),
      ...(comments === undefined ? {} : { comments }),
      confirm_correct: true,
      collections_terms_acceptance: true
    }
  })

/** The person's confirmation; undefined if they do not give it. */
export const word = (view: CollectionView, said: Said) =>
  Effect.gen(function* () {
    const out = yield* CommandContext.output
    if (view.closed !== undefined)
      return yield* new UsageError({ why: `${view.subject}: nothing was confirmed: ${view.closed}` })
    if (view.lacking.length > 0)
      return yield* new UsageError({ why: `${view.subject} is not complete: ${view.lacking.join("; ")}` })
    if (Option.isSome(said.disputed) && said.notDisputed)
      return yield* new UsageError({ why: "give --disputed or --not-disputed, not both" })
    const spokenFor = spoken(view, said)
    if (!("length" in spokenFor)) return spokenFor
    if (Ask.isAsked(out)) return yield* asked(view, said)
    return yield* new UsageError({
      why: `nothing was confirmed; without a terminal, give all of these: ${command(view)} --confirm needs ${spokenFor.join(", ")}; the digest of what is shown is ${view.digest.slice(0, 12)}`
    })
  })
