/** Offers the library's methods as promises, for programs without Effect. */
import type { Effect } from "effect"
import type { Api } from "./Api.ts"

/** An effect, as a promise. */
type Promised<F> = F extends (...args: infer Args) => Effect.Effect<infer A, infer _E>
  ? (...args: Args) => Promise<A>
  : never

/** The methods that return one result, without those that continue until they are ended. */
export type Askable = Omit<Api, "events" | "run">

/** Rejections are the errors of `Api`, each with a `_tag` and a message that says what to do. */
export type PromisedApi = { readonly [Name in keyof Askable]: Promised<Askable[Name]> }

const names = [
  "pull",
  "plan",
  "apply",
  "sync",
  "completeness",
  "status",
  "attention",
  "resolve",
  "retry",
  "assign",
  "choices",
  "unassign",
  "explain",
  "export",
  "views",
  "backup",
  "check",
  "preview",
  "reconcile",
  "independent",
  "debtors",
  "candidates",
  "match",
  "approve",
  "reject",
  "renameConnection",
  "acceptConnection",
  "connectLink",
  "connectLinks",
  "cover",
  "decideCover",
  "collection",
  "collect"
] as const satisfies ReadonlyArray<keyof Askable>

/** @param start runs the effect of a call */
export const promised = (
  api: Askable,
  start: (work: Effect.Effect<unknown, unknown>) => Promise<unknown>
): PromisedApi =>
  Object.fromEntries(
    names.map((name) => {
      const method = api[name] as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
      return [name, (...args: ReadonlyArray<unknown>) => start(method(...args))]
    })
  ) as unknown as PromisedApi
