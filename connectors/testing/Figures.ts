/**
 * Finds which amounts of a source's records its documents are of, whatever they are called, and defines the kit's checks of them: to
 * the last digit, from no other member, and before what went back.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Document from "../Document.ts"
import type { Check } from "./Checks.ts"
import { amounts, leaf, made, more, overLists, written } from "./Edits.ts"
import { textOf } from "./Simulator.ts"
import { type State, type Subject, Wrong } from "./Subject.ts"

/** An order has amounts of lines, beside which a total is only compared. */
export const OF_ORDERS = /^(order|fulfilment|cancellation|return)\//
const MONEY = /^(invoice|payment|reversal|credit_note)\//

export const figures = (text: string): ReadonlyArray<bigint> =>
  [...text.matchAll(/"(?:gross|net|amount|unallocated)":"(-?\d+)n"/g)].map(([, digits]) => BigInt(digits ?? 0))

/** By how much the first figure of each document is another one. */
export const movedBy = (before: State, after: State): ReadonlyMap<string, bigint> =>
  new Map(
    [...before].flatMap(([name, text]) => {
      if (!MONEY.test(name)) return []
      const [was, is] = [figures(text), figures(after.get(name) ?? "")]
      // Without one of its amounts, a document is not of another one.
      if (was.length !== is.length) return []
      const n = was.findIndex((one, at) => one !== is[at])
      const [less, more] = [was[n], is[n]]
      return less === undefined || more === undefined ? [] : [[name, more - less] as const]
    })
  )

export const plus = (value: unknown, by: Decimal.Decimal): unknown => written(value, more(textOf(value), by))

const withMore = (subject: Subject, { list, path }: { readonly list: string; readonly path: string }, by: string) =>
  made(subject, { list, path, to: (value) => plus(value, Decimal.of(by)) })

/** The amounts of which, with one more, a document is of one more. */
export const moving = async (subject: Subject, base: State): Promise<ReturnType<typeof amounts>> => {
  const found: Array<ReturnType<typeof amounts>[number]> = []
  for (const one of amounts(subject)) {
    const { state } = await withMore(subject, one, "1")
    if ([...movedBy(base, state).values()].includes(Decimal.one)) found.push(one)
  }
  return found
}

/** More than a double can count, and less than amounts may be. */
const LARGE = "90071992547409.93"

const isServed = (value: unknown, answers: ReadonlyArray<string>): boolean =>
  answers.some((answer) => answer.includes(textOf(plus(value, Decimal.of(LARGE)))))

/** Units with their decimals, and neither hundredths nor whole numbers, which may be. */
const areMajor = (values: ReadonlyArray<unknown>): boolean =>
  values.every((value) => typeof value === "string" && /\.\d\d$/.test(value)) ||
  (values.every((value) => typeof value === "number") && values.some((value) => !Number.isInteger(value)))

/** What is for an invoice and what is left of a payment come to no more than came. */
const doubled = (before: State, after: State): string | undefined =>
  [...before].find(([name, text]) => {
    const one = Document.decode(text)
    const now = after.get(name)
    if (!("shares" in one) || one.shares.length !== 1 || !("unallocated" in one) || now === undefined) return false
    return Decimal.sum(figures(now)) - Decimal.sum(figures(text)) > Decimal.one
  })?.[0]

/** What went back of a payment is a document of its own: the payment stays what came. */
const netted = async (subject: Subject, base: State): Promise<void> => {
  const back = [...base.values()].flatMap((text) => {
    const one = Document.decode(text)
    return one.kind === "reversal" && one.payment !== undefined ? [`payment/${one.payment}`] : []
  })
  for (const one of amounts(subject)) {
    if (!/refund|back|return|revers/i.test(leaf(one.path))) continue
    const moved = movedBy(base, (await withMore(subject, one, "0.01")).state)
    const less = back.find((name) => (moved.get(name) ?? 0n) < 0n)
    if (less !== undefined)
      throw new Wrong(
        `with more ${one.path} in ${one.list}, ${less} is of less: what went back is a document of its own, and the payment stays what came`
      )
  }
}

const taken: Check = async (subject) => {
  const base = await made(subject)
  for (const one of await moving(subject, base.state)) {
    const { list, path, values } = one
    if (subject.unread?.[`${list}.${path}`] !== undefined) continue
    const twice = doubled(base.state, (await withMore(subject, one, "1")).state)
    if (twice !== undefined)
      throw new Wrong(
        `with 1 more of ${path} in ${list}, ${twice} is of 2 more: what is in shares is not left over too`
      )
    const missing = await made(subject, { list, path, to: () => null })
    const other = [...movedBy(base.state, missing.state)].find(([, by]) => by !== 0n)?.[0]
    if (other !== undefined && missing.said === base.said && subject.lacks?.includes(`${list}.${path}`) !== true)
      throw new Wrong(
        `without ${path} in ${list}, ${other} has an amount of another member: quarantine it, or name it in the sample: lacks: ["${list}.${path}"]`
      )
    if (!areMajor(values)) continue
    // A sample that computes with amounts serves others, or none.
    const large = await withMore(subject, one, LARGE).catch(() => undefined)
    if (large === undefined) continue
    if (large.answers.length > 0 && !values.every((value) => isServed(value, large.answers))) continue
    const lost = [...movedBy(base.state, large.state)].find(
      ([, by]) => by !== Decimal.of(LARGE) && Decimal.abs(by - Decimal.of(LARGE)) < Decimal.one
    )?.[0]
    if (lost !== undefined)
      throw new Wrong(`${LARGE} more of ${path} in ${list} is another amount in ${lost}: no double holds an amount`)
  }
  await netted(subject, base.state)
  return undefined
}

export const FIGURES = overLists({ "takes each amount as its member has it": taken })
