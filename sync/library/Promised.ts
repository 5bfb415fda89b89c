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

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** @param start runs the effect of a call */
export const promised = (
  api: Askable,
  start: (work: Effect.Effect<unknown, unknown>) => Promise<unknown>
): PromisedApi =>
  Object.fromEntries(
    Object.entries(api as unknown as Readonly<Record<string, Method>>)
      .filter(([name]) => name !== "events" && name !== "run")
      .map(([name, method]): [string, (...args: ReadonlyArray<unknown>) => Promise<unknown>] => [
        name,
        (...args) => start(Effect.suspend(() => method(...args)))
      ])
  ) as unknown as PromisedApi
