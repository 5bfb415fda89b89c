/** Asks for a person's confirmation of a collection: each declaration separately, without a default. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { CollectionView, Confirmation } from "../../sync/collections/Collecting.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { nameProblem } from "../../sync/model/PersonName.ts"
import * as Ask from "../Ask.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { command, DECLARATIONS } from "../render/CollectionView.ts"

export const flags = {
  attach: Flags.several("attach", "FILE", "Add this file: PDF, PNG or JPEG"),
  type: Flags.needed(
    "type",
    "TYPE",
    "What the files are: invoice, statement, proof_order, proof_delivery, shipping, correspondence or other"
  ).pipe(Flag.withDefault("other")),
  remove: Flags.several("remove", "NAME", "Remove a file that was added"),
  confirm: Flags.yes("confirm", "Confirm what is shown, so that it is handed over"),
  name: Flags.text("name", "NAME", "Your name, recorded with your declarations"),
  digest: Flags.text("digest", "DIGEST", "Digest of what was shown (without a terminal)"),
  correct: Flags.yes("declare-correct", "Declare that what is shown is correct (without a terminal)"),
  terms: Flags.yes("accept-terms", "Accept the terms of collection (without a terminal)"),
  disputed: Flags.text("disputed", "REASON", "The buyer disputes the invoice, for this reason"),
  notDisputed: Flags.yes("not-disputed", "The buyer does not dispute the invoice"),
  comments: Flags.text("comments", "TEXT", "What the collections partner should know"),
  withdraw: Flags.yes("withdraw", "Take a confirmation back, before it was sent"),
  send: Flags.yes("send", "Hand over what was confirmed now, and send nothing else of the plan")
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
