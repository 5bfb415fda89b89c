/** Offers the library's methods as promises, for programs without Effect. */
import { Effect } from "effect"
import type { Api } from "./Api.ts"

/** An effect, as a promise. */
type Promised<F> = F extends (...args: infer Args) => Effect.Effect<infer A, infer _E>
  ? (...args: Args) => Promise<A>
  : never

/** The methods that return one result, without those that continue until they are ended. */
export type Askable = Omit<Api, "events" | "run">

/** Rejections are the errors of `Api`, each with a `_tag` and a message that says what to do. */
export type PromisedApi = { readonly [Name in keyof Askable]: Promised<Askable[Name]> }

/** Every method by name: the type allows none to be left out. */
const NAMES: Readonly<Record<keyof Askable, true>> = {
  pull: true,
  plan: true,
  whatIf: true,
  apply: true,
  sync: true,
  completeness: true,
  status: true,
  attention: true,
  resolve: true,
  retry: true,
  assign: true,
  sameMoney: true,
  choices: true,
  unassign: true,
  explain: true,
  export: true,
  views: true,
  backup: true,
  verify: true,
  month: true,
  check: true,
  preview: true,
  reconcile: true,
  independent: true,
  payouts: true,
  debtors: true,
  candidates: true,
  match: true,
  approve: true,
  reject: true,
  renameConnection: true,
  acceptConnection: true,
  connectLink: true,
  connectLinks: true,
  cover: true,
  decideCover: true,
  collection: true,
  collect: true,
  alerts: true,
  testAlerts: true,
  retryAlerts: true
}

/** The names of all methods. */
export const METHODS = Object.keys(NAMES) as ReadonlyArray<keyof Askable>

/** @param start runs the effect of a call */
export const promised = (
  api: Askable,
  start: (work: Effect.Effect<unknown, unknown>) => Promise<unknown>
): PromisedApi =>
  Object.fromEntries(
    METHODS.map((name) => {
      const method = api[name] as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>
      return [name, (...args: ReadonlyArray<unknown>) => start(Effect.suspend(() => method(...args)))]
    })
  ) as unknown as PromisedApi
