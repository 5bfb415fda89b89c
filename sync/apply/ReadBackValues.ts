/**
 * Defines the results of reading back, and compares what the service states with what was sent.
 */
import { Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Answer } from "../model/Answer.ts"
import type { Json } from "../model/RemoteInvoice.ts"

/** `done` with the service's current state, or `absent`: it changed nothing and may be sent again. */
export type ReadBack = { readonly done: Answer } | { readonly absent: true }

export const absent: ReadBack = { absent: true }

/** The call is done; nothing else is known but the identifier, if it has one. */
export const isDone = (id?: string): ReadBack => ({ done: { kind: "done", ...(id === undefined ? {} : { id }) } })

/** For things that should exist: not found means that nothing was changed. */
export const unlessGone = <A, R>(
  read: Effect.Effect<A, ServiceError, R>
): Effect.Effect<A | ReadBack, ServiceError, R> =>
  Effect.catch(read, (error) => (error.reason._tag === "NotFound" ? Effect.succeed(absent) : Effect.fail(error)))

/** For things that should be removed: not found means done. */
export const onceGone = <A, R>(read: Effect.Effect<A, ServiceError, R>): Effect.Effect<ReadBack, ServiceError, R> =>
  Effect.as(read, absent).pipe(
    Effect.catch((error) => (error.reason._tag === "NotFound" ? Effect.succeed(isDone()) : Effect.fail(error)))
  )

/** Finds the service's identifier for a key. */
export type FindId = (key: string) => string | undefined

/** A decoded resource in the format of the wire, with amounts as text. */
export const wire = (value: unknown): Readonly<Record<string, unknown>> =>
  onWire(value) as Readonly<Record<string, unknown>>

/** A part of one. */
export const onWire = (value: unknown): unknown => {
  if (typeof value === "bigint") return amountText(value)
  return typeof value !== "object" || value === null
    ? value
    : JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? amountText(one) : one)))
}

const amountText = (amount: bigint): string => Decimal.format(amount, 2)

/** Whether a value equals what the service states; fields that the service adds to an object are ignored. */
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
