/**
 * What reading back answers, and how what the service says is compared with what was sent.
 */
import { Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Answer } from "../model/Answer.ts"
import type { Json } from "../model/RemoteInvoice.ts"

/** `done` with what the service now says, or `absent`: it changed nothing and may be sent again. */
export type ReadBack = { readonly done: Answer } | { readonly absent: true }

export const absent: ReadBack = { absent: true }

/** It is done, and there is no more to know of it than its identifier, where it has one. */
export const isDone = (id?: string): ReadBack => ({ done: { kind: "done", ...(id === undefined ? {} : { id }) } })

/** A reading of what is there: what is not has changed nothing. */
export const unlessGone = <A, R>(
  read: Effect.Effect<A, ServiceError, R>
): Effect.Effect<A | ReadBack, ServiceError, R> =>
  Effect.catch(read, (error) => (error.reason._tag === "NotFound" ? Effect.succeed(absent) : Effect.fail(error)))

/** A reading of what was to be removed: what is not there is done. */
export const onceGone = <A, R>(read: Effect.Effect<A, ServiceError, R>): Effect.Effect<ReadBack, ServiceError, R> =>
  Effect.as(read, absent).pipe(
    Effect.catch((error) => (error.reason._tag === "NotFound" ? Effect.succeed(isDone()) : Effect.fail(error)))
  )

/** Finds the service's identifier for a key. */
export type FindId = (key: string) => string | undefined

/** A decoded resource as its wire shape, amounts as text. */
export const wire = (value: unknown): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? amountText(one) : one)))

const amountText = (amount: bigint): string => Decimal.format(amount, 2)

/** Equal as the service may write it: members that it adds to an object do not count. */
export const equal = (wanted: Json, stated: unknown): boolean => {
  if (wanted === null) return stated === null || stated === undefined
  if (Array.isArray(wanted)) {
    return Array.isArray(stated) && stated.length === wanted.length && wanted.every((one, i) => equal(one, stated[i]))
  }
  if (typeof wanted === "object") {
    return (
      stated !== null &&
      typeof stated === "object" &&
      Object.entries(wanted).every(([name, one]) => equal(one, (stated as Record<string, unknown>)[name]))
    )
  }
  return String(wanted) === String(stated)
}
